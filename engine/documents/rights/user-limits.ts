import type { RawBuilder } from 'kysely'
import { type FieldLimit, fieldLimits, limitDefaults } from '../../access/user-limits.ts'
import { AppError, validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import { allOf, anyOf, isOther, unsetOrOneOf } from '../../storage/database/fragment.ts'
import type { Context } from '../work/context.ts'
import type { Work } from '../work/work.ts'

/** The condition that the caller's user permissions put on records of a DocType; undefined = all of them. */
export function limitCondition(
  context: Pick<Context, 'actor'>,
  definition: DocTypeDefinition,
): RawBuilder<boolean> | undefined {
  const limits = fieldLimits(context, definition)
  if (limits.length === 0) return undefined
  return allOf(
    limits.map(({ field, where, names }) => {
      const isOne = unsetOrOneOf(field, [...names])
      return where ? anyOf([isOther(where.field, where.is), isOne]) : isOne
    }),
  )
}

/** The first limit that keeps a record from the caller. */
export function brokenLimit(
  context: Pick<Context, 'actor'>,
  definition: DocTypeDefinition,
  doc: Doc,
): FieldLimit | undefined {
  return fieldLimits(context, definition).find(({ field, where, names }) => {
    const name = valueIn(doc, field)
    if (typeof name !== 'string' || names.has(name)) return false
    return !where || valueIn(doc, where.field) === where.is
  })
}

/** 403 for a record that the caller's user permissions do not let them leave so. */
export function outsideLimits(
  { label, idField }: DocTypeDefinition,
  { field }: FieldLimit,
): AppError {
  const name = field === 'name' ? idField : field
  return new AppError(
    'FORBIDDEN',
    `your user permissions do not let you have this ${label}: its ${name} is none of the records they name`,
    { details: [{ field: name, message: 'expected a record of your user permissions' }] },
  )
}

/** Fills links that a new record leaves open with those of the caller's default user permissions. */
export function fillLimitDefaults(
  context: Pick<Context, 'actor'>,
  definition: DocTypeDefinition,
  doc: Doc,
): void {
  for (const [field, name] of limitDefaults(context, definition)) doc[field] ??= name
}

/**
 * Refuses a user permission that would limit nobody, because what it names is no DocType or does not link there:
 * a slip must not open what was to be closed. Does nothing for other DocTypes.
 */
export function guardLimits(
  { context: { services } }: Work,
  definition: DocTypeDefinition,
  after: Doc | undefined,
): void {
  if (definition.serves !== 'user_permissions' || !after) return
  const { registry } = services
  const allow = valueIn(after, 'allow')
  const about = valueIn(after, 'applicable_for')
  if (typeof allow !== 'string' || typeof about !== 'string' || about === allow) return
  const target = registry.byDoctype(about)
  const links = target?.fields.some(
    ({ link, linkFrom }) => link === allow || linkFrom !== undefined,
  )
  if (target && !target.isChild && links) return
  const expected = `a DocType with a link to ${allow}`
  throw validationError([
    { field: 'applicable_for', message: `expected ${expected}, got ${JSON.stringify(about)}` },
  ])
}

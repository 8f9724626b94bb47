import type { RawBuilder } from 'kysely'
import { type FieldLimit, fieldLimits } from '../../access/user-limits.ts'
import { AppError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import { allOf, anyOf, isOther, unsetOrOneOf } from '../../storage/database/fragment.ts'
import type { Context } from '../work/context.ts'

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
    {
      details: [
        {
          field: name,
          message: 'expected a record of your user permissions',
          code: 'not_permitted',
        },
      ],
    },
  )
}

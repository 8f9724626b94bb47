import { limitDefaults } from '../../access/user-limits.ts'
import { validationError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import type { Context } from '../work/context.ts'
import type { Work } from '../work/work.ts'

/** Links that a new record leaves open are those of the caller's default user permissions. */
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
    {
      field: 'applicable_for',
      message: `expected ${expected}, got ${JSON.stringify(about)}`,
      code: 'not_an_option',
    },
  ])
}

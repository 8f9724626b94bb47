import type { DocTypeDefinition } from '../definition/model/definition.ts'
import { isManager } from './actor.ts'
import { can, grantingRoles, type Rights } from './can.ts'
import { fieldLimits } from './user-limits.ts'

/**
 * Slugs of the resources whose records the caller may not read, so neither what happened to them; those of
 * which the caller may read only some records count as not readable here.
 */
export function hiddenResources(
  rights: Rights,
  definitions: readonly DocTypeDefinition[],
): readonly string[] {
  if (rights.actor.kind === 'system') return []
  return definitions
    .filter((one) => !can(rights, one, 'read') || isLimited(rights, one))
    .map(({ slug }) => slug)
}

function isLimited(rights: Rights, definition: DocTypeDefinition): boolean {
  const { rows, follows } = definition.behaviour.permissions ?? {}
  if (isManager(rights.actor)) return false
  if (follows !== undefined) return true
  if (fieldLimits(rights, definition).length > 0) return true
  if (!rows) return false
  return grantingRoles(rights, definition, 'read').every((role) => {
    const limit = Object.hasOwn(rows, role) ? rows[role] : undefined
    return typeof limit === 'object' ? limit.read !== undefined : limit !== undefined
  })
}

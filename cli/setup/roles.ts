import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { Engine } from '../../engine/index.ts'
import { allNames } from '../../engine/storage/finding/record-names.ts'
import { createUnlessThere } from './masters.ts'

/**
 * Makes the records of the roles that `roles.yaml` declares, those that are missing; part of every start, so
 * that a role that came with a new version can be given. Returns how many were made.
 */
export async function createRoles(engine: Engine): Promise<number> {
  const { registry, roles, database } = engine.services
  const definition = registry.serving('roles')
  if (!definition) return 0
  const there = new Set(await allNames(database.read, definition))
  const missing = Object.entries(roles.roles).filter(([role]) => !there.has(role))
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  const made = await Promise.all(
    missing.map(([role_name, description]) =>
      createUnlessThere(context, definition, { role_name, description }),
    ),
  )
  return made.filter(Boolean).length
}

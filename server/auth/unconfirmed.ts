import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import { STRANGER_ROLE } from '../../engine/access/roles.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { isRefusal } from '../../engine/base/errors.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { removeDocument } from '../../engine/documents/operations/remove.ts'
import type { Engine } from '../../engine/index.ts'
import { peopleOf } from './people.ts'
import { markConfirmed, selectOverdue } from './person-store.ts'

/** Accounts one run deletes. */
const BATCH = 500

/**
 * Deletes the accounts of strangers who have not proven their address in time; returns how many. One to which
 * documents link stays: somebody of the workspace knows it.
 */
export async function removeOverdue(engine: Engine): Promise<number> {
  const { services } = engine
  const { database, clock } = services
  const overdue = await selectOverdue(database.read, isoDateTime(clock), BATCH)
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  let removed = 0
  for (const login of overdue) {
    try {
      await removeDocument(context, peopleOf(services), login)
      removed += 1
    } catch (error) {
      if (!isRefusal(error)) throw error
      await database.write((tx) => markConfirmed(tx, login))
    }
  }
  return removed
}

/** Makes the record of the role of strangers where somebody has deleted it, or nobody has made it yet. */
export async function ensureStrangerRole(engine: Engine): Promise<void> {
  const { services } = engine
  const roles = services.registry.serving('roles')
  if (!roles) return
  const { store } = services.partsOf(roles)
  if (await store.find(services.database.read, STRANGER_ROLE)) return
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  const description = services.roles.roles[STRANGER_ROLE] ?? 'Who signed up by themselves'
  try {
    await createDocument(context, roles, { role_name: STRANGER_ROLE, description })
  } catch (error) {
    // Two strangers came at once.
    if (!isRefusal(error) || error.code !== 'CONFLICT') throw error
  }
}

import type { Actor } from '../../engine/access/actor.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { logSecurity } from './security-log.ts'
import { deleteSessionOf, selectOtherSessionIds } from './session-store.ts'

/** Ends all sessions of somebody without this one and tells of each; answers how many. */
export async function revokeOtherSessions(
  tx: Db,
  services: Services,
  actor: Actor,
  login: string,
  kept: string | undefined,
): Promise<number> {
  const ids = await selectOtherSessionIds(tx, login, kept)
  for (const id of ids) await revokeSession(tx, services, actor, login, id)
  return ids.length
}

/** Ends one session of somebody and tells of it; false when they have none of this id. */
export async function revokeSession(
  tx: Db,
  services: Services,
  actor: Actor,
  login: string,
  id: string,
): Promise<boolean> {
  if (id.includes('\0') || !(await deleteSessionOf(tx, login, id))) return false
  await logSecurity(tx, services, actor, { kind: 'session_revoked', id, person: login })
  return true
}

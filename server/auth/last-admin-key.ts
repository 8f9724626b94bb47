import type { Actor } from '../../engine/access/actor.ts'
import { SYSTEM_MANAGER } from '../../engine/access/roles.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { findPersonWithin } from './people.ts'
import { findKey, type KeyRow, selectKeys } from './store.ts'

/** More keys than this no workspace has that is asked whether it has another. */
const MOST_KEYS = 10_000

/**
 * Throws CONFLICT where a key may not be deleted over HTTP: the one in use, and the last admin key that can be used
 * (contract §7.8). The command line can.
 */
export async function assertKeyIsSpared(
  tx: Db,
  services: Services,
  actor: Actor,
  id: string,
): Promise<void> {
  const row = await findKey(tx, id)
  if (!row) return
  const shown = JSON.stringify(id)
  if (row.id === actor.id)
    throw refusal(`cannot delete the API key ${shown} with itself; use another admin key`)
  if (!(await isUsable(tx, services, row))) return
  const page = { limit: MOST_KEYS, offset: 0, includeRevoked: false }
  for (const other of await selectKeys(tx, page))
    if (other.id !== id && other.env === row.env && (await isUsable(tx, services, other))) return
  throw refusal(`cannot delete ${shown}, the last admin key; make another one first`)
}

function refusal(message: string): AppError {
  return new AppError('CONFLICT', `${message}, or svc key revoke`)
}

/** Whether somebody could manage keys with it. */
async function isUsable(tx: Db, services: Services, row: KeyRow): Promise<boolean> {
  const { scope, pair, expires, login } = row
  if (scope !== 'admin' || pair !== null) return false
  if (expires !== null && Date.parse(expires) <= services.clock.now()) return false
  if (login === null) return true
  const person = await findPersonWithin(services, login, tx)
  return person?.enabled === true && person.roles.includes(SYSTEM_MANAGER)
}

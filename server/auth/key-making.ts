import type { Actor } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { validationError } from '../../engine/base/errors.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { SecurityKind } from '../../engine/schema/catalogue/security-events.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { type CreatedKey, createKey, type KeyWish, type ShownKey, shownKey } from './api-keys.ts'
import { type CreatedPair, createPair, reissuePair, revokeUnlabelled } from './key-pairs.ts'
import type { KeyEnvironment } from './key-text.ts'
import { findPersonWithin } from './people.ts'
import { logSecurity } from './security-log.ts'
import { findKey, type KeysOf, markRevoked } from './store.ts'

/**
 * Makes a key or a pair and tells of it. The caller has checked `assertMayCreate`. Throws 422 for a pair of nobody who
 * is there.
 */
export async function makeKey(
  tx: Db,
  services: Services,
  actor: Actor,
  { type, user = actor.user?.login, request }: KeyWish,
): Promise<CreatedKey | CreatedPair> {
  if (type === 'key') {
    const key = await createKey(tx, services.clock, actor, request)
    await tell(tx, services, actor, 'key_created', key)
    return key
  }
  const person = user === undefined ? undefined : await findPersonWithin(services, user, tx)
  if (!person) {
    const message = 'expected the login of somebody of this workspace'
    throw validationError([
      { field: 'user', message, code: user === undefined ? 'required' : 'no_such_record' },
    ])
  }
  const pair = await createPair(tx, services, actor, person.login, request)
  await tell(tx, services, actor, 'key_created', pair)
  return pair
}

/** Gives somebody their pair without a label anew, and tells of it and of the one that ends. */
export async function makePairAnew(
  tx: Db,
  services: Services,
  actor: Actor,
  { login, env }: { readonly login: string; readonly env: KeyEnvironment },
): Promise<CreatedPair> {
  for (const before of await revokeUnlabelled(tx, services, login))
    await tell(tx, services, actor, 'key_revoked', shownKey(before))
  const pair = await reissuePair(tx, services, login, { by: actor.name, env })
  await tell(tx, services, actor, 'key_created', pair)
  return pair
}

/** Revokes a key or a pair and tells of it; false when there is none of that id, or none of those that are meant. */
export async function revokeKey(
  tx: Db,
  services: Services,
  actor: Actor,
  id: string,
  of: KeysOf = {},
): Promise<boolean> {
  if (id.includes('\0')) return false
  const key = await findKey(tx, id, of)
  if (!key || !(await markRevoked(tx, id, isoDateTime(services.clock)))) return false
  await tell(tx, services, actor, 'key_revoked', shownKey(key))
  return true
}

function tell(
  tx: Db,
  services: Services,
  actor: Actor,
  kind: SecurityKind,
  { id, user, type, scope, env, label }: ShownKey,
): Promise<void> {
  const more = { type, scope, env, label }
  return logSecurity(tx, services, actor, { kind, id, person: user, more })
}

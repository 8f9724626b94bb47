import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { Actor, Scope } from '../../engine/access/actor.ts'
import { isoDateTime } from '../../engine/base/clock.ts'
import { newId } from '../../engine/base/ids.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { type KeyRequest, type ShownKey, shownKey } from './api-keys.ts'
import { type KeyEnvironment, keyHash } from './key-text.ts'
import { findPerson, type Person } from './people.ts'
import { findPair, insertKey, type KeyRow, revokeKeysOf } from './store.ts'

/** Longest open half that is worth looking up. */
const MAX_OPEN_HALF = 140

/** A pair for `Authorization: token api_key:api_secret`, as it is seen this once. */
export interface CreatedPair extends ShownKey {
  readonly api_key: string
  readonly api_secret: string
}

/** A pair in use, and whose it is. */
export interface UsedPair {
  readonly pair: KeyRow
  readonly person: Person
}

/** Makes a pair, which acts as `login` within its scope. The caller has checked `assertMayCreate`. */
export async function createPair(
  tx: Db,
  { clock }: Pick<Services, 'clock'>,
  { name }: Pick<Actor, 'name'>,
  login: string,
  request: KeyRequest,
): Promise<CreatedPair> {
  const api_key = randomBytes(12).toString('hex')
  const api_secret = randomBytes(24).toString('hex')
  const row: KeyRow = {
    ...request,
    id: newId('key', clock.now()),
    hash: keyHash(api_secret),
    prefix: api_key,
    last4: api_secret.slice(-4),
    allow_ips: JSON.stringify(request.allow_ips),
    created: isoDateTime(clock),
    created_by: name,
    last_used: null,
    revoked: null,
    login,
    pair: api_key,
  }
  await insertKey(tx, row)
  return { ...shownKey(row), api_key, api_secret }
}

/**
 * Gives somebody the pair without a label, of which everybody has at most one: with all of their rights, as Frappe's
 * `generate_keys` does. The one before ends; those that were made with a label stay.
 */
export async function reissuePair(
  tx: Db,
  services: Pick<Services, 'clock'>,
  login: string,
  { by = login, env = 'live' }: { readonly by?: string; readonly env?: KeyEnvironment } = {},
): Promise<CreatedPair> {
  await revokeUnlabelled(tx, services, login)
  const all: Scope = 'admin'
  const request = { scope: all, env, label: null, allow_ips: [], expires: null }
  return createPair(tx, services, { name: by }, login, request)
}

/** Ends the pair of somebody that has no label; returns it, where there was one. */
export function revokeUnlabelled(
  tx: Db,
  { clock }: Pick<Services, 'clock'>,
  login: string,
): Promise<readonly KeyRow[]> {
  const only = { onlyPairs: true, onlyUnlabelled: true }
  return revokeKeysOf(tx, login, isoDateTime(clock), only)
}

/**
 * The pair of these halves and its person; undefined for a wrong one and for a disabled person. Whether it is revoked,
 * over, or of another environment is still to be asked.
 */
export async function findUsedPair(
  services: Pick<Services, 'registry' | 'database'>,
  openHalf: string,
  secret: string,
): Promise<UsedPair | undefined> {
  if (openHalf.length > MAX_OPEN_HALF || openHalf.includes('\0')) return undefined
  const pair = await findPair(services.database.read, openHalf)
  // Both are hashes of one length; the comparison is made also where there is nothing to compare with.
  const isRight = timingSafeEqual(
    Buffer.from(pair?.hash ?? keyHash('')),
    Buffer.from(keyHash(secret)),
  )
  if (!pair || pair.login === null || !isRight) return undefined
  const person = await findPerson(services, pair.login)
  return person?.enabled ? { pair, person } : undefined
}

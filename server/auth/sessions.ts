import { hash, randomBytes } from 'node:crypto'
import { type Clock, isoDateTime } from '../../engine/base/clock.ts'
import { newId } from '../../engine/base/ids.ts'
import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { findPerson, grantsDigest, type Person } from './people.ts'
import {
  deleteSession,
  insertSession,
  type Living,
  type SessionRow,
  selectSession,
  touchSession,
} from './session-store.ts'

/** Longest life of a session, and without a request, in ms (erp-semantics.md §1.4: 240 h). */
export const SESSION_LIFETIME = 30 * 24 * 60 * 60 * 1000
const IDLE_LIFETIME = 240 * 60 * 60 * 1000

/** Exactness of `last_seen`, in ms: one write in this time and session. */
const SEEN_EXACTNESS = 5 * 60 * 1000

/** Random bits of a cookie: 256 (reliability.md S1). */
const TOKEN_BYTES = 32
const TOKEN_LENGTH = Math.ceil((TOKEN_BYTES * 4) / 3)

/** Characters of a browser's own words that are kept. */
export const MAX_AGENT = 200

/** Which sessions live now. */
export function livingNow(clock: Clock): Living {
  const idleSince = new Date(clock.now() - IDLE_LIFETIME).toISOString()
  return { at: isoDateTime(clock), idleSince }
}

type SessionServices = Pick<Services, 'registry' | 'database' | 'clock'>

/** A session in use. */
export interface Session {
  readonly id: string
  readonly login: string
  /** Started by our own page: its forms carry a token. */
  readonly byPage: boolean
}

export interface StartedSession extends Session {
  /** The cookie; it is kept nowhere. */
  readonly token: string
}

export interface SessionStart {
  readonly byPage: boolean
  readonly address: string | undefined
  readonly agent: string | undefined
}

/** Signs somebody in: a new session with a new cookie, whatever they came with. `within` runs in its transaction. */
export async function startSession(
  services: SessionServices,
  person: Person,
  { byPage, address, agent }: SessionStart,
  within?: (tx: Db, session: Session) => Promise<void>,
): Promise<StartedSession> {
  const { database, clock } = services
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = isoDateTime(clock)
  const row: SessionRow = {
    id: newId('ses', clock.now()),
    hash: tokenHash(token),
    login: person.login,
    grants: grantsDigest(person),
    by_page: byPage ? 1 : 0,
    created: now,
    last_seen: now,
    expires: new Date(clock.now() + SESSION_LIFETIME).toISOString(),
    address: address ?? null,
    agent: agent?.slice(0, MAX_AGENT) ?? null,
  }
  const session = { id: row.id, login: person.login, byPage }
  await database.write(async (tx) => {
    await insertSession(tx, row)
    await within?.(tx, session)
  })
  return { ...session, token }
}

/**
 * Session of a cookie and its person; undefined for none, one that ended, and one whose person was changed since:
 * other roles, another password, disabled (reliability.md S2). `onError` hears of a failed note of its use.
 */
export async function findSession(
  services: SessionServices,
  token: string,
  onError: (error: unknown) => void,
): Promise<{ readonly session: Session; readonly person: Person } | undefined> {
  if (token.length > TOKEN_LENGTH) return undefined
  const { database, clock } = services
  const row = await selectSession(database.read, tokenHash(token))
  const now = clock.now()
  if (!row || Date.parse(row.expires) <= now) return undefined
  const idle = now - Date.parse(row.last_seen)
  if (idle > IDLE_LIFETIME) return undefined
  const person = await findPerson(services, row.login)
  if (!person?.enabled || grantsDigest(person) !== row.grants) return undefined
  if (idle > SEEN_EXACTNESS)
    database.write((tx) => touchSession(tx, row.id, isoDateTime(clock))).catch(onError)
  const session = { id: row.id, login: row.login, byPage: Number(row.by_page) === 1 }
  return { session, person }
}

/** Signs out: the cookie is worth nothing from here on. */
export async function endSession(
  { database }: Pick<Services, 'database'>,
  token: string,
): Promise<void> {
  await database.write((tx) => deleteSession(tx, tokenHash(token)))
}

function tokenHash(token: string): string {
  return hash('sha256', token)
}

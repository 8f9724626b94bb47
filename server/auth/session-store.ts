import type { Db } from '../../engine/storage/database/database.ts'
import { removeBefore } from '../../engine/storage/records/remove-before.ts'

/** A session as it is kept; the cookie only as SHA-256. */
export interface SessionRow {
  readonly id: string
  readonly hash: string
  readonly login: string
  readonly grants: string
  /** 1 for one that our own sign-in page started: its forms carry a token. */
  readonly by_page: bigint | number
  readonly created: string
  readonly last_seen: string
  readonly expires: string
  readonly address: string | null
  readonly agent: string | null
}

export async function insertSession(tx: Db, row: SessionRow): Promise<void> {
  await tx
    .insertInto('svc_sessions')
    .values({ ...row })
    .execute()
}

export async function selectSession(db: Db, hash: string): Promise<SessionRow | undefined> {
  const row = await db
    .selectFrom('svc_sessions')
    .selectAll()
    .where('hash', '=', hash)
    .executeTakeFirst()
  return row as unknown as SessionRow | undefined
}

export interface SessionPage {
  readonly limit: number
  readonly offset?: number
  /** Id that the sessions are older than: ids sort by the time they were started. */
  readonly before?: string
}

/** Moments (ISO) that tell which sessions live: those that end later than `at` and were used after `idleSince`. */
export interface Living {
  readonly at: string
  readonly idleSince: string
}

/** Sessions of somebody that live, the newest first. */
export async function selectSessionsOf(
  db: Db,
  login: string,
  { limit, offset, before }: SessionPage,
  living: Living,
): Promise<readonly SessionRow[]> {
  let query = livingOf(db, login, living).selectAll().orderBy('id', 'desc').limit(limit)
  if (offset) query = query.offset(offset)
  if (before !== undefined) query = query.where('id', '<', before)
  return (await query.execute()) as unknown as SessionRow[]
}

/** Number of sessions of somebody that live. */
export async function countSessionsOf(db: Db, login: string, living: Living): Promise<number> {
  const { n } = await livingOf(db, login, living)
    .select((column) => column.fn.countAll().as('n'))
    .executeTakeFirstOrThrow()
  return Number(n)
}

function livingOf(db: Db, login: string, { at, idleSince }: Living) {
  return db
    .selectFrom('svc_sessions')
    .where('login', '=', login)
    .where('expires', '>', at)
    .where('last_seen', '>=', idleSince)
}

/** Ids of all sessions of somebody, without this one. */
export async function selectOtherSessionIds(
  db: Db,
  login: string,
  id: string | undefined,
): Promise<readonly string[]> {
  let query = db.selectFrom('svc_sessions').select('id').where('login', '=', login)
  if (id !== undefined) query = query.where('id', '<>', id)
  return (await query.execute()).map((row) => row.id as string)
}

/** Ends one session of somebody; false when there is none of this id. */
export async function deleteSessionOf(tx: Db, login: string, id: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_sessions')
    .where('login', '=', login)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

export async function touchSession(tx: Db, id: string, at: string): Promise<void> {
  await tx.updateTable('svc_sessions').set({ last_seen: at }).where('id', '=', id).execute()
}

export async function deleteSession(tx: Db, hash: string): Promise<void> {
  await tx.deleteFrom('svc_sessions').where('hash', '=', hash).execute()
}

/** Ends all sessions of somebody; returns how many. */
export async function deleteSessionsOf(tx: Db, login: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_sessions')
    .where('login', '=', login)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends the sessions of somebody that were started with other grants than these. */
export async function deleteSessionsUnlike(tx: Db, login: string, grants: string): Promise<void> {
  await tx
    .deleteFrom('svc_sessions')
    .where('login', '=', login)
    .where('grants', '<>', grants)
    .execute()
}

/** Removes at most `limit` sessions that ended before this moment; returns how many. */
export function deleteExpiredSessions(tx: Db, at: string, limit: number): Promise<number> {
  return removeBefore(tx, { table: 'svc_sessions', key: 'id', column: 'expires' }, at, limit)
}

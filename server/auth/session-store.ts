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

export async function touchSession(tx: Db, id: string, at: string): Promise<void> {
  await tx.updateTable('svc_sessions').set({ last_seen: at }).where('id', '=', id).execute()
}

export async function deleteSession(tx: Db, hash: string): Promise<void> {
  await tx.deleteFrom('svc_sessions').where('hash', '=', hash).execute()
}

export async function deleteSessionsOf(tx: Db, login: string): Promise<void> {
  await tx.deleteFrom('svc_sessions').where('login', '=', login).execute()
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

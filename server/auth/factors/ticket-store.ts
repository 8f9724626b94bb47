import type { Db } from '../../../engine/storage/database/database.ts'
import { removeBefore } from '../../../engine/storage/records/remove-before.ts'

/** A ticket as it is kept; itself only as SHA-256. */
export interface TicketRow {
  readonly hash: string
  readonly login: string
  readonly purpose: string
  /** Digest of what the person was when it was made. */
  readonly grants: string
  /** Sealed: what was begun with it. */
  readonly data: string
  readonly expires: string
}

export async function insertTicket(tx: Db, row: TicketRow): Promise<void> {
  await tx
    .insertInto('svc_tickets')
    .values({ ...row })
    .execute()
}

/** The ticket of a hash that is not over. */
export async function selectTicket(
  db: Db,
  { hash, purpose, at }: { hash: string; purpose: string; at: string },
): Promise<TicketRow | undefined> {
  const row = await db
    .selectFrom('svc_tickets')
    .selectAll()
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('expires', '>', at)
    .executeTakeFirst()
  return row as unknown as TicketRow | undefined
}

/** Uses a ticket up; false where somebody was faster. */
export async function deleteTicket(tx: Db, hash: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_tickets')
    .where('hash', '=', hash)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Removes at most `limit` tickets that are over; returns how many. */
export function deleteOldTickets(tx: Db, at: string, limit: number): Promise<number> {
  return removeBefore(tx, { table: 'svc_tickets', key: 'hash', column: 'expires' }, at, limit)
}

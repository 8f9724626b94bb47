import type { Db } from '../../engine/storage/database/database.ts'
import { removeBefore } from '../../engine/storage/records/remove-before.ts'

export interface LinkRow {
  readonly id: string
  readonly hash: string
  readonly login: string
  readonly purpose: string
  readonly created: string
  readonly expires: string
  readonly used: string | null
}

export async function insertLink(tx: Db, row: LinkRow): Promise<void> {
  await tx
    .insertInto('svc_one_time_links')
    .values({ ...row })
    .execute()
}

/** Marks a link as used; its login, or undefined when it is unknown, over or used already. One of two at once wins. */
export async function takeLink(
  tx: Db,
  { hash, purpose, at }: { hash: string; purpose: string; at: string },
): Promise<string | undefined> {
  const row = await tx
    .updateTable('svc_one_time_links')
    .set({ used: at })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used', 'is', null)
    .where('expires', '>', at)
    .returning('login')
    .executeTakeFirst()
  return row?.login as string | undefined
}

/** The login of a link that could be taken now. */
export async function findLink(
  db: Db,
  { hash, purpose, at }: { hash: string; purpose: string; at: string },
): Promise<string | undefined> {
  const row = await db
    .selectFrom('svc_one_time_links')
    .select('login')
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used', 'is', null)
    .where('expires', '>', at)
    .executeTakeFirst()
  return row?.login as string | undefined
}

/** Ends the links of somebody that were not used, e.g. when a newer one is sent. */
export async function deleteLinksOf(tx: Db, login: string, purpose: string): Promise<void> {
  await tx
    .deleteFrom('svc_one_time_links')
    .where('login', '=', login)
    .where('purpose', '=', purpose)
    .execute()
}

/** Removes at most `limit` links that are over; returns how many. */
export function deleteOldLinks(tx: Db, at: string, limit: number): Promise<number> {
  return removeBefore(tx, { table: 'svc_one_time_links', key: 'id', column: 'expires' }, at, limit)
}

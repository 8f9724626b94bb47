import type { Db } from '../../engine/storage/database/database.ts'
import { removeBefore } from '../../engine/storage/records/remove-before.ts'

export interface LinkRow {
  readonly id: string
  readonly hash: string
  readonly login: string
  /** E-mail address it was sent to. */
  readonly address: string | null
  readonly purpose: string
  readonly created: string
  readonly expires: string
  readonly used: string | null
  /** Path of this origin to go on to once it was used. */
  readonly go_on_to: string | null
}

/** Whose a link is, where it was sent, and where it leads on to. */
export type LinkOwner = Pick<LinkRow, 'login' | 'address' | 'go_on_to'>

export async function insertLink(tx: Db, row: LinkRow): Promise<void> {
  await tx
    .insertInto('svc_one_time_links')
    .values({ ...row })
    .execute()
}

/** Marks a link as used; whose it is, or undefined when it is unknown, over or used already. One of two at once wins. */
export async function takeLink(
  tx: Db,
  { hash, purpose, at }: { hash: string; purpose: string; at: string },
): Promise<LinkOwner | undefined> {
  const row = await tx
    .updateTable('svc_one_time_links')
    .set({ used: at })
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used', 'is', null)
    .where('expires', '>', at)
    .returning(['login', 'address', 'go_on_to'])
    .executeTakeFirst()
  return row as LinkOwner | undefined
}

/** Owner of a link that could be taken now. */
export async function findLink(
  db: Db,
  { hash, purpose, at }: { hash: string; purpose: string; at: string },
): Promise<LinkOwner | undefined> {
  const row = await db
    .selectFrom('svc_one_time_links')
    .select(['login', 'address', 'go_on_to'])
    .where('hash', '=', hash)
    .where('purpose', '=', purpose)
    .where('used', 'is', null)
    .where('expires', '>', at)
    .executeTakeFirst()
  return row as LinkOwner | undefined
}

/** Ends the links of somebody, e.g. when a newer one is sent; returns how many. */
export async function deleteLinksOf(tx: Db, login: string, purpose: string): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('svc_one_time_links')
    .where('login', '=', login)
    .where('purpose', '=', purpose)
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** Ends the links of somebody that went to another address than this one. */
export async function deleteLinksElsewhere(tx: Db, login: string, address: string): Promise<void> {
  await tx
    .deleteFrom('svc_one_time_links')
    .where('login', '=', login)
    .where('address', '<>', address)
    .execute()
}

/** Removes at most `limit` links that are over; returns how many. */
export function deleteOldLinks(tx: Db, at: string, limit: number): Promise<number> {
  return removeBefore(tx, { table: 'svc_one_time_links', key: 'id', column: 'expires' }, at, limit)
}

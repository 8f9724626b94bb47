import type { Db } from '../database/database.ts'
import { removeBefore } from '../records/remove-before.ts'

const TABLE = 'svc_public_links'

/** A link by which anybody who has it sees the paper of a record. */
export interface PublicLink {
  readonly id: string
  /** SHA-256 of the token; the token itself is kept nowhere. */
  readonly hash: string
  /** Slug and id of the record. */
  readonly resource: string
  readonly record: string
  /** Whose rights the paper is read by; null = the workspace's own. */
  readonly login: string | null
  readonly created: string
  readonly expires: string
}

export async function insertPublicLink(tx: Db, link: PublicLink): Promise<void> {
  await tx
    .insertInto(TABLE)
    .values({ ...link })
    .execute()
}

/** The link of this token's hash that is not over at a moment (ISO). */
export async function findPublicLink(
  db: Db,
  hash: string,
  at: string,
): Promise<PublicLink | undefined> {
  const row = await db
    .selectFrom(TABLE)
    .selectAll()
    .where('hash', '=', hash)
    .where('expires', '>', at)
    .executeTakeFirst()
  return row as unknown as PublicLink | undefined
}

/** The link of this id, over or not. */
export async function publicLinkById(db: Db, id: string): Promise<PublicLink | undefined> {
  const row = await db.selectFrom(TABLE).selectAll().where('id', '=', id).executeTakeFirst()
  return row as unknown as PublicLink | undefined
}

/** Ends a link. */
export async function deletePublicLink(tx: Db, id: string): Promise<void> {
  await tx.deleteFrom(TABLE).where('id', '=', id).execute()
}

/** Ends the links to a record, and those by the rights of somebody. */
export async function deletePublicLinksOf(
  tx: Db,
  of: { readonly resource: string; readonly record: string } | { readonly login: string },
): Promise<void> {
  let query = tx.deleteFrom(TABLE)
  for (const [column, value] of Object.entries(of)) query = query.where(column, '=', value)
  await query.execute()
}

/** Removes at most `limit` links that were over before a moment (ISO); returns how many. */
export function deleteOldPublicLinks(tx: Db, at: string, limit: number): Promise<number> {
  return removeBefore(tx, { table: TABLE, key: 'id', column: 'expires' }, at, limit)
}

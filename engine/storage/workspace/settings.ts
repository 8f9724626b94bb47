import type { Database, Db } from '../database/database.ts'
import { forgetUnlocked, seenOf } from '../database/seen-rows.ts'
import { runText } from '../database/statements.ts'

const TABLE = 'svc_settings'

/** A setting of the workspace, or undefined. */
export async function readSetting(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom(TABLE).select('value').where('key', '=', key).executeTakeFirst()
  return row?.value as string | undefined
}

/** The settings whose keys begin so, by key and in its order. */
export async function settingsBelow(db: Db, prefix: string): Promise<ReadonlyMap<string, string>> {
  const rows = await db
    .selectFrom(TABLE)
    .select(['key', 'value'])
    .where('key', 'like', `${prefix}%`)
    .orderBy('key')
    .execute()
  return new Map(rows.map(({ key, value }) => [String(key), String(value)]))
}

/** Reads one setting over and over, e.g. in every write: the statement is built once. Belongs to one database. */
export function settingReader(key: string): (db: Db) => Promise<string | undefined> {
  let text: string | undefined
  return async (db) => {
    const seen = seenOf<string | undefined>(db, TABLE)
    if (seen?.has(key)) return seen.get(key)
    text ??= db.selectFrom(TABLE).select('value').where('key', '=', key).compile().sql
    const { rows } = await runText<{ value: string }>(db, text, [key])
    seen?.set(key, rows[0]?.value)
    return rows[0]?.value
  }
}

/** Sets a setting of the workspace. */
export async function writeSetting(tx: Db, key: string, value: string): Promise<void> {
  seenOf(tx, TABLE)?.delete(key)
  await tx
    .insertInto(TABLE)
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Takes a setting away; none of that key is fine. */
export async function removeSetting(tx: Db, key: string): Promise<void> {
  seenOf(tx, TABLE)?.delete(key)
  await tx.deleteFrom(TABLE).where('key', '=', key).execute()
}

/**
 * Keeps others from changing a setting before the end of this write. SQLite's writer is alone; on PostgreSQL the row is
 * made first (with an empty value), so that there is one to lock.
 */
export async function lockSetting(tx: Db, { kind }: Database, key: string): Promise<void> {
  if (kind === 'sqlite') return
  await tx
    .insertInto(TABLE)
    .values({ key, value: '' })
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
  await tx.selectFrom(TABLE).select('key').where('key', '=', key).forUpdate().execute()
  seenOf(tx, TABLE)?.delete(key)
  forgetUnlocked(tx)
}

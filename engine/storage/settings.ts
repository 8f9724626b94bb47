import type { Db } from './database.ts'
import { runText } from './run-sql.ts'

/** A setting of the workspace, or undefined. */
export async function readSetting(db: Db, key: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('svc_settings')
    .select('value')
    .where('key', '=', key)
    .executeTakeFirst()
  return row?.value as string | undefined
}

/** Reads one setting over and over, e.g. in every write: the statement is built once. Belongs to one database. */
export function settingReader(key: string): (db: Db) => Promise<string | undefined> {
  let text: string | undefined
  return async (db) => {
    text ??= db.selectFrom('svc_settings').select('value').where('key', '=', key).compile().sql
    const { rows } = await runText<{ value: string }>(db, text, [key])
    return rows[0]?.value
  }
}

/** Sets a setting of the workspace. */
export async function writeSetting(tx: Db, key: string, value: string): Promise<void> {
  await tx
    .insertInto('svc_settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** Takes a setting away; none of that key is fine. */
export async function removeSetting(tx: Db, key: string): Promise<void> {
  await tx.deleteFrom('svc_settings').where('key', '=', key).execute()
}

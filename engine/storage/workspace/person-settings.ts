import type { Db } from '../database/database.ts'

const TABLE = 'svc_person_settings'

/** Identity of a setting: a login has no line break. */
const idOf = (login: string, key: string): string => `${login}\n${key}`

/** A setting of somebody as JSON text; undefined where they have none of this key. */
export async function readPersonSetting(
  db: Db,
  login: string,
  key: string,
): Promise<string | undefined> {
  const row = await db
    .selectFrom(TABLE)
    .select('value')
    .where('id', '=', idOf(login, key))
    .executeTakeFirst()
  return row === undefined ? undefined : String(row.value)
}

/** Number of the settings of somebody beside that of a key. */
export async function countOtherSettings(db: Db, login: string, key: string): Promise<number> {
  const row = await db
    .selectFrom(TABLE)
    .select(({ fn }) => fn.countAll().as('n'))
    .where('login', '=', login)
    .where('key', '!=', key)
    .executeTakeFirst()
  return Number(row?.n ?? 0)
}

/** Sets a setting of somebody. */
export async function writePersonSetting(
  tx: Db,
  login: string,
  key: string,
  value: string,
): Promise<void> {
  await tx
    .insertInto(TABLE)
    .values({ id: idOf(login, key), login, key, value })
    .onConflict((conflict) => conflict.column('id').doUpdateSet({ value }))
    .execute()
}

/** Takes a setting away; false where there was none. */
export async function removePersonSetting(tx: Db, login: string, key: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom(TABLE)
    .where('id', '=', idOf(login, key))
    .executeTakeFirst()
  return numDeletedRows > 0n
}

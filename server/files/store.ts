import { sql } from 'kysely'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Db } from '../../engine/storage/database/database.ts'

const FILES = 'svc_stored_files'
const CONTENTS = 'svc_file_contents'

/** What a record that serves files holds. */
export interface StoredFile {
  /** Id of the record. */
  readonly record: string
  /** SHA-256 of the content, hex. */
  readonly hash: string
  readonly size: number
  /** Media type that was found in the content. */
  readonly type: string
  readonly created: string
}

/**
 * Says that somebody has, or is about to have, this content: it is kept for a day whoever needs it. Returns the moment
 * by which that is known (ms), later than that of anybody before.
 */
export async function touchContent(
  tx: Db,
  { hash, size, now }: { readonly hash: string; readonly size: number; readonly now: number },
): Promise<number> {
  const { rows } = await sql<{ touched: unknown }>`
    insert into ${sql.table(CONTENTS)} (hash, size, touched) values (${hash}, ${size}, ${now})
    on conflict (hash) do update set touched = case
      when ${sql.ref(`${CONTENTS}.touched`)} < excluded.touched then excluded.touched
      else ${sql.ref(`${CONTENTS}.touched`)} + 1 end
    returning touched`.execute(tx)
  return Number(rows[0]?.touched)
}

/** Bytes of all contents together, and whether this one is among them. */
export async function roomTaken(
  db: Db,
  hash: string,
): Promise<{ readonly bytes: number; readonly isKnown: boolean }> {
  const { rows } = await sql<{ bytes: unknown; known: unknown }>`
    select coalesce(sum(size), 0) as bytes, coalesce(max(case when hash = ${hash} then 1 else 0 end), 0) as known
    from ${sql.table(CONTENTS)}`.execute(db)
  return { bytes: Number(rows[0]?.bytes ?? 0), isKnown: Number(rows[0]?.known ?? 0) === 1 }
}

/** Notes what a new record holds. */
export async function insertStored(tx: Db, file: StoredFile): Promise<void> {
  await tx
    .insertInto(FILES)
    .values({ ...file })
    .execute()
}

/** What a record holds; undefined for one that only names an address elsewhere. */
export async function findStored(db: Db, record: string): Promise<StoredFile | undefined> {
  const row = await db.selectFrom(FILES).selectAll().where('record', '=', record).executeTakeFirst()
  return row && ({ ...row, size: Number(row.size) } as unknown as StoredFile)
}

/** Forgets what deleted records held. */
export async function removeStored(tx: Db, records: readonly string[]): Promise<void> {
  if (records.length === 0) return
  await tx.deleteFrom(FILES).where('record', 'in', records).execute()
}

/** At most `limit` records made before `before` (ISO) that hold a file, belong to no record and lie in no folder. */
export async function looseRecords(
  db: Db,
  { table }: DocTypeDefinition,
  before: string,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select f.name from ${sql.table(table)} f join ${sql.table(FILES)} s on s.record = f.name
    where f.attached_to_name is null and f.folder is null and s.created < ${before}
    order by s.created limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ name }) => name)
}

/** At most `limit` contents that nobody has brought since `before` (ms) and no record holds. */
export async function idleContents(
  db: Db,
  before: number,
  limit: number,
): Promise<readonly string[]> {
  const { rows } = await sql<{ hash: string }>`
    select c.hash from ${sql.table(CONTENTS)} c where c.touched < ${before}
    and not exists (select 1 from ${sql.table(FILES)} s where s.hash = c.hash)
    limit ${sql.lit(limit)}`.execute(db)
  return rows.map(({ hash }) => hash)
}

/** Forgets a content that is still idle; false where somebody has brought it again. Who brings it now waits for the commit. */
export async function dropContent(tx: Db, hash: string, before: number): Promise<boolean> {
  const { rows } = await sql`
    delete from ${sql.table(CONTENTS)} where hash = ${hash} and touched < ${before}
    and not exists (select 1 from ${sql.table(FILES)} s where s.hash = ${hash}) returning hash`.execute(
    tx,
  )
  return rows.length > 0
}

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'
import type { TableShape } from '../records/shape.ts'
import type { MigrationPlan, StoredShape, StoredShapes } from './migration-plan.ts'

/** Name of the row of `svc_schema` that is no table: its shape is the checksum of the last whole migration. */
export const CHECKSUM_ROW = '#checksum'

/** Name of the row whose shape lists the columns that were added, or are used again, and wait for values: `["items.margin"]`. */
const UNFILLED_ROW = '#unfilled'

/** Version of the way tables are made; another one has every workspace looked at again. */
const FORMAT = 1

/** Checksum that `svc_schema` holds when the tables are exactly so: SHA-256, hex. */
export function checksumOf(wanted: readonly TableShape[]): string {
  const sorted = wanted.toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([FORMAT, sorted]))
    .digest('hex')
}

/** The checksum of the last migration that was finished; undefined when there was none, or the last was cut off. */
export async function readChecksum(db: Db, kind: DatabaseKind): Promise<string | undefined> {
  if (!(await hasSchemaTable(db, kind))) return undefined
  const row = await db
    .selectFrom('svc_schema')
    .select('shape')
    .where('name', '=', CHECKSUM_ROW)
    .executeTakeFirst()
  return row?.shape as string | undefined
}

export async function readShapes(db: Db, kind: DatabaseKind): Promise<StoredShapes> {
  if (!(await hasSchemaTable(db, kind))) return new Map()
  const rows = await db
    .selectFrom('svc_schema')
    .select(['name', 'shape'])
    .where('name', 'not in', [CHECKSUM_ROW, UNFILLED_ROW])
    .execute()
  return new Map(
    rows.map(({ name, shape }) => [name as string, JSON.parse(shape as string) as StoredShape]),
  )
}

/**
 * Remembers what the tables are now, with the columns that stay without a field. Shapes of tables that nothing wants any
 * more stay, as the tables do; the checksum goes until `writeChecksum`.
 */
export async function writeShapes(
  tx: Db,
  kind: DatabaseKind,
  wanted: readonly TableShape[],
  { steps, gone: kept }: Pick<MigrationPlan, 'steps' | 'gone'>,
  at: string,
): Promise<void> {
  const strict = kind === 'sqlite' ? sql` strict` : sql``
  await sql`create table if not exists svc_schema (
    name text not null primary key, shape text not null, applied_at text not null)${strict}`.execute(
    tx,
  )
  const gone = steps.flatMap((step) =>
    step.kind === 'drop-table' ? [step.table] : step.kind === 'rename-table' ? [step.from] : [],
  )
  await tx
    .deleteFrom('svc_schema')
    .where('name', 'in', [CHECKSUM_ROW, ...gone])
    .execute()
  for (const shape of wanted) {
    const left = kept.get(shape.name)
    const stored: StoredShape = left === undefined ? shape : { ...shape, gone: left }
    await upsert(tx, shape.name, JSON.stringify(stored), at)
  }
}

/** Writes the checksum, last of all: a migration that was cut off is looked at again by the next start. */
export async function writeChecksum(db: Db, checksum: string, at: string): Promise<void> {
  await upsert(db, CHECKSUM_ROW, checksum, at)
}

/**
 * Columns that migrations added and nobody has filled yet, as `table.column`: they are written down with the column
 * itself, so that whoever opens the workspace next fills them, however the process that added them ended.
 */
export async function readUnfilled(db: Db): Promise<readonly string[]> {
  const row = await db
    .selectFrom('svc_schema')
    .select('shape')
    .where('name', '=', UNFILLED_ROW)
    .executeTakeFirst()
  return row === undefined ? [] : (JSON.parse(row.shape as string) as string[])
}

/** Writes down columns that wait for values, beside those that still wait. */
export async function noteUnfilled(tx: Db, added: readonly string[], at: string): Promise<void> {
  if (added.length === 0) return
  const columns = new Set([...(await readUnfilled(tx)), ...added])
  await upsert(tx, UNFILLED_ROW, JSON.stringify([...columns]), at)
}

/** Takes columns off the list that have their values now. */
export async function noteFilled(tx: Db, filled: readonly string[], at: string): Promise<void> {
  const left = (await readUnfilled(tx)).filter((column) => !filled.includes(column))
  if (left.length > 0) await upsert(tx, UNFILLED_ROW, JSON.stringify(left), at)
  else await tx.deleteFrom('svc_schema').where('name', '=', UNFILLED_ROW).execute()
}

async function upsert(db: Db, name: string, shape: string, at: string): Promise<void> {
  await db
    .insertInto('svc_schema')
    .values({ name, shape, applied_at: at })
    .onConflict((conflict) =>
      conflict
        .column('name')
        .doUpdateSet({ shape, applied_at: at })
        .where('svc_schema.shape', '!=', shape),
    )
    .execute()
}

async function hasSchemaTable(db: Db, kind: DatabaseKind): Promise<boolean> {
  const query =
    kind === 'sqlite'
      ? sql`select 1 from sqlite_schema where type = 'table' and name = 'svc_schema'`
      : sql`select 1 from pg_class where relname = 'svc_schema' and relnamespace = current_schema()::regnamespace`
  return (await query.execute(db)).rows.length > 0
}

import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import type { DatabaseKind, Db } from '../database/database.ts'
import type { TableShape } from '../records/shape.ts'
import { openFillJob } from '../workspace/fill-jobs.ts'
import type { MigrationPlan, StoredShape, StoredShapes } from './migration-plan.ts'

/** Name of the row of `svc_schema` that is no table: its shape is the checksum of the last whole migration. */
export const CHECKSUM_ROW = '#checksum'

/** Name of the row that lists the columns that wait for values: `["items.margin"]`. */
const UNFILLED_ROW = '#unfilled'

/** Name of the row that says how far filling them has come: `FillPosition` as JSON. */
const POSITION_ROW = '#position'

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
    // Rows that are no tables begin with '#'.
    .where('name', 'not like', '#%')
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
    await writeRow(tx, shape.name, JSON.stringify(stored), at)
  }
}

/** Writes the checksum, last of all: a migration that was cut off is looked at again by the next start. */
export async function writeChecksum(db: Db, checksum: string, at: string): Promise<void> {
  await writeRow(db, CHECKSUM_ROW, checksum, at)
}

/**
 * Columns that wait for their values, as `table.column`: they are written down with what made them wait, so that whoever
 * opens the workspace next fills them, however the process ended that was to.
 */
export async function readUnfilled(db: Db): Promise<readonly string[]> {
  const text = await readRow(db, UNFILLED_ROW)
  return text === undefined ? [] : (JSON.parse(text) as string[])
}

/** Writes down columns that wait for values, beside those that still wait, and the job that gives them theirs. */
export async function noteUnfilled(tx: Db, columns: readonly string[], at: string): Promise<void> {
  if (columns.length === 0) return
  const all = new Set([...(await readUnfilled(tx)), ...columns])
  await writeRow(tx, UNFILLED_ROW, JSON.stringify([...all]), at)
  await removeRow(tx, POSITION_ROW)
  await openFillJob(tx, Date.parse(at))
}

/**
 * Keeps others from changing what waits until the commit: a process that ends a page, and one that brings the workspace
 * to other definitions. SQLite's writer is alone anyway.
 */
export async function lockUnfilled(tx: Db, kind: DatabaseKind): Promise<void> {
  if (kind === 'sqlite') return
  const row = tx.selectFrom('svc_schema').select('name').where('name', '=', UNFILLED_ROW)
  await row.forUpdate().execute()
}

/** Takes all columns off the list: they have their values. */
export async function noteFilled(tx: Db): Promise<void> {
  await removeRow(tx, UNFILLED_ROW)
  await removeRow(tx, POSITION_ROW)
}

/** Place that filling has come to. */
export interface FillPosition {
  /** Generation of the definitions by which it came there: by others it begins anew. */
  readonly generation: number
  /** Name of the task that is under way, e.g. `formulas of Item`; its place among all, from 1; and how many there are. */
  readonly task: string
  readonly number: number
  readonly tasks: number
  /** Number of its last record that is done, 0 before the first; and of the last there was when the task began. */
  readonly rid: number
  readonly records: number
}

/** The place that filling has come to; undefined where it has not begun. */
export async function readPosition(db: Db): Promise<FillPosition | undefined> {
  const text = await readRow(db, POSITION_ROW)
  return text === undefined ? undefined : (JSON.parse(text) as FillPosition)
}

/** Writes down the place that filling has come to, in the transaction that fills up to it. */
export async function writePosition(tx: Db, position: FillPosition, at: string): Promise<void> {
  await writeRow(tx, POSITION_ROW, JSON.stringify(position), at)
}

/** Text of a row of `svc_schema`; undefined where there is none. */
export async function readRow(db: Db, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('svc_schema')
    .select('shape')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.shape as string | undefined
}

async function removeRow(tx: Db, name: string): Promise<void> {
  await tx.deleteFrom('svc_schema').where('name', '=', name).execute()
}

/** Writes a row of `svc_schema`, where it says something else. */
export async function writeRow(db: Db, name: string, shape: string, at: string): Promise<void> {
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

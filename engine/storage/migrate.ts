import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { AppError } from '../base/errors.ts'
import type { Database, DatabaseKind, Db } from './database.ts'
import { type MigrationStep, planMigration, type StoredShapes } from './diff.ts'
import { introspect } from './introspect.ts'
import { offendingRows } from './migration-checks.ts'
import { statementsOf } from './migration-sql.ts'
import type { TableShape } from './shape.ts'

export interface MigrateOptions {
  /** Print the plan, change nothing. */
  readonly dryRun?: boolean
  /** Also run the steps that lose data. */
  readonly allowDrop?: boolean
  readonly onProgress?: (line: string) => void
}

export interface MigrationResult {
  /** Every step the database needs or needed, in order. */
  readonly steps: readonly MigrationStep[]
  /** Those that were run; none in a dry run. */
  readonly applied: readonly MigrationStep[]
  /** Steps that would lose data and were left out; they wait for `allowDrop`. */
  readonly waiting: readonly MigrationStep[]
}

/** Any number that no other program's lock has; "svc" in ASCII. */
const ADVISORY_LOCK = 0x737663
const CHECKSUM_ROW = '#checksum'

/**
 * Brings the tables to what the definitions want, in one transaction behind one lock, so that two processes
 * that start together migrate once. On PostgreSQL indexes are built after it without blocking writers; an
 * interrupted build leaves an invalid index, which the next start drops and builds again. Throws CONFLICT
 * when rows stand in the way of a step, naming them; nothing has been changed then.
 */
export async function migrate(database: Database, wanted: readonly TableShape[], options: MigrateOptions = {}): Promise<MigrationResult> {
  const { dryRun = false, allowDrop = false, onProgress = () => undefined } = options
  const checksum = createHash('sha256').update(JSON.stringify(wanted)).digest('hex')
  if (!dryRun && !allowDrop && (await isCurrent(database, checksum))) return { steps: [], applied: [], waiting: [] }
  if (dryRun) {
    const steps = await plan(database.read, database.kind, wanted)
    return { steps, applied: [], waiting: steps.filter(({ safety }) => safety === 'destructive' && !allowDrop) }
  }
  const result = await database.write(async (tx) => {
    if (database.kind === 'postgres') await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(tx)
    const steps = await plan(tx, database.kind, wanted)
    const allowed = steps.filter(({ safety }) => allowDrop || safety === 'safe')
    const within = allowed.filter((step) => !isOnline(step, database.kind, steps))
    for (const step of within) {
      onProgress(step.sentence)
      await refuseOffending(tx, step)
      for (const statement of statementsOf(step, database.kind, false)) await statement.execute(tx)
    }
    const online = allowed.filter((step) => isOnline(step, database.kind, steps))
    for (const step of online) await refuseOffending(tx, step)
    await storeShapes(tx, wanted, within)
    return { steps, allowed, online }
  })
  for (const step of result.online) {
    onProgress(step.sentence)
    for (const statement of statementsOf(step, database.kind, true)) await statement.execute(database.read)
  }
  await database.write((tx) => storeChecksum(tx, checksum))
  return { steps: result.steps, applied: result.allowed, waiting: result.steps.filter((step) => !result.allowed.includes(step)) }
}

/** Indexes of tables that had rows before are built beside the traffic; those of new tables cost nothing. */
function isOnline(step: MigrationStep, kind: DatabaseKind, steps: readonly MigrationStep[]): boolean {
  if (kind !== 'postgres' || step.kind !== 'create-index') return false
  return !steps.some((other) => other.kind === 'create-table' && other.table === step.table)
}

async function plan(db: Db, kind: DatabaseKind, wanted: readonly TableShape[]): Promise<readonly MigrationStep[]> {
  return planMigration(wanted, await introspect(db, kind), await storedShapes(db, kind))
}

async function refuseOffending(tx: Db, step: MigrationStep): Promise<void> {
  const offending = await offendingRows(tx, step)
  if (offending === undefined) return
  throw new AppError('CONFLICT', `cannot ${step.sentence}: ${offending}; mend the rows or the definition, then start again`)
}

async function hasSchemaTable(db: Db, kind: DatabaseKind): Promise<boolean> {
  const { rows } = await (kind === 'sqlite'
    ? sql`select 1 from sqlite_schema where name = 'svc_schema'`
    : sql`select 1 from pg_class where relname = 'svc_schema' and relnamespace = current_schema()::regnamespace`
  ).execute(db)
  return rows.length > 0
}

async function isCurrent({ read, kind }: Database, checksum: string): Promise<boolean> {
  if (!(await hasSchemaTable(read, kind))) return false
  const row = await read.selectFrom('svc_schema').select('shape').where('name', '=', CHECKSUM_ROW).executeTakeFirst()
  return row?.shape === checksum
}

async function storedShapes(db: Db, kind: DatabaseKind): Promise<StoredShapes> {
  if (!(await hasSchemaTable(db, kind))) return new Map()
  const rows = await db.selectFrom('svc_schema').select(['name', 'shape']).where('name', '!=', CHECKSUM_ROW).execute()
  return new Map(rows.map(({ name, shape }) => [name as string, JSON.parse(shape as string) as TableShape]))
}

/** What was wanted last, also of tables that nothing wants any more: they are still there. */
async function storeShapes(tx: Db, wanted: readonly TableShape[], applied: readonly MigrationStep[]): Promise<void> {
  await sql`create table if not exists svc_schema (name text primary key, shape text not null)`.execute(tx)
  for (const step of applied) {
    const gone = step.kind === 'drop-table' ? step.table : step.kind === 'rename-table' ? step.from : undefined
    if (gone !== undefined) await tx.deleteFrom('svc_schema').where('name', '=', gone).execute()
  }
  await tx.deleteFrom('svc_schema').where('name', '=', CHECKSUM_ROW).execute()
  for (const shape of wanted) await upsert(tx, shape.name, JSON.stringify(shape))
}

/** Written last: a migration that was cut off is looked at again by the next start. */
async function storeChecksum(tx: Db, checksum: string): Promise<void> {
  await upsert(tx, CHECKSUM_ROW, checksum)
}

async function upsert(tx: Db, name: string, shape: string): Promise<void> {
  await tx
    .insertInto('svc_schema')
    .values({ name, shape })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ shape }))
    .execute()
}

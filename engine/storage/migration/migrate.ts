import { type Clock, isoDateTime, systemClock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Database, DatabaseKind, Db } from '../database/database.ts'
import { assertMayCreate } from '../database/postgres-rights.ts'
import { runScript } from '../database/statements.ts'
import { unguardLedgers } from '../records/ledger-guard.ts'
import type { TableShape } from '../records/shape.ts'
import { planMigration } from './diff.ts'
import { introspect } from './introspect.ts'
import { refusalsOf } from './migration-checks.ts'
import { type MigrationSession, withMigrationLock } from './migration-lock.ts'
import type { MigrationPlan, MigrationStep, Refusal } from './migration-plan.ts'
import { statementsOf } from './migration-sql.ts'
import {
  checksumOf,
  noteUnfilled,
  readChecksum,
  readShapes,
  writeChecksum,
  writeShapes,
} from './schema-store.ts'

export interface MigrateOptions {
  /** Whether it only plans and checks, and changes nothing. */
  readonly dryRun?: boolean
  /** Whether steps that may lose values are run too, and what nothing uses any more is removed. */
  readonly allowDrop?: boolean
  /** Whether it looks at the tables themselves even when the definitions are those of the last migration. */
  readonly full?: boolean
  /** Callback with the sentence of a step before it runs. */
  readonly onProgress?: (line: string) => void
  readonly clock?: Clock
  /** Time to wait for another process that migrates, in ms. */
  readonly lockTimeoutMs?: number
}

export interface MigrationResult {
  /** Every step from the actual tables to the wanted ones, in order. */
  readonly steps: readonly MigrationStep[]
  /** Steps that were run: all, or none in a dry run. */
  readonly applied: readonly MigrationStep[]
  /** Refusals that would stop the migration; only a dry run returns any, else it throws. */
  readonly refused: readonly Refusal[]
  /** Columns and tables that nothing uses any more; `allowDrop` removes them. */
  readonly waiting: readonly MigrationStep[]
  readonly hints: readonly string[]
}

const NOTHING: MigrationResult = { steps: [], applied: [], refused: [], waiting: [], hints: [] }

/**
 * Brings the tables to the definitions, one process at a time (rules.md §4.5). Everything happens in one
 * transaction; PostgreSQL builds the indexes of existing tables after it, beside the traffic, and a build
 * that was cut off is begun again by the next start. When nothing changed since the last migration it is
 * two small reads.
 *
 * Throws CONFLICT with every step that is refused, why, and what to do; nothing has been changed then.
 * Throws UNAVAILABLE when another process migrates for longer than `lockTimeoutMs`.
 */
export async function migrate(
  database: Database,
  wanted: readonly TableShape[],
  options: MigrateOptions = {},
): Promise<MigrationResult> {
  const { dryRun = false, allowDrop = false, full = false, lockTimeoutMs = 600_000 } = options
  const checksum = checksumOf(wanted)
  const isCurrent = async (db: Db): Promise<boolean> =>
    !allowDrop && !full && (await readChecksum(db, database.kind)) === checksum

  if (dryRun) {
    const { plan, refused } = await checkedPlan(database.read, database.kind, wanted, allowDrop)
    return { ...plan, applied: [], refused }
  }
  if (await isCurrent(database.read)) return NOTHING
  return withMigrationLock(database, lockTimeoutMs, async (session) => {
    const plan = await session.transaction(async (tx) => {
      // The process that had the lock before may have done it.
      if (await isCurrent(tx)) return undefined
      return migrateTables(tx, database.kind, wanted, options, checksum)
    })
    if (plan === undefined) return NOTHING
    await buildIndexes(session, database.kind, plan, options, checksum)
    return { ...plan, applied: plan.steps, refused: [] }
  })
}

async function checkedPlan(
  db: Db,
  kind: DatabaseKind,
  wanted: readonly TableShape[],
  allowDrop: boolean,
): Promise<{ plan: MigrationPlan; refused: readonly Refusal[] }> {
  const stored = await readShapes(db, kind)
  const plan = planMigration(wanted, await introspect(db, kind), { kind, stored, allowDrop })
  const refused = [...plan.refused]
  for (const step of plan.steps) refused.push(...(await refusalsOf(db, kind, step, allowDrop)))
  return { plan, refused }
}

async function migrateTables(
  tx: Db,
  kind: DatabaseKind,
  wanted: readonly TableShape[],
  { allowDrop = false, onProgress, clock = systemClock }: MigrateOptions,
  checksum: string,
): Promise<MigrationPlan> {
  const { plan, refused } = await checkedPlan(tx, kind, wanted, allowDrop)
  if (refused.length > 0) throw refusal(refused)
  for (const hint of plan.hints) onProgress?.(hint)
  if (kind === 'postgres' && plan.steps.length > 0) await assertMayCreate(tx)
  const ledgers = wanted.filter(({ ledger }) => ledger).map(({ name }) => name)
  if (plan.steps.length > 0) await unguardLedgers(tx, kind, ledgers)
  for (const steps of runsOf(plan.steps.filter(({ phase }) => phase === 'transaction'))) {
    for (const { sentence } of steps) onProgress?.(sentence)
    await runScript(
      tx,
      steps.flatMap((step) => statementsOf(step, kind)),
    )
  }
  const at = isoDateTime(clock)
  await writeShapes(tx, kind, wanted, plan.steps, at)
  await noteUnfilled(tx, addedColumns(plan), at)
  if (plan.steps.every(({ phase }) => phase === 'transaction'))
    await writeChecksum(tx, checksum, at)
  return plan
}

function addedColumns({ steps }: MigrationPlan): string[] {
  return steps.flatMap((step) =>
    step.kind === 'add-column' ? [`${step.table}.${step.column.name}`] : [],
  )
}

/**
 * Steps that are run as one script: an empty database gets some thousand tables and indexes, and to prepare each
 * statement by itself costs as much again. What changes values runs alone, so that its sentence comes right before it.
 */
function runsOf(steps: readonly MigrationStep[]): readonly (readonly MigrationStep[])[] {
  const runs: MigrationStep[][] = []
  let creating: MigrationStep[] | undefined
  for (const step of steps) {
    const isCreated = step.kind === 'create-table' || step.kind === 'create-index'
    if (isCreated && creating) creating.push(step)
    else runs.push([step])
    creating = isCreated ? runs.at(-1) : undefined
  }
  return runs
}

async function buildIndexes(
  session: MigrationSession,
  kind: DatabaseKind,
  { steps }: MigrationPlan,
  { onProgress, clock = systemClock }: MigrateOptions,
  checksum: string,
): Promise<void> {
  const builds = steps.filter(({ phase }) => phase === 'after')
  if (builds.length === 0) return
  await session.outside(async (db) => {
    for (const step of builds) {
      onProgress?.(step.sentence)
      for (const statement of statementsOf(step, kind)) await statement.execute(db)
    }
    await session.assertHeld()
    await writeChecksum(db, checksum, isoDateTime(clock))
  })
}

function refusal(refused: readonly Refusal[]): AppError {
  const lines = refused.map(
    ({ sentence, reason, remedy }) => `  - ${sentence}: ${reason}; ${remedy}`,
  )
  const message = `the tables cannot be brought to the definitions, nothing was changed:\n${lines.join('\n')}`
  const details = refused.map(({ table, sentence, reason, remedy }) => ({
    field: table,
    message: `${sentence}: ${reason}; ${remedy}`,
    code: 'wrong_state' as const,
  }))
  return new AppError('CONFLICT', message, { details })
}

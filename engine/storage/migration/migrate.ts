import { type Clock, isoDateTime, systemClock } from '../../base/clock.ts'
import { AppError } from '../../base/errors.ts'
import type { Database, DatabaseKind, Db } from '../database/database.ts'
import { runScript } from '../database/statements.ts'
import { assertMayCreate } from '../postgres/postgres-rights.ts'
import { unguardLedgers } from '../records/ledger-guard.ts'
import type { TableShape } from '../records/shape.ts'
import { changedColumns, noteComputed } from './computed-columns.ts'
import { planMigration } from './diff.ts'
import {
  addGeneration,
  GENERATIONS,
  type Generation,
  generationWith,
  isTakenBack,
  newestGeneration,
  type OwnDefinitions,
  olderDefinitions,
} from './generations.ts'
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
  readUnfilled,
  writeChecksum,
  writeShapes,
} from './schema-store.ts'

export interface MigrateOptions {
  /** Whether it only plans and checks, and changes nothing. */
  readonly dryRun?: boolean
  /** Whether columns that no field uses any more are set aside under another name. */
  readonly retire?: boolean
  /** Whether steps that may lose values are run too, and what nothing uses any more is removed. */
  readonly allowDrop?: boolean
  /** Whether it looks at the tables themselves even when the definitions are those of the last migration. */
  readonly full?: boolean
  /** Definitions that want these tables: they become a generation of the workspace. Without them only tables are told apart. */
  readonly definitions?: OwnDefinitions
  /** Whether definitions that were replaced by this generation are taken again; by default they are not. */
  readonly acceptOlder?: (newest: Generation) => boolean
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
  /** What nothing uses any more: `retire` sets columns aside, `allowDrop` removes them and tables. */
  readonly waiting: readonly MigrationStep[]
  readonly hints: readonly string[]
  /** Number of the generation that holds now; undefined without definitions, and before the first. */
  readonly generation: number | undefined
  /** Columns that wait for their values after it, as `table.column`; `filling.ts` adds what follows from them. */
  readonly unfilled: readonly string[]
  /** Whether the definitions are those of that generation; of a dry run, whether they were before it. */
  readonly isCurrent: boolean
}

/**
 * Brings the tables to the definitions, one process at a time (rules.md §4.5). Everything happens in one
 * transaction; PostgreSQL builds the indexes of existing tables after it, beside the traffic, and a build
 * that was cut off is begun again by the next start. When nothing changed since the last migration it is
 * a few small reads. Definitions that the workspace has not had become its next generation in the same transaction.
 *
 * Throws CONFLICT with every step that is refused, why, and what to do, or for definitions that were replaced by newer
 * ones; nothing has been changed then. Throws UNAVAILABLE when another process migrates for longer than `lockTimeoutMs`.
 */
export async function migrate(
  database: Database,
  wanted: readonly TableShape[],
  options: MigrateOptions = {},
): Promise<MigrationResult> {
  const { dryRun = false, lockTimeoutMs = 600_000 } = options
  if (dryRun) return planOnly(database, wanted, options)
  const checksum = checksumOf(wanted)
  const current = await nothingToDo(database.read, database.kind, checksum, options)
  if (current) return current
  return withMigrationLock(database, lockTimeoutMs, async (session) => {
    const result = await session.transaction(
      async (tx) =>
        // The process that had the lock before may have done it.
        (await nothingToDo(tx, database.kind, checksum, options)) ??
        migrateTables(tx, database.kind, wanted, options, checksum),
    )
    await buildIndexes(session, database.kind, result, options, checksum)
    return result
  })
}

/** Result where tables and definitions are those of the last migration; undefined where something may be to do. */
async function nothingToDo(
  db: Db,
  kind: DatabaseKind,
  checksum: string,
  { allowDrop = false, retire = false, full = false, definitions }: MigrateOptions,
): Promise<MigrationResult | undefined> {
  if (allowDrop || retire || full || (await readChecksum(db, kind)) !== checksum) return undefined
  const newest = definitions && (await newestGeneration(db, kind))
  if (newest?.checksum !== definitions?.checksum) return undefined
  const generation = newest?.number
  const none = { steps: [], applied: [], refused: [], waiting: [], hints: [] }
  const unfilled = await readUnfilled(db)
  return { ...none, generation, unfilled, isCurrent: true }
}

async function planOnly(
  { read, kind }: Database,
  wanted: readonly TableShape[],
  options: MigrateOptions,
): Promise<MigrationResult> {
  const { plan, refused } = await checkedPlan(read, kind, wanted, options)
  const { newest, older } = await standing(read, kind, options)
  const goingBack = {
    table: GENERATIONS,
    sentence: `go back from generation ${newest?.number} of the definitions`,
    reason: 'these definitions were replaced by newer ones',
    remedy: 'use the newer program and folders, or say --accept-definitions',
  }
  const { steps, waiting, hints } = plan
  const generation = newest?.number
  return {
    steps,
    applied: [],
    refused: older ? [goingBack, ...refused] : refused,
    waiting,
    hints,
    generation,
    unfilled: await waitingAfter(read, kind, plan, options),
    isCurrent: newest?.checksum === options.definitions?.checksum,
  }
}

/** Columns that would wait for their values after a migration. */
async function waitingAfter(
  db: Db,
  kind: DatabaseKind,
  plan: MigrationPlan,
  { definitions }: MigrateOptions,
): Promise<readonly string[]> {
  if (!definitions || (await readShapes(db, kind)).size === 0) return []
  const changed = await changedColumns(db, definitions.computed(), plan)
  return [...new Set([...(await readUnfilled(db)), ...changed])]
}

/** Generation that holds, and the refusal of definitions that it has replaced, where they are not accepted. */
async function standing(
  db: Db,
  kind: DatabaseKind,
  { definitions, acceptOlder }: MigrateOptions,
): Promise<{ readonly newest: Generation | undefined; readonly older: AppError | undefined }> {
  const newest = definitions && (await newestGeneration(db, kind))
  if (!newest || newest.checksum === definitions.checksum || acceptOlder?.(newest))
    return { newest, older: undefined }
  if (isTakenBack(kind, newest, definitions)) return { newest, older: undefined }
  const before = await generationWith(db, definitions.checksum)
  return { newest, older: before && olderDefinitions(newest, before, definitions) }
}

async function checkedPlan(
  db: Db,
  kind: DatabaseKind,
  wanted: readonly TableShape[],
  { allowDrop = false, retire = false }: MigrateOptions,
): Promise<{ plan: MigrationPlan; refused: readonly Refusal[] }> {
  const stored = await readShapes(db, kind)
  const actual = await introspect(db, kind)
  const plan = planMigration(wanted, actual, { kind, stored, allowDrop, retire })
  const refused = [...plan.refused]
  for (const step of plan.steps) refused.push(...(await refusalsOf(db, kind, step, allowDrop)))
  return { plan, refused }
}

async function migrateTables(
  tx: Db,
  kind: DatabaseKind,
  wanted: readonly TableShape[],
  options: MigrateOptions,
  checksum: string,
): Promise<MigrationResult> {
  const { definitions, onProgress, clock = systemClock } = options
  const { newest, older } = await standing(tx, kind, options)
  if (older) throw older
  const { plan, refused } = await checkedPlan(tx, kind, wanted, options)
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
  await writeShapes(tx, kind, wanted, plan, at)
  if (definitions)
    await noteUnfilled(tx, await noteComputed(tx, definitions.computed(), plan, at), at)
  if (plan.steps.every(({ phase }) => phase === 'transaction'))
    await writeChecksum(tx, checksum, at)
  const isNew = definitions !== undefined && newest?.checksum !== definitions.checksum
  const generation = (newest?.number ?? 0) + (isNew ? 1 : 0)
  if (isNew) await addGeneration(tx, generation, definitions, at)
  const { steps, waiting, hints } = plan
  const number = definitions && generation
  const done = { steps, applied: steps, refused: [], waiting, hints }
  return { ...done, generation: number, unfilled: await readUnfilled(tx), isCurrent: true }
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
  { steps }: MigrationResult,
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

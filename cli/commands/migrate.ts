import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { costsOf, type MigrationCosts } from '../../engine/documents/start/plan-costs.ts'
import { type DatabaseOptions, loadChecked, openDatabase } from '../../engine/index.ts'
import { createProgram } from '../../engine/rules/program/program.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { bringTables } from '../../engine/storage/migration/bring-tables.ts'
import type { MigrationResult } from '../../engine/storage/migration/migrate.ts'
import type { MigrationStep } from '../../engine/storage/migration/migration-plan.ts'
import { Failure } from '../failure.ts'
import { versionLine } from '../package.ts'
import { counted, printJson, printTable } from '../terminal/output.ts'
import {
  addWorkspaceOptions,
  definitionSources,
  locateWorkspace,
  openWorkspace,
  prepareFolders,
  type Workspace,
  type WorkspaceFlags,
} from '../workspace.ts'

interface MigrateFlags extends WorkspaceFlags {
  readonly dryRun?: boolean
  readonly plan?: boolean
  readonly retire?: boolean
  readonly allowDrop?: boolean
  readonly acceptDefinitions?: boolean
  readonly json?: boolean
}

/** `svc migrate`: brings the tables to the definitions; `svc serve` does the safe part by itself. */
export function register(program: Command): void {
  addWorkspaceOptions(program.command('migrate'))
    .description('bring the tables to the definitions')
    .option('--dry-run', 'say what would be done and change nothing')
    .option('--plan', 'say the same with locks, rows and about how long it takes')
    .option('--retire', 'set columns aside that no field uses any more')
    .option('--allow-drop', 'also do what loses data, such as dropping a column')
    .option(
      '--accept-definitions',
      'go back to definitions that this workspace had before, on purpose',
    )
    .option('--json', 'print {generation, steps, applied, refused, waiting, hints} as JSON')
    .action(run)
}

async function run(flags: MigrateFlags): Promise<void> {
  const { result, costs } = await migrateWorkspace(locateWorkspace(flags), flags)
  if (flags.json) printJson({ ...summary(result), ...(costs && { plan: costs }) })
  else if (costs) printCosts(result, costs)
  else printResult(result, flags.dryRun === true)
  if (result.refused.length > 0) throw new Failure('the migration would be refused, see above')
}

async function migrateWorkspace(
  workspace: Workspace,
  {
    dryRun: isDry = false,
    plan = false,
    retire = false,
    allowDrop = false,
    acceptDefinitions = false,
    json = false,
  }: MigrateFlags,
): Promise<{ readonly result: MigrationResult; readonly costs: MigrationCosts | undefined }> {
  const dryRun = isDry || plan
  if (!dryRun) prepareFolders(workspace)
  // A dry run leaves nothing behind; else the next start finds what was checked here.
  const cacheFolder = dryRun ? undefined : join(workspace.dataFolder, 'cache')
  const { registry } = loadChecked({ ...definitionSources(workspace), cacheFolder })
  const database = await openDatabase(
    dryRun ? unlessMissing(workspace.database) : workspace.database,
  )
  const onProgress = (line: string): void => console.error(`  ${line}`)
  const migration = process.stderr.isTTY && !json && !dryRun ? { onProgress } : {}
  const { result, costs } = await withDatabase(database, async () => {
    const own = { folders: workspace.doctypes, program: versionLine }
    const result = await bringTables(database, registry, own, {
      dryRun,
      retire,
      allowDrop,
      full: true,
      acceptOlder: () => acceptDefinitions,
      ...migration,
    })
    return {
      result,
      costs: plan ? await costsOf(database, createProgram(registry), result) : undefined,
    }
  })
  // Who opens a workspace gives what waits its values; it may take long, so a log without a terminal is told too.
  if (!dryRun && result.unfilled.length > 0)
    await (await openWorkspace(workspace, { migration: { onProgress } })).engine.close()
  return { result, costs }
}

async function withDatabase<T>(database: Database, job: () => Promise<T>): Promise<T> {
  try {
    return await job()
  } finally {
    await database.close()
  }
}

/** A dry run makes no file: a workspace that is not there is as good as an empty one in memory. */
function unlessMissing(database: DatabaseOptions): DatabaseOptions {
  if (database.kind === 'postgres' || existsSync(database.file)) return database
  return { ...database, file: ':memory:' }
}

function summary({ generation, steps, applied, refused, waiting, hints }: MigrationResult): object {
  const brief = (list: readonly MigrationStep[]): object[] =>
    list.map(({ kind, table, safety, sentence }) => ({ kind, table, safety, sentence }))
  return {
    generation: generation ?? null,
    steps: brief(steps),
    applied: brief(applied),
    refused,
    waiting: brief(waiting),
    hints,
  }
}

function printCosts(
  result: MigrationResult,
  { steps, fills, seconds, locks }: MigrationCosts,
): void {
  const rows = [
    ...steps.map((step) => [step.sentence, step.lock, String(step.rows), duration(step.seconds)]),
    ...fills.map((fill) => [
      `compute ${fill.task}`,
      fill.lock,
      String(fill.rows),
      duration(fill.seconds),
    ]),
  ]
  if (rows.length > 0) printTable(['STEP', 'LOCK', 'ROWS', 'ABOUT'], rows, '')
  printRemarks(result)
  if (rows.length === 0) return
  console.log(`\n${locks}`)
  console.log(
    `${counted(steps.length, 'step')} in about ${duration(seconds.migrating)}, then ${counted(fills.length, 'task')} beside the server in about ${duration(seconds.filling)}; nothing was changed`,
  )
}

function duration(seconds: number): string {
  if (seconds < 1) return 'under 1 s'
  return seconds < 120 ? `${Math.ceil(seconds)} s` : `${Math.ceil(seconds / 60)} min`
}

function printResult(result: MigrationResult, dryRun: boolean): void {
  const { steps, refused } = result
  for (const { sentence } of steps) console.log(dryRun ? `would ${sentence}` : sentence)
  printRemarks(result)
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`
  if (steps.length > 0) console.log(`${count} ${dryRun ? 'to do' : 'done'}`)
  else if (refused.length === 0) console.log('the tables are what the definitions want')
}

function printRemarks({ refused, waiting, hints }: MigrationResult): void {
  for (const { sentence, reason, remedy } of refused)
    console.log(`refused: ${sentence}: ${reason}; ${remedy}`)
  for (const { kind, sentence } of waiting)
    console.log(`with ${kind === 'retire-column' ? '--retire' : '--allow-drop'}: ${sentence}`)
  for (const hint of hints) console.log(`hint: ${hint}`)
}

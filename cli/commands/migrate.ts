import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { type DatabaseOptions, loadChecked, openDatabase } from '../../engine/index.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { bringTables } from '../../engine/storage/migration/bring-tables.ts'
import type { MigrationResult } from '../../engine/storage/migration/migrate.ts'
import type { MigrationStep } from '../../engine/storage/migration/migration-plan.ts'
import { readUnfilled } from '../../engine/storage/migration/schema-store.ts'
import { Failure } from '../failure.ts'
import { versionLine } from '../package.ts'
import { printJson } from '../terminal/output.ts'
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
  const result = await migrateWorkspace(locateWorkspace(flags), flags)
  if (flags.json) printJson(summary(result))
  else printResult(result, flags.dryRun === true)
  if (result.refused.length > 0) throw new Failure('the migration would be refused, see above')
}

async function migrateWorkspace(
  workspace: Workspace,
  {
    dryRun = false,
    retire = false,
    allowDrop = false,
    acceptDefinitions = false,
    json = false,
  }: MigrateFlags,
): Promise<MigrationResult> {
  if (!dryRun) prepareFolders(workspace)
  // A dry run leaves nothing behind; else the next start finds what was checked here.
  const cacheFolder = dryRun ? undefined : join(workspace.dataFolder, 'cache')
  const { registry } = loadChecked({ ...definitionSources(workspace), cacheFolder })
  const database = await openDatabase(
    dryRun ? unlessMissing(workspace.database) : workspace.database,
  )
  const showProgress = process.stderr.isTTY && !json && !dryRun
  const migration = showProgress
    ? { onProgress: (line: string): void => console.error(`  ${line}`) }
    : {}
  const { result, isFilled } = await withDatabase(database, async () => {
    const own = { folders: workspace.doctypes, program: versionLine }
    const result = await bringTables(database, registry, own, {
      dryRun,
      retire,
      allowDrop,
      full: true,
      acceptOlder: () => acceptDefinitions,
      ...migration,
    })
    return { result, isFilled: dryRun || (await readUnfilled(database.read)).length === 0 }
  })
  // Who opens a workspace fills what was added.
  if (!isFilled) await (await openWorkspace(workspace, { migration })).engine.close()
  return result
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

function printResult(result: MigrationResult, dryRun: boolean): void {
  const { steps, refused, waiting, hints } = result
  for (const { sentence } of steps) console.log(dryRun ? `would ${sentence}` : sentence)
  for (const { sentence, reason, remedy } of refused)
    console.log(`refused: ${sentence}: ${reason}; ${remedy}`)
  for (const { kind, sentence } of waiting)
    console.log(`with ${kind === 'retire-column' ? '--retire' : '--allow-drop'}: ${sentence}`)
  for (const hint of hints) console.log(`hint: ${hint}`)
  const count = `${steps.length} step${steps.length === 1 ? '' : 's'}`
  if (steps.length > 0) console.log(`${count} ${dryRun ? 'to do' : 'done'}`)
  else if (refused.length === 0) console.log('the tables are what the definitions want')
}

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Command } from 'commander'
import { systemClock } from '../engine/base/clock.ts'
import { fileProblem } from '../engine/base/file-error.ts'
import { seal } from '../engine/base/seal.ts'
import type { DefinitionSources } from '../engine/definition/load/load-cached.ts'
import type { DatabaseOptions, Engine, EngineOptions } from '../engine/index.ts'
import { openEngine } from '../engine/index.ts'
import { unpackLibraryInto } from '../engine/storage/database/sqlite-library.ts'
import { WORK_PER_MINUTE_MS } from '../engine/storage/deep/work-budget.ts'
import { hooks } from '../hooks/index.ts'
import { accountCleanUp } from '../server/auth/account-sink.ts'
import { attachedFiles } from '../server/files/attached-files.ts'
import { writtenBytes } from '../server/limits/written-bytes.ts'
import type { Settings } from '../server/settings/settings.ts'
import { publicLinks } from '../server/share/links.ts'
import { factorLetters } from '../server/site/factor-letters.ts'
import type { StudioPlace } from '../server/studio/studio.ts'
import { notices } from '../server/together/notices.ts'
import { webhookFanOut } from '../webhooks/fan-out.ts'
import { webhookOwners } from '../webhooks/owners.ts'
import { assertNoRestore } from './backup/restore-marker.ts'
import { makeDatabaseFile } from './database-file.ts'
import { Failure } from './failure.ts'
import { SHIPPED_DOCTYPES, versionLine } from './package.ts'
import { readableWorkspace } from './read-only-copy.ts'
import { secretKey } from './secret-key.ts'
import { type SettingFlags, settingsOf } from './settings.ts'

/** The flags of `addWorkspaceOptions`, as commander hands them over. */
export type WorkspaceFlags = Pick<SettingFlags, 'data' | 'database' | 'doctypes' | 'durability'>

/** Workspace as its settings place it; nothing has been opened or made yet. */
export interface Workspace {
  readonly dataFolder: string
  readonly database: DatabaseOptions
  /** Shipped DocTypes, then each overlay, then `DATA/doctypes`: later ones win. */
  readonly doctypes: readonly string[]
  /** That of the environment, if it has one. */
  readonly secretKey: Buffer | undefined
}

/** Adds the flags that say which workspace a command works on. */
export function addWorkspaceOptions(command: Command): Command {
  return command
    .option('--data <folder>', 'data folder of the workspace (SVC_DATA; default ./data)')
    .option(
      '--database <url>',
      'postgres://… instead of the SQLite file in the data folder (SVC_DATABASE_URL)',
    )
    .option(
      '--doctypes <folder>',
      'folder of DocTypes over the shipped ones; may be repeated (SVC_DOCTYPES)',
      collect,
    )
}

/** Argument parser of options that may be given more than once: all values in a list. */
export function collect(value: string, earlier: unknown): readonly string[] {
  return Array.isArray(earlier) ? [...earlier, value] : [value]
}

/** The workspace that flags and environment name. Throws UsageError for settings that cannot be. */
export function locateWorkspace(flags: WorkspaceFlags): Workspace {
  return workspaceOf(settingsOf(flags, process.env).settings)
}

/**
 * The workspace of these settings. Says where the single binary may unpack SQLite's library too: whatever opens
 * a database asks for its workspace first.
 */
export function workspaceOf(settings: Settings): Workspace {
  const { data, databaseUrl, doctypes, nativeFolder } = settings
  unpackLibraryInto([...(nativeFolder === undefined ? [] : [nativeFolder]), join(data, 'cache')])
  return {
    dataFolder: data,
    database:
      databaseUrl === undefined
        ? { kind: 'sqlite', file: join(data, 'workspace.db'), durability: settings.durability }
        : {
            kind: 'postgres',
            url: databaseUrl,
            poolSize: settings.databasePool,
            prepare: settings.databasePrepare,
            timeouts: { idleMs: settings.databaseIdleMs },
          },
    // A folder that is named twice counts where it is named last.
    doctypes: [SHIPPED_DOCTYPES, ...doctypes, ownDoctypes({ dataFolder: data })].filter(
      (folder, at, all) => all.lastIndexOf(folder) === at,
    ),
    secretKey: settings.secretKey,
  }
}

/** Where Studio writes what it is told. */
export function studioPlace({ dataFolder }: Workspace): StudioPlace {
  return { folder: ownDoctypes({ dataFolder }), cacheFolder: join(dataFolder, 'cache') }
}

/** The folder of DocTypes of the workspace itself: what stands there is loaded last and counts. */
function ownDoctypes({ dataFolder }: Pick<Workspace, 'dataFolder'>): string {
  return join(dataFolder, 'doctypes')
}

/** The same for a process that answers others meanwhile: what takes long is done beside it, and nothing takes for ever. */
export function servedWorkspace(settings: Settings): Workspace {
  const workspace = workspaceOf(settings)
  const { database } = workspace
  const { statementBudgetMs: budgetMs, workPerMinuteMs = WORK_PER_MINUTE_MS[database.kind] } =
    settings
  const counted = settings.rateLimit ? { workPerMinuteMs } : {}
  if (database.kind === 'sqlite') {
    const { readers: most } = settings
    const readers = most === 0 ? {} : { readers: { budgetMs, most } }
    return { ...workspace, database: { ...database, ...readers, ...counted } }
  }
  const { databaseReadUrl: url, databaseReadPool: poolSize } = settings
  return {
    ...workspace,
    database: {
      ...database,
      timeouts: {
        ...database.timeouts,
        connectMs: settings.databaseConnectMs,
        statementMs: settings.databaseStatementMs,
        lockMs: settings.databaseLockMs,
      },
      readers: { budgetMs, poolSize, ...(url === undefined ? {} : { url }) },
      ...counted,
    },
  }
}

/**
 * Makes the data folder (mode 0700) with its own folder of DocTypes, where they are missing. Throws Failure
 * where that cannot be, or a restore is not finished.
 */
export function prepareFolders({ dataFolder }: Workspace): void {
  assertNoRestore(dataFolder)
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    mkdirSync(ownDoctypes({ dataFolder }), { recursive: true })
  } catch (error) {
    throw new Failure(`cannot make the data folder ${dataFolder}: ${fileProblem(error)}`, {
      cause: error,
    })
  }
}

/** How a workspace is opened. */
interface Opening extends Pick<EngineOptions, 'migration' | 'clock' | 'sinks'> {
  /** Whether fields that wait get their values while it is open, by who works on jobs; by default it opens when they have them. */
  readonly fillsBeside?: boolean
}

export interface OpenWorkspace {
  readonly engine: Engine
  readonly secretKey: Buffer
}

/**
 * Opens a workspace and brings its tables to the definitions; makes it where there is none. Throws Failure
 * when folder or key cannot be had, DefinitionErrors, the migration's refusal, and what keeps fields from being filled.
 */
export async function openWorkspace(
  workspace: Workspace,
  { fillsBeside = false, ...options }: Opening = {},
): Promise<OpenWorkspace> {
  prepareFolders(workspace)
  const { database, doctypes, dataFolder } = workspace
  const key = secretKey({
    configured: workspace.secretKey,
    dataFolder,
    shared: database.kind === 'postgres',
  })
  if (database.kind === 'sqlite') makeDatabaseFile(database.file)
  const engine = await openEngine({
    database,
    doctypes,
    hooks,
    cacheFolder: join(dataFolder, 'cache'),
    secretKey: key,
    version: versionLine,
    // What a command changes is delivered by the server beside it, or by the next one.
    sinks: [
      accountCleanUp(),
      webhookOwners(),
      notices(),
      factorLetters({ clock: systemClock, seal: (...text) => seal(key, ...text) }),
      attachedFiles(),
      publicLinks(),
      webhookFanOut(),
      writtenBytes(),
    ],
    ...options,
  })
  const { when, onProgress } = options.migration ?? {}
  if (!fillsBeside && when !== 'never') await filled(engine, onProgress)
  return { engine, secretKey: key }
}

/** Waits until all fields have their values. Closes the workspace where that cannot be. */
async function filled(
  engine: Engine,
  onProgress: ((line: string) => void) | undefined,
): Promise<void> {
  if (engine.services.unfilled.now.columns.size === 0) return
  try {
    // Seldom, so only then its parts are loaded.
    const { fillThrough } = await import('../server/jobs/fill-through.ts')
    await fillThrough(engine, onProgress)
  } catch (error) {
    await engine.close()
    throw error
  }
}

/**
 * Runs a job on an open workspace and closes it, whatever happens. The workspace is opened as it is: no command beside
 * `serve`, `setup` and `migrate` brings it to other definitions, unless nobody has brought it to any and the command may
 * begin one (`new`). Throws Failure where there is no workspace, CONFLICT where its definitions are others.
 */
export function withWorkspace<T>(
  flags: WorkspaceFlags,
  job: (engine: Engine) => Promise<T>,
  when: 'never' | 'new' = 'never',
): Promise<T> {
  return runOn(locateWorkspace(flags), when, job)
}

/** Does the same for a job that reads everything there is: its memory stays bounded, however much that is. */
export function withFrugal<T>(
  flags: WorkspaceFlags,
  job: (engine: Engine) => Promise<T>,
): Promise<T> {
  const { database, ...workspace } = locateWorkspace(flags)
  const frugal = database.kind === 'sqlite' ? { ...database, isFrugal: true } : database
  return runOn({ ...workspace, database: frugal }, 'never', job)
}

/** Does the same for a job that only reads, also where the data folder cannot be written to. */
export function withReadable<T>(
  flags: WorkspaceFlags,
  job: (engine: Engine, isCopy: boolean) => Promise<T>,
): Promise<T> {
  const workspace = locateWorkspace(flags)
  assertExists(workspace)
  const { isCopy, ...readable } = readableWorkspace(workspace)
  return runOn(readable, 'never', (engine) => job(engine, isCopy))
}

async function runOn<T>(
  workspace: Workspace,
  when: 'never' | 'new',
  job: (engine: Engine) => Promise<T>,
): Promise<T> {
  assertExists(workspace)
  const { engine } = await openWorkspace(workspace, { migration: { when } })
  try {
    return await job(engine)
  } finally {
    await engine.close()
  }
}

/** Throws Failure where there is no workspace, or one that a restore has not finished. */
export function assertExists({ database, dataFolder }: Workspace): void {
  assertNoRestore(dataFolder)
  if (database.kind === 'postgres' || existsSync(database.file)) return
  throw new Failure(
    `there is no workspace in ${dataFolder}: \`svc serve\` or \`svc setup\` starts one, --data names another folder`,
  )
}

/** The folders of DocTypes that are there: commands that only read definitions make no data folder. */
export function definitionFolders({ doctypes, dataFolder }: Workspace): readonly string[] {
  const own = ownDoctypes({ dataFolder })
  return doctypes.filter((folder) => folder !== own || existsSync(folder))
}

/** What the definitions of a workspace are loaded from, for commands that only read them. */
export function definitionSources(workspace: Workspace): DefinitionSources {
  return { doctypes: definitionFolders(workspace), hooks }
}

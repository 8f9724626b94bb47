import { closeSync, existsSync, mkdirSync, openSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { type Command, Option } from 'commander'
import type { DatabaseOptions, Engine, EngineOptions } from '../engine/index.ts'
import { openEngine } from '../engine/index.ts'
import { Failure, UsageError } from './failure.ts'
import { SHIPPED_DOCTYPES } from './package.ts'
import { secretKey } from './secret-key.ts'

/** The flags of `addWorkspaceOptions`, as commander hands them over. */
export interface WorkspaceFlags {
  readonly data?: string
  readonly database?: string
  readonly doctypes?: readonly string[]
  readonly durability?: string
}

/** Where a workspace is; nothing has been opened or made yet. */
export interface Workspace {
  readonly dataFolder: string
  readonly database: DatabaseOptions
  /** Shipped DocTypes, then each overlay, then `DATA/doctypes`: later ones win. */
  readonly doctypes: readonly string[]
}

const DURABILITIES = ['full', 'normal'] as const

/** Adds the flags that say which workspace a command works on. */
export function addWorkspaceOptions(command: Command): Command {
  return command
    .addOption(new Option('--data <folder>', 'data folder (SVC_DATA; default ./data)'))
    .addOption(
      new Option(
        '--database <url>',
        'postgres://… instead of the SQLite file in the data folder (SVC_DATABASE_URL)',
      ),
    )
    .addOption(
      new Option(
        '--doctypes <folder>',
        'folder of DocTypes over the shipped ones; may be repeated (SVC_DOCTYPES)',
      ).argParser(collect),
    )
}

/** Argument parser of options that may be given more than once: all values in a list. */
export function collect(value: string, earlier: unknown): readonly string[] {
  return Array.isArray(earlier) ? [...earlier, value] : [value]
}

/**
 * Works out where the workspace is: a flag, else its environment variable, else the default. Throws
 * UsageError for a value that cannot be one.
 */
export function locateWorkspace(flags: WorkspaceFlags, env: NodeJS.ProcessEnv): Workspace {
  const dataFolder = resolve(flags.data ?? (env.SVC_DATA || './data'))
  const overlays = flags.doctypes ?? (env.SVC_DOCTYPES ?? '').split(delimiter).filter(Boolean)
  return {
    dataFolder,
    database: databaseOf(flags, env, dataFolder),
    doctypes: [
      SHIPPED_DOCTYPES,
      ...overlays.map((folder) => resolve(folder)),
      join(dataFolder, 'doctypes'),
    ].filter((folder, at, all) => all.lastIndexOf(folder) === at),
  }
}

function databaseOf(
  flags: WorkspaceFlags,
  env: NodeJS.ProcessEnv,
  dataFolder: string,
): DatabaseOptions {
  const url = flags.database ?? env.SVC_DATABASE_URL
  if (url) {
    if (/^postgres(?:ql)?:\/\//.test(url)) return { kind: 'postgres', url }
    throw new UsageError(
      'expected --database (SVC_DATABASE_URL) to be postgres://user:password@host/name; without it the workspace is a SQLite file in the data folder',
    )
  }
  const given = flags.durability ?? (env.SVC_DURABILITY || 'full')
  const durability = DURABILITIES.find((known) => known === given)
  if (durability) return { kind: 'sqlite', file: join(dataFolder, 'workspace.db'), durability }
  throw new UsageError(
    `expected --durability (SVC_DURABILITY) to be ${DURABILITIES.join(' or ')}, got ${JSON.stringify(given)}`,
  )
}

/** Makes the data folder (mode 0700) with its own folder of DocTypes, where they are missing. */
export function prepareFolders({ dataFolder }: Workspace): void {
  try {
    mkdirSync(dataFolder, { recursive: true, mode: 0o700 })
    mkdirSync(join(dataFolder, 'doctypes'), { recursive: true })
  } catch (error) {
    throw new Failure(`cannot make the data folder: ${(error as Error).message}`, { cause: error })
  }
}

/** SQLite gives the files beside it the mode of this one; the data folder may be older than we are. */
function prepareFile({ database }: Workspace): void {
  if (database.kind === 'sqlite') closeSync(openSync(database.file, 'a', 0o600))
}

/** Opens a workspace and brings its tables to the definitions; makes it where there is none. */
export async function openWorkspace(
  workspace: Workspace,
  options: Pick<EngineOptions, 'sinks' | 'migration'> = {},
): Promise<Engine> {
  prepareFolders(workspace)
  const { database, doctypes, dataFolder } = workspace
  const key = secretKey({
    configured: process.env.SVC_SECRET_KEY,
    dataFolder,
    shared: database.kind === 'postgres',
  })
  prepareFile(workspace)
  return openEngine({ database, doctypes, secretKey: key, ...options })
}

/** Runs a job on an open workspace and closes it, whatever happens. Throws Failure where there is no workspace. */
export async function withWorkspace<T>(
  flags: WorkspaceFlags,
  job: (engine: Engine, workspace: Workspace) => Promise<T>,
): Promise<T> {
  const workspace = locateWorkspace(flags, process.env)
  assertExists(workspace)
  const engine = await openWorkspace(workspace)
  try {
    return await job(engine, workspace)
  } finally {
    await engine.close()
  }
}

function assertExists({ database, dataFolder }: Workspace): void {
  if (database.kind === 'postgres' || existsSync(database.file)) return
  throw new Failure(
    `there is no workspace in ${dataFolder}: \`svc serve\` or \`svc setup\` starts one, --data names another folder`,
  )
}

/** The folders of DocTypes that are there: commands that only read definitions make no data folder. */
export function definitionFolders({ doctypes, dataFolder }: Workspace): readonly string[] {
  const own = join(dataFolder, 'doctypes')
  return doctypes.filter((folder) => folder !== own || existsSync(folder))
}

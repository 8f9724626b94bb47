import { hash, randomBytes } from 'node:crypto'
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { type Engine, type EngineOptions, loadProgram, openEngine } from '../../engine/index.ts'
import type { Program } from '../../engine/rules/program.ts'
import { type TestDatabase, withClient } from './databases.ts'
import { notePrepared, preparedFolder } from './prepared-databases.ts'
import { keepRows } from './rewind.ts'

/** What a workspace holds before its test begins, beyond its tables. The same name stands for the same records. */
export interface Furniture {
  readonly name: string
  put(engine: Engine): Promise<void>
}

/** Set by the runner, and told apart from other runs; alone, a test file makes all its tables itself. */
const RUN = process.env.TEST_RUN

/**
 * `openEngine`, only faster on a database that is empty: within a run the tables of the same DocTypes are made and
 * furnished once, and copied from then on. The first of a run goes the long way, and so does all that concerns
 * migrations itself. What is not empty is opened as it is, with definitions that were checked before.
 */
export async function openPrepared(options: EngineOptions, furniture?: Furniture): Promise<Engine> {
  const { database } = options
  const isNew =
    database.kind === 'sqlite' ? !existsSync(database.file) : await isEmpty(database.url)
  if (RUN === undefined) {
    const engine = await openEngine(options)
    if (isNew) await furniture?.put(engine)
    return engine
  }
  const key = workspaceKey(options.doctypes, furniture)
  if (isNew) await fill(database, key, options, furniture)
  return openEngine({ ...options, program: programOf(key, options.doctypes) })
}

/**
 * Puts into a data folder, which may be missing, what the first start of the shipped DocTypes makes before it sets
 * anything up: the tables, here or in a database of PostgreSQL that is empty. For what is not about the first start
 * itself. A test file that runs alone leaves it to that start.
 */
export async function prepareData(
  data: string,
  database: TestDatabase = { kind: 'sqlite', file: join(data, 'workspace.db') },
): Promise<void> {
  if (RUN === undefined) return
  mkdirSync(join(data, 'doctypes'), { recursive: true, mode: 0o700 })
  const options = { doctypes: [SHIPPED_DOCTYPES], secretKey: Buffer.alloc(32) }
  const key = workspaceKey(options.doctypes, undefined)
  await fill(database, key, options)
  if (database.kind === 'sqlite') chmodSync(database.file, 0o600)
}

/** Makes the workspace of an empty database, or copies the one that was made of the same key. */
async function fill(
  database: TestDatabase,
  key: string,
  options: Omit<EngineOptions, 'database'>,
  furniture?: Furniture,
): Promise<void> {
  const make = async (database: TestDatabase): Promise<void> => {
    const program = programOf(key, options.doctypes)
    const engine = await openEngine({ ...options, program, database })
    await furniture?.put(engine)
    await engine.close()
  }
  if (database.kind === 'sqlite') await copyFile(database.file, key, make)
  else await copyDatabase(database.url, `svc_prepared_${RUN}_${key}`, make)
}

/** Compiled once for all workspaces of this process. */
const programs = new Map<string, Program>()

function programOf(key: string, doctypes: readonly string[]): Program {
  const known = programs.get(key)
  if (known) return known
  const folders = doctypes.map((folder, index) => keptFolder(key, folder, index))
  const program = loadProgram({ doctypes: folders, cacheFolder: definitionsOf(key) })
  programs.set(key, program)
  return program
}

/** A folder of this test as all processes of a run find it: what was checked is kept by the paths of its files. */
function keptFolder(key: string, folder: string, index: number): string {
  if (!isOfTest(folder)) return folder
  const kept = join(tmpdir(), 'doctypes', `${key}-${index}`)
  if (existsSync(kept)) return kept
  const making = `${kept}-${randomBytes(6).toString('hex')}`
  cpSync(folder, making, { recursive: true })
  try {
    renameSync(making, kept)
  } catch (error) {
    if (!existsSync(kept)) throw error
    // Another process was quicker.
    rmSync(making, { recursive: true })
  }
  return kept
}

/** Whether a folder was made by a test, and is not one of the project, which stay as they are during a run. */
function isOfTest(folder: string): boolean {
  return folder.startsWith(tmpdir())
}

/** Where a run keeps the checked definitions of a workspace. */
function definitionsOf(key: string): string {
  return join(tmpdir(), 'definitions', key)
}

/** Of everything that decides what is in the database. */
function workspaceKey(folders: readonly string[], furniture: Furniture | undefined): string {
  const texts = folders.map((folder) => {
    const digest = digests.get(folder) ?? digestOf(folder)
    if (!isOfTest(folder)) digests.set(folder, digest)
    return digest
  })
  return hash('sha256', JSON.stringify([texts, furniture?.name])).slice(0, 24)
}

/** Of the folders of the project. */
const digests = new Map<string, string>()

function digestOf(folder: string): string {
  const files = globSync('**/*.yaml', { cwd: folder })
    .sort()
    .map((file) => [file, readFileSync(join(folder, file), 'utf8')])
  return hash('sha256', JSON.stringify(files))
}

type Make = (database: TestDatabase) => Promise<void>

async function copyFile(file: string, key: string, make: Make): Promise<void> {
  const folder = preparedFolder(tmpdir())
  const prepared = join(folder, `${key}.db`)
  if (!existsSync(prepared)) {
    const making = join(folder, `${key}-${randomBytes(6).toString('hex')}.db`)
    await make({ kind: 'sqlite', file: making })
    // Another test may have been as quick: one is as good as the other.
    renameSync(making, prepared)
    for (const rest of ['-wal', '-shm']) rmSync(`${making}${rest}`, { force: true })
  }
  copyFileSync(prepared, file)
}

async function copyDatabase(url: string, prepared: string, make: Make): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await withClient(at(url, 'postgres'), async (client) => {
    if (!(await isThere(client, prepared))) await prepare(client, url, prepared, make)
    // Our look into it may not have left yet.
    await client.query(`drop database if exists ${name} with (force)`)
    await client.query(`create database ${name} template ${prepared} strategy file_copy`)
  })
}

/** Also where there is none yet. */
async function isEmpty(url: string): Promise<boolean> {
  try {
    return await withClient(url, async (client) => {
      const { rowCount } = await client.query(
        "select 1 from pg_tables where schemaname = 'public' limit 1",
      )
      return rowCount === 0
    })
  } catch (error) {
    if ((error as { code?: string }).code === NO_DATABASE) return true
    throw error
  }
}

async function prepare(
  client: pg.Client,
  url: string,
  prepared: string,
  make: Make,
): Promise<void> {
  const making = `${prepared}_${randomBytes(3).toString('hex')}`
  notePrepared(tmpdir(), prepared)
  await client.query(`create database ${making}`)
  await make({ kind: 'postgres', url: at(url, making) })
  await withClient(at(url, making), keepRows)
  try {
    await client.query(`alter database ${making} rename to ${prepared}`)
  } catch (error) {
    if ((error as { code?: string }).code !== DUPLICATE_DATABASE) throw error
    // Another process was quicker.
    await client.query(`drop database ${making}`)
  }
}

const DUPLICATE_DATABASE = '42P04'
const NO_DATABASE = '3D000'

async function isThere(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
  return rowCount === 1
}

function at(url: string, database: string): string {
  const other = new URL(url)
  other.pathname = `/${database}`
  return other.href
}

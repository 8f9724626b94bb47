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
import type { Program } from '../../engine/rules/program/program.ts'
import { hooks } from '../../hooks/index.ts'
import { type TestDatabase, withClient } from './databases.ts'
import { notePrepared, preparedFolder } from './prepared-databases.ts'
import { forgetRows, keepRows } from './rewind.ts'

/** What a workspace is opened with; the hooks of the product are handed in here. */
export type TestOptions = Omit<EngineOptions, 'hooks'>

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
export async function openPrepared(options: TestOptions, furniture?: Furniture): Promise<Engine> {
  const { database } = options
  const isNew =
    database.kind === 'sqlite' ? !existsSync(database.file) : await isEmpty(database.url)
  if (RUN === undefined) {
    const engine = await openEngine({ ...options, hooks })
    if (isNew) await furniture?.put(engine)
    return engine
  }
  const key = workspaceKey(options.doctypes, furniture)
  if (isNew) await fill(database, { key, options, furniture })
  return openEngine({ ...options, hooks, program: programOf(key, options.doctypes) })
}

/**
 * Puts into a data folder, which may be missing, what the first start of the shipped DocTypes makes before it sets
 * anything up: the tables, here or in a database of PostgreSQL that is empty, and furniture. For what is not about the
 * first start itself. A test file that runs alone leaves the tables to that start.
 */
export async function prepareData(
  data: string,
  database: TestDatabase = { kind: 'sqlite', file: join(data, 'workspace.db') },
  furniture?: Furniture,
): Promise<void> {
  if (RUN === undefined && furniture === undefined) return
  mkdirSync(join(data, 'doctypes'), { recursive: true, mode: 0o700 })
  const recipe = shipped(furniture)
  await (RUN === undefined ? make(recipe, database) : fill(database, recipe))
  if (database.kind === 'sqlite') chmodSync(database.file, 0o600)
}

/** What a workspace is made of. */
interface Recipe {
  readonly key: string
  readonly options: Omit<TestOptions, 'database'>
  readonly furniture?: Furniture | undefined
}

/** The shipped DocTypes and no others. */
function shipped(furniture?: Furniture): Recipe {
  const doctypes = [SHIPPED_DOCTYPES]
  return {
    key: workspaceKey(doctypes, furniture),
    options: { doctypes, secretKey: Buffer.alloc(32) },
    furniture,
  }
}

/** What is there already when a workspace is made: most have the shipped DocTypes and some of a test. */
function baseOf({ key, options }: Recipe): Recipe | undefined {
  if (options.doctypes[0] !== SHIPPED_DOCTYPES) return undefined
  const base = shipped()
  return key === base.key ? undefined : base
}

/** Makes the workspace of an empty database, or copies the one that was made of the same key. */
async function fill(database: TestDatabase, recipe: Recipe): Promise<void> {
  if (database.kind === 'sqlite') copyFileSync(await preparedFile(recipe), database.file)
  else await copyDatabase(database.url, recipe)
}

async function make(
  { key, options, furniture }: Recipe,
  database: EngineOptions['database'],
): Promise<void> {
  const program = programOf(key, options.doctypes)
  const engine = await openEngine({ ...options, hooks, program, database })
  await furniture?.put(engine)
  await engine.close()
}

/** Compiled once for all workspaces of this process. */
const programs = new Map<string, Program>()

function programOf(key: string, doctypes: readonly string[]): Program {
  const known = programs.get(key)
  if (known) return known
  const folders = doctypes.map((folder, index) => keptFolder(key, folder, index))
  const program = loadProgram({ doctypes: folders, hooks, cacheFolder: definitionsOf(key) })
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

/** A file that holds the workspace of a recipe; one of the run has made it. */
async function preparedFile(recipe: Recipe): Promise<string> {
  const folder = preparedFolder(tmpdir())
  const prepared = join(folder, `${recipe.key}.db`)
  if (existsSync(prepared)) return prepared
  const making = join(folder, `${recipe.key}-${randomBytes(6).toString('hex')}.db`)
  const base = baseOf(recipe)
  if (base) copyFileSync(await preparedFile(base), making)
  await make(recipe, { kind: 'sqlite', file: making })
  // Another test may have been as quick: one is as good as the other.
  renameSync(making, prepared)
  for (const rest of ['-wal', '-shm']) rmSync(`${making}${rest}`, { force: true })
  return prepared
}

async function copyDatabase(url: string, recipe: Recipe): Promise<void> {
  const name = new URL(url).pathname.slice(1)
  await withClient(at(url, 'postgres'), async (client) => {
    const prepared = await preparedDatabase(client, url, recipe)
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

/** A database that holds the workspace of a recipe; one of the run makes it, and the others wait for that. */
async function preparedDatabase(client: pg.Client, url: string, recipe: Recipe): Promise<string> {
  const prepared = `svc_prepared_${RUN}_${recipe.key}`
  if (await isThere(client, prepared)) return prepared
  const base = baseOf(recipe)
  const template = base && (await preparedDatabase(client, url, base))
  await client.query('select pg_advisory_lock(hashtext($1))', [prepared])
  try {
    if (!(await isThere(client, prepared))) await prepare(client, url, recipe, prepared, template)
  } finally {
    await client.query('select pg_advisory_unlock(hashtext($1))', [prepared])
  }
  return prepared
}

async function prepare(
  client: pg.Client,
  url: string,
  recipe: Recipe,
  prepared: string,
  template: string | undefined,
): Promise<void> {
  const making = `${prepared}_${randomBytes(3).toString('hex')}`
  notePrepared(tmpdir(), prepared)
  const from = template === undefined ? '' : ` template ${template}`
  await client.query(`create database ${making}${from} strategy file_copy`)
  if (template !== undefined) await withClient(at(url, making), forgetRows)
  await make(recipe, { kind: 'postgres', url: at(url, making) })
  await withClient(at(url, making), keepRows)
  await client.query(`alter database ${making} rename to ${prepared}`)
}

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

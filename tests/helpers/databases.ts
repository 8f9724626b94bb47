import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { suite, type Test } from 'uvu'
import { startPostgres } from './postgres.ts'
import { isDeepRun } from './random.ts'
import { rewind } from './rewind.ts'

/** Where an empty database of a test is, in the words of `openSqlite` and `openPostgres`. */
export type TestDatabase =
  | { readonly kind: 'sqlite'; readonly file: string; readonly turnMs?: number }
  | { readonly kind: 'postgres'; readonly url: string }

export type TestDatabaseKind = TestDatabase['kind']

/** What the body of `forEachDatabase` works with. */
export interface DatabaseSuite {
  readonly kind: TestDatabaseKind
  /** The uvu suite, named `<name> on <kind>`. */
  readonly test: Test
  /** A new, empty database; it is removed after the suite's own `after` hooks, which close what they opened. */
  create(): Promise<TestDatabase>
  /**
   * The suite's one database for `openPrepared`, for test after test as it was before the first, which is much
   * cheaper than a new one: whoever opened it before has closed it, and has changed no tables.
   */
  fresh(): Promise<TestDatabase>
}

const KINDS: readonly TestDatabaseKind[] = ['sqlite', 'postgres']

/**
 * Runs the same suite on SQLite and on PostgreSQL and calls `run()` itself.
 *
 * @example
 * forEachDatabase('records', ({ test, create }) => {
 *   let engine: Engine
 *   test.before(async () => {
 *     engine = await openEngine({ database: await create() })
 *   })
 *   test.after(() => engine.close())
 *   test('a name is taken once', async () => { … })
 * })
 */
export function forEachDatabase(name: string, define: (suite: DatabaseSuite) => void): void {
  for (const kind of testKinds()) onDatabase(kind, name, define)
}

/**
 * The kinds of database a run takes tests to: both, or those `SVC_TEST_KINDS` names (`sqlite`, `postgres` or both with
 * a comma). Files that are about one kind alone are chosen by their path. Throws RangeError for other words.
 */
export function testKinds(): readonly TestDatabaseKind[] {
  const wanted = process.env.SVC_TEST_KINDS
  if (wanted === undefined) return KINDS
  const words = wanted.split(',')
  if (words.every((word) => KINDS.some((kind) => kind === word)))
    return KINDS.filter((kind) => words.includes(kind))
  throw new RangeError(`expected SVC_TEST_KINDS to name ${KINDS.join(' or ')}, got "${wanted}"`)
}

/**
 * Runs the suite on SQLite, and in a deep run on PostgreSQL as well: for what judges declarations, which the engine's
 * own tests hold to be the same on both. One story of each module goes the other way, by `forEachDatabase`.
 */
export function forEachDatabaseWhenDeep(
  name: string,
  define: (suite: DatabaseSuite) => void,
): void {
  for (const kind of kindsWhenDeep()) onDatabase(kind, name, define)
}

/** Those of `testKinds` for what meets PostgreSQL in a deep run alone. */
export function kindsWhenDeep(): readonly TestDatabaseKind[] {
  return isDeepRun() ? testKinds() : testKinds().slice(0, 1)
}

/** The suite of one database alone, for what takes so long that each has a file of its own. */
export function onDatabase(
  kind: TestDatabaseKind,
  name: string,
  define: (suite: DatabaseSuite) => void,
): void {
  const test = suite(`${name} on ${kind}`)
  const created: RemovableDatabase[] = []
  const keep = async (making: Promise<RemovableDatabase>): Promise<TestDatabase> => {
    const database = await making
    created.push(database)
    return database.database
  }
  const create = (): Promise<TestDatabase> => keep(createTestDatabase(kind))
  let own: TestDatabase | undefined
  define({
    kind,
    test,
    create,
    fresh: async () => {
      if (kind === 'sqlite' || process.env.TEST_RUN === undefined) return create()
      if (own?.kind !== 'postgres' || !(await withClient(own.url, rewind)))
        own = await keep(reservePostgres())
      return own
    },
  })
  test.after(async () => {
    for (const database of created.splice(0)) await database.remove()
  })
  test.run()
}

export interface RemovableDatabase {
  readonly database: TestDatabase
  /** Removes the database with all that is in it; connections still open to it are cut. */
  remove(): Promise<void>
}

/** A new, empty database outside a suite of `forEachDatabase`; the caller removes it. */
export function createTestDatabase(kind: TestDatabaseKind): Promise<RemovableDatabase> {
  return kind === 'sqlite' ? createSqlite() : createPostgres()
}

async function createSqlite(): Promise<RemovableDatabase> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  return {
    // Some tests open two engines with it in this process.
    database: { kind: 'sqlite', file: join(folder, 'svc.db'), turnMs: Number.POSITIVE_INFINITY },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  }
}

async function createPostgres(): Promise<RemovableDatabase> {
  const reserved = await reservePostgres()
  const { pathname } = new URL(reserved.database.url)
  await execute(await serverUrl(), `create database ${pathname.slice(1)} strategy file_copy`)
  return reserved
}

/** The name of a database that `openPrepared` makes. */
async function reservePostgres(): Promise<
  RemovableDatabase & { readonly database: { readonly kind: 'postgres'; readonly url: string } }
> {
  const server = await serverUrl()
  const name = `svc_test_${process.pid}_${randomBytes(4).toString('hex')}`
  const url = new URL(server)
  url.pathname = `/${name}`
  return {
    database: { kind: 'postgres', url: url.href },
    remove: () => execute(server, `drop database if exists ${name} with (force)`),
  }
}

/** The server of the whole run, or, when a test file runs alone, one that this process starts and takes along. */
async function serverUrl(): Promise<string> {
  process.env.SVC_TEST_DATABASE_URL ??= (await startPostgres()).url
  return process.env.SVC_TEST_DATABASE_URL
}

async function execute(server: string, statement: string): Promise<void> {
  await withClient(server, (client) => client.query(statement))
}

/** Connects for one job. */
export async function withClient<T>(
  url: string,
  job: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await job(client)
  } finally {
    await client.end()
  }
}

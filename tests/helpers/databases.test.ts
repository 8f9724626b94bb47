import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTestDatabase, forEachDatabase, type TestDatabase, testKinds } from './databases.ts'

forEachDatabase('a test database', ({ test, kind, create }) => {
  test('is empty, of the kind asked for, and apart from the next one', async () => {
    const one = await create()
    const other = await create()
    assert.is(one.kind, kind)
    assert.not.equal(one, other)
    assert.equal(await run(one, 'create table once (n integer)'), [])
    assert.equal(await run(other, 'create table once (n integer)'), [])
  })
})

const kinds = suite('the kinds of database a run takes tests to')
const { SVC_TEST_KINDS: ofThisRun } = process.env

kinds.after.each(() => {
  if (ofThisRun === undefined) delete process.env.SVC_TEST_KINDS
  else process.env.SVC_TEST_KINDS = ofThisRun
})

kinds('are both, or those named', () => {
  delete process.env.SVC_TEST_KINDS
  assert.equal(testKinds(), ['sqlite', 'postgres'])
  process.env.SVC_TEST_KINDS = 'sqlite'
  assert.equal(testKinds(), ['sqlite'])
  process.env.SVC_TEST_KINDS = 'postgres,sqlite'
  assert.equal(testKinds(), ['sqlite', 'postgres'])
})

kinds('are never silently none: another word is refused', () => {
  for (const wrong of ['', 'sqlit', 'sqlite,mysql', 'SQLite']) {
    process.env.SVC_TEST_KINDS = wrong
    assert.throws(testKinds, /expected SVC_TEST_KINDS to name sqlite or postgres, got "/)
  }
})

const removal = suite('removing a test database')

removal('deletes the SQLite folder', async () => {
  const { database, remove } = await createTestDatabase('sqlite')
  await run(database, 'create table t (n integer)')
  assert.ok(database.kind === 'sqlite' && existsSync(database.file))
  await remove()
  assert.not.ok(existsSync(database.file))
})

removal('drops the PostgreSQL database although a connection is open', async () => {
  const { database, remove } = await createTestDatabase('postgres')
  assert.ok(database.kind === 'postgres')
  const client = new pg.Client({ connectionString: database.url })
  client.on('error', () => undefined)
  await client.connect()
  await remove()
  await assertRejects(run(database, 'select 1'), /does not exist/)
})

const server = suite('the PostgreSQL server of the tests')

server('brings pg_trgm, UTF-8 and the collation "C"', async () => {
  const { database, remove } = await createTestDatabase('postgres')
  await run(database, 'create extension pg_trgm')
  assert.equal(await run(database, `select similarity('Ärger', 'ärger') as same`), [{ same: 1 }])
  assert.equal(await run(database, `select 'a' > 'B' collate "C" as bytewise`), [
    { bytewise: true },
  ])
  await remove()
})

server('ends with the process that started it, even when that is killed', async () => {
  const starter = `
    const { startPostgres } = await import(${JSON.stringify(import.meta.resolve('./postgres.ts'))})
    console.log((await startPostgres()).url)
    setInterval(() => undefined, 1000)
  `
  const child = spawn(process.execPath, ['--input-type=module', '-e', starter], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  const database: TestDatabase = { kind: 'postgres', url: line.toString().trim() }
  assert.equal(await run(database, 'select 1 as one'), [{ one: 1 }])
  child.kill('SIGKILL')
  await refused(database)
})

async function run(database: TestDatabase, statement: string): Promise<unknown[]> {
  if (database.kind === 'sqlite') {
    const sqlite = new Sqlite(database.file)
    sqlite.exec(statement)
    sqlite.close()
    return []
  }
  const client = new pg.Client({ connectionString: database.url })
  // A server that ends cuts connections at any moment; what was asked then fails, and says so.
  client.on('error', () => undefined)
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}

async function assertRejects(promise: Promise<unknown>, expected: RegExp): Promise<void> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  assert.match(String(error), expected)
}

/** Resolves once nobody listens any more; the runner's limit for a file ends a wait in vain. */
async function refused(database: TestDatabase): Promise<void> {
  for (;;) {
    try {
      await run(database, 'select 1')
    } catch (error) {
      if (String(error).includes('ECONNREFUSED')) return
    }
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

kinds.run()
removal.run()
server.run()

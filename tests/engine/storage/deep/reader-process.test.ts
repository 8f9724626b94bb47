import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { AppError } from '../../../../engine/base/errors.ts'
import { ExpressionError } from '../../../../engine/expression/tree/problem.ts'
import type { Database } from '../../../../engine/storage/database/database.ts'
import { openSqlite } from '../../../../engine/storage/database/sqlite.ts'
import { runPages, runSql } from '../../../../engine/storage/database/statements.ts'
import { createReaderProcess } from '../../../../engine/storage/deep/reader-process.ts'
import { createTestDatabase, type RemovableDatabase } from '../../../helpers/databases.ts'

const reads = suite('long reads of SQLite')

const ANNA = { person: 'anna', narrow: 'ask for less' }
const BERT = { person: 'bert', narrow: 'ask for less' }
const ENDLESS = `with recursive n(i) as (select 1 union all select i + 1 from n) select count(*) as n from n`
const BUDGET_MS = 300

let place: RemovableDatabase
let database: Database

reads.before(async () => {
  place = await createTestDatabase('sqlite')
  database = open()
  await database.write(async (tx) => {
    await sql`create table things (id integer primary key, name text, amount integer)`.execute(tx)
    await sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 5000)
      insert into things select i, 'thing ' || i, i * 9007199254740993 from n`.execute(tx)
  })
})

reads.after(async () => {
  await database.close()
  await place.remove()
})

function open(): Database {
  if (place.database.kind !== 'sqlite') throw new Error('expected SQLite')
  return openSqlite({ file: place.database.file, readers: { budgetMs: BUDGET_MS, idleMs: 50_000 } })
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return false
  } catch {
    return true
  }
}

reads('give what a read in this process gives, whole numbers beyond 2^53 among it', async () => {
  const text = 'select id, name, amount, null as unset from things order by id limit ?'
  const here = await runSql(database.read, text, [3n])
  assert.equal(await runSql(database.deep(ANNA), text, [3n]), here)
  assert.equal(here[2], { id: 3n, name: 'thing 3', amount: 27021597764222979n, unset: null })
})

reads('come in pages, which are all of it in order', async () => {
  const pages: number[] = []
  const ids: bigint[] = []
  await runPages<{ id: bigint }>(
    database.deep(ANNA),
    'select id, name from things order by id',
    [],
    (rows) => {
      pages.push(rows.length)
      ids.push(...rows.map(({ id }) => id))
    },
  )
  assert.ok(pages.length > 3, `${pages}`)
  assert.equal(
    ids,
    Array.from({ length: 5000 }, (_, at) => BigInt(at + 1)),
  )
})

reads('see what was committed before they began', async () => {
  for (let round = 0; round < 20; round += 1) {
    await database.write(async (tx) => {
      await sql`insert into things (name) values (${`new ${round}`})`.execute(tx)
    })
    const text = `select count(*) as n from things where name like 'new %'`
    assert.equal(await runSql(database.deep(ANNA), text, []), [{ n: BigInt(round + 1) }])
  }
})

reads('have the functions that expressions call, and their errors', async () => {
  const deep = database.deep(ANNA)
  assert.equal(await runSql(deep, `select svc_mul(?, ?) as n`, [6n, 7n]), [{ n: 42n }])
  assert.equal(await runSql(deep, `select svc_lower('ÄΣ') as t`, []), [{ t: 'äσ' }])
  const divided = await runSql(deep, `select svc_div(1, 0, 0) as n`, []).catch((e: unknown) => e)
  assert.instance(divided, ExpressionError)
  assert.match(String(divided), /division by zero/)
})

reads('fail as a read in this process fails', async () => {
  const broken = await runSql(database.deep(ANNA), 'select x from nowhere', []).catch(
    (error: unknown) => error,
  )
  assert.is((broken as Error & { code: string }).code, 'SQLITE_ERROR')
  assert.match(String(broken), /no such table: nowhere/)
  const written = await runSql(database.deep(ANNA), 'delete from things', []).catch(
    (error: unknown) => error,
  )
  assert.match(String(written), /expected a statement that reads/)
})

reads('whose pages nobody wants any more leave the reader free', async () => {
  const failed = await runPages(
    database.deep(ANNA),
    'select id, name from things order by id',
    [],
    () => {
      throw new Error('enough')
    },
  ).catch((error: unknown) => error)
  assert.match(String(failed), /enough/)
  assert.equal(await runSql(database.deep(ANNA), 'select 1 as n', []), [{ n: 1n }])
})

reads('over their budget are stopped, really, and say what to narrow', async () => {
  const before = process.cpuUsage()
  const began = performance.now()
  const failed = await runSql(database.deep(ANNA), ENDLESS, []).catch((error: unknown) => error)
  assert.ok(performance.now() - began < BUDGET_MS + 10_000)
  assert.is((failed as AppError).code, 'UNAVAILABLE')
  assert.equal((failed as AppError).headers, { 'Retry-After': '10' })
  assert.match(String(failed), /more than 0.3 seconds: ask for less/)
  const { user } = process.cpuUsage(before)
  assert.ok(user < 250_000, `this thread was free meanwhile: ${user} µs`)
  assert.equal(await runSql(database.deep(ANNA), 'select 1 as n', []), [{ n: 1n }])
})

reads('of one person hold up those of nobody else', async () => {
  const endless = Array.from({ length: 3 }, () =>
    runSql(database.deep(ANNA), ENDLESS, []).catch((error: unknown) => error),
  )
  const order: string[] = []
  const last = Promise.all(endless).then(() => order.push('anna'))
  await runSql(database.deep(BERT), 'select count(*) as n from things', [])
  order.push('bert')
  await last
  assert.equal(order, ['bert', 'anna'])
})

reads('refuse to be transactions', async () => {
  const failed = await database
    .deep(ANNA)
    .transaction()
    .execute(async () => undefined)
    .catch((error: unknown) => error)
  assert.match(String(failed), /one statement each/)
})

reads.run()

const processes = suite('a reader process')

processes('starts with the first long read, and ends some time after the last', async () => {
  const one = await createTestDatabase('sqlite')
  if (one.database.kind !== 'sqlite') throw new Error('expected SQLite')
  await openSqlite({ file: one.database.file }).close()
  const reader = createReaderProcess({
    file: one.database.file,
    libraryFolders: [],
    budgetMs: 5_000,
    idleMs: 30,
  })
  assert.is(reader.pid, undefined)
  await reader.read(ANNA, 'select 1', [], () => undefined)
  const { pid } = reader
  assert.type(pid, 'number')
  while (reader.pid !== undefined) await new Promise((resolve) => setTimeout(resolve, 10))
  while (!isGone(pid!)) await new Promise((resolve) => setTimeout(resolve, 10))
  await reader.read(ANNA, 'select 1', [], () => undefined)
  assert.is.not(reader.pid, pid)
  const second = reader.pid!
  await reader.end()
  assert.ok(isGone(second))
  await one.remove()
})

processes('ends with a server that is killed, in the middle of a statement too', async () => {
  const one = await createTestDatabase('sqlite')
  if (one.database.kind !== 'sqlite') throw new Error('expected SQLite')
  await openSqlite({ file: one.database.file }).close()
  const script = join(import.meta.dirname, 'orphan.ts')
  const server = spawn(process.execPath, [script, one.database.file, ENDLESS], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const [line] = await once(server.stdout, 'data')
  const pid = Number(String(line))
  assert.not(isGone(pid))
  await new Promise((resolve) => setTimeout(resolve, 200))
  server.kill('SIGKILL')
  while (!isGone(pid)) await new Promise((resolve) => setTimeout(resolve, 50))
  await one.remove()
})

processes.run()

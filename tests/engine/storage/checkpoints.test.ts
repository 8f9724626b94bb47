import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { idleCheckpoints } from '../../../engine/storage/database/checkpoints.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'

const test = suite('the log of a workspace')
const folder = mkdtempSync(join(tmpdir(), 'svc-checkpoints-'))
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** A file in WAL mode, and how many pages of its log are not in the file itself. */
function open(name: string) {
  const file = join(folder, name)
  const writer = new Sqlite(file)
  writer.pragma('journal_mode = wal')
  writer.exec('create table t (a text)')
  const size = (): number => statSync(file).size
  const insert = writer.prepare('insert into t values (hex(randomblob(1000)))')
  return { writer, file, size, insert: () => insert.run() }
}

/** Pages of the log, and how many of them are in the file. */
function logOf(database: Sqlite.Database): { readonly log: number; readonly checkpointed: number } {
  return database
    .prepare<[], { log: number; checkpointed: number }>('pragma wal_checkpoint(noop)')
    .get()!
}

const until = async (isTrue: () => boolean): Promise<void> => {
  for (let n = 0; n < 2000 && !isTrue(); n += 1) await new Promise((done) => setTimeout(done, 5))
}

test('is in the file itself once nobody has written for a moment, and not while a transaction is open', async () => {
  const { writer, size, insert } = open('idle.db')
  const checkpoints = idleCheckpoints(writer, { idleMs: 20 })
  const empty = size()
  for (let n = 0; n < 50; n += 1) insert()
  checkpoints.committed()
  writer.exec('begin immediate')
  await new Promise((done) => setTimeout(done, 100))
  assert.is(size(), empty)
  writer.exec('commit')
  await until(() => size() > empty)
  assert.ok(size() > empty + 50 * 1000)
  checkpoints.stop()
  writer.close()
})

test('is put there by a commit when it has grown, however busy it is', () => {
  const { writer, size, insert } = open('busy.db')
  const checkpoints = idleCheckpoints(writer, { mostPages: 20 })
  const empty = size()
  for (let n = 0; n < 40; n += 1) {
    insert()
    checkpoints.committed()
  }
  assert.ok(size() > empty)
  checkpoints.stop()
  writer.close()
})

test('begins anew while nobody pauses, when somebody else writes most of it', async () => {
  const { writer, insert, file } = open('away.db')
  const [other, reader] = [new Sqlite(file), new Sqlite(file)]
  let asked = 0
  const away = async (): Promise<void> => {
    asked += 1
    await new Promise((done) => setImmediate(done))
    // What is committed after it has begun is left out: as far as this one reads, and no further.
    reader.exec('begin')
    reader.prepare('select count(*) from t').get()
    insert()
    other.pragma('wal_checkpoint(passive)')
    reader.exec('commit')
  }
  const checkpoints = idleCheckpoints(writer, { mostPages: 400, away })
  let most = 0
  for (let n = 0; n < 2000; n += 1) {
    insert()
    checkpoints.committed()
    most = Math.max(most, logOf(writer).log)
    if (n % 4 === 0) await new Promise((done) => setImmediate(done))
  }
  assert.ok(asked > 5, `asked ${asked} times`)
  assert.ok(most < 800, `${most} pages`)
  checkpoints.stop()
  reader.close()
  other.close()
  writer.close()
})

test('is put there by a commit after all, when nobody else does', async () => {
  const { writer, insert } = open('nobody.db')
  const away = (): Promise<void> => Promise.reject(new Error('busy'))
  const checkpoints = idleCheckpoints(writer, { mostPages: 100, away })
  let most = 0
  for (let n = 0; n < 1000; n += 1) {
    insert()
    checkpoints.committed()
    most = Math.max(most, logOf(writer).log)
    if (n % 10 === 0) await new Promise((done) => setImmediate(done))
  }
  assert.ok(most > 390 && most < 420, `${most} pages`)
  checkpoints.stop()
  writer.close()
})

test('is written by a process for long reads', async () => {
  const file = join(folder, 'process.db')
  const database = openSqlite({ file, readers: {} })
  const outside = new Sqlite(file)
  await database.write((tx) => sql`create table u (a text)`.execute(tx))
  const insert = (): Promise<unknown> =>
    database.write((tx) => sql`insert into u values (hex(randomblob(2000)))`.execute(tx))
  for (let n = 0; n < 2100; n += 1) await insert()
  // Slowly now, but without the pause in which the server does it itself.
  for (let n = 0; n < 2000 && logOf(outside).checkpointed === 0; n += 1) {
    await insert()
    await new Promise((done) => setTimeout(done, 5))
  }
  const { log, checkpointed } = logOf(outside)
  assert.ok(checkpointed > 0 && log < 16_000, `${checkpointed} of ${log} pages`)
  outside.close()
  await database.close()
})

test.run()

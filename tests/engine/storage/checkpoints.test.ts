import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { idleCheckpoints } from '../../../engine/storage/database/checkpoints.ts'

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
  return { writer, size, insert: () => insert.run() }
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

test.run()

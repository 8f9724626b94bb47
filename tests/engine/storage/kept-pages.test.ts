import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type BetterSqlite3 from 'better-sqlite3'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { keptPages } from '../../../engine/storage/database/kept-pages.ts'
import { connectSqlite } from '../../../engine/storage/database/sqlite-connection.ts'

const MB = 1024 * 1024
const pages = suite('pages of the file in memory')
let folder = ''
let reader: BetterSqlite3.Database
let writer: BetterSqlite3.Database

pages.before.each(() => {
  folder = mkdtempSync(join(tmpdir(), 'kept-pages-'))
  writer = connectSqlite(join(folder, 'workspace.db'))
  writer.exec('create table t (a); insert into t values (1), (2)')
  reader = connectSqlite(join(folder, 'workspace.db'))
})

pages.after.each(() => {
  reader.close()
  writer.close()
  rmSync(folder, { recursive: true })
})

const mapped = (one = reader): unknown => Number(one.pragma('mmap_size', { simple: true })) / MB

function times(count: number, job: () => void): void {
  for (let time = 0; time < count; time += 1) job()
}

pages('are mapped once there are commits, and let go of where there is nothing to do', () => {
  const kept = keptPages(reader, writer)
  assert.is(mapped(), 0)
  times(99, kept.committed)
  assert.is(mapped(), 0)
  kept.committed()
  assert.is(mapped(), 256)
  kept.rest()
  assert.is(mapped(), 0)
  times(99, kept.committed)
  assert.is(mapped(), 0, 'counted anew')
  kept.committed()
  assert.is(mapped(), 256)
  assert.is(mapped(writer), 0, 'it knows its own commits')
})

pages('stay as they are while somebody reads row by row, and what is read is right', () => {
  const kept = keptPages(reader, writer)
  const rows: unknown[] = []
  for (const row of reader.prepare('select a from t').pluck().iterate()) {
    times(100, kept.committed)
    kept.rest()
    rows.push(row)
  }
  assert.equal(rows, [1, 2])
  assert.is(mapped(), 0)
  times(100, kept.committed)
  assert.is(mapped(), 256)
  for (const row of reader.prepare('select a from t').pluck().iterate()) {
    kept.rest()
    rows.push(row)
  }
  assert.is(mapped(), 256)
  kept.rest()
  assert.is(mapped(), 0)
  assert.equal(reader.prepare('select a from t').pluck().all(), [1, 2])
})

pages('are not mapped where memory is to stay small', () => {
  const kept = keptPages(reader, writer, 0)
  times(200, kept.committed)
  assert.is(mapped(), 0)
})

pages.run()

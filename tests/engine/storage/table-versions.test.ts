import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { readMemo } from '../../../engine/storage/database/read-memo.ts'
import { openDatabase } from './workspace.ts'

const test = suite('the version of a table')
const folder = mkdtempSync(join(tmpdir(), 'svc-versions-'))
const file = join(folder, 'svc.db')
let database: Database
test.before(async () => {
  database = openDatabase({ kind: 'sqlite', file })
  await database.write(async (tx) => {
    await sql`create table things (name text)`.execute(tx)
    await sql`create table things__rows (name text)`.execute(tx)
    await sql`create table others (name text)`.execute(tx)
  })
})
test.after(async () => {
  await database.close()
  rmSync(folder, { recursive: true, force: true })
})

const insert = (table: string, on = database): Promise<unknown> =>
  on.write((tx) => tx.insertInto(table).values({ name: 'x' }).execute())

/** Whether a piece of work gives the table another version. */
async function changes(table: string, work: () => Promise<unknown>): Promise<boolean> {
  const before = database.versionOf([table])
  await work()
  return database.versionOf([table]) !== before
}

test('is another after a commit that wrote to it, or to the rows of its records, and to nothing else', async () => {
  assert.ok(await changes('things', () => insert('things')))
  assert.ok(await changes('things', () => insert('things__rows')))
  assert.not(await changes('things', () => insert('others')))
  assert.not(await changes('things', () => database.write((tx) => sql`select 1`.execute(tx))))
})

test('is another after a statement whose text does not say where it writes', async () => {
  const text = 'with t as (select 1) update things set name = name'
  const run = () => database.write((tx) => sql.raw(text).execute(tx))
  assert.ok(await changes('things', run))
})

test('is another after a commit beside a write that was taken back', async () => {
  const failing = database.write(async (tx) => {
    await tx.insertInto('things').values({ name: 'x' }).execute()
    throw new Error('no')
  })
  const both = () => Promise.allSettled([failing, insert('others')])
  assert.ok(await changes('others', both))
})

test('is another after a commit of somebody else, whatever they wrote to', async () => {
  const beside = openDatabase({ kind: 'sqlite', file })
  assert.ok(await changes('things', () => insert('others', beside)))
  await beside.close()
})

test('keeps a count until the table is written, also where that happens while it is counted', async () => {
  const counted = readMemo<number>(['things'], { most: 10 })
  let times = 0
  const count = async (): Promise<number> => {
    times += 1
    const { rows } = await sql<{ n: bigint }>`select count(*) as n from things`.execute(
      database.read,
    )
    return Number(rows[0]!.n)
  }
  const first = await counted(database, 'all', count)
  assert.is(await counted(database, 'all', count), first)
  assert.is(times, 1)
  await insert('others')
  assert.is(await counted(database, 'all', count), first)
  assert.is(times, 1)
  await insert('things')
  assert.is(await counted(database, 'all', count), first + 1)
  assert.is(times, 2)
  // The number is of before, and what is asked next has to see the write.
  const late = await counted(database, 'late', async () => {
    const before = await count()
    await insert('things')
    return before
  })
  assert.is(late, first + 1)
  assert.is(await counted(database, 'late', count), first + 2)
})

test.run()

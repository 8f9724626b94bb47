import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database, Db } from '../../../engine/storage/database/database.ts'
import { runSql } from '../../../engine/storage/database/statements.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { createSmallTables } from '../../../engine/storage/postgres/small-tables.ts'
import { createTestDatabase, type RemovableDatabase } from '../../helpers/databases.ts'

interface Context {
  place: RemovableDatabase
  database: Database
}

const test = suite<Context>('statements that read small tables')

test.before(async (context) => {
  context.place = await createTestDatabase('postgres')
  const url = context.place.database.kind === 'postgres' ? context.place.database.url : ''
  context.database = openPostgres({ url, poolSize: 4 })
  await sql`create table small (id bigint primary key, v integer)`.execute(context.database.read)
  await sql`create table large (id bigint primary key, v integer)`.execute(context.database.read)
  await sql`insert into small select n, n from generate_series(1, 100) n`.execute(
    context.database.read,
  )
  await sql`insert into large select n, n from generate_series(1, 50000) n`.execute(
    context.database.read,
  )
})

test.after(async ({ database, place }) => {
  await database.close()
  await place.remove()
})

test('have a name in a transaction of jobs, those of others are planned for their values', async ({
  database,
}) => {
  const held: string[] = []
  for (let n = 0; n < 5; n += 1)
    await inGroup(database, async (tx) => {
      await runSql(tx, 'select v from "small" where id > $1', [n])
      await runSql(tx, 'select v from "large" where id > $1', [n])
      await runSql(tx, 'select s.v from "small" s join "large" l on l.id = s.v where s.id = $1', [
        n,
      ])
      await runSql(tx, 'select v from "small" where v is distinct from "id" and id > $1', [n])
      await runSql(tx, 'select s.v from "small" s, large l where l.id = s.id and s.id > $1', [n])
      await runSql(tx, 'select 1 as v from large where id = $1', [n])
      const { rows } = await sql<{ statement: string }>`
        select statement from pg_prepared_statements where name like 'svc%'`.execute(tx)
      held.splice(0, held.length, ...rows.map(({ statement }) => statement))
    })
  assert.equal(held.filter((text) => /^select (?:v|s|1)/.test(text)).sort(), [
    'select v from "small" where id > $1',
    'select v from "small" where v is distinct from "id" and id > $1',
  ])
})

test('are asked for their size from their second use on, and again after a minute', () => {
  let now = 0
  const tables = createSmallTables(() => now)
  const text = 'select 1 from "a" where exists (select 1 from "b__c" join "a" x on true)'
  assert.is(tables.of(text), undefined)
  assert.equal(tables.unknown(text), [])
  assert.equal(tables.unknown(text), ['a', 'b__c'])
  tables.note(text, 8192n)
  assert.is(tables.of(text), true)
  now = 61_000
  assert.is(tables.of(text), undefined)
  tables.note(text, 10_000_000n)
  assert.is(tables.of(text), false)
})

test.run()

function inGroup(database: Database, job: (tx: Db) => Promise<void>): Promise<void> {
  return database.write(job, undefined, 'read')
}

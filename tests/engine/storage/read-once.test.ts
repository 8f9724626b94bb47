import { sql } from 'kysely'
import { suite, test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database, Db } from '../../../engine/storage/database/database.ts'
import {
  readOnce,
  seenOrRead,
  seenRecords,
  writtenTable,
} from '../../../engine/storage/database/seen-rows.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'
import { runSqlNow } from '../../../engine/storage/database/statements.ts'
import { createTestDatabase, type RemovableDatabase } from '../../helpers/databases.ts'

interface Context {
  place: RemovableDatabase
  database: Database
  /** Statements that `look` has sent. */
  sent: number
}

const reads = suite<Context>('what a batch reads once')

reads.before.each(async (context) => {
  context.place = await createTestDatabase('sqlite')
  const { database } = context.place
  if (database.kind !== 'sqlite') throw new Error('expected a SQLite database')
  context.database = openSqlite({ file: database.file })
  context.sent = 0
  await context.database.write(async (tx) => {
    for (const table of ['t', 't__rows', 'other'])
      await sql`create table ${sql.table(table)} (id integer primary key, x integer)`.execute(tx)
    await sql`insert into t (id, x) values (1, 10)`.execute(tx)
  })
})

reads.after.each(async ({ database, place }) => {
  await database.close()
  await place.remove()
})

reads('is asked for once by jobs that share a commit', async (context) => {
  const { database } = context
  const jobs = [1, 2, 3].map(() => database.write(async (tx) => look(context, tx)))
  assert.equal(await Promise.all(jobs), [10, 10, 10])
  assert.is(context.sent, 1)
})

reads('is asked for again once its table, or a table of its rows, was written', async (context) => {
  for (const write of [
    sql`update t set x = x + 1 where id = 1`,
    sql`insert into t (id, x) values (2, 1)`,
    sql`insert into t__rows (id, x) values (1, 1)`,
    sql`insert into t__rows (id, x) values (2, 1) returning id`,
    sql`delete from t where id = 2`,
    sql`with one as (select 1 as id) update t set x = 7 where id in (select id from one)`,
  ]) {
    await context.database.write(async (tx) => {
      const before = look(context, tx)
      const sent = context.sent
      await write.execute(tx)
      const rows = runSqlNow<{ x: bigint }>(tx, 'select x from t where id = 1', [])!
      assert.is(look(context, tx), Number(rows[0]!.x), `after ${before}`)
      assert.is(context.sent, sent + 1)
    })
  }
})

reads('outlives a write to another table', async (context) => {
  await context.database.write(async (tx) => {
    look(context, tx)
    await sql`insert into other (id, x) values (1, 1)`.execute(tx)
    look(context, tx)
  })
  assert.is(context.sent, 1)
})

reads('is forgotten with the job that wrote it and failed', async (context) => {
  const { database } = context
  const failed = database.write(async (tx) => {
    await sql`update t set x = 99 where id = 1`.execute(tx)
    assert.is(look(context, tx), 99)
    throw new Error('refused')
  })
  const [one, other] = await Promise.allSettled([
    failed,
    database.write(async (tx) => look(context, tx)),
  ])
  assert.is(one.status, 'rejected')
  assert.equal(other, { status: 'fulfilled', value: 10 })
})

reads('by many keys is asked for those alone that were not seen', async (context) => {
  const asked: (readonly string[])[] = []
  const lookFor = (db: Db, ...keys: string[]) =>
    seenOrRead(db, 't', keys, async (unseen) => {
      asked.push(unseen)
      return new Map(unseen.filter((key) => key !== 'none').map((key) => [key, key.length]))
    })
  await context.database.write(async (tx) => {
    assert.equal([...(await lookFor(tx, 'a', 'none'))], [['a', 1]])
    assert.equal([...(await lookFor(tx, 'a', 'bb', 'none'))].sort(), [
      ['a', 1],
      ['bb', 2],
    ])
    assert.equal([...(await lookFor(tx, 'bb', 'a'))].length, 2)
  })
  assert.equal(asked, [
    ['a', 'none'],
    ['bb', 'none'],
  ])
  for (let time = 0; time < 2; time += 1) await lookFor(context.database.read, 'a')
  assert.equal(asked.slice(2), [['a'], ['a']])
})

reads(
  'of a record is good for the next transactions too, until its table is written',
  async (context) => {
    const { database, place } = context
    const named = (): Promise<number | null> => database.write(async (tx) => record(context, tx))
    assert.is(await named(), 10)
    await database.write((tx) => sql`insert into other (id, x) values (1, 1)`.execute(tx))
    assert.is(await named(), 10)
    assert.is(context.sent, 1)
    await database.write((tx) => sql`insert into t__rows (id, x) values (1, 1)`.execute(tx))
    assert.is(await named(), 10)
    assert.is(context.sent, 2)
    await database.write((tx) => sql`alter table t add column y integer`.execute(tx))
    assert.is(await named(), 10)
    assert.is(context.sent, 3)
    await database
      .write(async (tx) => {
        await sql`update t set x = 99`.execute(tx)
        assert.is(record(context, tx), 99)
        throw new Error('refused')
      })
      .catch(() => undefined)
    assert.is(await named(), 10)
    // The job was run once more before its error was answered.
    assert.is(context.sent, 6)
    if (place.database.kind !== 'sqlite') throw new Error('expected a SQLite database')
    const beside = openSqlite({ file: place.database.file, turnMs: Number.POSITIVE_INFINITY })
    await beside.write((tx) => sql`update t set x = 11`.execute(tx))
    assert.is(await named(), 11)
    assert.is(await named(), 11)
    assert.is(context.sent, 7)
    await beside.close()
  },
)

reads('of records is for who made them: another knows other columns', async (context) => {
  const { database } = context
  const other = {}
  for (const [maker, sent] of [
    [MAKER, 1],
    [MAKER, 1],
    [other, 2],
    [other, 2],
    [MAKER, 3],
  ] as const) {
    await database.write(async (tx) => record(context, tx, maker))
    assert.is(context.sent, sent)
  }
})

reads(
  'of too many records begins anew, and what queries gave ends with its transaction',
  async (context) => {
    const { database } = context
    await database.write(async (tx) => {
      look(context, tx)
      record(context, tx)
      for (let n = 0; n < 1999; n += 1) seenRecords(tx, 'other', MAKER)?.set(`${n}`, null)
    })
    await database.write(async (tx) => {
      look(context, tx)
      record(context, tx)
      assert.is(context.sent, 3)
      seenRecords(tx, 'other', MAKER)?.set('one more', null)
    })
    await database.write(async (tx) => {
      record(context, tx)
      assert.is(context.sent, 4)
      assert.is(seenRecords(tx, 'other', MAKER)?.size, 0)
    })
  },
)

reads.run()

test('the table of a write is known from its text, where that is plain', () => {
  for (const [text, table] of [
    ['insert into "items" ("name") values (?)', 'items'],
    ['insert or ignore into items__uoms (row_id) values (?)', 'items'],
    ['update "items__uoms" set "idx" = ? where "row_id" = ?', 'items'],
    ['delete from "items" where "rid" = ?', 'items'],
    ['alter table "items" add column "x" text', undefined],
    ['with a as (select 1) update items set x = 1', undefined],
  ] as const)
    assert.is(writtenTable(text), table, text)
})

test.run()

/** Who makes the records. */
const MAKER = {}

function look(context: Context, tx: Db): number | undefined {
  return readOnce(tx, 't', 'one', () => {
    context.sent += 1
    return Number(runSqlNow<{ x: bigint }>(tx, 'select x from t where id = 1', [])![0]!.x)
  })
}

/** The same, in the manner of a record store. */
function record(context: Context, tx: Db, maker = MAKER): number | null {
  const seen = seenRecords<number>(tx, 't', maker)!
  const known = seen.get('one')
  if (known !== undefined) return known
  context.sent += 1
  const x = Number(runSqlNow<{ x: bigint }>(tx, 'select x from t where id = 1', [])![0]!.x)
  seen.set('one', x)
  return x
}

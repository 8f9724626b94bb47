import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database, Db } from '../../../engine/storage/database/database.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { createTestDatabase, type RemovableDatabase } from '../../helpers/databases.ts'

interface Context {
  place: RemovableDatabase
  url: string
  database: Database
}

const writes = suite<Context>('a write on PostgreSQL')

writes.before(async (context) => {
  context.place = await createTestDatabase('postgres')
  context.url = context.place.database.kind === 'postgres' ? context.place.database.url : ''
  context.database = openPostgres({ url: context.url })
})

writes.before.each(async ({ database }) => {
  await database.write(async (tx) => {
    await sql`drop table if exists t`.execute(tx)
    await sql`create table t (id bigint primary key, n bigint not null)`.execute(tx)
    await sql`insert into t values (1, 0), (2, 0)`.execute(tx)
  })
})

writes.after(async ({ database, place }) => {
  await database.close()
  await place.remove()
})

writes('is run again after a deadlock, and both are done once', async ({ database }) => {
  const both = meeting(2)
  let attempts = 0
  const add = (first: number, second: number): Promise<void> =>
    database.write(async (tx) => {
      attempts += 1
      const isFirstAttempt = attempts <= 2
      await increment(tx, first)
      if (isFirstAttempt) await both()
      await increment(tx, second)
    })
  await Promise.all([add(1, 2), add(2, 1)])
  assert.is(attempts, 3)
  assert.equal(await numbers(database), [2n, 2n])
})

writes('is run again after a serialization failure', async ({ database }) => {
  const both = meeting(2)
  let attempts = 0
  const addSum = (id: number): Promise<void> =>
    database.write(async (tx) => {
      attempts += 1
      const isFirstAttempt = attempts <= 2
      await sql`set transaction isolation level serializable`.execute(tx)
      const { rows } = await sql<{ sum: string }>`select sum(n)::text as sum from t`.execute(tx)
      if (isFirstAttempt) await both()
      await sql`update t set n = ${Number(rows[0]?.sum) + 1} where id = ${id}`.execute(tx)
    })
  await Promise.all([addSum(1), addSum(2)])
  assert.is(attempts, 3)
  // One after the other: the second one saw the first one's 1.
  assert.equal((await numbers(database)).toSorted(), [1n, 2n])
})

writes(
  'gives up with the error itself after the retries, and leaves nothing behind',
  async ({ url }) => {
    const database = openPostgres({ url, retries: 2 })
    let attempts = 0
    try {
      await database.write(async (tx) => {
        attempts += 1
        await increment(tx, 1)
        await sql`do $$ begin raise exception 'again' using errcode = '40001'; end $$`.execute(tx)
      })
      assert.unreachable()
    } catch (error) {
      assert.is((error as { code?: string }).code, '40001')
    }
    assert.is(attempts, 3)
    assert.equal(await numbers(database), [0n, 0n])
    await database.close()
  },
)

writes('is not run again after any other error', async ({ database }) => {
  let attempts = 0
  const results = await Promise.allSettled([
    database.write(async (tx) => {
      attempts += 1
      await increment(tx, 1)
      await sql`insert into t values (2, 0)`.execute(tx)
    }),
    database.write((tx) => increment(tx, 2)),
  ])
  assert.equal(
    results.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.is(attempts, 1)
  assert.equal(await numbers(database), [0n, 1n])
})

writes('is answered when another connection can see it', async ({ database, url }) => {
  const other = openPostgres({ url })
  await database.write((tx) => increment(tx, 1))
  assert.equal(await numbers(other), [1n, 0n])
  await other.close()
})

writes('is waited for by close', async ({ url, database }) => {
  const closing = openPostgres({ url })
  const started = Promise.withResolvers<void>()
  const written = closing.write(async (tx) => {
    started.resolve()
    await sql`select pg_sleep(0.05)`.execute(tx)
    await increment(tx, 1)
  })
  await started.promise
  await closing.close()
  assert.equal(await numbers(database), [1n, 0n])
  await written
})

writes.run()

async function increment(tx: Db, id: number): Promise<void> {
  await sql`update t set n = n + 1 where id = ${id}`.execute(tx)
}

async function numbers(database: Database): Promise<bigint[]> {
  const rows = await database.read.selectFrom('t').select('n').orderBy('id').execute()
  return rows.map(({ n }) => n as bigint)
}

/** Resolves for everybody once `count` have come. */
function meeting(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>()
  let here = 0
  return () => {
    here += 1
    if (here === count) all.resolve()
    return all.promise
  }
}

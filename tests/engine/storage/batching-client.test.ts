import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { FixedParameters } from '../../../engine/storage/database/statements.ts'
import type {
  BatchingPool,
  BatchingPoolClient,
} from '../../../engine/storage/postgres/postgres-pool.ts'
import { POSTGRES_TYPES } from '../../../engine/storage/postgres/postgres-types.ts'
import { preparingPool } from '../../../engine/storage/postgres/preparing-pool.ts'
import { createTestDatabase, type RemovableDatabase } from '../../helpers/databases.ts'
import { postgresMessagesOf } from '../../helpers/statements.ts'

interface Context {
  place: RemovableDatabase
  url: string
  pool: BatchingPool
  client: BatchingPoolClient
}

const test = suite<Context>('a connection of PostgreSQL that sends together')

test.before.each(async (context) => {
  context.place = await createTestDatabase('postgres')
  context.url = context.place.database.kind === 'postgres' ? context.place.database.url : ''
  // A connection that is lost in use is told by what it runs.
  const connections = new pg.Pool({ connectionString: context.url, max: 1, types: POSTGRES_TYPES })
  connections.on('connect', (one) => one.on('error', () => undefined))
  context.pool = preparingPool(connections)
  context.client = await context.pool.connect()
  await context.client.query('create table t (id bigint primary key, v text)', [])
})

test.after.each(async ({ client, pool, place }) => {
  client.release(true)
  await pool.end()
  await place.remove()
})

test('what is asked for in one turn is one message, and is answered in its order', async ({
  client,
}) => {
  const told: string[] = []
  const ask = async (text: string, ...values: unknown[]): Promise<void> => {
    const { command, rowCount, rows } = await client.query(text, FixedParameters.from(values))
    told.push(
      `${command} ${rowCount} ${JSON.stringify(rows, (_key, value) => (typeof value === 'bigint' ? `${value}n` : value))}`,
    )
  }
  const messages = await postgresMessagesOf(async () => {
    client.send(
      'insert into t values ($1, $2)',
      [1, 'sent'],
      () => assert.unreachable(),
      ({ rowCount }) => {
        told.push(`sent ${rowCount}`)
      },
    )
    await Promise.all([
      ask('insert into t values ($1, $2), ($3, null) returning id', 2, 'ü', 3),
      ask('select * from t order by id'),
      ask('update t set v = $1 where id > 100', 'x'),
      client.query('select 1; select 2', []).then(() => told.push('script')),
      ask('select count(*) from t'),
    ])
  })
  assert.equal(told, [
    'sent 1',
    'INSERT 2 [{"id":"2n"},{"id":"3n"}]',
    'SELECT 3 [{"id":"1n","v":"sent"},{"id":"2n","v":"ü"},{"id":"3n","v":null}]',
    'UPDATE 0 []',
    'script',
    'SELECT 1 [{"count":"3n"}]',
  ])
  assert.equal(
    messages.map((texts) => texts.length),
    [4, 1, 1],
  )
})

test('where one fails those before it are done, those behind it are told its reason', async ({
  client,
}) => {
  await client.query('begin', [])
  const ends = await Promise.allSettled([
    client.query('insert into t values ($1)', [1]),
    client.query('insert into t values ($1)', [1]),
    client.query('select 1 as one', new FixedParameters()),
  ])
  assert.equal(
    ends.map((end) => (end.status === 'fulfilled' ? end.value.rowCount : end.reason.constraint)),
    [1, 't_pkey', 't_pkey'],
  )
  await client.query('rollback', [])
  assert.equal((await client.query('select * from t', [])).rows, [])
})

test('a text that the server was not told because of that is told it the next time', async ({
  client,
}) => {
  const texts = ['select 1 as a', 'select 2 as a', 'select 3 as a']
  // From its second use on each has a name.
  for (const text of texts) await client.query(text, new FixedParameters())
  for (const failing of ['select 1 / 0', 'select nobody']) {
    await client.query('begin', [])
    const ends = await Promise.allSettled(
      [texts[0]!, failing, texts[1]!, texts[2]!, texts[1]!].map((text) =>
        client.query(text, new FixedParameters()),
      ),
    )
    assert.equal(
      ends.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'rejected', 'rejected'],
    )
    await client.query('rollback', [])
    await client.query('begin', [])
    const rows = await Promise.all(
      texts.map(
        async (text) => (await client.query<{ a: number }>(text, new FixedParameters())).rows[0]!.a,
      ),
    )
    assert.equal(rows, [1, 2, 3])
    await client.query('commit', [])
  }
})

test('a connection that is lost fails all that was asked', async ({ client, url }) => {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid', [])
  const killer = new pg.Client({ connectionString: url })
  await killer.connect()
  const waits = Promise.allSettled([
    client.query('select pg_sleep(5)', new FixedParameters()),
    client.query('select 1', new FixedParameters()),
  ])
  await new Promise((resolve) => setTimeout(resolve, 100))
  await killer.query('select pg_terminate_backend($1)', [rows[0]!.pid])
  await killer.end()
  assert.equal(
    (await waits).map(({ status }) => status),
    ['rejected', 'rejected'],
  )
})

test('a value that cannot be written fails alone, before anything is sent', async ({ client }) => {
  const bad = FixedParameters.from([{ amount: 1n }])
  const insert = 'insert into t values ($1)'
  const [lost, kept] = await Promise.allSettled([
    client.query('select $1::text', bad),
    client.query(insert, FixedParameters.from([1])),
  ])
  assert.match(String((lost as PromiseRejectedResult).reason), /BigInt/)
  assert.is(kept.status, 'fulfilled')
  assert.throws(() => client.send(insert, bad, () => undefined), /BigInt/)
  assert.equal((await client.query('select id from t', [])).rows, [{ id: 1n }])
})

test('what a check that waited for the end refuses was not done', async ({ client }) => {
  await client.query(
    'create table d (r bigint unique references d (r) deferrable initially deferred, other bigint references d (r) deferrable initially deferred)',
    [],
  )
  const insert = (): Promise<unknown> =>
    client.query('insert into d values ($1, $2)', FixedParameters.from([5, 77]))
  for (let n = 0; n < 3; n += 1) {
    const [outcome] = await Promise.allSettled([insert()])
    assert.is((outcome as PromiseRejectedResult).reason?.code, '23503')
  }
  assert.equal((await client.query('select r from d', [])).rows, [])
})

test.run()

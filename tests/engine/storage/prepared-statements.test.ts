import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { workspaceOf } from '../../../cli/workspace.ts'
import { openDatabase } from '../../../engine/index.ts'
import type { Database, Db, Tables } from '../../../engine/storage/database/database.ts'
import { runSql, runText } from '../../../engine/storage/database/statements.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { kyselyPool } from '../../../engine/storage/postgres/postgres-pool.ts'
import { POSTGRES_TYPES } from '../../../engine/storage/postgres/postgres-types.ts'
import { preparingPool } from '../../../engine/storage/postgres/preparing-pool.ts'
import { createStatementTexts } from '../../../engine/storage/postgres/statement-names.ts'
import { readSettings } from '../../../server/settings/settings.ts'
import { createTestDatabase, type RemovableDatabase } from '../../helpers/databases.ts'

interface Context {
  place: RemovableDatabase
  url: string
  /** One connection, so that what it holds can be asked of it. */
  database: Database
  /** Another process. */
  other: Database
}

const test = suite<Context>('prepared statements on PostgreSQL')

test.before(async (context) => {
  context.place = await createTestDatabase('postgres')
  context.url = context.place.database.kind === 'postgres' ? context.place.database.url : ''
  context.other = openPostgres({ url: context.url, poolSize: 1 })
})

test.before.each(async (context) => {
  await sql`drop table if exists t`.execute(context.other.read)
  await sql`create table t (id bigint primary key, v integer)`.execute(context.other.read)
  await sql`insert into t select n, n * 10 from generate_series(1, 9) n`.execute(context.other.read)
  context.database = openPostgres({ url: context.url, poolSize: 1 })
})

test.after.each(({ database }) => database.close())

test.after(async ({ other, place }) => {
  await other.close()
  await place.remove()
})

test('a fixed text is prepared when it comes for the second time', async ({ database }) => {
  await readValue(database.read, 1)
  assert.equal(await held(database.read), [])
  for (let id = 1; id <= 9; id += 1) assert.is(await readValue(database.read, id), id * 10)
  const [statement, ...others] = await held(database.read)
  assert.equal(others, [])
  assert.match(statement!.name, /^svc_[0-9a-f]{24}_1$/)
  assert.is(statement!.custom + statement!.generic, 9n)
})

test('what is planned for its values, or is too long to come often, has no name', async ({
  database,
}) => {
  const names = Array.from({ length: 6000 }, (_, at) => at)
  const long = `select v from t where id in (${names.map((n) => `$${n + 1}`).join()})`
  for (let n = 0; n < 3; n += 1) {
    await runSql(database.read, 'select v from t where v = $1', [n])
    await database.read.selectFrom('t').select('v').where('id', '=', n).execute()
    await runText(database.read, long, names)
  }
  assert.equal(await held(database.read), [])
})

test('a plan that was made for a small table is not kept when it has grown', async ({ url }) => {
  const pool = new pg.Pool({ connectionString: url, max: 1, types: POSTGRES_TYPES })
  const limits = { held: 300, uses: 10, prepared: 5000 }
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: kyselyPool(preparingPool(pool, limits)) }),
  })
  for (let n = 0; n < 35; n += 1) await readValue(db, 1)
  // Used 34 times with a name.
  assert.equal(
    (await held(db)).map(({ name, custom, generic }) => [name.slice(-2), custom + generic]),
    [
      ['_1', '10'],
      ['_2', '10'],
      ['_3', '10'],
      ['_4', '4'],
    ].map(([name, uses]) => [name, BigInt(uses!)]),
  )
  await db.destroy()
})

test('a read goes on when another process has changed the type of a column', async ({
  database,
  other,
}) => {
  for (const id of [1, 2, 3]) await readValue(database.read, id)
  await sql`alter table t alter column v type text`.execute(other.read)
  assert.is(await readValue(database.read, 4), '40')
  for (const id of [5, 6]) assert.is(await readValue(database.read, id), `${id}0`)
  assert.is((await held(database.read)).at(-1)?.name.endsWith('_2'), true)
})

test('a write is done once more, and once, when another process has changed the type of a column', async ({
  database,
  other,
}) => {
  for (const id of [1, 2, 3]) await readValue(database.read, id)
  await sql`alter table t alter column v type text`.execute(other.read)
  let attempts = 0
  const value = await database.write(async (tx) => {
    attempts += 1
    await sql`insert into t values (100, 'new')`.execute(tx)
    return readValue(tx, 100)
  })
  assert.is(value, 'new')
  assert.is(attempts, 2)
})

for (const statement of ['discard all', 'deallocate all'])
  test(`a read and a write go on after ${statement}`, async ({ database }) => {
    for (const id of [1, 2, 3]) await readValue(database.read, id)
    await sql.raw(statement).execute(database.read)
    assert.is(await readValue(database.read, 4), 40)
    for (const id of [1, 2, 3]) await readValue(database.read, id)
    assert.is((await held(database.read)).length, 1)
    await sql.raw(statement).execute(database.read)
    let attempts = 0
    const value = await database.write((tx) => {
      attempts += 1
      return readValue(tx, 5)
    })
    assert.is(value, 50)
    assert.is(attempts, 2)
  })

test('what another client of the same connection has prepared under our name is not run', async ({
  database,
  url,
}) => {
  for (const id of [1, 2]) await readValue(database.read, id)
  const [{ name, statement }] = (await held(database.read)) as [Held]
  const stranger = openPostgres({ url, poolSize: 1 })
  await sql.raw(`prepare ${name} (bigint) as ${statement}`).execute(stranger.read)
  for (const id of [1, 2, 3]) assert.is(await readValue(stranger.read, id), id * 10)
  await stranger.close()
})

test('another failure is not tried again', async ({ database }) => {
  const divide = async (by: number): Promise<void> => {
    await runText(database.read, 'select 1 / $1::integer', [by])
  }
  for (const by of [1, 2]) await divide(by)
  try {
    await divide(0)
    assert.unreachable()
  } catch (error) {
    assert.is((error as { code?: string }).code, '22012')
  }
})

test('a connection holds no more than so many, and is replaced after so many more', async ({
  url,
}) => {
  const pool = new pg.Pool({ connectionString: url, max: 1, types: POSTGRES_TYPES })
  const db = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: kyselyPool(preparingPool(pool, { held: 8, uses: 500, prepared: 30 })),
    }),
  })
  const twice = async (n: number): Promise<void> => {
    for (const value of [1, 2]) {
      const { rows } = await runText<{ n: number }>(db, `select $1::integer + ${n} as n`, [value])
      assert.is(rows[0]?.n, value + n)
    }
  }
  const first = await backend(db)
  for (let n = 0; n < 20; n += 1) {
    await twice(n)
    const count = (await held(db)).length
    assert.ok(count >= Math.min(n + 1, 6) && count <= 8, `${count} after ${n}`)
  }
  // Dropped long ago, and prepared again.
  await twice(0)
  assert.is(await backend(db), first)
  for (let n = 20; n < 40; n += 1) await twice(n)
  assert.is.not(await backend(db), first)
  await db.destroy()
})

test('switched off by the setting, nothing is prepared', async ({ url }) => {
  const { settings } = readSettings({ SVC_DATABASE_URL: url, SVC_DATABASE_PREPARE: 'off' })
  const plain = await openDatabase(workspaceOf(settings).database)
  for (const id of [1, 2, 3]) await readValue(plain.read, id)
  assert.equal(await held(plain.read), [])
  await plain.close()
})

test('texts that have not come for long are forgotten', () => {
  const texts = createStatementTexts(4)
  assert.is(texts.use('a'), undefined)
  const name = texts.use('a')
  assert.match(name!, /^svc_/)
  for (const text of ['b', 'c']) texts.use(text)
  assert.is(texts.use('a'), name)
  for (const text of ['d', 'e', 'f', 'g', 'h']) texts.use(text)
  assert.is(texts.use('a'), undefined)
})

test.run()

interface Held {
  readonly name: string
  readonly statement: string
  readonly custom: bigint
  readonly generic: bigint
}

/** What this connection holds under names, the oldest first. */
async function held(db: Db): Promise<readonly Held[]> {
  const { rows } = await sql<Held>`
    select name, statement, custom_plans as custom, generic_plans as generic
    from pg_prepared_statements where name like 'svc%' order by prepare_time`.execute(db)
  return rows
}

async function backend(db: Db): Promise<number | undefined> {
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)
  return rows[0]?.pid
}

async function readValue(db: Db, id: number): Promise<unknown> {
  const { rows } = await runText<{ v: unknown }>(db, 'select v from t where id = $1', [id])
  return rows[0]?.v
}

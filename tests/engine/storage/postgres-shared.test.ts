import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { AppError } from '../../../engine/base/errors.ts'
import { placeIn, settledUpTo } from '../../../engine/storage/database/commit-order.ts'
import type { Database } from '../../../engine/storage/database/database.ts'
import { lockKey, tryLockKey } from '../../../engine/storage/database/key-lock.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { withMigrationLock } from '../../../engine/storage/migration/migration-lock.ts'
import { openPostgres, type PostgresOptions } from '../../../engine/storage/postgres/postgres.ts'
import { prepareSearch } from '../../../engine/storage/records/search.ts'
import { onDatabase } from '../../helpers/databases.ts'
import { table, text } from './shapes.ts'

/** Roles are the server's: another run may have one too. */
const LOW = `low_${process.pid}`

/** A server that others use too: other workspaces in schemas of their own, roles that may do little, poolers. */
onDatabase('postgres', 'a database that is shared', ({ test, create }) => {
  const opened: Database[] = []
  let url = ''
  let whole: Database

  /** Opens the database as another role, or in another schema. */
  function open(
    { role, schema }: { role?: string; schema?: string },
    options: Partial<PostgresOptions> = {},
  ): Database {
    const place = new URL(url)
    if (role !== undefined) {
      place.username = role
      place.password = 'x'
    }
    if (schema !== undefined) place.searchParams.set('options', `-c search_path=${schema}`)
    const database = openPostgres({ url: place.href, poolSize: 3, ...options })
    opened.push(database)
    return database
  }

  async function run(...statements: readonly string[]): Promise<void> {
    for (const statement of statements) await sql.raw(statement).execute(whole.read)
  }

  async function refusal(promise: Promise<unknown>): Promise<AppError> {
    return (await promise.then(
      () => assert.unreachable(),
      (error: unknown) => error,
    )) as AppError
  }

  test.before(async () => {
    const place = await create()
    if (place.kind !== 'postgres') throw new Error('expected PostgreSQL')
    url = place.url
    whole = openPostgres({ url })
    opened.push(whole)
    await run('create schema one', 'create schema two')
  })
  test.after(async () => {
    for (const database of opened) await database.close()
  })

  test('keeps the locks of workspaces in several schemas apart', async () => {
    const [one, two] = [open({ schema: 'one' }), open({ schema: 'two' })]
    for (const database of [one, two])
      await sql`create table log (seq bigint generated always as identity primary key, n int)`.execute(
        database.read,
      )
    const add = (database: Database): Promise<unknown> =>
      database.write(async (tx) => {
        await placeIn('log').execute(tx)
        await sql`insert into log (n) values (1)`.execute(tx)
      })
    for (const database of [one, two, two]) await add(database)
    await one.write(async (tx) => {
      await placeIn('log').execute(tx)
      await lockKey(tx, 'postgres', 'a key')
      assert.ok(await two.write((other) => tryLockKey(other, 'a key')))
      assert.not.ok(await one.write((other) => tryLockKey(other, 'a key')))
      await add(two)
      assert.is(await settledUpTo(two.read, 'postgres', 'log'), 3n)
      await add(one)
      assert.is(await settledUpTo(one.read, 'postgres', 'log'), 1n, 'where it stands')
    })
    assert.is(await settledUpTo(one.read, 'postgres', 'log'), 2n)
    // Also beyond 32 bits, before and after they are full.
    for (const last of [2n ** 32n - 1n, 2n ** 33n, 2n ** 40n + 5n]) {
      await sql`select setval('one.log_seq_seq', ${last})`.execute(whole.read)
      await one.write(async (tx) => {
        await placeIn('log').execute(tx)
        await add(one)
        await add(one)
        assert.is(await settledUpTo(one.read, 'postgres', 'log'), last)
      })
      assert.is(await settledUpTo(one.read, 'postgres', 'log'), last + 2n)
    }
    const shapes = [table('a', [text('x')])]
    await withMigrationLock(one, 1000, async () => {
      assert.is((await migrate(two, shapes, { lockTimeoutMs: 1 })).applied.length, 1)
      const late = await refusal(migrate(one, shapes, { lockTimeoutMs: 1 }))
      assert.is(late.code, 'UNAVAILABLE')
    })
  })

  test('takes the lock of a migration from a process that was cut off, which is told', async () => {
    const one = open({ schema: 'one' })
    const lost = await refusal(
      withMigrationLock(one, 1000, async ({ assertHeld, transaction }) => {
        await assertHeld()
        await run(
          `select pg_terminate_backend(pid) from pg_stat_activity
            where datname = current_database() and application_name = 'svc migration'`,
        )
        await transaction((tx) => sql`create table not_there (x text)`.execute(tx))
      }),
    )
    assert.is(lost.code, 'UNAVAILABLE')
    assert.match(lost.message, /stood still or was cut off while it migrated/)
    const { rows } = await sql`select to_regclass('one.not_there') as found`.execute(whole.read)
    assert.equal(rows, [{ found: null }])
  })

  test('says who has to run what where a role may not make tables or the extension', async () => {
    await run(
      `create role ${LOW} login password 'x'`,
      'revoke create on schema public from public',
      `create schema own authorization ${LOW}`,
    )
    const shapes = [table('a', [text('x')])]
    const nowhere = await refusal(migrate(open({ schema: 'nowhere' }), shapes))
    assert.match(nowhere.message, /search_path \(nowhere\) .* names no schema .* `create schema …`/)
    const denied = await refusal(migrate(open({ role: LOW }), shapes))
    assert.match(
      denied.message,
      /role low_\d+ may not make tables .* `grant create on schema public/,
    )
    const own = open({ role: LOW, schema: 'own' })
    await migrate(own, shapes)
    const without = await refusal(own.write((tx) => prepareSearch(tx, 'postgres')))
    assert.match(without.message, /pg_trgm, and this role may not make it: .* `create extension/)
    assert.is(without.code, 'CONFLICT')
    await run('create extension pg_trgm schema one', `grant usage on schema one to ${LOW}`)
    await own.write((tx) => prepareSearch(tx, 'postgres'))
    await run(`drop owned by ${LOW}`, `drop role ${LOW}`)
  })

  test('can be read while all writes wait for one another', async () => {
    const busy = open({}, { poolSize: 4, timeouts: { connectMs: 300 } })
    await run('create table rows (id int primary key)', 'insert into rows values (1)')
    const lockRow = (database: Database): Promise<unknown> =>
      database.write((tx) => sql`select 1 from rows where id = 1 for update`.execute(tx))
    await whole.write(async (tx) => {
      await sql`select 1 from rows where id = 1 for update`.execute(tx)
      const waiting = Array.from({ length: 2 }, () => lockRow(busy).catch(() => undefined))
      const third = await refusal(lockRow(busy))
      assert.equal([third.code, third.headers['Retry-After']], ['UNAVAILABLE', '5'])
      const { rows } = await sql`select count(*)::int as n from rows`.execute(busy.read)
      assert.equal(rows, [{ n: 1 }])
      void Promise.all(waiting)
    })
    await lockRow(busy)
  })

  test('behind a pooler is told in each transaction how long it may take, and keeps nothing of it', async () => {
    const timeouts = { statementMs: 4000, lockMs: 3000, idleMs: 2000 }
    const pooled = open({}, { prepare: false, timeouts, poolSize: 1 })
    const read = sql<{ told: string }>`select current_setting('statement_timeout') || ' '
      || current_setting('lock_timeout') || ' '
      || current_setting('idle_in_transaction_session_timeout') as told`
    const inside = await pooled.write(async (tx) => (await read.execute(tx)).rows)
    assert.equal(inside, [{ told: '4s 3s 2s' }])
    assert.equal((await read.execute(pooled.read)).rows, [{ told: '0 0 0' }])
  })
})

import { sql } from 'kysely'
import pg from 'pg'
import * as assert from 'uvu/assert'
import type { AppError } from '../../../engine/base/errors.ts'
import type { Database } from '../../../engine/storage/database/database.ts'
import { shareWork } from '../../../engine/storage/database/shared-window.ts'
import { runPages, runSql } from '../../../engine/storage/database/statements.ts'
import { createWorkBudget } from '../../../engine/storage/deep/work-budget.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { onDatabase } from '../../helpers/databases.ts'

const ANNA = { person: 'anna', narrow: 'ask for less' }
const BERT = { person: 'bert', narrow: 'ask for less' }
const BUDGET_MS = 300
const SLOW = 'select pg_sleep(20)::text as n'

onDatabase('postgres', 'long reads', ({ test, create }) => {
  let url = ''
  let database: Database
  let pooled: Database
  let replicated: Database

  test.before(async () => {
    const place = await create()
    if (place.kind !== 'postgres') throw new Error('expected PostgreSQL')
    url = place.url
    const readers = { budgetMs: BUDGET_MS, poolSize: 2, patienceMs: 60_000 }
    const timeouts = { connectMs: 2_000, statementMs: 2_000, lockMs: 200, idleMs: 300 }
    database = openPostgres({ url, poolSize: 3, readers, timeouts })
    pooled = openPostgres({ url, prepare: false, poolSize: 1, readers })
    const other = new URL(url)
    other.searchParams.set('application_name', 'replica')
    replicated = openPostgres({ url, poolSize: 1, readers: { ...readers, url: other.href } })
    await database.write(async (tx) => {
      await sql`create table things (id bigint primary key, name text)`.execute(tx)
      await sql`insert into things select i, 'thing ' || i from generate_series(1, 5000) i`.execute(
        tx,
      )
    })
  })

  test.after(async () => {
    await Promise.all([database.close(), pooled.close(), replicated.close()])
  })

  test('give what a short read gives, page by page', async () => {
    const text = 'select id, name from things order by id'
    const pages: number[] = []
    const rows: unknown[] = []
    await runPages(database.deep(ANNA), text, [], (page) => {
      pages.push(page.length)
      rows.push(...page)
    })
    assert.ok(pages.length > 3)
    assert.equal(rows, await runSql(database.read, text, []))
  })

  test('and writes of a person are counted with those of other processes', async () => {
    await sql`create table svc_rate_windows (key text primary key, window_start bigint, used bigint)`.execute(
      database.read,
    )
    let now = 60_000_000
    const [here, there] = [database, pooled].map(({ read }) =>
      createWorkBudget({ limit: 1_000, now: () => now, share: shareWork(read) }),
    )
    const used = async (least: number): Promise<void> => {
      for (;;) {
        const { rows } = await sql<{ used: string }>`select used from svc_rate_windows`.execute(
          database.read,
        )
        if (Number(rows[0]?.used) >= least) return
      }
    }
    here!.use('anna', 600)
    await used(600)
    there!.use('anna', 500)
    await used(1_100)
    while (there!.of('anna')!.remaining > 0) await new Promise((resolve) => setTimeout(resolve, 5))
    assert.throws(() => there!.assertLeft('anna'), /at most 1 seconds of database time/)
    there!.assertLeft('bert')
    now += 60_000
    there!.assertLeft('anna')
  })

  test('over their budget are stopped by PostgreSQL and say what to narrow', async () => {
    for (const one of [database, pooled, replicated]) {
      const failed = await runSql(one.deep(ANNA), SLOW, []).catch((error: unknown) => error)
      assert.is((failed as AppError).code, 'UNAVAILABLE')
      assert.equal((failed as AppError).headers, { 'Retry-After': '10' })
      assert.match(String(failed), /more than 0.3 seconds: ask for less/)
      assert.equal(await runSql(one.deep(ANNA), 'select 1 as n', []), [{ n: 1 }])
    }
    const left = await runSql<{ n: bigint }>(
      database.read,
      `select count(*) as n from pg_stat_activity where datname = current_database() and query like '%pg_sleep(20)%' and state = 'active' and pid <> pg_backend_pid()`,
      [],
    )
    assert.equal(left, [{ n: 0n }])
  })

  test('of one person take neither all connections for long reads nor any other', async () => {
    const all = Array.from({ length: 6 }, () =>
      runSql(database.deep(ANNA), SLOW, []).catch((error: unknown) => error),
    )
    const order: string[] = []
    const last = Promise.all(all).then(() => order.push('anna'))
    await runSql(database.deep(BERT), 'select 1 as n', [])
    await runSql(database.read, 'select 1 as n', [])
    order.push('bert')
    await last
    assert.equal(order, ['bert', 'anna'])
  })

  test('see on a replica what was committed here', async () => {
    for (let round = 1; round <= 5; round += 1) {
      await replicated.write(async (tx) => {
        await sql`insert into things values (${10_000 + round}, 'new')`.execute(tx)
      })
      const rows = await runSql(
        replicated.deep(ANNA),
        `select count(*) as n from things where name = 'new'`,
        [],
      )
      assert.equal(rows, [{ n: BigInt(round) }])
    }
  })

  test('whose rows nobody wants any more end, and their connection with them', async () => {
    const failed = await runPages(
      database.deep(ANNA),
      'select id, name from things order by id',
      [],
      () => {
        throw new Error('enough')
      },
    ).catch((error: unknown) => error)
    assert.match(String(failed), /enough/)
    assert.equal(await runSql(database.deep(ANNA), 'select 1 as n', []), [{ n: 1 }])
  })

  test('a process that stands still in a transaction holds others up until its time is over', async () => {
    const frozen = database.write(async (tx) => {
      await sql`update things set name = 'held' where id = 1`.execute(tx)
      await new Promise((resolve) => setTimeout(resolve, 1_500))
      await sql`select 1`.execute(tx)
    })
    const ended = frozen.catch((error: unknown) => error)
    await new Promise((resolve) => setTimeout(resolve, 50))
    // Another process without a lock time-out waits for the row, and gets it.
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    const began = performance.now()
    await client.query(`update things set name = 'mine' where id = 1`)
    assert.ok(performance.now() - began < 1_200, 'before the frozen one goes on by itself')
    await client.end()
    assert.instance(await ended, Error)
    assert.equal(await runSql(database.read, 'select name from things where id = 1', []), [
      { name: 'mine' },
    ])
  })

  test('who waits too long for a lock or a statement is told so', async () => {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    await client.query(`begin; update things set name = 'theirs' where id = 2`)
    const locked = await database
      .write((tx) => sql`update things set name = 'x' where id = 2`.execute(tx))
      .catch((error: unknown) => error)
    assert.is((locked as { code: string }).code, '55P03')
    await client.query('rollback')
    await client.end()
    const slow = await runSql(database.read, SLOW, []).catch((error: unknown) => error)
    assert.is((slow as { code: string }).code, '57014')
  })
})

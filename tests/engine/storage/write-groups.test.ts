import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database, Db } from '../../../engine/storage/database/database.ts'
import type { Doc } from '../../../engine/storage/database/document.ts'
import { lockKey } from '../../../engine/storage/database/key-lock.ts'
import { seenOrRead, seenRecords } from '../../../engine/storage/database/seen-rows.ts'
import { FixedParameters, runText, sendText } from '../../../engine/storage/database/statements.ts'
import { createUsualReads } from '../../../engine/storage/database/usual-reads.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { postgresLane } from '../../../engine/storage/postgres/postgres-lane.ts'
import { POSTGRES_TYPES } from '../../../engine/storage/postgres/postgres-types.ts'
import { preparingPool } from '../../../engine/storage/postgres/preparing-pool.ts'
import { runGroup } from '../../../engine/storage/postgres/write-group.ts'
import { createTestDatabase, type RemovableDatabase } from '../../helpers/databases.ts'
import { randomOf } from '../../helpers/random.ts'
import { startType } from './workspace.ts'

interface Context {
  place: RemovableDatabase
  /** Two processes, as it were. */
  one: Database
  two: Database
}

const groups = suite<Context>('jobs that share a transaction on PostgreSQL')

groups.before.each(async (context) => {
  context.place = await createTestDatabase('postgres')
  const { database } = context.place
  if (database.kind !== 'postgres') throw new Error('expected a PostgreSQL database')
  const options = { url: database.url, groupMs: Number.POSITIVE_INFINITY }
  context.one = openPostgres(options)
  context.two = openPostgres(options)
  await sql`create table t (id integer primary key, x integer not null, tx text)`.execute(
    context.one.read,
  )
})

groups.after.each(async ({ one, two, place }) => {
  await one.close()
  await two.close()
  await place.remove()
})

groups('commit together, and say what each of them gave', async ({ one }) => {
  assert.equal(await Promise.all([1, 2, 3, 4, 5, 6].map((id) => add(one, id))), [1, 2, 3, 4, 5, 6])
  const { rows } = await sql<{
    n: number
  }>`select count(distinct tx)::int as n from t`.execute(one.read)
  assert.is(rows[0]!.n, 1)
})

groups('take back only the job that failed, also when it had written', async ({ one }) => {
  const results = await Promise.allSettled([
    add(one, 1),
    one.write(
      async (tx) => {
        await insert(tx, 2)
        throw new Error('refused')
      },
      undefined,
      'add',
    ),
    add(one, 3),
    one.write(
      async () => {
        throw new Error('refused before it wrote')
      },
      undefined,
      'add',
    ),
    add(one, 3),
    add(one, 4),
  ])
  assert.equal(
    results.map((one) => (one.status === 'fulfilled' ? one.value : one.reason.message)),
    [
      1,
      'refused',
      3,
      'refused before it wrote',
      'duplicate key value violates unique constraint "t_pkey"',
      4,
    ],
  )
  assert.equal(await ids(one), [1, 3, 4])
})

groups('answer after the commit', async ({ one, two }) => {
  const seen = [1, 2, 3, 4].map(async (id) => {
    await add(one, id)
    return (await ids(two)).includes(id)
  })
  assert.equal(await Promise.all(seen), [true, true, true, true])
})

groups('read once what all of them ask for', async ({ one }) => {
  let read = 0
  const look = async (tx: Db): Promise<string | undefined> => {
    const known = await seenOrRead(tx, 't', ['a'], async () => {
      read += 1
      return new Map([['a', 'value']])
    })
    return known.get('a')
  }
  const looks = (): Promise<string | undefined> => one.write(look, undefined, 'look')
  assert.equal(await Promise.all([looks(), looks(), looks()]), ['value', 'value', 'value'])
  assert.is(read, 1)
  // What was read before a job that is taken back may have been locked by it.
  const fails = one.write(
    async (tx) => {
      await look(tx)
      throw new Error('refused')
    },
    undefined,
    'look',
  )
  await Promise.allSettled([looks(), fails, looks()])
  assert.is(read, 3)
  // Another transaction knows nothing.
  await looks()
  assert.is(read, 4)
})

groups('read anew what one has written, or waits to read by a lock', async ({ one }) => {
  const known = async (tx: Db): Promise<boolean> => {
    const records = seenRecords<string>(tx, 't', MAKER)!
    const was = records.has('a')
    records.set('a', 'value')
    return was
  }
  const together = (run: (tx: Db) => Promise<boolean>): Promise<boolean> =>
    one.write(run, undefined, 'read')
  const found = await Promise.all([
    together(known),
    together(known),
    together(async (tx) => {
      await insert(tx, 1)
      return known(tx)
    }),
    together(async (tx) => {
      await lockKey(tx, 'postgres', 'a key')
      return known(tx)
    }),
    together(known),
  ])
  assert.equal(found, [false, true, false, false, true])
  // Who has a transaction alone reads for itself.
  assert.is(await one.write(async (tx) => seenRecords(tx, 't', MAKER)), undefined)
})

groups(
  'fail for what was sent without waiting, each alone and with its own reason',
  async ({ one }) => {
    await add(one, 2)
    const send = (id: number): Promise<number> =>
      one.write(
        async (tx) => {
          await sendText(tx, 'insert into t (id, x) values ($1, 0)', [id])
          return id
        },
        undefined,
        'add',
      )
    const asks = one.write(
      async (tx) => {
        await sendText(tx, 'insert into t (id, x) values ($1, 0)', [2])
        await sql`select 1`.execute(tx)
      },
      undefined,
      'add',
    )
    const results = await Promise.allSettled([send(1), send(2), asks, send(3)])
    assert.equal(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'rejected', 'fulfilled'],
    )
    for (const result of results)
      if (result.status === 'rejected') assert.match(result.reason.message, /t_pkey/)
    assert.equal(await ids(one), [1, 2, 3])
  },
)

groups('are run again where the one before is found to have failed meanwhile', async ({ one }) => {
  await add(one, 5)
  const runs: number[] = []
  const job = (id: number): Promise<number> =>
    one.write(
      async (tx) => {
        runs.push(id)
        const seen = seenRecords<number>(tx, 'seen', MAKER)!
        const known = [...seen.keys()]
        seen.set(String(id), id)
        const { rows } = await sql<{
          n: number
        }>`select count(*)::int as n from t where id > ${0}`.execute(tx)
        await sendText(tx, 'insert into t (id, x) values ($1, 0)', [id])
        // What a job that was taken back has read is not known to it.
        assert.is(known.includes('5'), false)
        return rows[0]!.n
      },
      undefined,
      'add',
    )
  const results = await Promise.allSettled([1, 5, 2, 3].map(job))
  assert.equal(
    results.map((result) =>
      result.status === 'fulfilled' ? result.value : /t_pkey/.test(result.reason.message),
    ),
    [1, true, 2, 3],
  )
  assert.equal(runs, [1, 5, 2, 2, 3])
  assert.equal(await ids(one), [1, 2, 3, 5])
})

groups('take back the last alone when what it sent fails at the commit', async ({ one }) => {
  await add(one, 9)
  const send = (id: number, explain?: (error: unknown) => unknown): Promise<number> =>
    one.write(
      async (tx) => {
        await sendText(tx, 'insert into t (id, x) values ($1, 0)', [id], explain && { explain })
        return id
      },
      undefined,
      'add',
    )
  const explain = () => new Error('there already')
  const results = await Promise.allSettled([send(1), send(2), send(9, explain)])
  assert.equal(
    results.map((result) => (result.status === 'fulfilled' ? result.value : result.reason.message)),
    [1, 2, 'there already'],
  )
  // Alone in its transaction.
  const alone = await Promise.allSettled([send(9, explain)])
  assert.is((alone[0] as PromiseRejectedResult).reason.message, 'there already')
  assert.equal(await ids(one), [1, 2, 9])
})

groups('give way where what they sent waits for somebody else', async ({ one, two }) => {
  for (const id of [1, 2]) await add(one, id)
  const held = createMeeting(2)
  const raiseSent = (id: number): Promise<void> =>
    one.write(
      (tx) => sendText(tx, 'update t set x = x + 1 where id = $1', [id]),
      undefined,
      'raise',
    )
  let isFree = false
  const other = two.write(async (tx) => {
    await sql`update t set x = 100 where id = 2`.execute(tx)
    await held()
    await new Promise((resolve) => setTimeout(resolve, 300))
    isFree = true
  })
  await held()
  await Promise.all([raiseSent(1), raiseSent(2).then(() => assert.ok(isFree)), raiseSent(1), other])
  const { rows } = await sql<{ x: number }>`select x from t order by id`.execute(one.read)
  assert.equal(
    rows.map(({ x }) => x),
    [2, 101],
  )
})

groups(
  'let go of what they have locked where one would wait for somebody else',
  async ({ one, two }) => {
    for (const id of [1, 2]) await add(one, id)
    // Each has one of the rows and wants the other: as single transactions they would be a deadlock for a second.
    const both = [
      [one, [1, 2]],
      [two, [2, 1]],
    ] as const
    for (let round = 0; round < 5; round += 1)
      await Promise.all(
        both.flatMap(([database, wanted]) => wanted.map((id) => raise(database, id))),
      )
    const { rows } = await sql<{ x: number }>`select x from t order by id`.execute(one.read)
    assert.equal(
      rows.map(({ x }) => x),
      [10, 10],
    )
  },
)

groups('are run again after a deadlock', async ({ one, two }) => {
  for (const id of [1, 2]) await add(one, id)
  const meet = createMeeting(2)
  const crossed = (database: Database, [first, second]: readonly number[]): Promise<void> => {
    let tries = 0
    return database.write(
      async (tx) => {
        tries += 1
        await lockAndRaise(tx, first!)
        if (tries === 1) await meet()
        await lockAndRaise(tx, second!)
      },
      undefined,
      'raise',
    )
  }
  await Promise.all([crossed(one, [1, 2]), crossed(two, [2, 1])])
  const { rows } = await sql<{ x: number }>`select x from t order by id`.execute(one.read)
  assert.equal(
    rows.map(({ x }) => x),
    [2, 2],
  )
})

groups('are taken in pieces where many come', async ({ one }) => {
  const all = Array.from({ length: 40 }, (_, at) => at)
  assert.equal(await Promise.all(all.map((id) => add(one, id))), all)
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from t group by tx`.execute(
    one.read,
  )
  assert.ok(rows.length > 1 && rows.every(({ n }) => n <= 16), JSON.stringify(rows))
})

groups('may say what changes no rows', async ({ one }) => {
  const said = await one.write(
    (tx) => sql`set local work_mem = '4MB'`.execute(tx),
    undefined,
    'set',
  )
  assert.is(said.numAffectedRows, 0n)
})

groups(
  'lose only what failed where a connection holds all the names that it may',
  async ({ place }) => {
    const url = place.database.kind === 'postgres' ? place.database.url : ''
    const pool = new pg.Pool({ connectionString: url, max: 1, types: POSTGRES_TYPES })
    const lane = postgresLane(preparingPool(pool, { held: 8, uses: 500, prepared: 5000 }))
    const usual = createUsualReads()
    const random = randomOf(7)
    const ask = (tx: Db, text: string, ...values: number[]): unknown =>
      runText(tx, text, FixedParameters.from(values))
    const many = async (tx: Db): Promise<void> => {
      for (let n = 0; n < 30; n += 1) await ask(tx, `select ${random.below(60)}`)
    }
    // What fails has a name already, so that its failure makes no room for another.
    const failing = async (tx: Db): Promise<void> => {
      for (const divisor of [1, 1, 0]) await ask(tx, 'select 1 / $1::int', divisor)
    }
    for (let round = 0; round < 20; round += 1) {
      const works = [many, many, many, failing, many]
      const outcomes: string[] = []
      const jobs = works.map((run, at) => ({
        person: '',
        run,
        isRehearsal: false,
        tries: 0,
        resolve: () => outcomes.push(`${at} done`),
        reject: (reason: unknown) => outcomes.push(`${at} ${(reason as { code?: string }).code}`),
      }))
      const options = {
        onWork: () => undefined,
        isRetryable: () => false,
        retries: 0,
        groupMs: 1e9,
      }
      await runGroup(lane, jobs, usual, options)
      assert.equal(outcomes.sort(), ['0 done', '1 done', '2 done', '3 22012', '4 done'])
    }
    await pool.end()
  },
)

groups('wait for no lock that only others of their kind want', async ({ one, two }) => {
  const { store } = await startType(one, PLACES)
  for (const name of ['A', 'B']) await one.write((tx) => store.insert(tx, place(name)))
  const locking = (...names: string[]): Promise<void> =>
    one.write(
      async (tx) => {
        for (const name of names) await store.lock(tx, name, 'read')
      },
      undefined,
      'lock',
    )
  // Both are usual.
  for (let n = 0; n < 5; n += 1) await locking('A', 'B')
  await two.apart(async (db) => {
    await sql`begin`.execute(db)
    await sql`select 1 from places where name = 'B' for no key update`.execute(db)
    const late = sleep(10_000, 'late', { ref: false })
    assert.is(await Promise.race([locking('A'), late]), undefined)
    await sql`commit`.execute(db)
  })
  await locking('A', 'B')
})

groups('are answered before the database closes', async ({ one, two }) => {
  const added = [1, 2, 3].map((id) => add(one, id))
  await one.close()
  assert.equal(await Promise.all(added), [1, 2, 3])
  assert.equal(await ids(two), [1, 2, 3])
})

groups.run()

async function insert(tx: Db, id: number): Promise<void> {
  await sql`insert into t (id, x, tx) values (${id}, 0, txid_current()::text)`.execute(tx)
}

/** Who makes the records. */
const MAKER = {}

const PLACES = `
doctype: Place
module: stock
tier: free
naming: prompt
fields:
  size: {type: int}
`

function place(name: string): Doc {
  const time = '2026-01-01T00:00:00.000Z'
  const standard = { owner: 'ann', created: time, modified: time, modified_by: 'ann' }
  return { rid: 0, name, ...standard, docstatus: 0, version: 1, size: 1 }
}

function add(database: Database, id: number): Promise<number> {
  return database.write(
    async (tx) => {
      await insert(tx, id)
      return id
    },
    undefined,
    'add',
  )
}

function raise(database: Database, id: number): Promise<void> {
  return database.write((tx) => lockAndRaise(tx, id), undefined, 'raise')
}

async function lockAndRaise(tx: Db, id: number): Promise<void> {
  const { rows } = await sql<{ x: number }>`
    select x from t where id = ${id} for no key update`.execute(tx)
  await sql`update t set x = ${rows[0]!.x + 1} where id = ${id}`.execute(tx)
}

async function ids(database: Database): Promise<number[]> {
  const { rows } = await sql<{ id: number }>`select id from t order by id`.execute(database.read)
  return rows.map(({ id }) => id)
}

/** Lets so many go on at once. */
function createMeeting(of: number): () => Promise<void> {
  let come = 0
  let open: () => void
  const all = new Promise<void>((resolve) => {
    open = resolve
  })
  return () => {
    come += 1
    if (come === of) open()
    return all
  }
}

import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database, Db } from '../../../engine/storage/database/database.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'
import { takeTurn } from '../../../engine/storage/database/statements.ts'
import { createTestDatabase, type RemovableDatabase } from '../../helpers/databases.ts'

interface Context {
  place: RemovableDatabase
  file: string
  database: Database
}

const queue = suite<Context>('the write queue')

queue.before.each(async (context) => {
  context.place = await createTestDatabase('sqlite')
  context.file = context.place.database.kind === 'sqlite' ? context.place.database.file : ''
  context.database = openSqlite({ file: context.file })
  await context.database.write(async (tx) => {
    await sql`create table t (id integer primary key, x text)`.execute(tx)
    await sql`create table child (parent integer references t (id) deferrable initially deferred)`.execute(
      tx,
    )
  })
})

queue.after.each(async ({ database, place }) => {
  await database.close()
  await place.remove()
})

queue('takes back only the job that failed, also when it had written', async ({ database }) => {
  const results = await Promise.allSettled([
    add(database, 1),
    database.write(async (tx) => {
      await insert(tx, 2)
      throw new Error('refused')
    }),
    add(database, 3),
    database.write(async () => {
      throw new Error('refused before it wrote')
    }),
    add(database, 3),
    add(database, 4),
  ])
  assert.equal(summary(results), [
    1,
    'refused',
    3,
    'refused before it wrote',
    'UNIQUE constraint failed: t.id',
    4,
  ])
  assert.equal(await ids(database), [1, 3, 4])
})

queue('ends a batch of long jobs: others have their turn before the rest', async ({ database }) => {
  const order: string[] = []
  const long = (id: number): Promise<unknown> =>
    database
      .write(async (tx) => {
        await insert(tx, id)
        if (id === 1) setTimeout(() => order.push('other'), 0)
        for (const end = performance.now() + 60; performance.now() < end; );
      })
      .then(() => order.push(`job ${id}`))
  await Promise.all([long(1), long(2), long(3)])
  assert.equal(
    order.filter((one) => one !== 'other'),
    ['job 1', 'job 2', 'job 3'],
  )
  assert.ok(order.slice(0, order.indexOf('job 3')).includes('other'), order.join(', '))
  assert.equal(await ids(database), [1, 2, 3])
})

queue('takes back a table that a failed job made', async ({ database }) => {
  const results = await Promise.allSettled([
    add(database, 1),
    database.write(async (tx) => {
      await sql`create table other (x)`.execute(tx)
      throw new Error('refused')
    }),
    add(database, 2),
  ])
  assert.equal(summary(results), [1, 'refused', 2])
  const { rows } = await sql`select name from sqlite_schema where name = 'other'`.execute(
    database.read,
  )
  assert.equal(rows, [])
})

queue(
  'lets a job see what the jobs before it wrote, in the order they came',
  async ({ database }) => {
    const seen = await Promise.all(
      Array.from({ length: 600 }, (_, index) =>
        database.write(async (tx) => {
          await insert(tx, index + 1)
          return (await ids(tx)).length
        }),
      ),
    )
    assert.equal(
      seen,
      Array.from({ length: 600 }, (_, index) => index + 1),
    )
  },
)

queue(
  'refuses only the job whose error made SQLite take the whole transaction back',
  async (context) => {
    const { database } = context
    await database.write(async (tx) => {
      await sql`pragma max_page_count = 8`.execute(tx)
    })
    const results = await Promise.allSettled([
      add(database, 1),
      add(database, 2, 'x'.repeat(100_000)),
      add(database, 3),
    ])
    const [first, second, third] = summary(results)
    assert.equal([first, third], [1, 3])
    assert.match(String(second), /^the disk of this workspace is full, so nothing can be changed/)
    assert.equal(await ids(database), [1, 3])
  },
)

queue(
  'commits nothing of a job that is refused after such an error of another one',
  async (context) => {
    const { database } = context
    await add(database, 1)
    const results = await Promise.allSettled([
      database.write((tx) => sql`insert or rollback into t (id) values (1)`.execute(tx)),
      database.write(async (tx) => {
        await insert(tx, 2)
        throw new Error('refused')
      }),
      add(database, 3),
    ])
    assert.equal(summary(results), ['UNIQUE constraint failed: t.id', 'refused', 3])
    assert.equal(await ids(database), [1, 3])
  },
)

queue('refuses a job that swallows such an error: what it wrote is gone', async ({ database }) => {
  await add(database, 1)
  const results = await Promise.allSettled([
    add(database, 2),
    database.write(async (tx) => {
      await insert(tx, 3)
      await sql`insert or rollback into t (id) values (1)`.execute(tx).catch(() => undefined)
      return 3
    }),
    add(database, 4),
  ])
  assert.match(String(summary(results)[1]), /swallowed the error/)
  assert.equal(await ids(database), [1, 2, 4])
})

queue('refuses every job of a batch whose commit fails, and goes on', async ({ database }) => {
  const results = await Promise.allSettled([
    add(database, 1),
    // Deferred: the missing parent is only noticed by COMMIT.
    database.write((tx) => sql`insert into child values (99)`.execute(tx)),
  ])
  assert.equal(summary(results), ['FOREIGN KEY constraint failed', 'FOREIGN KEY constraint failed'])
  assert.equal(await ids(database), [])
  assert.is(await add(database, 2), 2)
  assert.equal(await ids(database), [2])
})

queue(
  'takes persons in turns, and what one of them writes in the order it came',
  async (context) => {
    const { database } = context
    const order: string[] = []
    const write = (person: string, name: string): Promise<void> =>
      database.write(async () => {
        order.push(name)
      }, person)
    const greedy = Array.from({ length: 700 }, (_, at) => write('anna', `anna ${at}`))
    await Promise.all([write('bert', 'bert 0'), write('bert', 'bert 1'), write('', 'workspace')])
    assert.equal(order.slice(0, 5), ['anna 0', 'bert 0', 'workspace', 'anna 1', 'bert 1'])
    await Promise.all(greedy)
    assert.is(order.at(-1), 'anna 699')
  },
)

queue('lets others have their turn in the middle of a long job', async ({ database }) => {
  let turns = 0
  const between: number[][] = []
  const other = setInterval(async () => {
    turns += 1
    between.push(await ids(database))
  }, 1)
  await database.write(async (tx) => {
    assert.is(takeTurn(tx), undefined, 'it has not held the thread for long')
    for (const id of [1, 2, 3]) {
      await insert(tx, id)
      work(15)
      await takeTurn(tx)
      work(1)
    }
  })
  clearInterval(other)
  assert.ok(turns > 0, 'somebody else came between')
  for (const seen of between) assert.equal(seen, [], 'nothing is seen before the commit')
  assert.equal(await ids(database), [1, 2, 3])
})

queue(
  'ends a batch after its time where somebody else waits, and lets who was slow be alone',
  async (context) => {
    const { database } = context
    const slow = database.write(async (tx) => {
      await insert(tx, 1)
      work(60)
    }, 'carl')
    assert.equal(await database.write(() => ids(database), 'anna'), [1])
    await slow
    const light = database.write((tx) => insert(tx, 2), 'bert')
    assert.equal(await database.write(() => ids(database), 'carl'), [1, 2])
    await light
  },
)

queue('ends a batch of one person who is slow, though nobody waits', async ({ database }) => {
  const slow = database.write(async (tx) => {
    await insert(tx, 1)
    work(60)
  }, 'carl')
  const committed = database.write(() => ids(database), 'carl')
  await slow
  assert.equal(await committed, [1])
})

queue('refuses all that wait where no transaction can be begun', async ({ file }) => {
  const holder = openSqlite({ file })
  const waiter = openSqlite({ file, busyTimeoutMs: 1 })
  try {
    await holder.write(async (tx) => {
      await insert(tx, 1)
      const results = await Promise.allSettled([2, 3, 4].map((id) => add(waiter, id)))
      assert.equal(summary(results), Array(3).fill('database is locked'))
    })
    assert.is(await add(waiter, 2), 2)
  } finally {
    await Promise.all([holder.close(), waiter.close()])
  }
})

queue('answers when another connection can see the write', async ({ database, file }) => {
  const other = openSqlite({ file })
  try {
    const seen = await Promise.all(
      [1, 2, 3].map(async (id) => {
        await add(database, id)
        return (await ids(other.read)).includes(id)
      }),
    )
    assert.equal(seen, [true, true, true])
  } finally {
    await other.close()
  }
})

queue(
  'closes after the writes taken so far, and refuses later ones',
  async ({ database, file }) => {
    const taken = Array.from({ length: 300 }, (_, index) => add(database, index + 1))
    await database.close()
    await Promise.all(taken)
    const late = await Promise.allSettled([add(database, 999)])
    assert.is(late[0]?.status, 'rejected')
    const other = openSqlite({ file })
    try {
      assert.is((await ids(other.read)).length, 300)
    } finally {
      await other.close()
    }
  },
)

queue.run()

/** Keeps the thread for so many ms. */
function work(ms: number): void {
  const until = performance.now() + ms
  while (performance.now() < until) Math.sqrt(ms)
}

function add(database: Database, id: number, x = ''): Promise<number> {
  return database.write(async (tx) => {
    await insert(tx, id, x)
    return id
  })
}

async function insert(tx: Db, id: number, x = ''): Promise<void> {
  await tx.insertInto('t').values({ id, x }).execute()
}

async function ids(source: Database | Db): Promise<number[]> {
  const db = 'read' in source ? source.read : source
  const rows = await db.selectFrom('t').select('id').orderBy('id').execute()
  return rows.map(({ id }) => Number(id))
}

/** Values of the jobs that were done, messages of those that were refused. */
function summary(results: readonly PromiseSettledResult<unknown>[]): unknown[] {
  return results.map((result) =>
    result.status === 'fulfilled' ? result.value : (result.reason as Error).message,
  )
}

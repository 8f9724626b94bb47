import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { introspect } from '../../../engine/storage/migration/introspect.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { createTestDatabase } from '../../helpers/databases.ts'
import { index, table, text } from './shapes.ts'
import { assertAsWanted, failure, insert, type Row } from './table-content.ts'

const postgres = suite('a migration on PostgreSQL')

postgres('builds an index again whose build was broken off', async () => {
  const { database: place, remove } = await createTestDatabase('postgres')
  const url = place.kind === 'postgres' ? place.url : ''
  const database = openPostgres({ url, poolSize: 3 })
  const other = openPostgres({ url, poolSize: 3 })
  try {
    const shapes = [table('a', [text('x')], [{ ...index('ux_a_x', ['x']), unique: true }])]
    await migrate(database, [table('a', [text('x')])])
    const started = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    // A writer that is still at work: the concurrent build waits for it.
    const writer = other.write(async (tx) => {
      await sql`insert into a (x) values ('1')`.execute(tx)
      started.resolve()
      await release.promise
    })
    await started.promise
    const broken = failure(migrate(database, shapes))
    await waitFor(async () => (await cancelBuild(other)) > 0)
    await broken
    release.resolve()
    await writer
    const left = (await introspect(other.read, 'postgres')).get('a')!.indexes
    assert.equal(
      left.map(({ name, valid }) => [name, valid]),
      [['ux_a_x', false]],
    )
    await migrate(other, shapes)
    await assertAsWanted(other, shapes)
  } finally {
    await database.close()
    await other.close()
    await remove()
  }
})

postgres('leaves writers alone while it builds an index', async () => {
  const { database: place, remove } = await createTestDatabase('postgres')
  const database = openPostgres({ url: place.kind === 'postgres' ? place.url : '', poolSize: 4 })
  try {
    await migrate(database, [table('a', [text('x')])])
    const release = Promise.withResolvers<void>()
    const started = Promise.withResolvers<void>()
    const writer = database.write(async (tx) => {
      await sql`insert into a (x) values ('1')`.execute(tx)
      started.resolve()
      await release.promise
    })
    await started.promise
    const shapes = [table('a', [text('x')], [index('ix_a_x', ['x'])])]
    const migrated = migrate(database, shapes)
    await waitFor(async () => (await builds(database)).length > 0)
    await insert(database, 'a', [{ x: '2' }])
    release.resolve()
    await writer
    await migrated
    await assertAsWanted(database, shapes)
  } finally {
    await database.close()
    await remove()
  }
})

postgres.run()

async function builds(database: Database): Promise<readonly Row[]> {
  const { rows } = await sql<Row>`select pid from pg_stat_activity
    where datname = current_database() and state = 'active' and wait_event_type = 'Lock'
      and query like 'create % concurrently %'`.execute(database.read)
  return rows
}

async function cancelBuild(database: Database): Promise<number> {
  const found = await builds(database)
  for (const { pid } of found) await sql`select pg_cancel_backend(${pid})`.execute(database.read)
  return found.length
}

async function waitFor(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 10))
}

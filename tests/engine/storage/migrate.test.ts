import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'
import { introspect } from '../../../engine/storage/migration/introspect.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { withMigrationLock } from '../../../engine/storage/migration/migration-lock.ts'
import { readShapes } from '../../../engine/storage/migration/schema-store.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { index, integer, table, text } from './shapes.ts'
import {
  assertAsWanted,
  columnNames,
  everything,
  failure,
  insert,
  type Row,
  rows,
  values,
} from './table-content.ts'

forEachDatabase('a migration', ({ kind, test, create }) => {
  const opened: Database[] = []

  async function fresh(): Promise<Database> {
    return open(await create())
  }

  function open(place: TestDatabase): Database {
    const database =
      place.kind === 'sqlite'
        ? openSqlite({ file: place.file, durability: 'normal', busyTimeoutMs: 20 })
        : openPostgres({ url: place.url, poolSize: 3 })
    opened.push(database)
    return database
  }

  test.after(async () => {
    for (const database of opened) await database.close()
  })

  test('makes the tables that are wanted and has nothing to do a second time', async () => {
    const database = await fresh()
    const shapes = [
      table(
        'orders',
        [
          text('name', { notNull: true, default: '' }),
          text('note'),
          integer('total', { scale: 4 }),
        ],
        [
          { ...index('ux_orders_name', ['name']), unique: true },
          index('ix_orders_note', ['note', 'name', 'rid']),
          { ...index('ix_orders_total', ['total']), whereNotNull: 'total' },
        ],
      ),
      {
        ...table('orders__items', [
          text('row_id', { notNull: true }),
          integer('idx', { notNull: true }),
        ]),
        primaryKey: 'row_id',
      },
      {
        ...table('svc_log', [text('data', { notNull: true, default: "it's" })]),
        primaryKey: 'seq',
        system: true,
      },
    ]
    const { applied } = await migrate(database, shapes)
    assert.is(applied.length, 6)
    await assertAsWanted(database, shapes)
    assert.equal((await migrate(database, shapes)).steps, [])
    assert.equal((await migrate(database, shapes, { full: true })).steps, [])
    assert.equal((await migrate(database, shapes, { allowDrop: true })).steps, [])
    await insert(database, 'orders', [{ name: 'A' }, { name: 'B' }])
    assert.equal(
      (await rows(database, 'orders')).map(({ rid }) => Number(rid)),
      [1, 2],
    )
  })

  test('makes columns that hold only their type, in the order of code points, unset first', async () => {
    const database = await fresh()
    await migrate(database, [
      table('a', [text('x'), integer('n')], [index('ix_a_x', ['x', 'rid'])]),
    ])
    await failure(insert(database, 'a', [{ n: 'not a number' }]))
    await insert(database, 'a', [{ x: 'b' }, { x: 'Z' }, { x: null }, { x: 'ä' }, { x: 'a' }])
    const nulls = kind === 'postgres' ? sql`nulls first` : sql``
    const found = await sql<Row>`select x from a order by x ${nulls}`.execute(database.read)
    assert.equal(
      found.rows.map(({ x }) => x),
      [null, 'Z', 'a', 'b', 'ä'],
    )
    const [actual] = (await introspect(database.read, kind)).get('a')!.indexes
    assert.ok(actual!.nullsFirst.includes('x'))
  })

  test('adds a column to the rows there are, with its default', async () => {
    const database = await fresh()
    await migrate(database, [table('a', [text('x')])])
    await insert(database, 'a', [{ x: '1' }, { x: '2' }])
    const shapes = [
      table('a', [text('x'), text('note'), integer('n', { notNull: true, default: 7 })]),
    ]
    await migrate(database, shapes)
    await assertAsWanted(database, shapes)
    assert.equal(await values(database, 'a', ['x', 'note', 'n']), [
      ['1', null, '7'],
      ['2', null, '7'],
    ])
  })

  test('renames a table and a column with their values', async () => {
    const database = await fresh()
    await migrate(database, [table('a', [text('x')], [index('ix_a_x', ['x'])])])
    await insert(database, 'a', [{ x: 'kept' }])
    const shapes = [
      {
        ...table('b', [{ ...text('y'), renamedFrom: 'x' }], [index('ix_b_y', ['y'])]),
        renamedFrom: 'a',
      },
    ]
    await migrate(database, shapes)
    await assertAsWanted(database, shapes)
    assert.equal(await values(database, 'b', ['y']), [['kept']])
    assert.equal((await migrate(database, shapes, { full: true })).steps, [])
  })

  test('keeps the values of a removed field where they are, and gives them back to one of its name', async () => {
    const database = await fresh()
    const full = [
      table(
        'a',
        [text('x'), text('note', { notNull: true, default: 'none' })],
        [index('ix_a_note', ['note'])],
      ),
    ]
    const less = [table('a', [text('x')])]
    await migrate(database, full)
    await insert(database, 'a', [{ x: '1', note: 'kept' }])
    const { waiting } = await migrate(database, less)
    assert.equal(
      waiting.map(({ kind }) => kind),
      ['retire-column', 'drop-column'],
    )
    await insert(database, 'a', [{ x: '2' }])
    assert.equal(await values(database, 'a', ['x', 'note']), [
      ['1', 'kept'],
      ['2', null],
    ])
    const { hints } = await migrate(database, full)
    assert.match(hints[0]!, /a\.note is back/)
    await assertAsWanted(database, full)
    assert.equal(await values(database, 'a', ['x', 'note']), [
      ['1', 'kept'],
      ['2', 'none'],
    ])
    await migrate(database, less)
    await migrate(database, less, { retire: true })
    assert.equal((await columnNames(database, 'a')).sort(), ['_dropped_note_1', 'rid', 'x'])
    await migrate(database, full)
    assert.equal(await values(database, 'a', ['x', 'note']), [
      ['1', 'kept'],
      ['2', 'none'],
    ])
    await migrate(database, less)
    await migrate(database, less, { allowDrop: true })
    assert.equal(await columnNames(database, 'a'), ['rid', 'x'])
  })

  test('takes the values of a removed field to another name when it is told theirs', async () => {
    const database = await fresh()
    await migrate(database, [table('a', [text('x')])])
    await insert(database, 'a', [{ x: 'kept' }])
    await migrate(database, [table('a', [])], { retire: true })
    await migrate(database, [table('a', [{ ...text('y'), renamedFrom: '_dropped_x_1' }])])
    assert.equal(await values(database, 'a', ['y']), [['kept']])
    await migrate(database, [table('a', [])])
    await migrate(database, [table('a', [{ ...text('z'), renamedFrom: 'y' }])])
    assert.equal(await values(database, 'a', ['z']), [['kept']])
  })

  test('keeps the table of a removed DocType until told', async () => {
    const database = await fresh()
    await migrate(database, [table('a', [text('x')]), table('b', [])])
    await insert(database, 'a', [{ x: 'kept' }])
    await migrate(database, [table('b', [])])
    assert.equal(await values(database, 'a', ['x']), [['kept']])
    await migrate(database, [table('b', [])], { allowDrop: true })
    assert.not((await introspect(database.read, kind)).has('a'))
    assert.not((await readShapes(database.read, kind)).has('a'))
  })

  test('changes nothing in a dry run, which tells the same steps and what would be refused', async () => {
    const database = await fresh()
    const first = [table('a', [text('x'), text('n')], [index('ix_a_x', ['x'])])]
    const dry = await migrate(database, first, { dryRun: true })
    assert.is((await introspect(database.read, kind)).size, 0)
    assert.equal((await migrate(database, first)).steps, dry.steps)
    await insert(database, 'a', [{ x: 'v', n: 'no number' }])

    const second = [table('a', [{ ...text('y'), renamedFrom: 'x' }, integer('n')])]
    const before = await everything(database)
    const result = await migrate(database, second, { dryRun: true })
    assert.equal(
      result.steps.map(({ kind }) => kind),
      ['drop-index', 'rename-column', 'convert-column'],
    )
    assert.equal(result.applied, [])
    assert.match(result.refused[0]!.reason, /"no number"/)
    assert.equal(await everything(database), before)
  })

  test('is whole after it was cut off at any step and run again', async () => {
    const first = [table('a', [text('x'), integer('n')], [index('ix_a_x', ['x'])]), table('c', [])]
    const second = [
      table(
        'a',
        [{ ...text('y'), renamedFrom: 'x' }, text('n'), text('z')],
        [index('ix_a_y', ['y']), index('ix_a_z', ['z'])],
      ),
      table('b', [text('x')], [index('ix_b_x', ['x'])]),
    ]
    for (let cutAt = 1; ; cutAt += 1) {
      const database = await fresh()
      await migrate(database, first)
      await insert(database, 'a', [{ x: 'kept', n: 1 }])
      const before = await everything(database)
      let lines = 0
      let after = false
      const onProgress = (line: string): void => {
        lines += 1
        after ||= kind === 'postgres' && /^create index .* on a /.test(line)
        if (lines === cutAt) throw new Error('cut off')
      }
      const cut = await migrate(database, second, { onProgress }).then(
        () => false,
        (error: Error) => {
          assert.is(error.message, 'cut off')
          return true
        },
      )
      if (cut && !after) assert.equal(await everything(database), before)
      await migrate(database, second)
      await assertAsWanted(database, second)
      assert.equal(await values(database, 'a', ['y', 'n', 'z']), [['kept', '1', null]])
      assert.equal((await migrate(database, second)).steps, [])
      if (!cut) break
    }
  })

  test('is done once when two processes start together', async () => {
    const place = await create()
    const databases = [open(place), open(place)]
    const [first, second] = [
      [table('a', [text('x')])],
      [table('a', [text('x'), text('y')], [index('ix_a_x', ['x']), index('ix_a_y', ['y'])])],
    ]
    for (const shapes of [first!, second!]) {
      const results = await Promise.all(databases.map((database) => migrate(database, shapes)))
      const working = results.filter(({ applied }) => applied.length > 0)
      assert.is(working.length, 1)
      await assertAsWanted(databases[0]!, shapes)
    }
  })

  test('gives up with UNAVAILABLE when another process holds the lock too long', async () => {
    const place = await create()
    const [holder, waiter] = [open(place), open(place)]
    const shapes = [table('a', [])]
    const started = Promise.withResolvers<void>()
    const release = Promise.withResolvers<void>()
    const held = hold(holder, started.resolve, release.promise)
    await started.promise
    const error = await failure(migrate(waiter, shapes, { lockTimeoutMs: 1 }))
    assert.is(error.code, 'UNAVAILABLE')
    release.resolve()
    await held
    await migrate(waiter, shapes)
  })
})

/** Holds what a migration locks until `until`. */
async function hold(database: Database, started: () => void, until: Promise<void>): Promise<void> {
  await migrate(database, [table('held', [])])
  if (database.kind === 'sqlite') {
    await database.write(async () => {
      started()
      await until
    })
    return
  }
  await withMigrationLock(database, 1000, async () => {
    started()
    await until
  })
}

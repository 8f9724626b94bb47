import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import type { TableShape } from '../../../engine/storage/records/shape.ts'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { index, integer, table, text } from './shapes.ts'
import { assertAsWanted, big, columnNames, failure, insert, values } from './table-content.ts'

forEachDatabase('a migration of values', ({ test, create }) => {
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

  test('turns whole and scaled numbers into the text a person would write, and back', async () => {
    const database = await fresh()
    const indexes = [{ ...index('ux_a_n', ['n']), unique: true, whereNotNull: 'n' }]
    const numbers = [table('a', [integer('n'), integer('m', { scale: 4 })], indexes)]
    const words = [table('a', [text('n'), text('m')], indexes)]
    await migrate(database, numbers)
    const whole = ['0', '-12', '9007199254740993', null]
    const scaled = ['125000', '-5', '-1234567', null]
    await insert(
      database,
      'a',
      whole.map((n, i) => ({ n: big(n), m: big(scaled[i]!) })),
    )
    await migrate(database, words)
    await assertAsWanted(database, words)
    const written = ['12.5', '-0.0005', '-123.4567', null]
    assert.equal(
      await values(database, 'a', ['n', 'm']),
      whole.map((n, i) => [n, written[i]]),
    )

    const refused = await failure(migrate(database, numbers))
    assert.match(refused.message, /--allow-drop/)
    await migrate(database, numbers, { allowDrop: true })
    await assertAsWanted(database, numbers)
    assert.equal(
      await values(database, 'a', ['n', 'm']),
      whole.map((n, i) => [n, scaled[i]]),
    )
  })

  test('refuses text that is no number even with allowDrop, names it and changes nothing', async () => {
    const database = await fresh()
    const words = [table('a', [text('n'), text('m')])]
    await migrate(database, words)
    const wrong = [
      'abc',
      '',
      '01',
      '1.50',
      '1.23456',
      '9'.repeat(30),
      ' 1',
      '-',
      '--1',
      '1e3',
      '-0',
      '.5',
      '+1',
    ]
    for (const value of wrong) {
      await insert(database, 'a', [
        { n: '1', m: '1.25' },
        { n: '2', m: value },
      ])
      const wanted = [table('a', [integer('n'), integer('m', { scale: 4 }), text('new')])]
      const refused = await failure(migrate(database, wanted, { allowDrop: true }))
      assert.ok(refused.message.includes(JSON.stringify(value)), `${value}: ${refused.message}`)
      assert.equal(await columnNames(database, 'a'), ['rid', 'n', 'm'])
      await database.write((tx) => sql`delete from a`.execute(tx))
    }
  })

  test('multiplies values for a greater scale and divides them for a smaller one, exactly or not at all', async () => {
    const database = await fresh()
    const scaled = (scale: number): TableShape[] => [
      table('a', [integer('n', { scale })], [{ ...index('ux_a_n', ['n']), unique: true }]),
    ]
    await migrate(database, scaled(0))
    await insert(
      database,
      'a',
      [1n, 10n, -100n, null].map((n) => ({ n })),
    )
    await migrate(database, scaled(1))
    assert.equal(await values(database, 'a', ['n']), [['10'], ['100'], ['-1000'], [null]])
    await migrate(database, scaled(0))
    assert.equal(await values(database, 'a', ['n']), [['1'], ['10'], ['-100'], [null]])

    assert.match((await failure(migrate(database, scaled(18)))).message, /too large.*10/s)
    await migrate(database, scaled(2))
    await insert(database, 'a', [{ n: 12345n }])
    assert.match((await failure(migrate(database, scaled(1)))).message, /12345/)
    assert.equal(await values(database, 'a', ['n']), [
      ['100'],
      ['1000'],
      ['-10000'],
      [null],
      ['12345'],
    ])
  })

  test('forbids unset values when none is left or a default fills them, and allows them again', async () => {
    const database = await fresh()
    const nullable = [table('a', [text('x'), integer('n')])]
    const strict = [
      table('a', [text('x', { notNull: true }), integer('n', { notNull: true, default: 3 })]),
    ]
    await migrate(database, nullable)
    await insert(database, 'a', [
      { x: 'a', n: 1 },
      { x: null, n: null },
    ])
    assert.match((await failure(migrate(database, strict))).message, /1 row is unset/)
    await database.write((tx) => sql`update a set x = 'b' where x is null`.execute(tx))
    await migrate(database, strict)
    await assertAsWanted(database, strict)
    assert.equal(await values(database, 'a', ['x', 'n']), [
      ['a', '1'],
      ['b', '3'],
    ])
    await migrate(database, nullable)
    await insert(database, 'a', [{ x: null, n: null }])
    await assertAsWanted(database, nullable)
  })

  test('refuses a unique index over equal values, names them, and makes it when they are gone', async () => {
    const database = await fresh()
    const unique = [
      table(
        'a',
        [{ ...text('y'), renamedFrom: 'x' }],
        [{ ...index('ux_a_y', ['y']), unique: true, whereNotNull: 'y' }],
      ),
    ]
    await migrate(database, [table('a', [text('x')])])
    await insert(database, 'a', [
      { x: 'twice' },
      { x: 'twice' },
      { x: 'once' },
      { x: null },
      { x: null },
    ])
    const error = await failure(migrate(database, unique))
    assert.is(error.code, 'CONFLICT')
    assert.match(error.message, /"twice"/)
    assert.not.match(error.message, /once"/)
    assert.equal(
      error.details?.map(({ field }) => field),
      ['a'],
    )
    assert.equal(await columnNames(database, 'a'), ['rid', 'x'])
    await database.write((tx) => sql`delete from a where rid = 2`.execute(tx))
    await migrate(database, unique)
    await assertAsWanted(database, unique)
  })
})

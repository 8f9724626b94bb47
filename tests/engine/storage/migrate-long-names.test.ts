import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { introspect } from '../../../engine/storage/migration/introspect.ts'
import { migrate } from '../../../engine/storage/migration/migrate.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { index, table, text } from './shapes.ts'
import { failure, insert, values } from './table-content.ts'
import { openDatabase } from './workspace.ts'

const TABLE = 't'.repeat(63)
const COLUMN = 'c'.repeat(61)
const COLUMNS = [`${COLUMN}_1`, `${COLUMN}_2`]

forEachDatabase('a migration of names of 63 characters', ({ test, create }) => {
  let database: Database

  test.before.each(async () => {
    database = openDatabase(await create())
  })

  test.after.each(() => database.close())

  test('keeps indexes apart whose names differ only beyond what PostgreSQL keeps', async () => {
    const indexes = COLUMNS.map((name) => index(`ix_${TABLE}_${name}`, [name]))
    const shape = table(
      TABLE,
      COLUMNS.map((name) => text(name)),
      indexes,
    )
    await migrate(database, [shape])
    const actual = (await introspect(database.read, database.kind)).get(TABLE)!
    assert.equal(
      actual.indexes.map(({ columns }) => columns).toSorted(),
      COLUMNS.map((name) => [name]),
    )
    assert.ok(actual.indexes.every(({ name }) => name.length <= 63))
    assert.equal((await migrate(database, [shape], { full: true })).steps, [])
  })

  test('sets both of two removed fields aside, each under a name of its own, and brings them back', async () => {
    await migrate(database, [
      table(
        TABLE,
        COLUMNS.map((name) => text(name)),
      ),
    ])
    await insert(database, TABLE, [{ [COLUMNS[0]!]: 'one', [COLUMNS[1]!]: 'two' }])
    await migrate(database, [table(TABLE, [])], { retire: true })
    const { columns } = (await introspect(database.read, database.kind)).get(TABLE)!
    const aside = columns.map(({ name }) => name).filter((name) => name !== 'rid')
    assert.ok(aside.every((name) => name.startsWith('_dropped_') && name.length <= 63))
    assert.equal((await values(database, TABLE, aside))[0]?.toSorted(), ['one', 'two'])
    await migrate(database, [
      table(
        TABLE,
        COLUMNS.map((name) => text(name)),
      ),
    ])
    assert.equal(await values(database, TABLE, COLUMNS), [['one', 'two']])
  })

  test('refuses a longer one and makes nothing', async () => {
    const error = await failure(migrate(database, [table(`${TABLE}t`, [text(`${COLUMN}_12`)])]))
    assert.is(error.code, 'CONFLICT')
    assert.match(error.message, /at most 63 characters/)
    assert.is((await introspect(database.read, database.kind)).size, 0)
  })
})

import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { Database } from '../../../engine/storage/database/database.ts'
import { openSqlite } from '../../../engine/storage/database/sqlite.ts'
import {
  blankRows,
  runSql,
  runText,
  textsByRows,
  textsByShape,
  valuesOf,
} from '../../../engine/storage/database/statements.ts'
import { openPostgres } from '../../../engine/storage/postgres/postgres.ts'
import { forEachDatabase } from '../../helpers/databases.ts'

const COLUMNS = ['id', 'x'] as const

forEachDatabase('the text of a statement', ({ test, create }) => {
  let database: Database

  test.before(async () => {
    const place = await create()
    database =
      place.kind === 'sqlite' ? openSqlite({ file: place.file }) : openPostgres({ url: place.url })
    await database.write(async (tx) => {
      await sql`create table t (id text, x text)`.execute(tx)
    })
  })
  test.after(() => database.close())

  test('serves any rows of their number, and few numbers are kept', async () => {
    const built: number[] = []
    const inserts = textsByRows((db, rows) => {
      built.push(rows)
      return db.insertInto('t').values(blankRows(COLUMNS, rows)).compile()
    }, 2)
    const rows = (...ids: string[]) => ids.map((id) => ({ x: `x${id}`, id }))
    for (const some of [
      rows('a'),
      rows('b', 'c'),
      rows('d'),
      rows('e', 'f'),
      rows('g', 'h', 'i'),
      rows('j', 'k', 'l'),
    ])
      await database.write(async (tx) => {
        await runText(tx, inserts(tx, some.length), valuesOf(some, COLUMNS))
      })
    assert.equal(built, [1, 2, 3, 3])
    const stored = await runSql(database.read, 'select id, x from t order by id', [])
    assert.equal(stored, rows(...'abcdefghijkl'))
  })

  test('is built once a shape, and anew after more shapes than are kept', async () => {
    const built: string[] = []
    const texts = textsByShape(2)
    const textOf = (column: string): string =>
      texts(column, () => {
        built.push(column)
        return database.read.selectFrom('t').select(column).where('id', '=', '').compile()
      })
    for (const column of ['id', 'x', 'id', 'x']) assert.is(textOf(column), textOf(column))
    assert.equal(built, ['id', 'x'])
    await database.write(async (tx) => {
      await sql`insert into t values ('one', 'x of one')`.execute(tx)
    })
    const [row] = await runSql<{ x: string }>(database.read, textOf('x'), ['one'])
    assert.equal(row, { x: 'x of one' })
    textOf('rowid')
    textOf('x')
    assert.equal(built, ['id', 'x', 'rowid', 'x'])
  })
})

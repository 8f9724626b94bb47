import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import { openDatabase } from '../../../engine/index.ts'
import type { Database } from '../../../engine/storage/database/database.ts'
import { filledTables } from '../../../engine/storage/records/filled-tables.ts'
import { forEachDatabase } from '../../helpers/databases.ts'

forEachDatabase('tables that have rows', ({ kind, test, create }) => {
  let database: Database

  test.before(async () => {
    database = await openDatabase(await create())
  })
  test.after(() => database.close())

  test('are told from those that have none, on SQLite beyond what one statement can ask', async () => {
    const tables = Array.from(
      { length: kind === 'sqlite' ? 1002 : 12 },
      (_, index) => `shelf "${index}"`,
    )
    const filled = tables.filter((_, index) => index % 100 === 1)
    await database.write(async (tx) => {
      for (const table of tables) await sql`create table ${sql.table(table)} (n bigint)`.execute(tx)
      for (const table of filled) await sql`insert into ${sql.table(table)} values (0)`.execute(tx)
    })
    assert.equal([...(await filledTables(database.read, kind, tables))].sort(), filled.sort())
  })
})

import { readFileSync } from 'node:fs'
import BetterSqlite3 from 'better-sqlite3'
import * as assert from 'uvu/assert'
import { forEachDatabase, type TestDatabase } from '../../helpers/databases.ts'
import { everything } from '../storage/table-content.ts'
import { previewed } from './preview-work.ts'
import { openTrade } from './trading.ts'
import type { Workspace } from './workspace.ts'

forEachDatabase('a thousand previews', ({ test, create }) => {
  let workspace: Workspace
  let database: TestDatabase
  test.before(async () => {
    database = await create()
    workspace = await openTrade(database)
    await workspace.create('Customer', { customer_name: 'Ann' })
  })
  test.after(() => workspace.close())

  /** All rows; on SQLite the files too, byte for byte. */
  async function state(): Promise<string> {
    const rows = await everything(workspace.engine.services.database)
    if (database.kind === 'postgres') return rows
    const { file } = database
    // What was written before may be moved from the log into the file at any time, which changes neither.
    const connection = new BetterSqlite3(file)
    connection.pragma('wal_checkpoint(truncate)')
    connection.close()
    return [file, `${file}-wal`].map((name) => readFileSync(name).toString('base64')).join() + rows
  }

  test('leave the database byte for byte as it was', async () => {
    const body = { customer: 'Ann', items: [{ item: 'A', qty: 1, rate: 1 }] }
    const { id } = await workspace.create('Invoice', body)
    const before = await state()
    const tries = [
      { body, run: (as: object) => workspace.create('Invoice', body, as) },
      {
        id,
        body: { items: [] },
        run: (as: object) => workspace.update('Invoice', id, { items: [] }, as),
      },
      { id, run: (as: object) => workspace.submit('Invoice', id, as) },
      { id, run: (as: object) => workspace.remove('Invoice', id, as) },
    ]
    for (let at = 0; at < 1000; at += 20)
      await Promise.all(
        Array.from({ length: 20 }, (_, more) =>
          previewed(workspace, { doctype: 'Invoice', ...tries[(at + more) % tries.length]! }),
        ),
      )
    assert.ok((await state()) === before, 'it is another one')
    assert.is((await workspace.create('Invoice', body)).id, 'INV-002')
  })
})

import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import * as assert from 'uvu/assert'
import type { DocumentResult } from '../../../engine/documents/work/present.ts'
import type { Db } from '../../../engine/storage/database/database.ts'
import { forEachDatabase } from '../../helpers/databases.ts'
import { statementsOf } from '../../helpers/statements.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const TABLES = ['first', 'second', 'third', 'fourth']

const DOCTYPES = `
doctype: Crate
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
${TABLES.map((name) => `  ${name}: {type: table, options: Crate ${name}, fields: {text: {type: data}}}`).join('\n')}
`

forEachDatabase('a record with several tables', ({ test, create, kind }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  const rowsOf = ({ record }: Pick<DocumentResult, 'record'>): readonly string[][] =>
    TABLES.map((name) => (record[name] as { text: string }[]).map(({ text }) => text))

  for (let filled = 0; filled < 2 ** TABLES.length; filled += 1) {
    const code = `C-${filled.toString(2)}`
    const texts = TABLES.map((name, at) => (filled & (1 << at) ? [`${name} a`, `${name} b`] : []))

    test(`comes with the rows it has, and no others: ${code}`, async () => {
      const tables = Object.fromEntries(
        TABLES.map((name, at) => [name, texts[at]!.map((text) => ({ text }))]),
      )
      await workspace.create('Crate', { code, ...tables })
      let shown: readonly string[][] = []
      const sent = await statementsOf(async () => {
        shown = rowsOf(await workspace.get('Crate', code))
      })
      assert.equal(shown, texts)
      if (kind !== 'sqlite') return
      const asked = TABLES.filter((name) =>
        sent.some(
          (text) => text.includes(`from "crates__${name}"`) && text.startsWith('select "row_id"'),
        ),
      )
      assert.equal(
        asked,
        TABLES.filter((_, at) => texts[at]!.length > 0),
      )
    })

    test(`keeps the rows that a change does not send: ${code}`, async () => {
      const changed = await workspace.update('Crate', code, { second: [{ text: 'new' }] })
      assert.equal(rowsOf(changed), texts.with(1, ['new']))
      assert.equal(rowsOf(await workspace.get('Crate', code)), texts.with(1, ['new']))
    })
  }

  if (kind === 'postgres')
    test('comes with rows that somebody added while it was waited for', async () => {
      await workspace.create('Crate', { code: 'LATE' })
      const { database } = workspace.engine.services
      let changing: Promise<Pick<DocumentResult, 'record'>> | undefined
      await database.write(async (tx) => {
        await sql`update crates set modified_by = 'other' where name = 'LATE'`.execute(tx)
        await sql`insert into crates__third (row_id, parent, idx, text)
          select 'late', rid, 1, 'late' from crates where name = 'LATE'`.execute(tx)
        changing = workspace.update('Crate', 'LATE', { second: [{ text: 'new' }] })
        while (!(await waits(database.read))) await sleep(5)
      })
      assert.equal(rowsOf(await changing!), [[], ['new'], ['late'], []])
    })
})

/** Whether somebody waits for a lock in this database. */
async function waits(db: Db): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`.execute(db)
  return rows[0]!.n > 0
}

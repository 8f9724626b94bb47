import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/* Grants of a holder are counted: who is submitted waits for the holder, and looks behind that for the last one. */
const GRANTS = `
doctype: Holder
module: hr
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
---
doctype: Grant
module: hr
tier: free
submittable: true
naming: "GRANT-{###}"
find:
  other:
    from: Grant
    where: holder == this.holder && docstatus == 1 && name != this.name
    latest: no
fields:
  holder: {type: link, options: Holder, required: true, filterable: true}
  no: {type: int, required: true}
  days: {type: int, formula: no}
  before: {type: int, formula: other.days}
  held: {type: data, internal: true, lookup: {match: holder, value: title, at: submit}}
validate:
  - {check: other.name == "" || no == other.days + 1, during: [submit], field: no, message: 'the last one is {other.days}'}
`

forEachDatabase('what a document looks up behind a lock', ({ test, create, kind }) => {
  let workspace: Workspace
  // Another process on the same database; SQLite has one writer.
  let other: Workspace
  test.before(async () => {
    const database = await create()
    workspace = await openWorkspace(database, GRANTS)
    other = kind === 'postgres' ? await openWorkspace(database, GRANTS) : workspace
  })
  test.after(async () => {
    await workspace.close()
    if (other !== workspace) await other.close()
  })

  const grant = async (holder: string, no: number): Promise<string> =>
    String((await workspace.create('Grant', { holder, no })).record.id)

  test('is what others have left there: one of several that come at once gets in', async () => {
    for (let round = 0; round < 8; round += 1) {
      const holder = `H${round}`
      await workspace.create('Holder', { title: holder })
      // Each is right only as the first: another that is submitted has a number that is not one below.
      const drafts = [await grant(holder, 10), await grant(holder, 20), await grant(holder, 30)]
      const outcomes = await Promise.allSettled(
        drafts.map((id, at) => (at === 1 ? other : workspace).submit('Grant', id)),
      )
      const granted = outcomes.filter(({ status }) => status === 'fulfilled').length
      assert.is(granted, 1, `${granted} of three were granted to ${holder}`)
      const shown = await Promise.all(drafts.map((id) => workspace.get('Grant', id)))
      const last = shown.find(({ record }) => record.docstatus === 1)!.record.no as number
      const next = await grant(holder, last + 1)
      const { record } = await workspace.submit('Grant', next)
      assert.equal([record.before, record.docstatus], [last, 1])
    }
  })
})

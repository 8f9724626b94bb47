import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

const ledger = (doctype: string, more: string): string => `
doctype: ${doctype}
module: accounts
tier: free
ledger: {balance: [debit, credit]}
${more}
fields:
  account: {type: data, filterable: true}
  text: {type: data}
  debit: {type: currency}
  credit: {type: currency}
---`

const DOCTYPES = `${ledger('Plain Entry', '')}${ledger('Searched Entry', 'search: [text]')}
doctype: Note
module: billing
tier: free
submittable: true
fields:
  amount: {type: currency}
  text: {type: data}
effects:
  submit:
    - post: Plain Entry
      rows:
        - {set: {account: '"Debtors"', debit: amount, text: text}}
        - {set: {account: '"Sales"', credit: amount, text: text}}
    - post: Searched Entry
      rows:
        - {set: {account: '"Debtors"', debit: amount, text: text}}
        - {set: {account: '"Sales"', credit: amount, text: text}}
`

forEachDatabase('what documents post that come at once', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  test('is there, is found by its text, and goes with its document', async () => {
    const words = ['anvil', 'bellows', 'crucible', 'dowel', 'easel', 'ferrule']
    const notes = await Promise.all(
      words.map((text, at) => workspace.create('Note', { text, amount: at + 1 })),
    )
    await Promise.all(notes.map(({ id }) => workspace.submit('Note', id)))
    for (const [at, text] of words.entries()) {
      const { data } = await workspace.list('Searched Entry', { q: text })
      assert.equal(
        data.map((row) => [row.account, row.debit, row.credit, row.voucher_no]).toSorted(),
        [
          ['Debtors', at + 1, 0, notes[at]!.id],
          ['Sales', 0, at + 1, notes[at]!.id],
        ],
      )
    }
    assert.is((await workspace.list('Plain Entry', {})).data.length, 12)
    await Promise.all(notes.slice(0, 3).map(({ id }) => workspace.cancel('Note', id)))
    const { data } = await workspace.list('Searched Entry', { q: 'anvil' })
    assert.is(data.length, 4)
    assert.is(
      data.reduce((sum, row) => sum + Number(row.debit) - Number(row.credit), 0),
      0,
    )
  })
})

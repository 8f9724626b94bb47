import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { openWorkspace, type Workspace } from './workspace.ts'

/** A ledger whose fields follow from the account, from the amount, and from both; a sheet posts its rows to it. */
const DOCTYPES = `
doctype: Book Account
module: accounts
tier: free
naming: field:title
fields:
  title: {type: data, required: true}
  group: {type: data}
  most: {type: currency, description: Most that one row may have.}
---
doctype: Fee
module: accounts
tier: free
fields:
  fee_from: {type: currency}
  fee: {type: currency}
---
doctype: Book
module: accounts
tier: free
naming: "B-{#####}"
ledger: {balance: [debit, credit]}
fields:
  account: {type: link, options: Book Account, filterable: true}
  debit: {type: currency}
  credit: {type: currency}
  group: {type: data, fetch: account.group}
  moved: {type: currency, formula: debit + credit}
  size: {type: data, formula: 'moved >= 100 ? "large " + group : "small"'}
  fee: {type: currency, lookup: {from: Fee, where: fee_from <= this.moved, latest: fee_from, value: fee, at: create}}
  note: {type: data, default: 'group + "!"'}
  remark: {type: data}
validate:
  - {check: 'account.most == 0 || moved <= account.most', field: debit, message: '{moved} is more than {account.most}'}
---
doctype: Sheet
module: accounts
tier: free
submittable: true
fields:
  rows:
    type: table
    fields:
      account: {type: link, options: Book Account}
      amount: {type: currency}
      remark: {type: data}
effects:
  submit:
    - post: Book
      rows:
        - {each: rows, as: r, set: {account: r.account, debit: r.amount, remark: r.remark}}
        - {set: {account: '"Bank"', credit: 'rows.sum(r, r.amount)'}}
`

forEachDatabase('rows of a posting that are like each other', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
    const accounts = { Bank: ['money', 0], Rent: ['cost', 0], Till: ['money', 150] }
    for (const [title, [group, most]] of Object.entries(accounts))
      await workspace.create('Book Account', { title, group, most })
    for (const [fee_from, fee] of [
      [0, 1],
      [50, 2],
      [200, 7],
    ])
      await workspace.create('Fee', { fee_from, fee })
  })
  test.after(() => workspace.close())

  async function submitted(rows: readonly object[]): Promise<unknown[]> {
    const { id } = await workspace.create('Sheet', { rows })
    await workspace.submit('Sheet', id)
    const { data } = await workspace.list('Book', {
      voucher_no: id,
      limit: '100',
      fields: 'account,moved,size,fee,note,remark',
    })
    const shown = ({
      account,
      moved,
      size,
      fee,
      note,
      remark,
    }: Record<string, unknown>): unknown => [account, moved, size, fee, note, remark]
    // The last one made comes first.
    return data.map(shown).toReversed()
  }

  test('have each what follows from its own amount', async () => {
    const row = (account: string, amount: number, remark: string | null = null): object => ({
      account,
      amount,
      remark,
    })
    const rows = [
      row('Rent', 10),
      row('Till', 120),
      row('Rent', 60),
      row('Rent', 250),
      row('Till', 20, 'own'),
      row('Till', 40),
      row('Rent', 99.99),
      row('Rent', 100),
      row('Till', 150, 'own'),
    ]
    assert.equal(await submitted(rows), [
      ['Rent', 10, 'small', 1, 'cost!', null],
      ['Till', 120, 'large money', 2, 'money!', null],
      ['Rent', 60, 'small', 2, 'cost!', null],
      ['Rent', 250, 'large cost', 7, 'cost!', null],
      ['Till', 20, 'small', 1, 'money!', 'own'],
      ['Till', 40, 'small', 1, 'money!', null],
      ['Rent', 99.99, 'small', 2, 'cost!', null],
      ['Rent', 100, 'large cost', 2, 'cost!', null],
      ['Till', 150, 'large money', 2, 'money!', 'own'],
      ['Bank', 849.99, 'large money', 7, 'money!', null],
    ])
  })

  test('are refused for what is wrong with one of them alone', async () => {
    const rows = Array.from({ length: 12 }, (_, at) => ({ account: 'Till', amount: 10 * at }))
    const refused = await submitted([...rows, { account: 'Till', amount: 151 }]).then(
      () => 'posted',
      ({ details }) => details.map(({ message }: { message: string }) => message),
    )
    assert.equal(refused, ['posting to Book: 151 is more than 150'])
  })
})

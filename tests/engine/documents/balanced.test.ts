import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace, type Workspace } from './workspace.ts'

const bill = (doctype: string, rounding: string): string => `
---
doctype: ${doctype}
module: billing
tier: free
submittable: true
fields:
  owed: {type: currency}
  earned: {type: currency}
effects:
  submit:
    - post: GL Entry
      rows:
        - {set: {account: '"Debtors"', debit: owed}}
        - {set: {account: '"Sales"', credit: earned}}
${rounding}`

const DOCTYPES = `
doctype: GL Entry
module: accounts
tier: free
naming: "GL-{#####}"
ledger: {balance: [debit, credit]}
fields:
  account: {type: data, filterable: true}
  debit: {type: currency}
  credit: {type: currency}
---
doctype: Split Bill
module: billing
tier: free
submittable: true
fields:
  owed: {type: currency}
  earned: {type: currency}
effects:
  submit:
    - {post: GL Entry, together: true, rows: [{set: {account: '"Debtors"', debit: owed}}]}
    - {post: GL Entry, together: true, rows: [{set: {account: '"Sales"', credit: earned}}]}
${bill('Exact Bill', '')}${bill('Rounded Bill', `      rounding: {max: 0.05, set: {account: '"Rounding"'}}\n`)}`

forEachDatabase('what a document posts', ({ test, create }) => {
  let workspace: Workspace
  test.before(async () => {
    workspace = await openWorkspace(await create(), DOCTYPES)
  })
  test.after(() => workspace.close())

  const submitted = async (doctype: string, owed: number, earned: number): Promise<string> => {
    const { id } = await workspace.create(doctype, { owed, earned })
    await workspace.submit(doctype, id)
    return id
  }

  async function posted(voucher_no: string): Promise<unknown[]> {
    const { data } = await workspace.list('GL Entry', {
      voucher_no,
      fields: 'account,debit,credit',
    })
    return (data as readonly Record<string, unknown>[])
      .map(({ account, debit, credit }) => [account, debit, credit])
      .toSorted()
  }

  test('has the same on both sides, or nothing is posted', async () => {
    assert.equal(await posted(await submitted('Exact Bill', 100.5, 100.5)), [
      ['Debtors', 100.5, 0],
      ['Sales', 0, 100.5],
    ])
    const more = await invalid(['debit'], submitted('Exact Bill', 100.51, 100.5))
    assert.is(more.details?.[0]?.message, 'posting to GL Entry: debit exceeds credit by 0.01')
    const less = await invalid(['credit'], submitted('Exact Bill', 100, 100.5))
    assert.is(less.details?.[0]?.message, 'posting to GL Entry: credit exceeds debit by 0.5')
    assert.is((await workspace.list('GL Entry', {})).data.length, 2)
  })

  test('gets a row for a small difference, where the posting says so', async () => {
    assert.equal(await posted(await submitted('Rounded Bill', 99.95, 100)), [
      ['Debtors', 99.95, 0],
      ['Rounding', 0.05, 0],
      ['Sales', 0, 100],
    ])
    assert.equal(await posted(await submitted('Rounded Bill', 100.02, 100)), [
      ['Debtors', 100.02, 0],
      ['Rounding', 0, 0.02],
      ['Sales', 0, 100],
    ])
    const { details } = await invalid(['credit'], submitted('Rounded Bill', 99.94, 100))
    assert.match(details?.[0]?.message ?? '', /exceeds debit by 0\.06, more than the 0\.05 that/)
  })
  test('may be said in parts that are made together, the last of them too', async () => {
    assert.equal(await posted(await submitted('Split Bill', 7, 7)), [
      ['Debtors', 7, 0],
      ['Sales', 0, 7],
    ])
    await invalid(['debit'], submitted('Split Bill', 8, 7))
  })
})

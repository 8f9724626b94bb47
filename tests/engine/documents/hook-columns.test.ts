import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { invalid, openWorkspace } from './workspace.ts'

const DOCTYPES = `
doctype: Item Tax Template
module: billing
tier: free
naming: prompt
fields:
  taxes: {type: table, options: Template Rate, fields: {tax_type: {type: data}, tax_rate: {type: percent}}}
---
doctype: Bill
module: billing
tier: free
naming: "B-{###}"
fields:
  taxed: {type: check, default: true}
  items:
    type: table
    options: Bill Item
    fields:
      amount: {type: currency}
      qty: {type: float, default: 1}
      item_tax_template: {type: link, options: Item Tax Template}
      net: {type: currency, call: {hook: net_amounts, value: net_amount, if: parent.taxed, with: {items: parent.items, taxes: parent.taxes}}}
      wished: {type: currency, call: {hook: net_amounts, value: net_amount, with: {items: parent.items, taxes: parent.taxes}, when: empty}}
  taxes: {type: table, options: Bill Tax}
---
doctype: Bill Tax
child: true
module: billing
tier: free
fields:
  charge_type: {type: data, default: '"On Net Total"'}
  account_head: {type: data}
  included_in_print_rate: {type: check, default: true}
  rate: {type: percent}
  charge: {type: currency}
  tax: {type: currency, call: {hook: tax_amounts, value: tax_amount, with: {items: parent.items, taxes: parent.taxes}}}
`

type Row = Readonly<Record<string, unknown>>

forEachDatabase('a hook that gives rows, of a column', ({ test, create: database }) => {
  test('is called once for the table, and gives each row the value of its place', async () => {
    const w = await openWorkspace(await database(), DOCTYPES)
    await w.create('Item Tax Template', {
      name: 'Books',
      taxes: [{ tax_type: 'VAT', tax_rate: 5 }],
    })
    // 120 / 1.2 = 100, and 105 / 1.05 = 100
    const body = {
      items: [{ amount: 120 }, { amount: 105, item_tax_template: 'Books', wished: 1 }],
      taxes: [{ account_head: 'VAT', rate: 20 }],
    }
    const { record } = await w.create('Bill', body)
    const column = (of: Row, table: string, name: string) =>
      (of[table] as Row[]).map((row) => row[name])
    assert.equal(column(record, 'items', 'net'), [100, 100])
    assert.equal(column(record, 'items', 'wished'), [100, 1])
    assert.equal(column(record, 'taxes', 'tax'), [25])
    const id = String(record.id)
    const { record: untaxed } = await w.update('Bill', id, { taxed: false })
    assert.equal(column(untaxed, 'items', 'net'), [null, null])
    assert.equal(
      column((await w.create('Bill', { items: [{ amount: 7 }] })).record, 'items', 'net'),
      [7],
    )
    const wrong = { ...body, taxes: [{ charge_type: 'Actual', account_head: 'VAT' }] }
    await invalid(['taxes'], w.create('Bill', wrong))
    await w.close()
  })
})

import * as assert from 'uvu/assert'
import type { Explanation } from '../../engine/documents/explain/explanation.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { NotShown, recomputed, same } from '../helpers/recompute.ts'
import { openHttpStory } from './http-story.ts'
import type { Shown, Story } from './story.ts'

forEachDatabase('values of the books that explain themselves', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let order: Shown
  let invoice: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Item', { item_code: 'LAMP', item_name: 'Lamp', standard_rate: 50 })
    await story.create('Item Price', {
      item_code: 'LAMP',
      price_list: 'Standard Selling',
      currency: 'USD',
      price_list_rate: 40,
      valid_from: '2026-01-01',
    })
    customer = (
      await story.create('Customer', {
        customer_name: 'Blue Whale',
        default_price_list: 'Standard Selling',
      })
    ).id
    for (const [qty, basic_rate] of [
      [10, 20],
      [5, 26],
    ])
      await story.make('Stock Entry', {
        stock_entry_type: 'Material Receipt',
        items: [{ item_code: 'LAMP', qty, basic_rate, t_warehouse: 'Stores' }],
      })
    order = await story.make('Sales Order', { customer, items: [{ item_code: 'LAMP', qty: 4 }] })
    const delivery = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
    await story.update('Delivery Note', delivery.id, {
      items: delivery.items.map(({ row_id }: Shown) => ({ row_id, qty: 3 })),
    })
    await story.submit('Delivery Note', delivery.id)
    const draft = await story.draftOf('Sales Order', order.id, 'make_invoice')
    invoice = await story.submit('Sales Invoice', draft.id)
    for (const paid_amount of [100, 30])
      await story.make('Payment Entry', {
        party: customer,
        paid_amount,
        references: [{ sales_invoice: invoice.id, allocated_amount: paid_amount }],
      })
  })
  test.after(() => story.close())

  const valuesOf = ({ inputs }: Explanation): Readonly<Record<string, unknown>> =>
    Object.fromEntries(inputs.map(({ field, value }) => [field, value]))
  const sumOf = ({ records = [] }: Explanation): number =>
    records.reduce((all, { value }) => all + Number(value), 0)

  test('an invoice’s outstanding amount leads to its payments', async () => {
    // 4 lamps at 40 are 160, less 100 and 30
    const open = await story.explain('Sales Invoice', invoice.id, 'outstanding_amount', {
      depth: '3',
    })
    assert.equal([open.value, open.how], [30, 'formula'])
    assert.is(open.where?.file, 'blocks/owed.yaml')
    const inputs = valuesOf(open)
    assert.equal([inputs.rounded_total, inputs.docstatus], [160, 1])
    const payments = open.inputs.find(({ label }) => label === 'Payment Entries')
    assert.is(payments?.value, 130)
    assert.equal(
      payments?.explain?.records?.map(({ resource, value }) => [resource, value]),
      [
        ['payment-entries', 100],
        ['payment-entries', 30],
      ],
    )
  })

  test('a row’s amount has its quantity and rate', async () => {
    const [{ row_id }] = invoice.items
    const amount = await story.explain('Sales Invoice', invoice.id, `items.${row_id}.amount`)
    assert.equal([amount.value, amount.how], [160, 'formula'])
    const inputs = valuesOf(amount)
    assert.equal([inputs['items[0].qty'], inputs['items[0].rate']], [4, 40])
    // Rows of an invoice are declared by a block.
    assert.match(amount.where?.file ?? '', /^blocks\//)
  })

  test('a rate leads to the price list', async () => {
    const rate = await story.explain('Sales Order', order.id, 'items[0].price_list_rate')
    assert.equal([rate.value, rate.how], [40, 'default'])
    assert.is(rate.where?.file, 'blocks/priced-row.yaml')
    const [price] = rate.inputs
    assert.equal([price?.label, price?.value, price?.explain?.how], ['Item Price', 40, 'lookup'])
    const text = price?.explain?.where?.text ?? ''
    assert.match(text, 'price_list == (parent.selling_price_list != ""')
    assert.equal(
      price?.explain?.records?.map(({ resource, value }) => [resource, value]),
      [['item-prices', 40]],
    )
    assert.is(valuesOf(price!.explain!)['items[0].item_code'], 'LAMP')
  })

  test('how much of an order is delivered leads to the deliveries', async () => {
    const share = await story.explain('Sales Order', order.id, 'per_delivered', { depth: '2' })
    assert.equal([share.value, share.how], [75, 'formula'])
    const delivered = await story.explain('Sales Order', order.id, 'items[0].delivered_qty')
    assert.is(delivered.value, 3)
    const [notes] = delivered.inputs
    assert.equal([notes?.field, notes?.value], ['Delivery Note.items.qty', 3])
    assert.equal(
      notes?.explain?.records?.map(({ resource, value }) => [resource, value]),
      [['delivery-notes', 3]],
    )
  })

  test('what an invoice computes is what the inputs it shows give', async () => {
    const fields = Object.keys(invoice).filter((name) => !Array.isArray(invoice[name]))
    const row = Object.keys(invoice.items[0]!).filter((name) => name !== 'row_id')
    let count = 0
    for (const field of [...fields, ...row.map((name) => `items[0].${name}`)]) {
      const { how, where, inputs, value, at } = await story.explain(
        'Sales Invoice',
        invoice.id,
        field,
      )
      if (how !== 'formula' || at !== undefined) continue
      const place = field.startsWith('items[') ? { table: 'items', index: 0 } : undefined
      try {
        const found = recomputed(where?.text ?? '', inputs, place, invoice)
        const isAlike =
          typeof value === 'number'
            ? Math.abs(Number(found ?? 0) - value) < 0.005 + 1e-9
            : same(found, value)
        assert.ok(isAlike, `${field}: ${where?.text} gives ${found}, not ${value}`)
        count += 1
      } catch (error) {
        if (!(error instanceof NotShown)) throw error
      }
    }
    assert.ok(count >= 15, `${count} values`)
  })

  test('a status has the condition that held', async () => {
    const status = await story.explain('Sales Invoice', invoice.id, 'status')
    assert.equal([status.value, status.how], ['Partly Paid', 'status'])
    assert.is(status.where?.text, 'outstanding_amount < rounded_total')
    assert.equal(valuesOf(status), { outstanding_amount: 30, rounded_total: 160 })
  })

  test('the quantity of a stock balance leads to the ledger, and from there to the documents', async () => {
    const quantity = await story.explain('Bin', 'LAMP::Stores', 'actual_qty')
    assert.equal([quantity.value, quantity.how, sumOf(quantity)], [12, 'rollup', 12])
    assert.equal(
      quantity.records?.map(({ resource, value }) => [resource, value]),
      [
        ['stock-ledger-entries', 10],
        ['stock-ledger-entries', 5],
        ['stock-ledger-entries', -3],
      ],
    )
    const row = quantity.records!.at(-1)!
    const [doctype] = /^Delivery Note/.exec(row.title) ?? []
    assert.is(doctype, 'Delivery Note')
    const moved = await story.explain('Stock Ledger Entry', row.id!, 'actual_qty')
    assert.is(moved.records?.[0]?.resource, 'delivery-notes')
    const rate = await story.explain('Bin', 'LAMP::Stores', 'valuation_rate', { depth: '2' })
    assert.equal(
      rate.inputs.map(({ field }) => field),
      ['actual_qty', 'stock_value'],
    )
  })
})

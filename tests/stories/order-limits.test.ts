import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('the limits of orders', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    for (const [item_code, standard_rate, more] of [
      ['NUT', 5, { over_delivery_receipt_allowance: 20, over_billing_allowance: 50 }],
      ['BOLT', 4, {}],
      ['SAFE', 100, { delivered_by_supplier: true }],
    ] as const)
      await story.create('Item', {
        item_code,
        item_name: item_code,
        standard_rate,
        allow_negative_stock: true,
        ...more,
      })
    customer = (await story.create('Customer', { customer_name: 'Buyer' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Maker' })).id
  })
  test.after(() => story.close())

  const order = (...items: readonly (readonly [string, number])[]): Promise<Shown> =>
    story.make('Sales Order', {
      customer,
      items: items.map(([item_code, qty]) => ({ item_code, qty })),
    })
  const rowsOf = ({ items }: Shown, ...quantities: readonly number[]) =>
    quantities.map((qty, index) => ({
      item_code: items[index].item_code,
      qty,
      so_detail: items[index].row_id,
    }))
  const deliver = (sold: Shown, ...quantities: readonly number[]): Promise<Shown> =>
    story.make('Delivery Note', { customer, items: rowsOf(sold, ...quantities) })
  const bill = (sold: Shown, ...quantities: readonly number[]): Promise<Shown> =>
    story.make('Sales Invoice', { customer, items: rowsOf(sold, ...quantities) })
  const progress = async (doctype: string, id: string): Promise<readonly unknown[]> => {
    const { status, per_delivered, per_received, per_billed } = await story.get(doctype, id)
    return [status, per_delivered ?? per_received, per_billed]
  }

  test('give way by the item, else by the company, and say by how much', async () => {
    const sold = await order(['NUT', 10], ['BOLT', 10])
    const first = await deliver(sold, 8, 10)
    // 10 + 20 % = 12
    await refusedFor(
      'items[0].delivered_qty',
      'NUT: delivered more than ordered: 10 ordered, at most 12, not 12.5',
      deliver(sold, 4.5),
    )
    const second = await deliver(sold, 4)
    assert.equal(await progress('Sales Order', sold.id), ['To Bill', 100, 0])
    const bolt = { ...sold, items: [sold.items[1]] }
    await refusedFor('items[1].delivered_qty', 'at most 10, not 10.5', deliver(bolt, 0.5))
    await story.update('Company', 'Acme Inc', { over_delivery_receipt_allowance: 5 })
    const third = await deliver(bolt, 0.5)
    await refusedFor('items[1].delivered_qty', 'at most 10.5, not 11', deliver(bolt, 0.5))

    // 50 % more of 10 × 5 = 50: 15 for 75. Bolts: nothing more.
    const bills = [await bill(sold, 15, 10)]
    await refusedFor('items[0].billed_qty', 'at most 50 % more, not 16 for 80', bill(sold, 1))
    await refusedFor('items[1].billed_qty', 'at most 0 % more', bill(bolt, 0.01))
    assert.equal(await progress('Sales Order', sold.id), ['Completed', 100, 100])
    const note = {
      customer,
      items: [{ item_code: 'BOLT', qty: 1, dn_detail: third.items[0].row_id }],
    }
    await refusedFor(
      'items[0].billed_qty',
      'BOLT: billed more than delivered: 0.5 delivered, at most 0.5, not 1',
      story.make('Sales Invoice', note),
    )

    for (const { id } of bills) await story.cancel('Sales Invoice', id)
    for (const { id } of [third, second, first]) await story.cancel('Delivery Note', id)
    assert.equal(await progress('Sales Order', sold.id), ['Submitted', 0, 0])
    assert.equal(
      (await story.get('Sales Order', sold.id)).items.map((row: Shown) => row.delivered_qty),
      [0, 0],
    )
  })

  test('do not give way of what is held or closed, though all is there already', async () => {
    const sold = await order(['NUT', 10])
    await deliver(sold, 10)
    for (const [stop, go] of [
      ['hold', 'resume'],
      ['close', 'reopen'],
    ] as const) {
      await story.act('Sales Order', sold.id, stop)
      await refusedFor('status', 'closed or on hold', deliver(sold, 1))
      await refusedFor('status', 'closed or on hold', bill(sold, 1))
      await story.act('Sales Order', sold.id, go)
    }
    await deliver(sold, 1)
    const { id, items } = await story.make('Purchase Order', {
      supplier,
      items: [{ item_code: 'NUT', qty: 10, rate: 2 }],
    })
    const receive = (qty: number) =>
      story.make('Purchase Receipt', {
        supplier,
        items: [{ item_code: 'NUT', qty, rate: 2, purchase_order_item: items[0].row_id }],
      })
    await receive(11)
    await story.act('Purchase Order', id, 'hold')
    await refusedFor('status', 'closed or on hold', receive(1))
    await story.act('Purchase Order', id, 'resume')
    await refusedFor('items[0].received_qty', 'at most 12, not 12.5', receive(1.5))
    assert.equal(await progress('Purchase Order', id), ['To Bill', 100, 0])
  })

  test('what a supplier sends to the customer is delivered without a warehouse', async () => {
    const sold = await order(['SAFE', 3])
    await refusedAsConflict(story.act('Sales Order', sold.id, 'make_delivery_note'))
    const draft = await story.draftOf('Sales Order', sold.id, 'make_purchase_order', { supplier })
    await story.update('Purchase Order', draft.id, {
      items: [{ row_id: draft.items[0].row_id, rate: 60 }],
    })
    await story.submit('Purchase Order', draft.id)
    await refusedAsConflict(story.act('Sales Order', sold.id, 'make_purchase_order', { supplier }))
    await refusedAsConflict(story.act('Purchase Order', draft.id, 'make_receipt'))
    await refusedAsConflict(story.cancel('Sales Order', sold.id))
    await story.act('Purchase Order', draft.id, 'deliver')
    assert.equal(await progress('Purchase Order', draft.id), ['Delivered', 100, 0])
    assert.equal(await progress('Sales Order', sold.id), ['To Bill', 100, 0])
    assert.equal(await story.all('Bin', { item_code: 'SAFE' }), [])
    const owed = await story.draftOf('Purchase Order', draft.id, 'make_invoice')
    await story.submit('Purchase Invoice', owed.id)
    assert.equal(await progress('Purchase Order', draft.id), ['Completed', 100, 100])
    await story.cancel('Purchase Invoice', owed.id)
    await story.cancel('Purchase Order', draft.id)
    assert.equal(await progress('Sales Order', sold.id), ['Submitted', 0, 0])
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})

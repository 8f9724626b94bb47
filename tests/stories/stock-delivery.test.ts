import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('deliveries and what comes back', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    await story.create('Account', { account_name: 'Cost of Lamps', root_type: 'Expense' })
    for (const item_code of ['CHAIR', 'DESK', 'SOFA', 'STOOL'])
      await story.create('Item', { item_code, item_name: item_code, standard_rate: 50 })
    await story.create('Item', {
      item_code: 'LAMP',
      item_name: 'Lamp',
      standard_rate: 50,
      default_warehouse: 'Finished Goods',
      expense_account: 'Cost of Lamps',
    })
    await receive('CHAIR', 30, 20)
    await receive('LAMP', 10, 12, 'Finished Goods')
    await receive('DESK', 3, 3.333333)
    await receive('SOFA', 10, 100)
    await receive('STOOL', 10, 5)
  })
  test.after(() => story.close())

  const receive = (
    item_code: string,
    qty: number,
    basic_rate: number,
    t_warehouse = 'Stores',
  ): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      items: [{ item_code, qty, basic_rate, t_warehouse }],
    })

  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }

  test('an item goes from its own warehouse, on its own account', async () => {
    const delivery = await story.make('Delivery Note', {
      customer,
      items: [
        { item_code: 'CHAIR', qty: 1 },
        { item_code: 'LAMP', qty: 2 },
      ],
    })
    assert.equal(
      delivery.items.map(({ warehouse }: Shown) => warehouse),
      ['Stores', 'Finished Goods'],
    )
    assert.equal(await story.books(delivery.id), {
      'Cost of Goods Sold': 20,
      'Cost of Lamps': 24,
      'Stock In Hand': -44,
    })
    await story.cancel('Delivery Note', delivery.id)
  })

  test('the invoice of a delivery has the order’s taxes and discount', async () => {
    const order = await story.make('Sales Order', {
      customer,
      po_no: 'BW-7',
      items: [{ item_code: 'CHAIR', qty: 4 }],
      taxes_and_charges: 'VAT 20 %',
      additional_discount_percentage: 10,
    })
    const note = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
    await story.submit('Delivery Note', note.id)
    const invoice = await story.draftOf('Delivery Note', note.id, 'make_invoice')
    // 4 × 50 = 200, less 10 % = 180, plus 20 % = 216
    assert.equal([invoice.net_total, invoice.grand_total, invoice.po_no], [180, 216, 'BW-7'])
    assert.equal(order.grand_total, 216)
    await story.submit('Sales Invoice', invoice.id)
    assert.is((await story.get('Delivery Note', note.id)).status, 'Completed')
    assert.is((await story.get('Sales Order', order.id)).status, 'Completed')
  })

  test('goods come back at the value they went out with', async () => {
    // 3 worth 10.00 go out; meanwhile others come in at 5 each.
    const delivery = await story.make('Delivery Note', {
      customer,
      items: [{ item_code: 'DESK', qty: 3 }],
    })
    await receive('DESK', 10, 5)
    const draft = await story.draftOf('Delivery Note', delivery.id, 'make_return')
    assert.equal([draft.is_return, draft.items[0].qty, draft.items[0].rate], [true, -3, 50])
    await story.update('Delivery Note', draft.id, {
      items: [{ row_id: draft.items[0].row_id, qty: -2 }],
    })
    const back = await story.submit('Delivery Note', draft.id)
    // 10.00 × 2/3 = 6.67
    assert.equal(await story.books(back.id), { 'Cost of Goods Sold': -6.67, 'Stock In Hand': 6.67 })
    assert.equal([back.status, back.grand_total], ['Return', -100])
    assert.equal(await bin('DESK::Stores'), [12, 56.67])
    const partly = await story.get('Delivery Note', delivery.id)
    assert.equal([partly.per_returned, partly.status], [66.666667, 'To Bill'])

    // One of three is left to bill.
    const invoice = await story.draftOf('Delivery Note', delivery.id, 'make_invoice')
    assert.equal([invoice.items[0].qty, invoice.grand_total], [1, 50])
    await story.submit('Sales Invoice', invoice.id)
    assert.is((await story.get('Delivery Note', delivery.id)).status, 'Completed')

    await refusedAsConflict(story.cancel('Delivery Note', delivery.id))
    await story.cancel('Delivery Note', back.id)
    assert.equal(await bin('DESK::Stores'), [10, 50])
  })

  test('a return reopens the order, and is held to its delivery', async () => {
    const order = await story.make('Sales Order', {
      customer,
      items: [{ item_code: 'SOFA', qty: 5 }],
    })
    const note = await story.draftOf('Sales Order', order.id, 'make_delivery_note')
    const delivery = await story.submit('Delivery Note', note.id)
    assert.is((await story.get('Sales Order', order.id)).per_delivered, 100)
    const draft = await story.draftOf('Delivery Note', delivery.id, 'make_return')
    const rows = (qty: number, more: object = {}): object => ({
      items: [{ row_id: draft.items[0].row_id, qty, ...more }],
    })
    await refusedFor('items[0].qty', 'below 0', story.update('Delivery Note', draft.id, rows(1)))
    await refusedFor(
      'items',
      'another delivery',
      story.update('Delivery Note', draft.id, rows(-1, { item_code: 'CHAIR' })),
    )
    await story.update('Delivery Note', draft.id, rows(-6))
    await refusedFor(
      'items[0].qty',
      'returned more than delivered',
      story.submit('Delivery Note', draft.id),
    )
    await story.update('Delivery Note', draft.id, rows(-5))
    await story.submit('Delivery Note', draft.id)
    assert.is((await story.get('Delivery Note', delivery.id)).status, 'Return Issued')
    const open = await story.get('Sales Order', order.id)
    assert.equal([open.per_delivered, open.items[0].delivered_qty], [0, 0])
    assert.equal(await bin('SOFA::Stores'), [10, 1000])
    await refusedAsConflict(story.act('Delivery Note', delivery.id, 'make_return'))
  })

  test('goods nobody delivered come back at the average', async () => {
    const back = await story.make('Delivery Note', {
      customer,
      is_return: true,
      items: [{ item_code: 'STOOL', qty: -2 }],
    })
    assert.equal(await story.books(back.id), { 'Cost of Goods Sold': -10, 'Stock In Hand': 10 })
    assert.equal(await bin('STOOL::Stores'), [12, 60])
  })

  test('what is closed is not billed, and nothing is billed twice', async () => {
    const delivery = await story.make('Delivery Note', {
      customer,
      items: [{ item_code: 'CHAIR', qty: 2 }],
    })
    const one = await story.draftOf('Delivery Note', delivery.id, 'make_invoice')
    const two = await story.draftOf('Delivery Note', delivery.id, 'make_invoice')
    const closed = await story.act('Delivery Note', delivery.id, 'close')
    assert.is(closed.status, 'Closed')
    await refusedFor('status', 'the delivery is closed', story.submit('Sales Invoice', one.id))
    await story.act('Delivery Note', delivery.id, 'reopen')
    await story.submit('Sales Invoice', one.id)
    await refusedFor(
      'items[0].billed_qty',
      'billed more than delivered',
      story.submit('Sales Invoice', two.id),
    )
  })

  test('what has to be inspected leaves only once it was accepted', async () => {
    const item_code = 'GLASS'
    const inspection_required_before_delivery = true
    await story.create('Item', {
      item_code,
      item_name: 'Glass',
      inspection_required_before_delivery,
    })
    await receive(item_code, 3, 4)
    const { id, items } = await story.create('Delivery Note', {
      customer,
      items: [{ item_code, qty: 2, warehouse: 'Stores' }],
    })
    await refusedFor('items', 'needs its quality inspection', story.submit('Delivery Note', id))
    const inspect = async (manual_status: string): Promise<void> => {
      const draft = await story.draftOf('Delivery Note', id, 'make_quality_inspections')
      assert.is(draft.inspection_type, 'Outgoing')
      await story.update('Quality Inspection', draft.id, { manual_inspection: true, manual_status })
      await story.submit('Quality Inspection', draft.id)
      const row = { row_id: items[0].row_id, quality_inspection: draft.id }
      await story.update('Delivery Note', id, { items: [row] })
    }
    await inspect('Rejected')
    await refusedFor('items', 'did not accept', story.submit('Delivery Note', id))
    await story.update('Delivery Note', id, {
      items: [{ row_id: items[0].row_id, quality_inspection: null }],
    })
    await inspect('Accepted')
    await story.submit('Delivery Note', id)
    assert.equal(await bin('GLASS::Stores'), [1, 4])
  })

  test('the event of a submit has the keys of the specification', async () => {
    const delivery = await story.make('Delivery Note', {
      customer,
      items: [{ item_code: 'CHAIR', qty: 1 }],
    })
    assert.equal(await story.events(delivery.id), ['created', 'submitted'])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

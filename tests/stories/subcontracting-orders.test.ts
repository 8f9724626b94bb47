import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusalOf, refusedFor, type Shown, type Story } from './story.ts'

/** A purchase order buys welding; a subcontracting order says that it makes frames of tubes that are sent. */
forEachDatabaseWhenDeep('subcontracting orders', ({ test, fresh }) => {
  let story: Story
  let purchase: Shown
  let order: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Welder Ltd' })
    await story.create('Warehouse', { warehouse_name: 'At Welder' })
    for (const item_code of ['TUBE', 'FRAME'])
      await story.create('Item', { item_code, item_name: item_code })
    await story.create('Item', { item_code: 'WELDING', item_name: 'Welding', is_stock_item: false })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'TUBE', qty: 30, basic_rate: 2 }],
    })
    await story.make('BOM', { item: 'FRAME', items: [{ item_code: 'TUBE', qty: 3 }] })
    // 2 hours of welding at 20 make 4 frames: 10 of work each
    purchase = await story.make('Purchase Order', {
      supplier,
      is_subcontracted: true,
      supplier_warehouse: 'At Welder',
      set_warehouse: 'Finished Goods',
      items: [{ item_code: 'WELDING', qty: 2, rate: 20, fg_item: 'FRAME', fg_item_qty: 4 }],
    })
  })
  test.after(() => story.close())

  const bin = async (item: string, warehouse: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', `${item}::${warehouse}`)
    return [actual_qty, stock_value]
  }
  const receive = async (qty: number, more: object = {}): Promise<Shown> => {
    const [{ row_id }] = order.items
    const rows = [{ row_id, qty }]
    const draft = await story.draftOf('Subcontracting Order', order.id, 'make_receipt', { rows })
    await story.update('Subcontracting Receipt', draft.id, more)
    return story.submit('Subcontracting Receipt', draft.id)
  }

  test('say what is made with the work, and of what', async () => {
    const draft = await story.draftOf('Purchase Order', purchase.id, 'make_subcontracting_order')
    order = await story.submit('Subcontracting Order', draft.id)
    const [made] = order.items
    assert.equal(
      [made.item_code, made.qty, made.service_item, made.service_cost_per_qty, made.amount],
      ['FRAME', 4, 'WELDING', 10, 40],
    )
    const [material] = order.supplied_items
    assert.equal([material.rm_item_code, material.required_qty, order.status], ['TUBE', 12, 'Open'])
    assert.is((await story.get('Bin', 'TUBE::Stores')).reserved_qty_for_sub_contract, 12)
    const more = story.make('Subcontracting Order', {
      purchase_order: purchase.id,
      items: [{ purchase_order_item: made.purchase_order_item, qty: 1 }],
    })
    assert.match(
      JSON.stringify((await refusalOf(more)).details),
      'FRAME: more is ordered to be made than the work is for, 5 of 4',
    )
  })

  test('materials are sent, and a receipt uses them up', async () => {
    await refusedFor('supplied_items[0].rm_item_code', 'not enough of a material', receive(1))
    const sent = await story.draftOf('Subcontracting Order', order.id, 'make_transfer')
    await story.submit('Stock Entry', sent.id)
    assert.equal(await bin('TUBE', 'At Welder'), [12, 24])
    assert.is((await story.get('Subcontracting Order', order.id)).status, 'Material Transferred')
    // 3 frames: 9 tubes at 2, 30 of work, 6 of freight
    const three = await receive(3, {
      additional_costs: [{ description: 'Freight', expense_account: 'Rent', amount: 6 }],
    })
    const [frame] = three.items
    assert.equal(
      [frame.rm_supp_cost, frame.service_value, frame.added_value, frame.goods_value],
      [18, 30, 6, 54],
    )
    assert.equal(await bin('FRAME', 'Finished Goods'), [3, 54])
    assert.equal(await bin('TUBE', 'At Welder'), [3, 6])
    assert.equal(await story.books(three.id), { 'Stock In Hand': 36, Purchases: -30, Rent: -6 })
    const [half, work] = [
      await story.get('Subcontracting Order', order.id),
      await story.get('Purchase Order', purchase.id),
    ]
    assert.equal(
      [half.status, half.per_received, work.per_received],
      ['Partially Received', 75, 75],
    )
    const ask = reportsOf(story)
    const due = await ask('subcontracted-items-to-be-received')
    assert.equal(rowsOf(due, ['document', 'item_code', 'qty', 'received_qty', 'open_qty']), [
      [order.id, 'FRAME', 4, 3, 1],
    ])
    const materials = await ask('subcontracted-materials-to-be-sent')
    const columns = ['item_code', 'required_qty', 'supplied_qty', 'consumed_qty', 'there_qty']
    assert.equal(rowsOf(materials, columns), [['TUBE', 12, 12, 9, 3]])
    await receive(1)
    assert.equal((await ask('subcontracted-items-to-be-received')).data, [])
    const [{ row_id }] = order.items
    const more = story.make('Subcontracting Receipt', {
      subcontracting_order: order.id,
      items: [{ subcontracting_order_item: row_id, qty: 1 }],
    })
    assert.match(
      JSON.stringify((await refusalOf(more)).details),
      'WELDING: received more than ordered: 2 ordered, at most 2, not 2.5',
    )
    assert.equal(
      [await bin('FRAME', 'Finished Goods'), await bin('TUBE', 'At Welder')],
      [
        [4, 70],
        [0, 0],
      ],
    )
    assert.is((await story.get('Subcontracting Order', order.id)).status, 'Completed')
    await story.cancel('Subcontracting Receipt', three.id)
    assert.equal(
      [await bin('FRAME', 'Finished Goods'), await bin('TUBE', 'At Welder')],
      [
        [1, 16],
        [9, 18],
      ],
    )
  })

  test('the bill is for the work alone', async () => {
    const draft = await story.draftOf('Purchase Order', purchase.id, 'make_invoice')
    const bill = await story.submit('Purchase Invoice', draft.id)
    assert.equal(await story.books(bill.id), { Creditors: -40, Purchases: 40 })
    assert.equal(await story.differences(), [])
  })
})

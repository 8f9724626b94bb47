import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** A welder makes frames of tubes that are sent to him; others are made in house, and taken apart again. */
forEachDatabaseWhenDeep('subcontracting', ({ test, fresh }) => {
  let story: Story
  let supplier: string
  let frameBom: string
  let order: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    supplier = (await story.create('Supplier', { supplier_name: 'Welder Ltd' })).id
    await story.create('Warehouse', { warehouse_name: 'At Welder' })
    for (const item_code of ['TUBE', 'ROD', 'FRAME', 'GATE'])
      await story.create('Item', { item_code, item_name: item_code, stock_uom: 'Nos' })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'TUBE', qty: 30, basic_rate: 2 },
        { item_code: 'ROD', qty: 2, basic_rate: 7.5 },
      ],
    })
    const bom = (item: string, quantity: number, item_code: string, qty: number): Promise<Shown> =>
      story.make('BOM', { item, quantity, items: [{ item_code, qty }] })
    frameBom = (await bom('FRAME', 1, 'TUBE', 3)).id
    await bom('GATE', 3, 'ROD', 2)
  })
  test.after(() => story.close())

  const bin = async (item: string, warehouse: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', `${item}::${warehouse}`)
    return [actual_qty, stock_value]
  }
  const orderOf = (item_code: string, qty: number, more: object = {}): Promise<Shown> =>
    story.make('Purchase Order', {
      supplier,
      is_subcontracted: true,
      supplier_warehouse: 'At Welder',
      set_warehouse: 'Finished Goods',
      items: [{ item_code, qty, rate: 10, ...more }],
    })
  const send = async (id: string): Promise<Shown> => {
    const draft = await story.draftOf('Purchase Order', id, 'make_transfer_to_subcontractor')
    return story.submit('Stock Entry', draft.id)
  }
  const receive = async (id: string, qty: number): Promise<Shown> => {
    const draft = await story.draftOf('Purchase Order', id, 'make_receipt')
    const items = [{ row_id: draft.items[0].row_id, qty }]
    await story.update('Purchase Receipt', draft.id, { items })
    return story.submit('Purchase Receipt', draft.id)
  }

  test('an order says what its bills of materials need, and reserves it', async () => {
    const items = [{ item_code: 'FRAME', qty: 1 }]
    const nowhere = story.make('Purchase Order', { supplier, is_subcontracted: true, items })
    await refusedFor('supplier_warehouse', 'required', nowhere)
    await refusedFor('items', 'needs the bill of materials', orderOf('TUBE', 1))
    await refusedFor('supplied_items', 'expected TUBE', orderOf('TUBE', 1, { bom: frameBom }))
    order = await orderOf('FRAME', 4)
    // 4 frames of 3 tubes; 30 are there
    assert.equal(
      order.supplied_items.map((row: Shown) => [
        row.main_item_code,
        row.rm_item_code,
        row.required_qty,
        row.reserve_warehouse,
      ]),
      [['FRAME', 'TUBE', 12, 'Stores']],
    )
    const { reserved_qty_for_sub_contract, projected_qty } = await story.get('Bin', 'TUBE::Stores')
    assert.equal([reserved_qty_for_sub_contract, projected_qty], [12, 18])
  })

  test('materials go to the warehouse at the subcontractor, and may come back', async () => {
    await refusedFor(
      'supplied_items[0].rm_item_code',
      'not enough of a material',
      receive(order.id, 1),
    )
    const entry = await send(order.id)
    assert.is(entry.purpose, 'Send to Subcontractor')
    assert.equal(await story.books(entry.id), {})
    assert.equal(await bin('TUBE', 'At Welder'), [12, 24])
    assert.is((await story.get('Bin', 'TUBE::Stores')).reserved_qty_for_sub_contract, 0)
    const back = await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      purchase_order: order.id,
      items: [{ item_code: 'TUBE', qty: 2, s_warehouse: 'At Welder', t_warehouse: 'Stores' }],
    })
    assert.is((await story.get('Purchase Order', order.id)).supplied_items[0].supplied_qty, 10)
    await story.cancel('Stock Entry', back.id)
    await refusedFor(
      'items',
      'goes to the supplier warehouse',
      story.make('Stock Entry', {
        stock_entry_type: 'Send to Subcontractor',
        purchase_order: order.id,
        items: [
          { item_code: 'TUBE', qty: 2, s_warehouse: 'Stores', t_warehouse: 'Finished Goods' },
        ],
      }),
    )
  })

  test('a receipt uses them up; the goods are worth the work and the materials', async () => {
    // 1 frame: 10 of work, 3 tubes at 2
    const one = await receive(order.id, 1)
    assert.equal([one.items[0].rm_supp_cost, one.supplied_items[0].consumed_qty], [6, 3])
    assert.equal(await bin('FRAME', 'Finished Goods'), [1, 16])
    assert.equal(await bin('TUBE', 'At Welder'), [9, 18])
    assert.equal(await story.books(one.id), {
      'Stock In Hand': 10,
      'Stock Received But Not Billed': -10,
    })
    // 3 more: 30 + 9 tubes at 2 → 16 + 48 = 64
    const rest = await receive(order.id, 3)
    assert.equal(await bin('FRAME', 'Finished Goods'), [4, 64])
    assert.equal(await bin('TUBE', 'At Welder'), [0, 0])
    await story.cancel('Purchase Receipt', rest.id)
    assert.equal(await bin('TUBE', 'At Welder'), [9, 18])
    assert.equal(await bin('FRAME', 'Finished Goods'), [1, 16])
  })

  test('what thirds leave over is used up with the last receipt', async () => {
    const gates = await orderOf('GATE', 3)
    await send(gates.id)
    // 2 rods for 3 gates: 0.666667 each, 1.333333 for two, 2 for three
    const used: number[] = []
    for (const _ of [1, 2, 3])
      used.push((await receive(gates.id, 1)).supplied_items[0].consumed_qty)
    assert.equal(used, [0.666667, 0.666666, 0.666667])
    // 3 × 10 of work + 2 rods at 7.50
    assert.equal(
      [await bin('ROD', 'At Welder'), await bin('GATE', 'Finished Goods')],
      [
        [0, 0],
        [3, 45],
      ],
    )
    assert.is((await story.get('Purchase Order', gates.id)).supplied_items[0].consumed_qty, 2)
  })

  test('products are taken apart into what was used up for them', async () => {
    const work = await story.make('Work Order', {
      bom_no: frameBom,
      qty: 2,
      skip_transfer: true,
      additional_operating_cost: 4,
      fg_warehouse: 'Stores',
    })
    const made = await story.draftOf('Work Order', work.id, 'make_manufacture_entry')
    await story.submit('Stock Entry', made.id)
    // 6 tubes at 2 and 4 of work: 2 worth 16
    assert.equal(await bin('FRAME', 'Stores'), [2, 16])
    const draft = await story.draftOf('Work Order', work.id, 'make_disassemble_entry', { qty: 1 })
    const entry = await story.submit('Stock Entry', draft.id)
    // 8 leave, 3 tubes at 2 come back; the work is lost
    assert.equal([entry.total_outgoing_value, entry.total_incoming_value], [8, 6])
    assert.equal(await story.books(entry.id), { 'Stock In Hand': -2, 'Stock Adjustment': 2 })
    assert.equal(await bin('FRAME', 'Stores'), [1, 8])
    assert.is((await story.get('Work Order', work.id)).disassembled_qty, 1)
    const more = await story.draftOf('Work Order', work.id, 'make_disassemble_entry', { qty: 1 })
    const two = more.items.map((row: Shown) => ({
      row_id: row.row_id,
      qty: row.is_finished_item ? 2 : row.qty,
    }))
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'FRAME', qty: 1, basic_rate: 8 }],
    })
    await story.update('Stock Entry', more.id, { items: two })
    await refusedFor('disassembled_qty', 'more taken apart', story.submit('Stock Entry', more.id))
    await story.cancel('Stock Entry', entry.id)
    assert.is((await story.get('Work Order', work.id)).disassembled_qty, 0)
    // By the bill alone: 2 a tube
    const bought = await story.draftOf('BOM', frameBom, 'make_disassemble_entry', {
      qty: 1,
      from_warehouse: 'Stores',
      to_warehouse: 'Stores',
    })
    assert.equal(
      bought.items.map((row: Shown) => [
        row.item_code,
        row.qty,
        row.s_warehouse,
        row.t_warehouse,
        row.basic_rate,
      ]),
      [
        ['FRAME', 1, 'Stores', null, null],
        ['TUBE', 3, null, 'Stores', 2],
      ],
    )
    await refusedFor(
      'items',
      'that is taken apart',
      story.make('Stock Entry', {
        stock_entry_type: 'Disassemble',
        from_warehouse: 'Stores',
        to_warehouse: 'Stores',
        items: [{ item_code: 'FRAME', qty: 1, is_finished_item: true }],
      }),
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

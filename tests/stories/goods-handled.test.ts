import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusalOf, refusedFor, type Shown, type Story } from './story.ts'

/** Cups and mugs: what stands in for them, the cases they travel in, the shelves they go to. */
forEachDatabaseWhenDeep('alternatives, cases and shelves', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Café' })).id
    for (const [item_code, standard_rate, more] of [
      ['CUP', 4, { weight_per_unit: 0.3, weight_uom: 'Kg' }],
      ['MUG', 5, { weight_per_unit: 0.5, weight_uom: 'Kg' }],
      ['GLASS', 3, { allow_alternative_item: false }],
    ] as const)
      await story.create('Item', {
        item_code,
        item_name: item_code,
        standard_rate,
        allow_alternative_item: true,
        ...more,
      })
  })
  test.after(() => story.close())

  const told = async (promise: Promise<unknown>): Promise<string> =>
    JSON.stringify((await refusalOf(promise)).details)

  test('an item stands in for another where both allow it', async () => {
    const stands = (alternative_item_code: string, more: object = {}): Promise<Shown> =>
      story.create('Item Alternative', { item_code: 'CUP', alternative_item_code, ...more })
    await refusedFor('alternative_item_code', 'CUP does not stand in for itself', stands('CUP'))
    await refusedFor('alternative_item_code', 'GLASS allows no alternatives', stands('GLASS'))
    await stands('MUG')
    await stands('GLASS', { two_way: false })
    const order = await story.create('Sales Order', {
      customer,
      items: [
        { item_code: 'GLASS', qty: 1 },
        { item_code: 'MUG', qty: 10 },
      ],
    })
    assert.is(order.grand_total, 53)
    const use = (index: number, item_code: string): Promise<Shown> =>
      story.act('Sales Order', order.id, 'use_alternative', {
        row: order.items[index].row_id,
        item_code,
      })
    // Both ways; the price is that of the other item, the row stays the row.
    const changed = await use(1, 'CUP')
    assert.equal(
      changed.items.map((row: Shown) => [row.item_code, row.qty, row.rate]),
      [
        ['GLASS', 1, 3],
        ['CUP', 10, 4],
      ],
    )
    assert.is(changed.items[1].row_id, order.items[1].row_id)
    await refusedFor('items[0].item_code', 'CUP is no alternative of GLASS', use(0, 'CUP'))
    assert.is((await use(1, 'MUG')).grand_total, 53)
    await story.update('Sales Order', order.id, {
      items: [{ row_id: order.items[1].row_id, item_code: 'GLASS' }],
    })
  })

  test('a work order takes another material', async () => {
    await story.create('Item', { item_code: 'SET', item_name: 'Set' })
    const bom = await story.make('BOM', { item: 'SET', items: [{ item_code: 'CUP', qty: 2 }] })
    const work = await story.create('Work Order', { bom_no: bom.id, qty: 3 })
    const [{ row_id }] = work.required_items
    const input = { row: row_id, item_code: 'MUG' }
    const changed = await story.act('Work Order', work.id, 'use_alternative', input)
    assert.equal(
      changed.required_items.map((row: Shown) => [row.item_code, row.item_name, row.required_qty]),
      [['MUG', 'MUG', 6]],
    )
    const wrong = { row: row_id, item_code: 'SET' }
    await refusedFor(
      'required_items[0].item_code',
      'SET is no alternative of CUP',
      story.act('Work Order', work.id, 'use_alternative', wrong),
    )
  })

  test('goods go to the shelf that is filled first, as long as it has room', async () => {
    const shelves = ['Low Shelf', 'High Shelf']
    for (const warehouse_name of shelves) await story.create('Warehouse', { warehouse_name })
    await story.create('Putaway Rule', { item_code: 'CUP', warehouse: 'Low Shelf', capacity: 10 })
    await story.create('Putaway Rule', {
      item_code: 'CUP',
      warehouse: 'High Shelf',
      capacity: 30,
      priority: 2,
    })
    const receive = (qty: number, more: object = {}): Promise<Shown> =>
      story.make('Stock Entry', {
        stock_entry_type: 'Material Receipt',
        to_warehouse: 'Stores',
        apply_putaway_rule: true,
        items: [{ item_code: 'CUP', qty, basic_rate: 1 }],
        ...more,
      })
    const where = ({ items }: Shown): unknown =>
      items.map((row: Shown) => row.t_warehouse ?? row.warehouse)
    assert.equal(where(await receive(8)), ['Low Shelf'])
    // 2 are left there
    assert.equal(where(await receive(5)), ['High Shelf'])
    assert.equal(where(await receive(2)), ['Low Shelf'])
    assert.equal(where(await receive(1, { apply_putaway_rule: false })), ['Stores'])
    await refusedFor('items[0].item_code', '26 of CUP, 25 at most', receive(26))
    const full = { apply_putaway_rule: false, to_warehouse: 'Low Shelf' }
    assert.match(await told(receive(1, full)), 'Low Shelf takes 10 of CUP, 11 would be there')
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Kiln' })
    const receipt = await story.create('Purchase Receipt', {
      supplier,
      apply_putaway_rule: true,
      set_warehouse: 'Stores',
      items: [{ item_code: 'CUP', qty: 25, rate: 1 }],
    })
    assert.equal(where(receipt), ['High Shelf'])
    const back = await story.update('Purchase Receipt', receipt.id, { apply_putaway_rule: false })
    assert.equal(where(back), ['Stores'])
    await story.submit('Purchase Receipt', receipt.id)
    const { actual_qty, putaway_capacity } = await story.get('Bin', 'CUP::High Shelf')
    assert.equal([actual_qty, putaway_capacity], [5, 30])
    const room = await reportsOf(story)('warehouse-capacity', { item_code: 'CUP' })
    assert.equal(rowsOf(room, ['warehouse', 'putaway_capacity', 'actual_qty', 'room', 'used']), [
      ['High Shelf', 30, 5, 25, 16.67],
      ['Low Shelf', 10, 10, 0, 100],
    ])
  })

  test('a delivery is packed into cases, and no more than it has', async () => {
    const note = await story.create('Delivery Note', {
      customer,
      set_warehouse: 'Stores',
      items: [{ item_code: 'CUP', qty: 6 }],
    })
    const [{ row_id }] = note.items
    const pack = (qty: number, more: object = {}): Promise<Shown> =>
      story.make('Packing Slip', {
        delivery_note: note.id,
        items: [{ dn_detail: row_id, qty }],
        ...more,
      })
    const draft = await story.draftOf('Delivery Note', note.id, 'make_packing_slip', {
      rows: [{ row_id, qty: 4 }],
    })
    // 4 × 0.3 kg
    assert.equal(
      [draft.from_case_no, draft.to_case_no, draft.net_weight_pkg, draft.weight_uom],
      [1, 1, 1.2, 'Kg'],
    )
    await story.update('Packing Slip', draft.id, { to_case_no: 2, gross_weight_pkg: 1.5 })
    const first = await story.submit('Packing Slip', draft.id)
    await refusedFor(
      'from_case_no',
      `cases 2 to 2 are packed by ${first.id} already`,
      pack(1, { from_case_no: 2 }),
    )
    assert.match(await told(pack(3)), 'CUP: more is packed than delivered, 7 of 6')
    await refusedFor(
      'items[0].qty',
      'CUP: 4 of 6 are packed',
      story.submit('Delivery Note', note.id),
    )
    const rest = await story.draftOf('Delivery Note', note.id, 'make_packing_slip')
    assert.equal([rest.from_case_no, rest.items[0].qty], [3, 2])
    await story.submit('Packing Slip', rest.id)
    assert.is((await story.submit('Delivery Note', note.id)).items[0].packed_qty, 6)
    await refusedFor('delivery_note', 'only the draft', pack(1, { from_case_no: 9 }))
    assert.equal(await story.differences(), [])
  })
})

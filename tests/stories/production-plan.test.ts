import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

/** Two orders for bicycles, planned together with the wheels that go into them. */
forEachDatabaseWhenDeep('production plans', ({ test, fresh }) => {
  let story: Story
  let wheelBom: string
  let bikeBom: string
  let plan: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    for (const item_code of ['RIM', 'SPOKE', 'TUBE', 'WHEEL', 'BIKE'])
      await story.create('Item', {
        item_code,
        item_name: item_code,
        stock_uom: 'Nos',
        standard_rate: 100,
        standard_buying_rate: 1,
      })
    const receipt = [
      { item_code: 'RIM', qty: 4, basic_rate: 20 },
      { item_code: 'SPOKE', qty: 1000, basic_rate: 0.2 },
    ]
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: receipt,
    })
    const wheel = await story.make('BOM', {
      item: 'WHEEL',
      items: [
        { item_code: 'RIM', qty: 1 },
        { item_code: 'SPOKE', qty: 32 },
      ],
    })
    wheelBom = wheel.id
    const bike = await story.make('BOM', {
      item: 'BIKE',
      items: [
        { item_code: 'WHEEL', qty: 2 },
        { item_code: 'TUBE', qty: 3 },
      ],
    })
    bikeBom = bike.id
    await story.create('Customer', { customer_name: 'Blue Whale' })
    for (const qty of [3, 2])
      await story.make('Sales Order', {
        customer: (await story.all('Customer'))[0]!.id,
        delivery_date: '2026-03-31',
        items: [
          { item_code: 'BIKE', qty },
          { item_code: 'RIM', qty: 1, warehouse: 'Stores' },
        ],
      })
  })
  test.after(() => story.close())

  const columns = (rows: readonly Shown[], ...names: string[]): unknown[][] =>
    rows.map((row) => names.map((name) => row[name]))

  const receive = async (order: Shown, qty?: number): Promise<Shown> => {
    const entry = await story.draftOf('Work Order', order.id, 'make_manufacture_entry', {
      ...(qty === undefined ? {} : { qty }),
    })
    return story.submit('Stock Entry', entry.id)
  }

  test('open orders are planned, with the parts and the raw materials they take', async () => {
    const draft = await story.create('Production Plan', {})
    await refusedFor('po_items', 'is required', story.submit('Production Plan', draft.id))
    plan = await story.act('Production Plan', draft.id, 'get_items')
    // What has no bill of materials is not made
    assert.equal(columns(plan.po_items, 'item_code', 'planned_qty', 'bom_no'), [
      ['BIKE', 3, bikeBom],
      ['BIKE', 2, bikeBom],
    ])
    assert.ok(plan.po_items.every((row: Shown) => row.sales_order && row.sales_order_item))
    assert.equal(
      columns(plan.sub_assembly_items, 'production_item', 'parent_item_code', 'qty', 'bom_level'),
      [['WHEEL', 'BIKE', 10, 1]],
    )
    // 10 wheels of a rim and 32 spokes, 5 × 3 tubes; 4 rims and 1,000 spokes are there, 2 rims are sold
    assert.equal(columns(plan.mr_items, 'item_code', 'stock_qty', 'projected_qty', 'quantity'), [
      ['RIM', 10, 2, 8],
      ['SPOKE', 320, 1000, 0],
      ['TUBE', 15, 0, 15],
    ])
    plan = await story.submit('Production Plan', plan.id)
    assert.equal([plan.status, plan.total_planned_qty], ['Submitted', 5])
  })

  test('what one plan has, another does not plan again', async () => {
    const draft = await story.create('Production Plan', {})
    assert.equal((await story.act('Production Plan', draft.id, 'get_items')).po_items, [])
    await story.act('Production Plan', plan.id, 'close')
    const { po_items } = await story.act('Production Plan', draft.id, 'get_items')
    assert.is(po_items.length, 2)
    await story.act('Production Plan', plan.id, 'reopen')
  })

  test('what is missing is requested once', async () => {
    const request = await story.draftOf('Production Plan', plan.id, 'make_material_requests')
    assert.is(request.material_request_type, 'Purchase')
    assert.equal(columns(request.items, 'item_code', 'qty', 'warehouse'), [
      ['RIM', 8, 'Stores'],
      ['TUBE', 15, 'Stores'],
    ])
    assert.is((await story.get('Production Plan', plan.id)).status, 'Material Requested')
    await refusedAsConflict(story.act('Production Plan', plan.id, 'make_material_requests'))
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'RIM', qty: 8, basic_rate: 20 },
        { item_code: 'TUBE', qty: 15, basic_rate: 10 },
      ],
    })
  })

  test('wheels are ordered before the bicycles that need them, and each once', async () => {
    const { _created } = await story.act('Production Plan', plan.id, 'make_work_orders')
    const orders = await Promise.all(_created.map(({ id }: Shown) => story.get('Work Order', id)))
    assert.equal(columns(orders, 'production_item', 'qty', 'bom_no', 'use_multi_level_bom'), [
      ['WHEEL', 10, wheelBom, false],
      ['BIKE', 3, bikeBom, false],
      ['BIKE', 2, bikeBom, false],
    ])
    assert.equal(columns(orders[1].required_items, 'item_code', 'required_qty'), [
      ['WHEEL', 6],
      ['TUBE', 9],
    ])
    await refusedAsConflict(story.act('Production Plan', plan.id, 'make_work_orders'))
    for (const { id } of orders) {
      await story.update('Work Order', id, { skip_transfer: true })
      await story.submit('Work Order', id)
    }
  })

  test('a plan is completed by what its orders make, and not before', async () => {
    const [wheels, three, two] = await story.all('Work Order', { production_plan: plan.id })
    await receive(wheels!)
    assert.is((await story.get('Production Plan', plan.id)).status, 'In Process')
    // A wheel is a rim of 20 and 32 spokes of 0.20: 26.40
    assert.is((await story.get('Bin', 'WHEEL::Stores')).stock_value, 264)
    await receive(three!)
    const last = await receive(two!, 1)
    assert.equal(
      columns(
        (await story.get('Production Plan', plan.id)).po_items,
        'produced_qty',
        'pending_qty',
      ),
      [
        [3, 0],
        [1, 1],
      ],
    )
    await receive(two!)
    const done = await story.get('Production Plan', plan.id)
    assert.equal([done.status, done.total_produced_qty], ['Completed', 5])
    // 2 × 26.40 + 3 × 10 for each of five
    assert.is((await story.get('Bin', 'BIKE::Finished Goods')).stock_value, 414)
    const kinds = (await story.events(plan.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'submitted', 'completed'])

    await story.cancel('Stock Entry', last.id)
    assert.is((await story.get('Production Plan', plan.id)).status, 'In Process')
    assert.equal(await story.differences(), [])
  })

  test('a plan makes what its bill of materials makes, and a closed one nothing', async () => {
    const wrong = { po_items: [{ item_code: 'BIKE', bom_no: wheelBom, planned_qty: 1 }] }
    await refusedFor('po_items', 'makes another item', story.create('Production Plan', wrong))
    const other = await story.make('Production Plan', {
      po_items: [{ item_code: 'WHEEL', planned_qty: 4 }],
    })
    assert.equal(other.sub_assembly_items, [])
    assert.is((await story.act('Production Plan', other.id, 'close')).status, 'Closed')
    await refusedAsConflict(story.act('Production Plan', other.id, 'make_work_orders'))
    assert.is((await story.act('Production Plan', other.id, 'reopen')).status, 'Submitted')
    const [order] = (await story.act('Production Plan', other.id, 'make_work_orders'))._created
    assert.is((await story.get('Production Plan', other.id)).status, 'Not Started')
    await story.submit('Work Order', order.id)
    await refusedAsConflict(story.cancel('Production Plan', other.id))
    await story.cancel('Work Order', order.id)
    await story.cancel('Production Plan', other.id)
    assert.equal(await story.differences(), [])
  })
})

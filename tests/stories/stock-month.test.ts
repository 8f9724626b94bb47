import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('a month in the warehouse', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let order: Shown
  let note: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    await story.create('Warehouse', { warehouse_name: 'Shop', warehouse_type: 'Store' })
    for (const [item_code, standard_rate] of [
      ['CHAIR', 80],
      ['TABLE', 200],
    ])
      await story.create('Item', { item_code, item_name: item_code, standard_rate })
  })
  test.after(() => story.close())

  /** Quantity and value. */
  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }
  /** There, requested, ordered, reserved, projected. */
  const outlook = async (id: string): Promise<readonly number[]> => {
    const found = await story.get('Bin', id)
    const { actual_qty, indented_qty, ordered_qty, reserved_qty, projected_qty } = found
    return [actual_qty, indented_qty, ordered_qty, reserved_qty, projected_qty]
  }

  test('2 March: 40 chairs and 10 tables are there', async () => {
    story.clock.time = Date.parse('2026-03-02T08:00:00.000Z')
    const opening = await story.make('Stock Reconciliation', {
      purpose: 'Opening Stock',
      set_warehouse: 'Stores',
      items: [
        { item_code: 'CHAIR', qty: 40, valuation_rate: 30 },
        { item_code: 'TABLE', qty: 10, valuation_rate: 90 },
      ],
    })
    // 40 × 30 + 10 × 90 = 1,200 + 900.
    assert.equal(await story.books(opening.id), {
      'Stock In Hand': 2100,
      'Opening Balances': -2100,
    })
    await refusedFor(
      'items[1].item_code',
      'only once',
      story.create('Stock Reconciliation', {
        set_warehouse: 'Stores',
        items: [
          { item_code: 'CHAIR', qty: 1 },
          { item_code: 'CHAIR', qty: 2 },
        ],
      }),
    )
  })

  test('4 March: the shop asks for 12 chairs and gets them in two parts', async () => {
    story.clock.time = Date.parse('2026-03-04T08:00:00.000Z')
    const request = await story.make('Material Request', {
      material_request_type: 'Material Transfer',
      set_from_warehouse: 'Stores',
      set_warehouse: 'Shop',
      items: [{ item_code: 'CHAIR', qty: 12 }],
    })
    const draft = await story.draftOf('Material Request', request.id, 'make_stock_entry')
    assert.equal(
      [draft.purpose, draft.items[0].s_warehouse, draft.items[0].t_warehouse],
      ['Material Transfer', 'Stores', 'Shop'],
    )
    await story.update('Stock Entry', draft.id, {
      items: [{ row_id: draft.items[0].row_id, qty: 5 }],
    })
    const first = await story.submit('Stock Entry', draft.id)
    assert.equal(await story.books(first.id), {})
    // 5 of 12.
    const partly = await story.get('Material Request', request.id)
    assert.equal([partly.status, partly.per_ordered], ['Partially Received', 41.666667])
    assert.equal(await outlook('CHAIR::Shop'), [5, 7, 0, 0, 12])

    const rest = await story.draftOf('Material Request', request.id, 'make_stock_entry')
    assert.is(rest.items[0].qty, 7)
    await story.submit('Stock Entry', rest.id)
    assert.is((await story.get('Material Request', request.id)).status, 'Transferred')
    assert.equal(
      [await bin('CHAIR::Stores'), await bin('CHAIR::Shop')],
      [
        [28, 840],
        [12, 360],
      ],
    )
  })

  test('9 March: an order reserves what a pick list takes from where most of it lies', async () => {
    story.clock.time = Date.parse('2026-03-09T08:00:00.000Z')
    order = await story.make('Sales Order', {
      customer,
      set_warehouse: 'Stores',
      items: [
        { item_code: 'CHAIR', qty: 20, rate: 75 },
        { item_code: 'TABLE', qty: 4, rate: 200 },
      ],
    })
    assert.equal(await outlook('CHAIR::Stores'), [28, 0, 0, 20, 8])
    const free = await story.create('Pick List', {
      customer,
      locations: [{ item_code: 'CHAIR', qty: 1 }],
    })
    assert.is(free.locations[0].warehouse, 'Stores')

    const draft = await story.draftOf('Sales Order', order.id, 'make_pick_list')
    assert.equal([draft.status, draft.picked_total], ['Draft', 24])
    const [chairs, tables] = draft.locations
    await refusedFor(
      'locations[0].picked_qty',
      'more is picked than wanted',
      story.update('Pick List', draft.id, {
        locations: [{ row_id: chairs.row_id, picked_qty: 21 }, { row_id: tables.row_id }],
      }),
    )
    // One table is missing on its shelf.
    await story.update('Pick List', draft.id, {
      locations: [{ row_id: chairs.row_id }, { row_id: tables.row_id, picked_qty: 3 }],
    })
    const picked = await story.submit('Pick List', draft.id)
    assert.equal([picked.status, picked.per_delivered], ['Open', 0])

    const delivery = await story.draftOf('Pick List', picked.id, 'make_delivery_note')
    assert.equal(
      delivery.items.map(({ item_code, qty, rate }: Shown) => [item_code, qty, rate]),
      [
        ['CHAIR', 20, 75],
        ['TABLE', 3, 200],
      ],
    )
    await story.update('Delivery Note', delivery.id, {
      items: [{ row_id: delivery.items[0].row_id, qty: 10 }, { row_id: delivery.items[1].row_id }],
    })
    note = await story.submit('Delivery Note', delivery.id)
    // 10 × 30 + 3 × 90 = 570.
    assert.equal(await story.books(note.id), {
      'Cost of Goods Sold': 570,
      'Stock In Hand': -570,
    })
    // 13 of 23 picked.
    const partly = await story.get('Pick List', picked.id)
    assert.equal([partly.status, partly.per_delivered], ['Partly Delivered', 56.521739])
    await refusedAsConflict(story.cancel('Pick List', picked.id))

    const second = await story.draftOf('Pick List', picked.id, 'make_delivery_note')
    assert.equal(
      second.items.map(({ item_code, qty }: Shown) => [item_code, qty]),
      [['CHAIR', 10]],
    )
    await story.submit('Delivery Note', second.id)
    assert.is((await story.get('Pick List', picked.id)).status, 'Completed')
    assert.ok((await story.events(picked.id)).includes('completed'))
    // Ordered 4 tables, delivered 3: 23 of 24 pieces.
    const sold = await story.get('Sales Order', order.id)
    assert.equal([sold.per_delivered, sold.items[1].delivered_qty], [95.833333, 3])
    assert.equal(await outlook('TABLE::Stores'), [7, 0, 0, 1, 6])
  })

  test('10 March: the carrier takes two parcels and tells where they are', async () => {
    story.clock.time = Date.parse('2026-03-10T08:00:00.000Z')
    const draft = await story.create('Shipment', {
      delivery_note: note.id,
      shipment_parcel: [
        { count: 2, weight: 12.5 },
        { count: 1, weight: 30 },
      ],
    })
    // 10 × 75 + 3 × 200, and 2 × 12.5 + 30 kg.
    assert.equal(
      [draft.delivery_to, draft.value_of_goods, draft.total_parcels, draft.total_weight],
      ['Blue Whale', 1350, 3, 55],
    )
    const shipment = await story.submit('Shipment', draft.id)
    await refusedAsConflict(
      story.act('Shipment', shipment.id, 'track', { tracking_status: 'Delivered' }),
    )
    const booked = await story.act('Shipment', shipment.id, 'book', {
      awb_number: '1Z999',
      carrier: 'Parcel Express',
      shipment_amount: 25,
    })
    assert.equal([booked.status, booked.tracking_status], ['Booked', 'In Progress'])
    const there = await story.act('Shipment', shipment.id, 'track', {
      tracking_status: 'Delivered',
      tracking_status_info: 'Signed by A. Whale',
    })
    assert.is(there.status, 'Completed')
    assert.equal(await story.events(shipment.id), [
      'created',
      'submitted',
      'updated',
      'booked',
      'updated',
      'delivered',
    ])
  })

  test('11 March: a driver brings the rest', async () => {
    story.clock.time = Date.parse('2026-03-11T08:00:00.000Z')
    const driver = await story.create('Driver', { full_name: 'Dora Driver', status: 'Suspended' })
    await story.create('Vehicle', { license_plate: 'B-AI 42', make: 'Ford', model: 'Transit' })
    const trip = await story.create('Delivery Trip', {
      driver: driver.id,
      vehicle: 'B-AI 42',
      delivery_stops: [
        { delivery_note: note.id, distance: 12.5 },
        { customer, distance: 3 },
      ],
    })
    assert.equal([trip.total_distance, trip.delivery_stops[0].customer], [15.5, customer])
    await refusedFor('driver', 'does not drive', story.submit('Delivery Trip', trip.id))
    await story.update('Driver', driver.id, { status: 'Active' })
    assert.is((await story.submit('Delivery Trip', trip.id)).status, 'Scheduled')
    assert.is((await story.act('Delivery Trip', trip.id, 'start')).status, 'In Transit')
    await story.act('Delivery Trip', trip.id, 'visit')
    const done = await story.act('Delivery Trip', trip.id, 'visit')
    assert.equal([done.status, done.completed_at], ['Completed', '2026-03-11T08:00:00.000Z'])
    await refusedAsConflict(story.act('Delivery Trip', trip.id, 'visit'))
  })

  test('20 March: two chairs come back, one is written off', async () => {
    story.clock.time = Date.parse('2026-03-20T08:00:00.000Z')
    const draft = await story.draftOf('Delivery Note', note.id, 'make_return')
    const [chairs] = draft.items
    await story.update('Delivery Note', draft.id, { items: [{ row_id: chairs.row_id, qty: -2 }] })
    const back = await story.submit('Delivery Note', draft.id)
    assert.equal(await story.books(back.id), { 'Cost of Goods Sold': -60, 'Stock In Hand': 60 })
    // 28 − 20 + 2 at 30.
    assert.equal(await bin('CHAIR::Stores'), [10, 300])
    const issue = await story.make('Stock Entry', {
      stock_entry_type: 'Material Issue',
      from_warehouse: 'Stores',
      items: [{ item_code: 'CHAIR', qty: 1 }],
    })
    assert.equal(await story.books(issue.id), { 'Stock Adjustment': 30, 'Stock In Hand': -30 })
  })

  test('a kind of entry of their own does what its purpose says', async () => {
    await story.create('Stock Entry Type', { name: 'Scrap', purpose: 'Material Issue' })
    const body = {
      stock_entry_type: 'Scrap',
      items: [{ item_code: 'TABLE', s_warehouse: 'Stores', qty: 1 }],
    }
    const scrap = await story.make('Stock Entry', body)
    assert.equal([scrap.purpose, await bin('TABLE::Stores')], ['Material Issue', [6, 540]])
    await story.cancel('Stock Entry', scrap.id)
    await refusedFor(
      'items',
      'goes to no warehouse',
      story.create('Stock Entry', {
        stock_entry_type: 'Scrap',
        items: [{ item_code: 'TABLE', s_warehouse: 'Stores', t_warehouse: 'Shop', qty: 1 }],
      }),
    )
  })

  test('31 March: the count; svc verify finds nothing wrong', async () => {
    story.clock.time = Date.parse('2026-03-31T08:00:00.000Z')
    const count = await story.make('Stock Reconciliation', {
      items: [
        { item_code: 'CHAIR', warehouse: 'Stores', qty: 8 },
        { item_code: 'CHAIR', warehouse: 'Shop', qty: 13 },
        { item_code: 'TABLE', warehouse: 'Stores', qty: 7 },
      ],
    })
    // Stores has one chair less (−30), the shop one more (+30); the 7 tables are there.
    assert.equal([count.difference_amount, await story.books(count.id)], [0, {}])
    assert.equal(
      [await bin('CHAIR::Stores'), await bin('CHAIR::Shop'), await bin('TABLE::Stores')],
      [
        [8, 240],
        [13, 390],
        [7, 630],
      ],
    )
    // 2,100 − 570 − 300 + 60 − 30 = 1,260 = 240 + 390 + 630.
    const values = (await story.all('Bin')).map(({ stock_value }) => stock_value)
    assert.is(
      values.reduce((sum, value) => sum + value, 0),
      1260,
    )
    assert.equal(await story.differences(), [])
  })
})

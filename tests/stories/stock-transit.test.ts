import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('stock in transit', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
    for (const item_code of ['PLANK', 'VASE', 'SCREW', 'CLOTH', 'SEED'])
      await story.create('Item', {
        item_code,
        item_name: item_code,
        has_batch_no: item_code === 'SEED',
        ...(item_code === 'SCREW' ? { uoms: [{ uom: 'Box', conversion_factor: 12 }] } : {}),
      })
    await story.create('Account', {
      account_name: 'Stock Abroad',
      root_type: 'Asset',
      account_type: 'Stock',
    })
    await story.create('Warehouse', { warehouse_name: 'Lisbon', account: 'Stock Abroad' })
    const batch = await story.create('Batch', { batch_id: 'B1', item: 'SEED' })
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'PLANK', qty: 100, basic_rate: 4 },
        // 3 × 3.333333 = 10.00
        { item_code: 'VASE', qty: 3, basic_rate: 3.333333 },
        { item_code: 'SCREW', qty: 48, basic_rate: 0.5 },
        { item_code: 'CLOTH', qty: 20, basic_rate: 2 },
        { item_code: 'SEED', qty: 10, basic_rate: 1, batch_no: batch.id },
      ],
    })
  })
  test.after(() => story.close())

  const send = (items: readonly object[], more: object = {}): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      add_to_transit: true,
      from_warehouse: 'Stores',
      items,
      ...more,
    })
  const takeIn = (id: string, more: object = {}): Promise<Shown> =>
    story.draftOf('Stock Entry', id, 'make_stock_in_entry', { to_warehouse: 'Lisbon', ...more })
  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }
  const progress = async (id: string): Promise<readonly unknown[]> => {
    const { status, per_transferred, items } = await story.get('Stock Entry', id)
    return [status, per_transferred, ...items.map((row: Shown) => row.transferred_qty)]
  }

  test('goods wait in the transit warehouse of the company, worth what they were', async () => {
    // 2 of 3 vases of 10.00: 6.67
    const sent = await send([{ item_code: 'VASE', qty: 2 }])
    assert.is(sent.items[0].t_warehouse, 'Goods In Transit')
    assert.equal(await bin('VASE::Stores'), [1, 3.33])
    assert.equal(await bin('VASE::Goods In Transit'), [2, 6.67])
    assert.equal(await progress(sent.id), ['In Transit', 0, 0])
    const under = await story.all('Stock Entry', { status: 'In Transit' })
    assert.equal(
      under.map(({ id }) => id),
      [sent.id],
    )
    // Of 6.67 one half stays, 3.335, 3.34; 3.33 leaves, and then the rest
    const rows = [{ row_id: sent.items[0].row_id, qty: 1 }]
    const first = await takeIn(sent.id, { rows })
    assert.equal(
      [first.outgoing_stock_entry, first.add_to_transit, first.items[0].s_warehouse],
      [sent.id, false, 'Goods In Transit'],
    )
    assert.equal(await progress(sent.id), ['In Transit', 0, 0], 'a draft takes nothing in')
    await story.submit('Stock Entry', first.id)
    assert.equal(await bin('VASE::Lisbon'), [1, 3.33])
    assert.equal(await story.books(first.id), { 'Stock Abroad': 3.33, 'Stock In Hand': -3.33 })
    assert.equal(await progress(sent.id), ['In Transit', 50, 1])
    const rest = await takeIn(sent.id)
    assert.is(rest.items[0].qty, 1)
    await story.submit('Stock Entry', rest.id)
    assert.equal(await bin('VASE::Lisbon'), [2, 6.67])
    assert.equal(await bin('VASE::Goods In Transit'), [0, 0])
    assert.equal(await progress(sent.id), ['Transferred', 100, 2])
    assert.ok((await story.events(sent.id)).includes('transferred'))
    await refusedAsConflict(takeIn(sent.id))
  })

  test('no more is taken in than was sent, and what was taken in keeps the entry that sent it', async () => {
    const sent = await send([{ item_code: 'PLANK', qty: 10 }])
    // More planks are under way, which are not of this entry.
    const other = await send([{ item_code: 'PLANK', qty: 5 }])
    const rows = [{ row_id: sent.items[0].row_id, qty: 12 }]
    const tooMuch = await takeIn(sent.id, { rows })
    await refusedFor('items[0].qty', '12 of 10', story.submit('Stock Entry', tooMuch.id))
    const [six, five] = await Promise.all(
      [6, 5].map((qty) => takeIn(sent.id, { rows: [{ ...rows[0], qty }] })),
    )
    await story.submit('Stock Entry', six!.id)
    await refusedFor('items[0].qty', '11 of 10', story.submit('Stock Entry', five!.id))
    assert.equal(await progress(sent.id), ['In Transit', 60, 6])
    await refusedAsConflict(story.cancel('Stock Entry', sent.id))
    await story.cancel('Stock Entry', six!.id)
    assert.equal(await progress(sent.id), ['In Transit', 0, 0])
    await story.cancel('Stock Entry', sent.id)
    assert.equal(await bin('PLANK::Goods In Transit'), [5, 20])
    await story.cancel('Stock Entry', other.id)
    assert.equal(await bin('PLANK::Stores'), [100, 400])
  })

  test('units and batches go along; by hand the sent row is found', async () => {
    // 2 boxes of 12; 24 × 0.50 = 12
    const sent = await send([
      { item_code: 'SCREW', qty: 2, uom: 'Box' },
      { item_code: 'SEED', qty: 4, batch_no: 'B1' },
    ])
    const rows = [{ row_id: sent.items[0].row_id, qty: 1 }]
    await story.submit('Stock Entry', (await takeIn(sent.id, { rows })).id)
    // 12 of 24 and 0 of 4: 12 of 28
    assert.equal(await progress(sent.id), ['In Transit', 42.857143, 12, 0])
    assert.equal(await bin('SCREW::Lisbon'), [12, 6])
    const byHand = await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      outgoing_stock_entry: sent.id,
      from_warehouse: 'Goods In Transit',
      to_warehouse: 'Lisbon',
      items: [
        { item_code: 'SCREW', qty: 12 },
        { item_code: 'SEED', qty: 4, batch_no: 'B1' },
      ],
    })
    assert.equal(
      byHand.items.map(({ ste_detail }: Shown) => ste_detail),
      sent.items.map(({ row_id }: Shown) => row_id),
    )
    assert.equal(await progress(sent.id), ['Transferred', 100, 24, 4])
    assert.equal(await bin('SCREW::Lisbon'), [24, 12])
  })

  test('a kind of entry may say that it goes by transit', async () => {
    await story.create('Stock Entry Type', {
      name: 'Lorry',
      purpose: 'Material Transfer',
      add_to_transit: true,
    })
    const sent = await story.make('Stock Entry', {
      stock_entry_type: 'Lorry',
      from_warehouse: 'Stores',
      items: [{ item_code: 'PLANK', qty: 10 }],
    })
    assert.equal([sent.status, sent.to_warehouse], ['In Transit', 'Goods In Transit'])
    const draft = await takeIn(sent.id)
    assert.equal([draft.stock_entry_type, draft.to_warehouse], ['Material Transfer', 'Lisbon'])
    await story.submit('Stock Entry', draft.id)
    assert.equal(await bin('PLANK::Lisbon'), [10, 40])
  })

  test('a request is met when the goods arrive', async () => {
    const wanted = await story.make('Material Request', {
      material_request_type: 'Material Transfer',
      set_from_warehouse: 'Stores',
      set_warehouse: 'Lisbon',
      items: [{ item_code: 'CLOTH', qty: 8 }],
    })
    const draft = await story.draftOf('Material Request', wanted.id, 'make_stock_entry')
    const [{ row_id }] = draft.items
    await story.update('Stock Entry', draft.id, {
      add_to_transit: true,
      items: [{ row_id, t_warehouse: 'Goods In Transit' }],
    })
    await story.submit('Stock Entry', draft.id)
    const asked = async (): Promise<readonly unknown[]> => {
      const { status, per_ordered, per_received } = await story.get('Material Request', wanted.id)
      return [status, per_ordered, per_received]
    }
    assert.equal(await asked(), ['In Transit', 100, 0])
    const arrived = await takeIn(draft.id)
    await story.submit('Stock Entry', arrived.id)
    assert.equal(await asked(), ['Transferred', 100, 100])
    await story.cancel('Stock Entry', arrived.id)
    assert.equal(await asked(), ['In Transit', 100, 0])
  })

  test('what is no transit is refused', async () => {
    const items = [{ item_code: 'PLANK', qty: 1 }]
    await refusedFor(
      'items[0].t_warehouse',
      'kind Transit; Lisbon is none',
      send(items, { to_warehouse: 'Lisbon' }),
    )
    await refusedFor(
      'add_to_transit',
      'transfer of material',
      send(items, { stock_entry_type: 'Material Issue' }),
    )
    const plain = await send(items, { add_to_transit: false, to_warehouse: 'Lisbon' })
    assert.is(plain.status, 'Submitted')
    await refusedAsConflict(takeIn(plain.id))
    const back = { from_warehouse: 'Lisbon', to_warehouse: 'Stores', add_to_transit: false }
    await refusedFor(
      'outgoing_stock_entry',
      'entry by transit',
      send(items, { ...back, outgoing_stock_entry: plain.id }),
    )
    const sent = await send(items)
    await refusedFor(
      'items[0].ste_detail',
      'a row that sent PLANK to Lisbon',
      send(items, { ...back, outgoing_stock_entry: sent.id }),
    )
    await refusedFor(
      'items[0].ste_detail',
      'a row that sent CLOTH',
      send([{ item_code: 'CLOTH', qty: 1 }], {
        add_to_transit: false,
        from_warehouse: 'Goods In Transit',
        to_warehouse: 'Lisbon',
        outgoing_stock_entry: sent.id,
      }),
    )
    await refusedFor(
      'items[0].ste_detail',
      'must be a row of outgoing_stock_entry',
      send([{ item_code: 'PLANK', qty: 1, ste_detail: sent.items[0].row_id }], {
        add_to_transit: false,
        to_warehouse: 'Lisbon',
      }),
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('goods by batch', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Dairy Co' })).id
    await story.create('Warehouse', { warehouse_name: 'Shop', warehouse_type: 'Store' })
    await story.create('Warehouse', { warehouse_name: 'Blocked', warehouse_type: 'Rejected' })
    await story.create('Item', {
      item_code: 'MILK',
      item_name: 'Milk',
      has_batch_no: true,
      shelf_life_in_days: 10,
    })
    await story.create('Item', { item_code: 'NAIL', item_name: 'Nail' })
  })
  test.after(() => story.close())

  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', id)
    return [actual_qty, stock_value]
  }
  /** How much of a batch, or of a piece, is in each warehouse. */
  const held = async (where: Readonly<Record<string, string>>): Promise<object> =>
    Object.fromEntries(
      (await story.all('Serial and Batch Balance', where))
        .filter(({ qty }) => qty !== 0)
        .map(({ warehouse, qty }) => [warehouse, qty]),
    )
  const receive = (items: readonly object[]): Promise<Shown> =>
    story.make('Purchase Receipt', { supplier, set_warehouse: 'Stores', items })
  const deliver = (items: readonly object[]): Promise<Shown> =>
    story.make('Delivery Note', { customer, set_warehouse: 'Stores', items })
  test('two batches come in; each movement names its batch', async () => {
    const first = await story.create('Batch', {
      batch_id: 'B1',
      item: 'MILK',
      manufacturing_date: '2026-03-01',
    })
    // Ten days from 1 March.
    assert.equal([first.expiry_date, first.status], ['2026-03-11', 'Active'])
    await story.create('Batch', { batch_id: 'B2', item: 'MILK', expiry_date: '2026-03-18' })
    await refusedFor(
      'item',
      'not kept by batch',
      story.create('Batch', { batch_id: 'X', item: 'NAIL' }),
    )
    await refusedFor(
      'item_code',
      'kept by batch',
      receive([{ item_code: 'MILK', qty: 1, rate: 1 }]),
    )
    await refusedFor(
      'batch_no',
      'for items that are kept by batch',
      receive([{ item_code: 'NAIL', qty: 1, rate: 1, batch_no: 'B1' }]),
    )
    await receive([
      { item_code: 'MILK', batch_no: 'B1', qty: 10, rate: 1 },
      { item_code: 'MILK', batch_no: 'B2', qty: 20, rate: 1.3 },
    ])
    // 10 × 1 + 20 × 1.30 = 36
    assert.equal(await bin('MILK::Stores'), [30, 36])
    assert.equal(await held({ batch_no: 'B2' }), { Stores: 20 })
    assert.is((await story.get('Batch', 'B1')).batch_qty, 10)
  })

  test('a batch may lie in several warehouses, what was rejected of it too', async () => {
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      from_warehouse: 'Stores',
      to_warehouse: 'Shop',
      items: [{ item_code: 'MILK', qty: 4, batch_no: 'B1' }],
    })
    assert.equal(await held({ batch_no: 'B1' }), { Stores: 6, Shop: 4 })
    const bad = await receive([
      { item_code: 'MILK', batch_no: 'B2', qty: 0, rejected_qty: 3, rate: 1.3 },
    ])
    assert.equal(await held({ batch_no: 'B2' }), { Stores: 20, Blocked: 3 })
    await story.cancel('Purchase Receipt', bad.id)
    assert.is((await story.get('Batch', 'B2')).batch_qty, 20)
  })

  test('of two who take the last of a batch at once, one gets it', async () => {
    const drafts = await Promise.all(
      [1, 2].map(() =>
        story.create('Delivery Note', {
          customer,
          set_warehouse: 'Stores',
          items: [{ item_code: 'MILK', qty: 4, rate: 2, batch_no: 'B1' }],
        }),
      ),
    )
    // 6 of B1 and 20 of B2 lie there: enough milk, but not of this batch.
    const outcomes = await Promise.allSettled(
      drafts.map(({ id }) => story.submit('Delivery Note', id)),
    )
    assert.equal(outcomes.map(({ status }) => status).toSorted(), ['fulfilled', 'rejected'])
    assert.equal(await held({ batch_no: 'B1' }), { Stores: 2, Shop: 4 })
    assert.equal(await bin('MILK::Stores'), [22, 28])
  })

  test('12 March: B1 has expired; it is written off, not delivered', async () => {
    story.clock.time = Date.parse('2026-03-12T08:00:00.000Z')
    await story.tick()
    assert.is((await story.get('Batch', 'B1')).status, 'Expired')
    assert.ok((await story.events('B1')).includes('expired'))
    await refusedFor(
      'batch_no',
      'expired on 2026-03-11',
      deliver([{ item_code: 'MILK', qty: 1, rate: 2, batch_no: 'B1' }]),
    )
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Issue',
      items: [
        { item_code: 'MILK', qty: 2, s_warehouse: 'Stores', batch_no: 'B1' },
        { item_code: 'MILK', qty: 4, s_warehouse: 'Shop', batch_no: 'B1' },
      ],
    })
    assert.equal([await held({ batch_no: 'B1' }), await bin('MILK::Shop')], [{}, [0, 0]])
    await story.update('Batch', 'B2', { disabled: true })
    await refusedFor(
      'batch_no',
      'is disabled',
      deliver([{ item_code: 'MILK', qty: 1, rate: 2, batch_no: 'B2' }]),
    )
    await story.update('Batch', 'B2', { disabled: false })
  })

  test('a count is that of a batch', async () => {
    await story.create('Batch', { batch_id: 'B3', item: 'MILK' })
    await refusedFor(
      'item_code',
      'kept by batch',
      story.make('Stock Reconciliation', {
        items: [{ item_code: 'MILK', warehouse: 'Stores', qty: 19 }],
      }),
    )
    const count = await story.make('Stock Reconciliation', {
      set_warehouse: 'Stores',
      items: [
        { item_code: 'MILK', batch_no: 'B2', qty: 15 },
        { item_code: 'MILK', batch_no: 'B3', qty: 4, valuation_rate: 1.5 },
      ],
    })
    // 20 at 1.30: 5 less are 6.50 less, 4 at 1.50 are 6 more.
    assert.equal(
      count.items.map(({ quantity_difference, amount_difference }: Shown) => [
        quantity_difference,
        amount_difference,
      ]),
      [
        [-5, -6.5],
        [4, 6],
      ],
    )
    assert.equal(
      [await bin('MILK::Stores'), await held({ batch_no: 'B3' })],
      [[19, 25.5], { Stores: 4 }],
    )
  })

  test('svc verify finds nothing wrong', async () => {
    await refusedFor(
      'has_batch_no',
      'cannot change',
      story.update('Item', 'MILK', { has_batch_no: false }),
    )
    assert.equal(await story.differences(), [])
  })
})

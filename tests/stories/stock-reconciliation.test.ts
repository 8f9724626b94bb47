import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('counting the stock', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
    for (const item_code of ['NUT', 'BOLT', 'WASHER', 'RIVET'])
      await story.create('Item', { item_code, item_name: item_code, standard_buying_rate: 0.4 })
  })
  test.after(() => story.close())

  const count = (purpose: string, ...items: readonly object[]): Promise<Shown> =>
    story.make('Stock Reconciliation', { purpose, set_warehouse: 'Stores', items })

  const bin = async (id: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value, valuation_rate } = await story.get('Bin', id)
    return [actual_qty, stock_value, valuation_rate]
  }

  test('opening stock stands against the opening balances', async () => {
    // 100 × 0.25 = 25; no rate given: 50 × 0.40 = 20
    const opening = await count(
      'Opening Stock',
      { item_code: 'NUT', qty: 100, valuation_rate: 0.25 },
      { item_code: 'BOLT', qty: 50 },
    )
    assert.equal(await story.books(opening.id), { 'Stock In Hand': 45, 'Opening Balances': -45 })
    assert.is(opening.difference_amount, 45)
    assert.equal(await bin('NUT::Stores'), [100, 25, 0.25])
    assert.equal(await bin('BOLT::Stores'), [50, 20, 0.4])
  })

  test('a count sets the quantity, a rate the value; the difference is an adjustment', async () => {
    // Nuts: 90 of 100 at 0.25 = 22.50, −2.50. Bolts: 50 at 0.50 = 25, +5. Together +2.50.
    const counted = await count(
      'Stock Reconciliation',
      { item_code: 'NUT', qty: 90 },
      { item_code: 'BOLT', valuation_rate: 0.5 },
    )
    assert.equal(
      counted.items.map((row: Shown) => [
        row.current_qty,
        row.current_amount,
        row.quantity_difference,
        row.amount,
        row.amount_difference,
      ]),
      [
        [100, 25, -10, 22.5, -2.5],
        [50, 20, 0, 25, 5],
      ],
    )
    assert.equal(await story.books(counted.id), { 'Stock In Hand': 2.5, 'Stock Adjustment': -2.5 })
    assert.equal(await bin('NUT::Stores'), [90, 22.5, 0.25])
    assert.equal(await bin('BOLT::Stores'), [50, 25, 0.5])
    const entries = await story.all('Stock Ledger Entry', { voucher_no: counted.id })
    assert.equal(
      entries.map((row) => [row.item_code, row.actual_qty, row.stock_value_difference]),
      [
        ['NUT', -10, -2.5],
        ['BOLT', 0, 5],
      ],
    )
    await story.cancel('Stock Reconciliation', counted.id)
    assert.equal(await bin('NUT::Stores'), [100, 25, 0.25])
    assert.equal(await bin('BOLT::Stores'), [50, 20, 0.4])
  })

  test('counts what is there at submit, not when the draft was written', async () => {
    const draft = await story.create('Stock Reconciliation', {
      set_warehouse: 'Stores',
      items: [{ item_code: 'BOLT', qty: 60 }],
    })
    assert.is(draft.items[0].quantity_difference, 10)
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Issue',
      from_warehouse: 'Stores',
      items: [{ item_code: 'BOLT', qty: 20 }],
    })
    // 30 worth 12 are left; 60 at the same 0.40 are worth 24.
    const { items } = await story.submit('Stock Reconciliation', draft.id)
    assert.equal(
      [items[0].current_qty, items[0].quantity_difference, items[0].amount],
      [30, 30, 24],
    )
    assert.equal(await bin('BOLT::Stores'), [60, 24, 0.4])
  })

  test('nothing counted is nothing left, and what agrees is not booked', async () => {
    await count('Stock Reconciliation', { item_code: 'NUT', qty: 0 })
    assert.equal(await bin('NUT::Stores'), [0, 0, 0])
    const same = await count('Stock Reconciliation', { item_code: 'BOLT', qty: 60 })
    // Its place is kept: what is told later of an earlier day may make it differ.
    const [row] = await story.all('Stock Ledger Entry', { voucher_no: same.id })
    assert.equal([row!.actual_qty, row!.stock_value_difference], [0, 0])
    assert.equal(await story.all('GL Entry', { voucher_no: same.id }), [])
  })

  test('refuses what cannot be a count', async () => {
    await refusedFor(
      'items[2].item_code',
      'only once',
      count(
        'Stock Reconciliation',
        { item_code: 'WASHER', qty: 1 },
        { item_code: 'BOLT', qty: 1 },
        { item_code: 'WASHER', qty: 2 },
      ),
    )
    await refusedFor(
      'items',
      'needs a quantity or a value',
      count('Stock Reconciliation', { item_code: 'WASHER' }),
    )
    await story.create('Item', { item_code: 'TALK', item_name: 'Talk', is_stock_item: false })
    await refusedFor(
      'items',
      'only items that are kept in stock',
      count('Stock Reconciliation', { item_code: 'TALK', qty: 1 }),
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Shown, type Story } from '../stories/story.ts'
import { type Asked, reportsOf, rowsOf } from './report-of.ts'

/** Nuts come twice, are used, moved and revalued; a second receipt of bolts is cancelled. */
forEachDatabase('reports of the stock', ({ test, fresh }) => {
  let story: Story
  let report: Asked
  let moved: Shown

  test.before(async () => {
    story = await openStory(await fresh())
    report = reportsOf(story)
    await story.create('Item Group', { item_group_name: 'Metal', is_group: true })
    await story.create('Item Group', { item_group_name: 'Nuts', parent_item_group: 'Metal' })
    await story.create('Item', { item_code: 'NUT', item_name: 'Nut', item_group: 'Nuts' })
    await story.create('Item', { item_code: 'BOLT', item_name: 'Bolt' })
    const site = { company: 'Acme Inc' }
    await story.create('Warehouse', { warehouse_name: 'Sites', is_group: true, ...site })
    await story.create('Warehouse', { warehouse_name: 'Annex', parent_warehouse: 'Sites', ...site })
    await receive('2026-01-05', 'NUT', 10, 2)
    await receive('2026-01-10', 'BOLT', 4, 1)
    // 10 × 2 + 20 × 3.50 = 90, which is 3 each
    await receive('2026-02-01', 'NUT', 20, 3.5)
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Issue',
      posting_date: '2026-02-20',
      from_warehouse: 'Stores',
      items: [{ item_code: 'NUT', qty: 12 }],
    })
    moved = await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      posting_date: '2026-03-02',
      from_warehouse: 'Stores',
      to_warehouse: 'Annex',
      items: [{ item_code: 'NUT', qty: 5 }],
    })
    await story.make('Stock Reconciliation', {
      purpose: 'Stock Reconciliation',
      posting_date: '2026-03-03',
      set_warehouse: 'Stores',
      items: [{ item_code: 'NUT', qty: 13, valuation_rate: 4 }],
    })
    const mistake = await receive('2026-03-04', 'BOLT', 7, 1)
    await story.cancel('Stock Entry', mistake.id)
  })
  test.after(() => story.close())

  const receive = (
    posting_date: string,
    item_code: string,
    qty: number,
    basic_rate: number,
  ): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date,
      to_warehouse: 'Stores',
      items: [{ item_code, qty, basic_rate }],
    })

  test('the balance is what was there, came and went, with its value', async () => {
    const columns = ['item_code', 'warehouse', 'opening_qty', 'opening_value', 'in_qty', 'in_value']
    columns.push('out_qty', 'out_value', 'balance_qty', 'balance_value', 'valuation_rate')
    const march = { from_date: '2026-03-01', to_date: '2026-03-09' }
    const found = await report('stock-balance', march)
    assert.equal(rowsOf(found, columns), [
      ['BOLT', 'Stores', 4, 4, 7, 7, 7, 7, 4, 4, 1],
      ['NUT', 'Annex', 0, 0, 5, 15, 0, 0, 5, 15, 3],
      // 30 − 12 = 18 at 3; 5 go to the annex, and 13 are worth 4 instead of 3 each
      ['NUT', 'Stores', 18, 54, 0, 13, 5, 15, 13, 52, 4],
    ])
    assert.equal(found.totals, {
      opening_value: 58,
      in_value: 35,
      out_value: 22,
      balance_value: 71,
    })
    const february = { from_date: '2026-02-01', to_date: '2026-02-28' }
    assert.equal(
      rowsOf(await report('stock-balance', { ...february, item_code: 'NUT' }), columns),
      [['NUT', 'Stores', 10, 20, 20, 70, 12, 36, 18, 54, 3]],
    )
    const some = async (filter: Readonly<Record<string, string>>): Promise<unknown[][]> =>
      rowsOf(await report('stock-balance', { ...march, ...filter }), columns.slice(0, 2))
    assert.equal(await some({ warehouse: 'Sites' }), [['NUT', 'Annex']])
    assert.is((await some({ item_group: 'Metal' })).length, 2, 'groups below it count too')
    assert.equal(await some({ from_date: '2025-01-01', to_date: '2025-12-31' }), [])
  })

  test('the ledger goes on from the balance before it', async () => {
    const march = { from_date: '2026-03-01', to_date: '2026-03-09' }
    const found = await report('stock-ledger', march)
    const columns = ['item_code', 'warehouse', 'posting_date', 'voucher_type', 'in_qty', 'out_qty']
    columns.push('value_change', 'rate', 'balance_qty', 'balance_value', 'valuation_rate')
    assert.equal(rowsOf(found, columns), [
      ['BOLT', 'Stores', null, 'Opening', 4, 0, 4, 1, 4, 4, 1],
      ['BOLT', 'Stores', '2026-03-04', 'Stock Entry', 7, 0, 7, 1, 11, 11, 1],
      ['BOLT', 'Stores', '2026-03-04', 'Stock Entry', 0, 7, -7, 1, 4, 4, 1],
      ['NUT', 'Annex', '2026-03-02', 'Stock Entry', 5, 0, 15, 3, 5, 15, 3],
      ['NUT', 'Stores', null, 'Opening', 18, 0, 54, 3, 18, 54, 3],
      ['NUT', 'Stores', '2026-03-02', 'Stock Entry', 0, 5, -15, 3, 13, 39, 3],
      ['NUT', 'Stores', '2026-03-03', 'Stock Reconciliation', 0, 0, 13, 0, 13, 52, 4],
    ])
    assert.equal(found.totals, { in_qty: 34, out_qty: 12, value_change: 71 })
    const one = await report('stock-ledger', { ...march, voucher_no: moved.id })
    assert.equal(rowsOf(one, ['warehouse', 'in_qty', 'out_qty']), [
      ['Annex', 5, 0],
      ['Stores', 0, 5],
    ])
    const annex = await report('stock-ledger', { ...march, warehouse: 'Annex', item_group: 'Nuts' })
    assert.is(annex.total, 1)
    assert.is((await report('stock-ledger', { ...march, to_date: '2026-03-01' })).total, 2)
  })

  test('what came first went first; what was cancelled was never there', async () => {
    const columns = ['item_code', 'warehouse', 'qty', 'average_age', 'earliest', 'latest']
    columns.push('bucket1', 'bucket2', 'bucket3', 'bucket4')
    const found = await report('stock-ageing')
    assert.equal(rowsOf(found, columns), [
      ['BOLT', 'Stores', 4, 58, '2026-01-10', '2026-01-10', 0, 4, 0, 0],
      ['NUT', 'Annex', 5, 7, '2026-03-02', '2026-03-02', 5, 0, 0, 0],
      // 17 went: the 10 of January, and 7 of the 20 of 1 February
      ['NUT', 'Stores', 13, 36, '2026-02-01', '2026-02-01', 0, 13, 0, 0],
    ])
    assert.equal(found.totals, { qty: 22, bucket1: 5, bucket2: 17, bucket3: 0, bucket4: 0 })
    // 10 are 41 days old, 20 of them 14: 690 days in all
    const nuts = { to_date: '2026-02-15', range1: '14', range2: '20', range3: '40' }
    assert.equal(rowsOf(await report('stock-ageing', { ...nuts, item_group: 'Metal' }), columns), [
      ['NUT', 'Stores', 30, 23, '2026-01-05', '2026-02-01', 20, 0, 0, 10],
    ])
    // 7 of the day before were cancelled
    const bolts = { to_date: '2026-03-05', item_code: 'BOLT', warehouse: 'Stores' }
    assert.equal(rowsOf(await report('stock-ageing', bolts), columns), [
      ['BOLT', 'Stores', 4, 54, '2026-01-10', '2026-01-10', 0, 4, 0, 0],
    ])
  })

  test('what will be there is what is ordered and promised too', async () => {
    await story.update('Item', 'NUT', {
      reorder_levels: [
        { warehouse: 'Stores', warehouse_reorder_level: 10, warehouse_reorder_qty: 20 },
      ],
    })
    const { id: customer } = await story.create('Customer', { customer_name: 'Ada' })
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Mill' })
    const goods = { set_warehouse: 'Stores' }
    const items = [{ item_code: 'NUT', qty: 6, rate: 9 }]
    await story.make('Sales Order', { customer, ...goods, items })
    await story.make('Purchase Order', {
      supplier,
      ...goods,
      items: [{ item_code: 'BOLT', qty: 10, rate: 1 }],
    })
    const columns = ['item_code', 'warehouse', 'actual_qty', 'ordered_qty', 'reserved_qty']
    columns.push('projected_qty', 'reorder_level', 'shortage_qty')
    assert.equal(rowsOf(await report('stock-projected-qty'), columns), [
      ['BOLT', 'Stores', 4, 10, 0, 14, 0, 0],
      ['NUT', 'Annex', 5, 0, 0, 5, 0, 0],
      // 13 − 6 = 7, 3 below the level
      ['NUT', 'Stores', 13, 0, 6, 7, 10, 3],
    ])
    const metal = await report('stock-projected-qty', { item_group: 'Metal', warehouse: 'Annex' })
    assert.equal(rowsOf(metal, ['item_code']), [['NUT']])
  })
})

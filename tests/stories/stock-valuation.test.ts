import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('stock at its moving average', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
  })
  test.after(() => story.close())

  const item = (item_code: string, more: object = {}): Promise<Shown> =>
    story.create('Item', {
      item_code,
      item_name: item_code,
      standard_rate: 50,
      standard_buying_rate: 9,
      ...more,
    })

  const receive = (item_code: string, qty: number, basic_rate?: number): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code, qty, ...(basic_rate === undefined ? {} : { basic_rate }) }],
    })

  const deliver = (item_code: string, ...quantities: readonly number[]): Promise<Shown> =>
    story.make('Delivery Note', { customer, items: quantities.map((qty) => ({ item_code, qty })) })

  /** Quantity, value and rate of an item in Stores. */
  const bin = async (item_code: string): Promise<readonly number[]> => {
    const { actual_qty, stock_value, valuation_rate } = await story.get(
      'Bin',
      `${item_code}::Stores`,
    )
    return [actual_qty, stock_value, valuation_rate]
  }

  test('receipts average, deliveries take their share of the value', async () => {
    await item('AVG')
    // 10 × 12 = 120; + 20 × 15 = 300 → 30 worth 420, 14 each
    const first = await receive('AVG', 10, 12)
    assert.equal(await story.books(first.id), { 'Stock In Hand': 120, 'Stock Adjustment': -120 })
    await receive('AVG', 20, 15)
    assert.equal(await bin('AVG'), [30, 420, 14])

    // 7 × 14 = 98 → 23 worth 322
    const delivery = await deliver('AVG', 7)
    assert.equal(await story.books(delivery.id), { 'Cost of Goods Sold': 98, 'Stock In Hand': -98 })
    assert.equal(await bin('AVG'), [23, 322, 14])
    const [entry] = await story.all('Stock Ledger Entry', { voucher_no: delivery.id })
    assert.equal(
      [entry!.item_code, entry!.warehouse, entry!.actual_qty, entry!.stock_value_difference],
      ['AVG', 'Stores', -7, -98],
    )
    assert.equal([entry!.incoming_rate, entry!.outgoing_rate], [0, 14])
    assert.equal([entry!.voucher_type, entry!.stock_uom], ['Delivery Note', null])

    // The item knows its stock in all warehouses.
    const { actual_qty, stock_value, valuation_rate } = await story.get('Item', 'AVG')
    assert.equal([actual_qty, stock_value, valuation_rate], [23, 322, 14])
  })

  test('the last unit takes the rest of the value, whatever was rounded before', async () => {
    await item('THIRD')
    // What stays is rounded: of 10.00 for 3 stay 6.67 for 2, then 3.335 → 3.34 for 1, then nothing.
    await receive('THIRD', 3, 3.333333)
    assert.equal((await bin('THIRD')).slice(0, 2), [3, 10])
    const one = await deliver('THIRD', 1)
    assert.is((await story.books(one.id))['Cost of Goods Sold'], 3.33)
    assert.equal(await bin('THIRD'), [2, 6.67, 3.335])
    const two = await deliver('THIRD', 1)
    assert.is((await story.books(two.id))['Cost of Goods Sold'], 3.33)
    const three = await deliver('THIRD', 1)
    assert.is((await story.books(three.id))['Cost of Goods Sold'], 3.34)
    assert.equal(await bin('THIRD'), [0, 0, 0])
  })

  test('rows of one document that take from one bin share its value to the cent', async () => {
    await item('ROWS')
    await receive('ROWS', 3, 3.333333)
    // What is left after each: 10 × 2/3 = 6.67, 10 × 1/3 = 3.33, 0
    const delivery = await deliver('ROWS', 1, 1, 1)
    assert.equal(
      delivery.items.map(({ cost }: Shown) => cost),
      [3.33, 3.34, 3.33],
    )
    assert.equal(await story.books(delivery.id), { 'Cost of Goods Sold': 10, 'Stock In Hand': -10 })
    assert.equal(await bin('ROWS'), [0, 0, 0])
  })

  test('a price of its own is not needed: the average, else the buying price', async () => {
    await item('UNPRICED')
    // Nothing there yet: 4 × 9 = 36; then 4 at 9 again; then 0 is a price too: 12 worth 72
    await receive('UNPRICED', 4)
    assert.equal(await bin('UNPRICED'), [4, 36, 9])
    await receive('UNPRICED', 4, 9.5)
    await receive('UNPRICED', 4)
    // 36 + 38 = 74 for 8, 9.25 each; 4 × 9.25 = 37 → 12 worth 111
    assert.equal(await bin('UNPRICED'), [12, 111, 9.25])
    await receive('UNPRICED', 3, 0)
    // 111 / 15 = 7.4
    assert.equal(await bin('UNPRICED'), [15, 111, 7.4])
  })

  test('other units are counted in stock units', async () => {
    await item('DOZEN', { stock_uom: 'Nos', uoms: [{ uom: 'Dozen', conversion_factor: 12 }] })
    // 2 dozen at 1.50 a piece = 36; half a dozen leaves: 6 × 1.5 = 9
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores',
      items: [{ item_code: 'DOZEN', qty: 2, uom: 'Dozen', conversion_factor: 12, basic_rate: 1.5 }],
    })
    const delivery = await story.make('Delivery Note', {
      customer,
      items: [{ item_code: 'DOZEN', qty: 0.5, uom: 'Dozen', conversion_factor: 12, rate: 30 }],
    })
    assert.equal([delivery.items[0].stock_qty, delivery.grand_total], [6, 15])
    assert.equal(await bin('DOZEN'), [18, 27, 1.5])
    const [entry] = await story.all('Stock Ledger Entry', { voucher_no: delivery.id })
    assert.is(entry!.stock_uom, 'Nos')
  })

  test('a delivery of more than is there is refused, also when several rows take it', async () => {
    await item('SHORT')
    await receive('SHORT', 5, 10)
    await refusedFor(
      'items[0].item_code',
      'there is not enough stock: 6 of SHORT wanted from Stores on 2026-03-09, 5 there',
      deliver('SHORT', 6),
    )
    // The first row of 3 leaves 2 for the second.
    await refusedFor(
      'items[1].item_code',
      'there is not enough stock: 3 of SHORT wanted from Stores on 2026-03-09, 2 there',
      deliver('SHORT', 3, 3),
    )
    assert.equal(await bin('SHORT'), [5, 50, 10])
    await deliver('SHORT', 3, 2)
    assert.equal(await bin('SHORT'), [0, 0, 0])
    await item('NEVER')
    await refusedFor('items[0].item_code', 'there is not enough stock', deliver('NEVER', 1))
  })

  test('services and what is not kept in stock move nothing', async () => {
    await item('ADVICE', { is_stock_item: false })
    const delivery = await deliver('ADVICE', 3)
    assert.equal(await story.all('Stock Ledger Entry', { voucher_no: delivery.id }), [])
    assert.equal(await story.books(delivery.id), {})
    await refusedFor('items', 'only items that are kept in stock', receive('ADVICE', 1))
  })

  test('an item cannot change its unit or leave the stock once it has moved', async () => {
    await item('FIXED', { stock_uom: 'Nos' })
    await story.update('Item', 'FIXED', { stock_uom: 'Kg' })
    await receive('FIXED', 1)
    await refusedFor(
      'stock_uom',
      'cannot change',
      story.update('Item', 'FIXED', { stock_uom: 'Nos' }),
    )
    await refusedFor(
      'is_stock_item',
      'cannot change',
      story.update('Item', 'FIXED', { is_stock_item: false }),
    )
  })

  test('a cancel takes the same value back, not that of today', async () => {
    await item('UNDONE')
    // 10 at 10; 4 leave with 40; 6 at 20 come: 60 + 120 = 180 for 12, 15 each
    await receive('UNDONE', 10, 10)
    const delivery = await deliver('UNDONE', 4)
    await receive('UNDONE', 6, 20)
    assert.equal(await bin('UNDONE'), [12, 180, 15])
    // The 4 come back with the 40 they left with: 16 worth 220
    await story.cancel('Delivery Note', delivery.id)
    assert.equal(await bin('UNDONE'), [16, 220, 13.75])
    assert.equal(await story.books(delivery.id), {})
    const entries = await story.all('Stock Ledger Entry', { voucher_no: delivery.id })
    assert.equal(
      entries.map((entry) => [
        entry.actual_qty,
        entry.stock_value_difference,
        entry.incoming_rate,
        entry.outgoing_rate,
        entry.reverses,
      ]),
      [
        [-4, -40, 0, 10, null],
        [4, 40, 10, 0, entries[0]!.id],
      ],
    )
  })

  test('a receipt that is used up cannot be cancelled', async () => {
    await item('USED')
    const cheap = await receive('USED', 10, 10)
    const dear = await receive('USED', 10, 20)
    // 15 leave with 15 × 15 = 225: 5 worth 75 are left.
    await deliver('USED', 15)
    await refusedFor('', 'would not have been enough', story.cancel('Stock Entry', cheap.id))
    // What comes later does not make up for it: 5 were missing when 15 left.
    await receive('USED', 6, 15)
    await refusedFor(
      '',
      '5 of USED in Stores would be missing at Delivery Note',
      story.cancel('Stock Entry', dear.id),
    )
    assert.equal(await bin('USED'), [11, 165, 15])
  })

  test('values are kept in the smallest coin of the company’s currency', async () => {
    await story.create('Company', {
      company_name: 'Nihon KK',
      abbr: 'NK',
      default_currency: 'JPY',
      chart_of_accounts: 'General',
    })
    await item('TEA')
    const company = 'Nihon KK'
    // 3 × 33.5 = 100.5, 101 yen; what stays of it for 2 is 67.33, 67 yen: 34 go.
    const receipt = await story.make('Stock Entry', {
      company,
      stock_entry_type: 'Material Receipt',
      to_warehouse: 'Stores - NK',
      items: [{ item_code: 'TEA', qty: 3, basic_rate: 33.5 }],
    })
    assert.equal(await story.books(receipt.id), {
      'Stock In Hand - NK': 101,
      'Stock Adjustment - NK': -101,
    })
    const delivery = await story.make('Delivery Note', {
      company,
      customer,
      items: [{ item_code: 'TEA', qty: 1 }],
    })
    assert.is(delivery.currency, 'JPY')
    assert.equal(await story.books(delivery.id), {
      'Cost of Goods Sold - NK': 34,
      'Stock In Hand - NK': -34,
    })
    const { actual_qty, stock_value } = await story.get('Bin', 'TEA::Stores - NK')
    assert.equal([actual_qty, stock_value], [2, 67])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

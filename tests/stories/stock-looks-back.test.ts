import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** The story stands on 9 March 2026; days of that month. */
const on = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`

forEachDatabaseWhenDeep('stock that looks back', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Iron Works' })).id
  })
  test.after(() => story.close())

  const item = (item_code: string, more: object = {}): Promise<Shown> =>
    story.create('Item', { item_code, item_name: item_code, ...more })
  const receive = (
    item_code: string,
    day: number,
    qty: number,
    basic_rate: number,
    more: object = {},
  ): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date: on(day),
      to_warehouse: 'Stores',
      items: [{ item_code, qty, basic_rate }],
      ...more,
    })
  const deliver = (
    item_code: string,
    day: number,
    qty: number,
    more: object = {},
  ): Promise<Shown> =>
    story.make('Delivery Note', {
      customer,
      posting_date: on(day),
      items: [{ item_code, qty, rate: 30, warehouse: 'Stores' }],
      ...more,
    })
  const move = (item_code: string, day: number, qty: number): Promise<Shown> =>
    story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      posting_date: on(day),
      from_warehouse: 'Stores',
      to_warehouse: 'Finished Goods',
      items: [{ item_code, qty }],
    })
  const bin = async (item_code: string, warehouse = 'Stores'): Promise<readonly number[]> => {
    const { actual_qty, stock_value } = await story.get('Bin', `${item_code}::${warehouse}`)
    return [actual_qty, stock_value]
  }
  const cost = async ({ id }: Shown): Promise<number> =>
    (await story.books(id))['Cost of Goods Sold'] ?? 0

  test('a receipt of an earlier day makes what was sold since dearer, and a cancel cheaper again', async () => {
    await item('AVG')
    await receive('AVG', 2, 10, 10)
    const sold = await deliver('AVG', 5, 5)
    assert.is(await cost(sold), 50)
    // 10 at 10 and 10 at 20: 15 each when 5 were sold on the 5th
    const late = await receive('AVG', 3, 10, 20)
    assert.is(await cost(sold), 75)
    assert.equal(await bin('AVG'), [15, 225])
    assert.equal(await story.books(late.id), { 'Stock In Hand': 200, 'Stock Adjustment': -200 })
    // The difference is of the day of the delivery.
    const [first, difference] = await story.all('Stock Ledger Entry', { voucher_no: sold.id })
    assert.equal(
      [difference!.posting_date, difference!.actual_qty, difference!.stock_value_difference],
      [on(5), 0, -25],
    )
    assert.is(difference!.adjusts, first!.id)
    // What the rest really cost is there again.
    await story.cancel('Stock Entry', late.id)
    assert.is(await cost(sold), 50)
    assert.equal(await bin('AVG'), [5, 50])
    await story.cancel('Delivery Note', sold.id)
    assert.equal(await bin('AVG'), [10, 100])
    assert.equal(await story.books(sold.id), {})
  })

  test('a difference row is the row that it brings right, but for what it is more by', async () => {
    await item('TWELVE')
    await receive('TWELVE', 2, 12, 10)
    const sold: Shown[] = []
    for (let n = 0; n < 12; n += 1) sold.push(await deliver('TWELVE', 4 + (n % 6), 1))
    // 24 worth 480: each of the 12 costs 20
    await receive('TWELVE', 3, 12, 30)
    const own = ['id', 'name', 'actual_qty', 'stock_value_difference', 'outgoing_rate', 'adjusts']
    const rest = (row: Shown, but: readonly string[]) =>
      Object.entries(row).filter(
        ([name]) => !but.includes(name) && !/^(created|modified)/.test(name),
      )
    for (const [n, { id }] of sold.entries()) {
      const [first, more] = await story.all('Stock Ledger Entry', { voucher_no: id })
      assert.equal(rest(more!, own), rest(first!, own))
      assert.equal(
        [more!.actual_qty, more!.stock_value_difference, more!.outgoing_rate],
        [0, -10, 0],
      )
      const booked = await story.all('GL Entry', { voucher_no: id })
      const day = on(4 + (n % 6))
      assert.equal(
        booked.map((row) => [row.posting_date, row.account, row.debit, row.credit, row.against]),
        [
          [day, 'Stock In Hand', 0, 10, 'Cost of Goods Sold'],
          [day, 'Cost of Goods Sold', 10, 0, 'Stock In Hand'],
          [day, 'Stock In Hand', 0, 10, 'Cost of Goods Sold'],
          [day, 'Cost of Goods Sold', 10, 0, 'Stock In Hand'],
        ],
      )
      // Each in its kind: both are 10 here, so that even the amounts of the account are the same.
      for (const at of [0, 1]) assert.equal(rest(booked[at + 2]!, own), rest(booked[at]!, own))
    }
    assert.equal(await bin('TWELVE'), [12, 240])
  })

  test('an issue of an earlier day costs what was there on its day', async () => {
    await item('ISSUED')
    await receive('ISSUED', 2, 10, 10)
    await receive('ISSUED', 4, 10, 30)
    const sold = await deliver('ISSUED', 5, 10)
    // 20 worth 400
    assert.is(await cost(sold), 200)
    // On the 3rd 4 at 10 leave; 16 worth 360 on the 4th, 22.50 each
    assert.is(await cost(await deliver('ISSUED', 3, 4)), 40)
    assert.is(await cost(sold), 225)
    assert.equal(await bin('ISSUED'), [6, 135])
    await refusedFor(
      'items[0].item_code',
      '7 of ISSUED wanted from Stores on 2026-03-03, 6 there',
      deliver('ISSUED', 3, 7),
    )
  })

  test('more than what later deliveries leave cannot go on an earlier day', async () => {
    await item('SCARCE')
    await receive('SCARCE', 2, 10, 10)
    const sold = await deliver('SCARCE', 5, 8)
    await receive('SCARCE', 6, 10, 10)
    // 10 are there on the 3rd, but 8 leave on the 5th, before more comes
    await refusedFor(
      '',
      `3 of SCARCE in Stores would be missing at Delivery Note ${sold.id}`,
      deliver('SCARCE', 3, 5),
    )
    await deliver('SCARCE', 3, 2)
    assert.equal(await bin('SCARCE'), [10, 100])
  })

  test('nor more than what a document takes before it brings something', async () => {
    await item('SWAP', { valuation_method: 'FIFO' })
    await receive('SWAP', 1, 5, 1)
    await receive('SWAP', 1, 5, 3, { to_warehouse: 'Finished Goods' })
    await deliver('SWAP', 3, 2)
    const swap = await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      posting_date: on(4),
      items: [
        { item_code: 'SWAP', qty: 2, s_warehouse: 'Stores', t_warehouse: 'Finished Goods' },
        { item_code: 'SWAP', qty: 1, s_warehouse: 'Finished Goods', t_warehouse: 'Stores' },
      ],
    })
    // 3 counted on the 2nd, 2 sold on the 3rd: 1 is there of the 2 that go before the other comes.
    await refusedFor(
      '',
      `1 of SWAP in Stores would be missing at Stock Entry ${swap.id} (${on(4)})`,
      story.make('Stock Reconciliation', {
        posting_date: on(2),
        items: [{ item_code: 'SWAP', warehouse: 'Stores', qty: 3, valuation_rate: 2.29 }],
      }),
    )
    assert.equal(
      [await bin('SWAP'), await bin('SWAP', 'Finished Goods')],
      [
        [2, 4],
        [6, 14],
      ],
    )
  })

  test('the time of day counts, and a document without one is the last of its day', async () => {
    await item('TIMED')
    await receive('TIMED', 5, 1, 10, { posting_time: '08:00:00' })
    const evening = await deliver('TIMED', 5, 1)
    await receive('TIMED', 5, 1, 20, { posting_time: '12:00:00' })
    // 10 and 20 were there in the evening
    assert.is(await cost(evening), 15)
    const noon = await deliver('TIMED', 5, 1, { posting_time: '10:00:00' })
    assert.is(await cost(noon), 10)
    assert.is(await cost(evening), 20)
    assert.equal(await bin('TIMED'), [0, 0])
  })

  test('a wrong day in the future locks nothing', async () => {
    await item('FUTURE')
    const wrong = await receive('FUTURE', 2, 5, 100, { posting_date: '2026-10-20' })
    await receive('FUTURE', 2, 5, 10)
    assert.is(await cost(await deliver('FUTURE', 3, 2)), 20)
    await story.cancel('Stock Entry', wrong.id)
    assert.is(await cost(await deliver('FUTURE', 9, 2)), 20)
    assert.equal(await bin('FUTURE'), [1, 10])
  })

  test('a delivery that is amended goes again on its own day', async () => {
    await item('AMENDED')
    await receive('AMENDED', 2, 10, 10)
    const first = await deliver('AMENDED', 3, 4)
    await receive('AMENDED', 4, 6, 20)
    const later = await deliver('AMENDED', 5, 6)
    // 6 worth 60 and 6 worth 120: 15 each
    assert.is(await cost(later), 90)
    await story.cancel('Delivery Note', first.id)
    // 10 worth 100 and 6 worth 120: 13.75 each
    assert.is(await cost(later), 82.5)
    const { id, items } = await story.amend('Delivery Note', first.id)
    await story.update('Delivery Note', id, { items: [{ row_id: items[0].row_id, qty: 2 }] })
    const amended = await story.submit('Delivery Note', id)
    assert.is(amended.posting_date, on(3))
    assert.is(await cost(amended), 20)
    // 8 worth 80 and 6 worth 120: 200 / 14 × 8 = 114.29 stay
    assert.is(await cost(later), 85.71)
    assert.equal(await bin('AMENDED'), [8, 114.29])
  })

  test('what was moved on takes its new value along', async () => {
    await item('MOVED')
    await receive('MOVED', 2, 10, 10)
    const moved = await move('MOVED', 4, 5)
    const sold = await deliver('MOVED', 5, 2, {
      items: [{ item_code: 'MOVED', qty: 2, rate: 30, warehouse: 'Finished Goods' }],
    })
    assert.is(await cost(sold), 20)
    // 20 worth 300 on the 4th: 5 take 75 along, 2 of them cost 30
    const late = await receive('MOVED', 3, 10, 20)
    assert.is(await cost(sold), 30)
    assert.equal(
      [await bin('MOVED'), await bin('MOVED', 'Finished Goods')],
      [
        [15, 225],
        [3, 45],
      ],
    )
    assert.equal(await story.books(moved.id), {})
    await story.cancel('Stock Entry', late.id)
    assert.equal(await bin('MOVED', 'Finished Goods'), [3, 30])
  })

  test('a product is worth what its materials are worth by then', async () => {
    await item('STEEL')
    await item('KNIFE')
    await receive('STEEL', 2, 10, 10)
    const made = await story.make('Stock Entry', {
      stock_entry_type: 'Manufacture',
      posting_date: on(4),
      items: [
        { item_code: 'STEEL', qty: 6, s_warehouse: 'Stores' },
        { item_code: 'KNIFE', qty: 3, t_warehouse: 'Finished Goods', is_finished_item: true },
      ],
    })
    assert.equal(await bin('KNIFE', 'Finished Goods'), [3, 60])
    const back = await receive('STEEL', 3, 10, 20)
    assert.equal(
      [await bin('STEEL'), await bin('KNIFE', 'Finished Goods')],
      [
        [14, 210],
        [3, 90],
      ],
    )
    assert.equal(await story.books(made.id), {})
    await story.cancel('Stock Entry', back.id)
    assert.equal(await bin('KNIFE', 'Finished Goods'), [3, 60])
  })

  test('what comes back is worth what it left with by then', async () => {
    await item('BACK')
    await receive('BACK', 2, 10, 10)
    const sold = await deliver('BACK', 4, 4)
    const { id } = await story.draftOf('Delivery Note', sold.id, 'make_return')
    await story.update('Delivery Note', id, {
      items: [{ row_id: (await story.get('Delivery Note', id)).items[0].row_id, qty: -2 }],
    })
    const back = await story.submit('Delivery Note', id)
    assert.is(await cost(back), -20)
    await receive('BACK', 3, 10, 20)
    assert.equal([await cost(sold), await cost(back)], [60, -30])
    assert.equal(await bin('BACK'), [18, 270])
  })

  test('what goes back to its supplier leaves at the rate of its receipt', async () => {
    await item('SENT', { valuation_method: 'FIFO' })
    const buy = (day: number, qty: number, rate: number): Promise<Shown> =>
      story.make('Purchase Receipt', {
        supplier,
        posting_date: on(day),
        items: [{ item_code: 'SENT', qty, rate, warehouse: 'Stores' }],
      })
    await buy(2, 4, 5)
    const dear = await buy(3, 3, 7)
    const sold = await deliver('SENT', 7, 3)
    assert.is(await cost(sold), 15)
    // The 3 at 7 go back, though 4 at 5 came before them; nothing is won or lost.
    const { id } = await story.draftOf('Purchase Receipt', dear.id, 'make_return')
    await story.update('Purchase Receipt', id, { posting_date: on(6) })
    await story.submit('Purchase Receipt', id)
    assert.equal(await story.books(id), {
      'Stock In Hand': -21,
      'Stock Received But Not Billed': 21,
    })
    assert.equal(await bin('SENT'), [1, 5])
    // 1 at 1 and 4 at 5, of which 3 are sold.
    await receive('SENT', 1, 1, 1)
    assert.equal([await cost(sold), await bin('SENT')], [11, [2, 10]])
    assert.is((await story.books(id))['Stock In Hand'], -21)
    // 6 of 8 left before: 1 and 4 of the first layers, and one of the dear ones; 2 are left, worth 14, for which all went back.
    await story.cancel('Delivery Note', sold.id)
    const before = await deliver('SENT', 4, 5)
    assert.equal([await cost(before), await bin('SENT')], [21, [0, 0]])
  })

  test('of several who tell of something late at once each sees what the others told', async () => {
    await item('ATONCE')
    await receive('ATONCE', 2, 10, 10)
    const sold = await deliver('ATONCE', 8, 5)
    await Promise.all([3, 4, 5, 6].map((day) => receive('ATONCE', day, 10, 10 * day)))
    // 50 worth 100 + 300 + 400 + 500 + 600: 38 each
    assert.equal([await cost(sold), await bin('ATONCE')], [190, [45, 1710]])
  })

  test('what came in first leaves first, also when it is told of late', async () => {
    await item('FIRST', { valuation_method: 'FIFO' })
    await receive('FIRST', 2, 10, 1)
    await receive('FIRST', 3, 10, 3)
    const out = await deliver('FIRST', 4, 12)
    assert.is(await cost(out), 16)
    // 5 at 2 of the 1st leave before all others: 5 at 2 and 7 at 1
    const late = await receive('FIRST', 1, 5, 2)
    assert.is(await cost(out), 17)
    assert.equal(await bin('FIRST'), [13, 33])
    await story.cancel('Stock Entry', late.id)
    assert.equal([await cost(out), await bin('FIRST')], [16, [8, 24]])
  })

  test('what came in last leaves first', async () => {
    await item('LAST', { valuation_method: 'LIFO' })
    await receive('LAST', 2, 10, 1)
    const out = await deliver('LAST', 5, 4)
    assert.is(await cost(out), 4)
    // 3 at 5 came later than those: they leave, and one at 1
    await receive('LAST', 4, 3, 5)
    assert.is(await cost(out), 16)
    assert.equal(await bin('LAST'), [9, 9])
  })

  test('a count keeps what was counted', async () => {
    await item('COUNTED')
    await receive('COUNTED', 2, 10, 10)
    const count = await story.make('Stock Reconciliation', {
      posting_date: on(5),
      items: [{ item_code: 'COUNTED', warehouse: 'Stores', qty: 10 }],
    })
    const sold = await deliver('COUNTED', 6, 5)
    // 3 that left before were found missing by the count already: it finds 3 more
    await deliver('COUNTED', 4, 3)
    assert.equal(await bin('COUNTED'), [5, 50])
    assert.equal(await story.books(count.id), { 'Stock In Hand': 30, 'Stock Adjustment': -30 })
    assert.is(await cost(sold), 50)
    // A count of the 3rd finds 8 worth 96: 12 each; 5 there on the 4th, 60
    await story.make('Stock Reconciliation', {
      posting_date: on(3),
      items: [{ item_code: 'COUNTED', warehouse: 'Stores', qty: 8, valuation_rate: 12 }],
    })
    assert.is(await cost(sold), 60)
    assert.equal(await bin('COUNTED'), [5, 60])
    await story.cancel('Stock Reconciliation', count.id)
    // 8 less 3 less 5
    assert.equal(await bin('COUNTED'), [0, 0])
  })

  test('freight of an earlier day goes into what was sold since', async () => {
    await item('SHIPPED')
    const receipt = await story.make('Purchase Receipt', {
      supplier,
      posting_date: on(2),
      items: [{ item_code: 'SHIPPED', qty: 10, rate: 10, warehouse: 'Stores' }],
    })
    const sold = await deliver('SHIPPED', 5, 4)
    const { id } = await story.draftOf('Purchase Receipt', receipt.id, 'make_landed_cost_voucher', {
      amount: 20,
      expense_account: 'Stock Adjustment',
    })
    await story.update('Landed Cost Voucher', id, { posting_date: on(3) })
    await story.submit('Landed Cost Voucher', id)
    // 120 for 10 on the 3rd
    assert.is(await cost(sold), 48)
    assert.equal(await bin('SHIPPED'), [6, 72])
    await story.cancel('Landed Cost Voucher', id)
    assert.equal([await cost(sold), await bin('SHIPPED')], [40, [6, 60]])
  })

  test('what is closed stays closed: a difference is booked on the first open day', async () => {
    await item('CLOSED')
    await receive('CLOSED', 2, 10, 10, { posting_date: '2026-01-10' })
    const sold = await deliver('CLOSED', 2, 5, { posting_date: '2026-02-10' })
    await story.create('Accounting Period', {
      period_name: 'February',
      company: 'Acme Inc',
      start_date: '2026-02-01',
      end_date: '2026-02-28',
      closed_documents: [{ document_type: 'Delivery Note', closed: true }],
    })
    await receive('CLOSED', 3, 10, 20, { posting_date: '2026-01-20' })
    const rows = await story.all('GL Entry', { voucher_no: sold.id, account: 'Cost of Goods Sold' })
    assert.equal(
      rows.map((row) => [row.posting_date, row.debit]),
      [
        ['2026-02-10', 50],
        ['2026-03-01', 25],
      ],
    )
  })

  test('goods do not move in a closed period, nor does what they are worth by then', async () => {
    await item('SHUT')
    await receive('SHUT', 2, 10, 10, { posting_date: '2026-01-10' })
    const shift = (posting_date: string, qty: number) =>
      story.make('Stock Entry', {
        stock_entry_type: 'Material Transfer',
        posting_date,
        items: [{ item_code: 'SHUT', qty, s_warehouse: 'Stores', t_warehouse: 'Finished Goods' }],
      })
    const moved = await shift('2026-02-10', 5)
    const [february] = await story.all('Accounting Period')
    const closed_documents = ['Delivery Note', 'Stock Entry'].map((document_type) => ({
      document_type,
      closed: true,
    }))
    await story.update('Accounting Period', february!.id, { closed_documents })
    // Neither account nor value changes by it, but the list of what lay where on 28 February would
    await refusedFor(
      'posting_date',
      '2026-02-12 lies in the accounting period February, which is closed for Stock Entry',
      shift('2026-02-12', 1),
    )
    // 20 worth 400: the 5 take 50 more along, which is told on the first open day in both warehouses
    await receive('SHUT', 2, 10, 30, { posting_date: '2026-01-20' })
    const rows = await story.all('Stock Ledger Entry', { voucher_no: moved.id })
    assert.equal(
      rows.map((row) => [row.posting_date, row.warehouse, row.stock_value_difference]),
      [
        ['2026-02-10', 'Stores', -50],
        ['2026-02-10', 'Finished Goods', 50],
        ['2026-03-01', 'Stores', -50],
        ['2026-03-01', 'Finished Goods', 50],
      ],
    )
    assert.equal(await bin('SHUT', 'Finished Goods'), [5, 100])
    // A cancel is told today, as the day of the transfer is closed; that of the difference is not
    await story.cancel('Stock Entry', moved.id)
    const mirrors = (await story.all('Stock Ledger Entry', { voucher_no: moved.id })).slice(4)
    assert.equal([...new Set(mirrors.map(({ posting_date }) => posting_date))], [on(9), on(1)])
    assert.equal(await bin('SHUT'), [20, 400])
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: '2026-01-31' })
    await refusedFor('posting_date', 'are frozen until 2026-01-31', shift('2026-01-25', 1))
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: null })
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

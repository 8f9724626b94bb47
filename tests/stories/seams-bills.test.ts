import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** Where bills, payments and what they are for meet. */
forEachDatabase('bills, and what they are for', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    await story.create('Currency Exchange', {
      from_currency: 'EUR',
      to_currency: 'USD',
      date: '2026-03-01',
      exchange_rate: 1.1,
    })
  })
  test.after(() => story.close())

  test('what a supplier sends to the customer is the cost of what is sold', async () => {
    await story.create('Item', {
      item_code: 'SAFE',
      item_name: 'Safe',
      standard_rate: 100,
      standard_buying_rate: 60,
      delivered_by_supplier: true,
    })
    const items = [{ item_code: 'SAFE', qty: 2 }]
    const order = await story.make('Sales Order', { customer, items })
    const { id } = await story.draftOf('Sales Order', order.id, 'make_purchase_order', { supplier })
    await story.submit('Purchase Order', id)
    await story.act('Purchase Order', id, 'deliver')
    const invoice = await story.draftOf('Sales Order', order.id, 'make_invoice')
    await story.submit('Sales Invoice', invoice.id)
    const bill = await story.draftOf('Purchase Order', id, 'make_invoice')
    await refusedFor(
      'update_stock',
      'sent to the customer',
      story.update('Purchase Invoice', bill.id, { update_stock: true }),
    )
    await story.submit('Purchase Invoice', bill.id)
    // 2 × 60 of cost for 2 × 100 sold: 80 earned, 40 %
    assert.equal(await story.books(bill.id), { Creditors: -120, 'Cost of Goods Sold': 120 })
    const span = { from_date: '2026-01-01', to_date: '2026-12-31' }
    for (const [params, heading] of [
      [{}, 'SAFE'],
      [{ group_by: 'Customer', customer }, customer],
    ] as const)
      assert.equal(
        rowsOf(await reportsOf(story)('gross-profit', { ...span, ...params }), [
          'heading',
          'selling_amount',
          'buying_amount',
          'gross_profit_percent',
        ]),
        [[heading, 200, 120, 40]],
      )
    // Half of it is taken back: 60 less
    const note = await story.draftOf('Purchase Invoice', bill.id, 'make_return')
    const rows = [{ row_id: note.items[0].row_id, qty: -1 }]
    await story.update('Purchase Invoice', note.id, { items: rows })
    await story.submit('Purchase Invoice', note.id)
    assert.equal(await story.books(bill.id, note.id), { Creditors: -60, 'Cost of Goods Sold': 60 })
  })

  test('what a bill names of a delivery or receipt alone costs what was agreed on there', async () => {
    await story.create('Item', {
      item_code: 'LAMP',
      item_name: 'Lamp',
      stock_uom: 'Nos',
      standard_rate: 50,
      standard_buying_rate: 20,
      uoms: [{ uom: 'Box', conversion_factor: 6 }],
    })
    const lamps = (qty: number, rate: number) => [{ item_code: 'LAMP', qty, rate }]
    const came = await story.make('Purchase Receipt', { supplier, items: lamps(10, 18) })
    const went = await story.make('Delivery Note', { customer, items: lamps(4, 45) })
    await story.update('Item', 'LAMP', { standard_rate: 70, standard_buying_rate: 30 })
    const sold = [{ item_code: 'LAMP', qty: 4, dn_detail: went.items[0].row_id }]
    const bought = [{ item_code: 'LAMP', qty: 10, pr_detail: came.items[0].row_id }]
    const invoice = await story.create('Sales Invoice', { customer, items: sold })
    const bill = await story.create('Purchase Invoice', { supplier, items: bought })
    // Not 4 × 70 and 10 × 30
    assert.equal([invoice.grand_total, bill.grand_total], [4 * 45, 10 * 18])
    assert.equal(
      [invoice.items[0].delivery_note, bill.items[0].purchase_receipt],
      [went.id, came.id],
    )
    // Another unit, a row of neither, and a price that is given: today's, or what was said
    const priced = async (row: object): Promise<number> => {
      const { items } = await story.create('Sales Invoice', { customer, items: [row] })
      return items[0].rate
    }
    assert.is(await priced({ ...sold[0], qty: 0.5, uom: 'Box' }), 6 * 70)
    assert.is(await priced({ item_code: 'LAMP', qty: 1 }), 70)
    assert.is(await priced({ ...sold[0], rate: 44 }), 44)
    // A row that becomes another item is priced anew
    const [row] = invoice.items
    const other = await story.update('Sales Invoice', invoice.id, {
      items: [{ row_id: row.row_id, item_code: 'SAFE', dn_detail: null }],
    })
    assert.is(other.items[0].rate, 100)
  })

  test('a bank account without a currency keeps that of the company', async () => {
    const abroad = await story.create('Customer', {
      customer_name: 'Müller',
      default_currency: 'EUR',
    })
    await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
    const invoice = await story.make('Sales Invoice', {
      customer: abroad.id,
      items: [{ item_code: 'HOUR', qty: 1, rate: 100 }],
    })
    const payment = await story.make('Payment Entry', {
      party: abroad.id,
      paid_amount: 100,
      conversion_rate: 1.12,
      paid_to: 'Bank',
      references: [{ sales_invoice: invoice.id }],
    })
    // 100 € were booked as 110 $, and 112 $ came
    assert.equal(await story.books(payment.id), {
      Bank: 112,
      Debtors: -110,
      'Exchange Gain and Loss': -2,
    })
    const kept = async (voucher: string): Promise<unknown[]> => {
      const [line] = await story.all('GL Entry', { voucher_no: voucher, account: 'Bank' })
      return [
        line?.account_currency,
        line?.debit_in_account_currency,
        line?.credit_in_account_currency,
      ]
    }
    assert.equal(await kept(payment.id), ['USD', 112, 0])
    const paid = await story.make('Payment Entry', {
      payment_type: 'Pay',
      party_type: 'Supplier',
      party: supplier,
      currency: 'EUR',
      conversion_rate: 1.1,
      paid_amount: 50,
      paid_from: 'Bank',
    })
    assert.equal(await kept(paid.id), ['USD', 0, 55])
    // So there is nothing to bring to the rate of a day but what is owed.
    const { id } = await story.create('Exchange Rate Revaluation', {})
    const { accounts } = await story.act('Exchange Rate Revaluation', id, 'fetch_accounts')
    assert.equal(
      accounts.map(({ account }: Shown) => account),
      ['Creditors'],
    )
  })

  test('what becomes an asset is booked on the account of its category', async () => {
    const tools = await story.create('Account', {
      account_name: 'Tools and Dies',
      root_type: 'Asset',
      account_type: 'Fixed Asset',
      parent_account: 'Non-Current Assets',
    })
    const own = [{ company_name: 'Acme Inc', fixed_asset_account: tools.id }]
    const category = (asset_category_name: string, more: object): Promise<unknown> =>
      story.create('Asset Category', { asset_category_name, ...more })
    await category('Tools', { accounts: own })
    await category('Sites', { accounts: own, enable_cwip_accounting: true })
    await category('Others', {})
    for (const asset_category of ['Tools', 'Sites', 'Others'])
      await story.create('Item', {
        item_code: asset_category,
        item_name: asset_category,
        is_fixed_asset: true,
        asset_category,
      })
    const rows = ['Tools', 'Sites', 'Others'].map((item_code) => ({ item_code, qty: 1, rate: 900 }))
    const bill = await story.make('Purchase Invoice', { supplier, items: rows })
    // 3 × 900; a site is under construction until the asset is submitted
    const { Creditors, 'Tools and Dies': booked, ...others } = await story.books(bill.id)
    assert.equal([Creditors, booked], [-2700, 900])
    assert.equal(Object.values(others), [900, 900])
    assert.is(others['Assets Under Construction'], 900)
    const kinds = bill.items.map((row: Shown) => row.expense_account)
    assert.equal(kinds.slice(0, 2), ['Tools and Dies', 'Assets Under Construction'])
    assert.is((await story.get('Account', kinds[2])).account_type, 'Fixed Asset')
    await refusedFor(
      'items',
      'of the kind Fixed Asset',
      story.make('Purchase Invoice', {
        supplier,
        items: [{ ...rows[0], expense_account: 'Cost of Goods Sold' }],
      }),
    )
    await refusedFor(
      'is_stock_item',
      'must be off',
      story.create('Item', {
        item_code: 'CRANE',
        item_name: 'Crane',
        is_stock_item: true,
        is_fixed_asset: true,
        asset_category: 'Tools',
      }),
    )
  })

  test('a bill clears what its receipts booked, at another rate and price', async () => {
    await story.create('Item', { item_code: 'BEAM', item_name: 'Beam' })
    const variance = await story.create('Account', {
      account_name: 'Price Variance',
      root_type: 'Expense',
      parent_account: (await story.get('Account', 'Stock Adjustment')).parent_account,
    })
    const abroad = { supplier, currency: 'EUR', set_warehouse: 'Stores' }
    const receipt = await story.make('Purchase Receipt', {
      ...abroad,
      conversion_rate: 1.1,
      items: [{ item_code: 'BEAM', qty: 10, rate: 100 }],
    })
    const SRBNB = 'Stock Received But Not Billed'
    assert.equal(await story.books(receipt.id), { 'Stock In Hand': 1100, [SRBNB]: -1100 })
    const billOf = async (received: Shown, row: object, more: object = {}): Promise<Shown> => {
      const { id, items } = await story.draftOf('Purchase Receipt', received.id, 'make_invoice')
      const rows = [{ row_id: items[0].row_id, ...row }]
      await story.update('Purchase Invoice', id, { ...more, items: rows })
      return story.submit('Purchase Invoice', id)
    }
    // 4 × 100 × 1.2 = 480, of which 4 × 110 were booked
    const first = await billOf(receipt, { qty: 4 }, { conversion_rate: 1.2 })
    assert.equal(await story.books(first.id), {
      Creditors: -480,
      [SRBNB]: 440,
      'Exchange Gain and Loss': 40,
    })
    // 6 × 105 × 1.2 = 756: 660 were booked, 630 × 0.1 = 63 is the rate, 30 × 1.1 = 33 the price
    const second = await billOf(receipt, { qty: 6, rate: 105 }, { conversion_rate: 1.2 })
    assert.equal(await story.books(second.id), {
      Creditors: -756,
      [SRBNB]: 660,
      'Exchange Gain and Loss': 63,
      'Stock Adjustment': 33,
    })
    // Two come back by a note: what they were charged is taken back alike
    const note = await story.draftOf('Purchase Invoice', second.id, 'make_return')
    const rows = [{ row_id: note.items[0].row_id, qty: -2 }]
    await story.update('Purchase Invoice', note.id, { items: rows })
    await story.submit('Purchase Invoice', note.id)
    assert.equal(await story.books(note.id), {
      Creditors: 252,
      [SRBNB]: -220,
      'Exchange Gain and Loss': -21,
      'Stock Adjustment': -11,
    })
    // 110 pieces at 10, billed at 10.50: 55 too much, where the company says
    await story.update('Company', 'Acme Inc', { purchase_price_variance_account: variance.id })
    const dear = await story.make('Purchase Receipt', {
      supplier,
      set_warehouse: 'Stores',
      items: [{ item_code: 'BEAM', qty: 110, rate: 10 }],
    })
    const billed = await billOf(dear, { rate: 10.5 })
    assert.equal(await story.books(billed.id), {
      Creditors: -1155,
      [SRBNB]: 1100,
      'Price Variance': 55,
    })
    // Three bills of 100.00 ÷ 3 leave no cent: 33.33 + 33.34 + 33.33
    const thirds = await story.make('Purchase Receipt', {
      supplier,
      set_warehouse: 'Stores',
      items: [{ item_code: 'BEAM', qty: 3, rate: 33.333333 }],
    })
    const parts = []
    for (let part = 0; part < 3; part++) parts.push((await billOf(thirds, { qty: 1 })).id)
    assert.is((await story.books(thirds.id, ...parts))[SRBNB], undefined)
    await story.cancel('Purchase Invoice', billed.id)
    assert.is((await story.books(dear.id, billed.id))[SRBNB], -1100)
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

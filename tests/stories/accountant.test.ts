import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

/** The scenarios of an accountant's test that no other story tells, each worked out by hand (docs/findings-money.md). */
forEachDatabaseWhenDeep('an accountant', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    await story.create('Item Tax Template', {
      title: 'Books',
      taxes: [
        { tax_type: 'Output Tax', tax_rate: 0 },
        { tax_type: 'Output Tax Reduced', tax_rate: 7 },
      ],
    })
    const items = [
      { item_code: 'LAMP', valuation_method: 'Moving Average' },
      { item_code: 'BOOK', taxes: [{ item_tax_template: 'Books' }] },
      { item_code: 'HOUR', is_stock_item: false },
      { item_code: 'FIFO', valuation_method: 'FIFO' },
      { item_code: 'MEAN', valuation_method: 'Moving Average' },
    ]
    for (const item of items) await story.create('Item', { item_name: item.item_code, ...item })
    await story.create('Warehouse', { warehouse_name: 'Shop', warehouse_type: 'Store' })
    await story.create('Warehouse', { warehouse_name: 'Refused', warehouse_type: 'Rejected' })
    await story.create('Currency Exchange', {
      date: '2026-01-01',
      from_currency: 'EUR',
      to_currency: 'USD',
      exchange_rate: 0.92,
    })
  })
  test.after(() => story.close())

  const vat = (more: object = {}): object => ({
    charge_type: 'On Net Total',
    account_head: 'Output Tax',
    description: 'VAT 19 %',
    rate: 19,
    ...more,
  })
  const mixed = [vat(), vat({ account_head: 'Output Tax Reduced', description: '7 %', rate: 0 })]
  const owed = async (id: string): Promise<unknown> =>
    (await story.get('Sales Invoice', id)).outstanding_amount

  test('a1: offer, order, deliveries and invoices in parts, cash discount, credit note', async () => {
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Receipt',
      posting_date: '2026-01-02',
      to_warehouse: 'Stores',
      items: [
        { item_code: 'LAMP', qty: 10, basic_rate: 60 },
        { item_code: 'BOOK', qty: 3, basic_rate: 20 },
      ],
    })
    await story.create('Payment Term', {
      payment_term_name: '2 % in 10 days',
      credit_days: 30,
      discount: 2,
      discount_validity: 10,
    })
    await story.create('Payment Terms Template', {
      template_name: '2 % in 10 days',
      terms: [{ payment_term: '2 % in 10 days' }],
    })
    await story.update('Customer', customer, { payment_terms: '2 % in 10 days' })
    const offer = await story.make('Quotation', {
      customer,
      transaction_date: '2026-01-05',
      additional_discount_percentage: 5,
      items: [
        { item_code: 'LAMP', qty: 10, rate: 99.99 },
        { item_code: 'BOOK', qty: 3, rate: 33.33 },
      ],
      taxes: mixed,
    })
    const figures = ({ items, taxes, grand_total }: Shown): unknown[] => [
      ...items.map((row: Shown) => row.net_amount),
      ...taxes.map((row: Shown) => row.tax_amount),
      grand_total,
    ]
    assert.equal(figures(offer), [949.91, 94.99, 180.48, 6.65, 1232.03])
    const { id: drafted } = await story.draftOf('Quotation', offer.id, 'make_order')
    await story.update('Sales Order', drafted, { transaction_date: '2026-01-10' })
    const order = await story.submit('Sales Order', drafted)
    assert.is(order.grand_total, 1232.03)
    const rows = order.items.map(({ row_id }: Shown, at: number) => ({ row_id, qty: at ? 3 : 4 }))
    const note = await story.draftOf('Sales Order', order.id, 'make_delivery_note', {
      posting_date: '2026-01-16',
      rows,
    })
    await story.update('Delivery Note', note.id, { set_warehouse: 'Stores' })
    await story.update('Delivery Note', note.id, {
      items: note.items.map(({ row_id }: Shown) => ({ row_id, warehouse: 'Stores' })),
    })
    await story.submit('Delivery Note', note.id)
    assert.equal(await story.books(note.id), { 'Cost of Goods Sold': 300, 'Stock In Hand': -300 })
    const progress = (await story.get('Sales Order', order.id)).per_delivered
    assert.is(Math.round(progress * 1000) / 1000, 53.846)

    const first = await story.draftOf('Sales Order', order.id, 'make_invoice', { rows })
    // Set back to the day of the delivery: due and discount days follow.
    const dated = await story.update('Sales Invoice', first.id, { posting_date: '2026-01-16' })
    const [part] = dated.payment_schedule
    assert.equal([part.due_date, part.discount_date], ['2026-02-15', '2026-01-26'])
    const bill = await story.submit('Sales Invoice', first.id)
    assert.equal(figures(bill), [379.96, 94.99, 72.19, 6.65, 553.79])
    assert.is(bill.due_date, '2026-02-15')
    assert.equal(await story.books(bill.id), {
      Debtors: 553.79,
      Sales: -474.95,
      'Output Tax': -72.19,
      'Output Tax Reduced': -6.65,
    })
    const [lamps] = order.items
    const more = { rows: [{ row_id: lamps.row_id, qty: 7 }] }
    const tooMuch = await story.draftOf('Sales Order', order.id, 'make_invoice', more)
    await refusedFor(
      'items[0].billed_qty',
      'billed more',
      story.submit('Sales Invoice', tooMuch.id),
    )
    await story.update('Sales Invoice', tooMuch.id, {
      items: [{ row_id: tooMuch.items[0].row_id, qty: 6 }],
    })
    const second = await story.submit('Sales Invoice', tooMuch.id)
    assert.is(second.grand_total, 678.23)

    // 2 % of 553.79 for who pays by 26 January
    const paid = await story.make('Payment Entry', {
      party: customer,
      posting_date: '2026-01-20',
      paid_amount: 542.71,
      references: [{ sales_invoice: bill.id, allocated_amount: 553.79 }],
      deductions: [{ account: 'Sales Discount', amount: 11.08 }],
    })
    assert.equal(await story.books(paid.id), {
      Bank: 542.71,
      'Sales Discount': 11.08,
      Debtors: -553.79,
    })
    const credit = await story.draftOf('Sales Invoice', second.id, 'make_return', {
      rows: [{ row_id: second.items[0].row_id, qty: 1 }],
    })
    const credited = await story.submit('Sales Invoice', credit.id)
    assert.equal([credited.grand_total, credited.taxes[0].tax_amount], [-113.04, -18.05])
    assert.is(await owed(second.id), 565.19)
    assert.equal(await story.differences(), [])
    await story.update('Customer', customer, { payment_terms: null })
  })

  test('a2: taxes in prices, write-off, overpayment, bad debt, and euros at three rates', async () => {
    const sell = async (gross: number, more: object = {}): Promise<Shown> =>
      story.make('Sales Invoice', {
        customer,
        items: [{ item_code: 'HOUR', qty: 1, rate: gross }],
        taxes: [vat({ included_in_print_rate: true })],
        ...more,
      })
    const three = { item_code: 'HOUR', qty: 3 }
    const items = [
      { ...three, rate: 119 },
      { ...three, rate: 9.99 },
    ]
    const one = await sell(0, { items })
    assert.equal(
      [one.net_total, one.total_taxes_and_charges, one.grand_total],
      [325.18, 61.79, 386.97],
    )
    const pay = (paid_amount: number, references: object[], more: object = {}): Promise<Shown> =>
      story.make('Payment Entry', { party: customer, paid_amount, references, ...more })
    await pay(386, [{ sales_invoice: one.id, allocated_amount: 386.97 }], {
      deductions: [{ account: 'Write Off', amount: 0.97 }],
    })
    assert.is(await owed(one.id), 0)
    const two = await sell(386.97)
    const much = await pay(500, [{ sales_invoice: two.id }])
    assert.is(much.unallocated_amount, 113.03)
    const last = await sell(118.03)
    await story.act('Payment Entry', much.id, 'allocate', {
      sales_invoice: last.id,
      amount: 113.03,
      posting_date: '2026-03-05',
    })
    assert.is(await owed(last.id), 5)
    // The rest is never paid: 4.20 and its 0.80 of tax
    await story.make('Journal Entry', {
      accounts: [
        { account: 'Write Off', debit: 4.2 },
        { account: 'Output Tax', debit: 0.8 },
        {
          account: 'Debtors',
          party_type: 'Customer',
          party: customer,
          credit: 5,
          sales_invoice: last.id,
        },
      ],
    })
    assert.is((await story.get('Sales Invoice', last.id)).status, 'Paid')

    const { id: other } = await story.create('Customer', {
      customer_name: 'Alpine',
      default_currency: 'EUR',
    })
    const euro = (rate: number): Promise<Shown> =>
      story.make('Sales Invoice', { customer: other, items: [{ item_code: 'HOUR', qty: 1, rate }] })
    const bill = await euro(1099.99)
    assert.equal([bill.currency, bill.base_grand_total], ['EUR', 1011.99])
    const receive = (amount: number, conversion_rate: number, id: string): Promise<Shown> =>
      story.make('Payment Entry', {
        party: other,
        paid_amount: amount,
        conversion_rate,
        references: [{ sales_invoice: id }],
      })
    const first = await receive(600, 0.9013, bill.id)
    assert.equal(await story.books(first.id), {
      Bank: 540.78,
      'Exchange Gain and Loss': 11.22,
      Debtors: -552,
    })
    const rest = await story.make('Payment Entry', {
      party: other,
      paid_amount: 499.99,
      received_amount: 455.55,
      references: [{ sales_invoice: bill.id }],
    })
    assert.equal(await story.books(rest.id), {
      Bank: 455.55,
      'Exchange Gain and Loss': 4.44,
      Debtors: -459.99,
    })
    // Half of 1,000 is credited at the rate of the invoice, the other half is paid at 0.95: 15 are gained
    const thousand = await euro(1000)
    const note = await story.draftOf('Sales Invoice', thousand.id, 'make_return')
    await story.update('Sales Invoice', note.id, {
      items: [{ row_id: note.items[0].row_id, rate: 500 }],
    })
    const half = await story.submit('Sales Invoice', note.id)
    assert.is(half.base_grand_total, -460)
    const gained = await receive(500, 0.95, thousand.id)
    assert.is((await story.books(gained.id))['Exchange Gain and Loss'], -15)
    assert.is((await story.get('Customer', other)).outstanding_total, 0)
    assert.equal(await story.differences(), [])
  })

  test('a5: tax that the buyer owes, two rates on one bill, a discount off a total with tax in it', async () => {
    const tax = (account_head: string, add_deduct_tax: string): object => ({
      charge_type: 'On Net Total',
      account_head,
      description: '19 %',
      rate: 19,
      add_deduct_tax,
    })
    const reverse = await story.make('Purchase Invoice', {
      supplier,
      items: [{ item_code: 'HOUR', qty: 1, rate: 1000 }],
      taxes: [tax('Input Tax', 'Add'), tax('Output Tax', 'Deduct')],
    })
    assert.equal(await story.books(reverse.id), {
      Creditors: -1000,
      Purchases: 1000,
      'Input Tax': 190,
      'Output Tax': -190,
    })
    const both = await story.make('Sales Invoice', {
      customer,
      items: [
        { item_code: 'HOUR', qty: 1, rate: 100 },
        { item_code: 'BOOK', qty: 1, rate: 50 },
      ],
      taxes: mixed,
    })
    assert.equal(
      both.taxes.map((row: Shown) => [row.taxable_amount, row.tax_rate, row.tax_amount]),
      [
        [100, 19, 19],
        [50, 7, 3.5],
      ],
    )
    // 10 % off 178.50, in which there are 19 %
    const off = await story.make('Sales Invoice', {
      customer,
      apply_discount_on: 'Grand Total',
      additional_discount_percentage: 10,
      items: [{ item_code: 'HOUR', qty: 1, rate: 178.5 }],
      taxes: [vat({ included_in_print_rate: true })],
    })
    assert.equal(
      [off.net_total, off.total_taxes_and_charges, off.grand_total],
      [135, 25.65, 160.65],
    )
    assert.equal(await story.differences(), [])
  })

  test('b1: from the order to the count, by first in first out and by the average', async () => {
    const both = (qty: number, more: object): object[] =>
      ['FIFO', 'MEAN'].map((item_code) => ({ item_code, qty, ...more }))
    const worth = async (warehouse: string): Promise<unknown[]> =>
      Promise.all(
        ['FIFO', 'MEAN'].map(async (item) => {
          const { actual_qty, stock_value } = await story.get('Bin', `${item}::${warehouse}`)
          return [actual_qty, stock_value]
        }),
      )
    const order = await story.make('Purchase Order', {
      supplier,
      set_warehouse: 'Stores',
      items: both(100, { rate: 10 }),
    })
    const draft = await story.draftOf('Purchase Order', order.id, 'make_receipt')
    await story.update('Purchase Receipt', draft.id, {
      rejected_warehouse: 'Refused',
      items: draft.items.map(({ row_id }: Shown) => ({ row_id, qty: 55, rejected_qty: 5 })),
    })
    const receipt = await story.submit('Purchase Receipt', draft.id)
    const { items } = await story.get('Purchase Order', order.id)
    // What was rejected is expected again: 45 are left of 100
    assert.equal(
      items.map((row: Shown) => row.qty - row.received_qty),
      [45, 45],
    )
    const freight = await story.draftOf(
      'Purchase Receipt',
      receipt.id,
      'make_landed_cost_voucher',
      {
        amount: 110,
        expense_account: 'Freight Paid',
      },
    )
    await story.submit('Landed Cost Voucher', freight.id)
    // 550 and half of 110: 11 each
    assert.equal(await worth('Stores'), [
      [55, 605],
      [55, 605],
    ])
    await story.make('Stock Entry', {
      stock_entry_type: 'Material Transfer',
      from_warehouse: 'Stores',
      to_warehouse: 'Shop',
      items: both(20, {}),
    })
    await story.make('Purchase Receipt', {
      supplier,
      set_warehouse: 'Stores',
      items: both(40, { rate: 12 }),
    })
    const note = await story.make('Delivery Note', {
      customer,
      set_warehouse: 'Stores',
      items: both(50, { rate: 30 }),
    })
    // First 35 at 11 and 15 at 12 are 565; on average 50 of 75 for 865 are 576.67
    const moved = await story.all('Stock Ledger Entry', { voucher_no: note.id })
    assert.equal(
      moved.map(({ stock_value_difference }) => stock_value_difference),
      [-565, -576.67],
    )
    const back = await story.draftOf('Delivery Note', note.id, 'make_return', {
      rows: note.items.map(({ row_id }: Shown) => ({ row_id, qty: 10 })),
    })
    await story.submit('Delivery Note', back.id)
    const returned = await story.all('Stock Ledger Entry', { voucher_no: back.id })
    assert.equal(
      returned.map(({ stock_value_difference }) => stock_value_difference),
      [113, 115.33],
    )
    const count = await story.make('Stock Reconciliation', {
      items: [{ item_code: 'FIFO', warehouse: 'Shop', qty: 18 }],
    })
    assert.equal(await story.books(count.id), { 'Stock In Hand': -22, 'Stock Adjustment': 22 })
    assert.equal(await worth('Shop'), [
      [18, 198],
      [20, 220],
    ])
    assert.equal(await story.differences(), [])
  })

  test('b2: the first receipt is cancelled, and more leaves than is there', async () => {
    const receive = (item_code: string, qty: number, basic_rate: number): Promise<Shown> =>
      story.make('Stock Entry', {
        stock_entry_type: 'Material Receipt',
        to_warehouse: 'Stores',
        items: [{ item_code, qty, basic_rate }],
      })
    const deliver = (item_code: string): Promise<Shown> =>
      story.make('Delivery Note', {
        customer,
        set_warehouse: 'Stores',
        items: [{ item_code, qty: 5, rate: 30 }],
      })
    const bin = async (item: string): Promise<unknown> => {
      const { actual_qty, stock_value } = await story.get('Bin', `${item}::Stores`)
      return [actual_qty, stock_value]
    }
    for (const valuation_method of ['FIFO', 'Moving Average']) {
      const item_code = `${valuation_method} 2`
      await story.create('Item', { item_code, item_name: item_code, valuation_method })
      const first = await receive(item_code, 10, 10)
      await receive(item_code, 10, 12)
      const note = await deliver(item_code)
      await story.cancel('Stock Entry', first.id)
      // What is left, and what went, cost 12.
      assert.equal(await bin(item_code), [5, 60])
      assert.equal(await story.all('GL Entry', { voucher_no: note.id }).then(costOf), 60)
    }
    await story.create('Item', {
      item_code: 'LESS',
      item_name: 'Less',
      allow_negative_stock: true,
      standard_buying_rate: 10,
    })
    await deliver('LESS')
    assert.equal(await bin('LESS'), [-5, -50])
    await receive('LESS', 10, 14)
    assert.equal(await bin('LESS'), [5, 70])
    assert.equal(await story.differences(), [])
  })

  test('income of a service is that of its days, part months too, and goes back with its invoice', async () => {
    const until = async (end_date: string): Promise<Shown> => {
      const { id } = await story.create('Process Deferred Accounting', { end_date })
      await story.act('Process Deferred Accounting', id, 'fetch_entries')
      return story.submit('Process Deferred Accounting', id)
    }
    // 61 days at 1: 22 in March, 30 in April, 9 in May
    const invoice = await story.make('Sales Invoice', {
      customer,
      posting_date: '2026-03-05',
      items: [
        {
          item_code: 'HOUR',
          qty: 1,
          rate: 61,
          is_deferred: true,
          deferred_account: 'Deferred Income',
          service_start_date: '2026-03-10',
          service_end_date: '2026-05-09',
        },
      ],
    })
    const march = await until('2026-03-31')
    assert.equal(await story.books(invoice.id, march.id), {
      Debtors: 61,
      'Deferred Income': -39,
      Sales: -22,
    })
    const april = await until('2026-04-30')
    assert.equal(await story.books(april.id), { 'Deferred Income': 30, Sales: -30 })
    // What was booked of it is taken back first, the latest first.
    await refusedAsConflict(story.cancel('Sales Invoice', invoice.id))
    await story.cancel('Process Deferred Accounting', april.id)
    await story.cancel('Process Deferred Accounting', march.id)
    await story.cancel('Sales Invoice', invoice.id)
    const amended = await story.amend('Sales Invoice', invoice.id)
    await story.submit('Sales Invoice', amended.id)
    // All months up to then are caught up.
    const both = await until('2026-04-30')
    assert.equal(await story.books(both.id), { 'Deferred Income': 52, Sales: -52 })
    const rest = await until('2026-05-31')
    assert.equal(await story.books(amended.id, both.id, rest.id), { Debtors: 61, Sales: -61 })
    assert.equal(await story.differences(), [])
  })

  test('every line of a posting has the cost center of its paper: taxes, rounding, differences', async () => {
    await story.create('Cost Center', { cost_center_name: 'Graz' })
    await story.update('Item', 'LAMP', { over_billing_allowance: 20 })
    const own = { cost_center: 'Graz' }
    const euros = { ...own, currency: 'EUR' }
    const { id: other } = await story.create('Customer', { customer_name: 'Beta' })
    const order = await story.make('Purchase Order', {
      supplier,
      ...euros,
      conversion_rate: 0.9,
      set_warehouse: 'Stores',
      items: [{ item_code: 'LAMP', qty: 1, rate: 10 }],
    })
    const draft = await story.draftOf('Purchase Order', order.id, 'make_receipt')
    await story.update('Purchase Receipt', draft.id, { conversion_rate: 0.9 })
    const receipt = await story.submit('Purchase Receipt', draft.id)
    const billed = await story.draftOf('Purchase Receipt', receipt.id, 'make_invoice')
    await story.update('Purchase Invoice', billed.id, {
      conversion_rate: 0.95,
      items: [{ row_id: billed.items[0].row_id, rate: 11 }],
    })
    const bill = await story.submit('Purchase Invoice', billed.id)
    const invoice = await story.make('Sales Invoice', {
      customer: other,
      ...euros,
      disable_rounded_total: false,
      items: [{ item_code: 'HOUR', qty: 3, rate: 33.333 }],
      taxes: [vat()],
    })
    const payment = await story.make('Payment Entry', {
      party: other,
      ...euros,
      paid_amount: invoice.outstanding_amount,
      conversion_rate: 0.97,
      references: [{ sales_invoice: invoice.id }],
    })
    const accounts: string[] = []
    for (const { id } of [receipt, bill, invoice, payment])
      for (const row of await story.all('GL Entry', { voucher_no: id })) {
        accounts.push(row.account)
        assert.is(row.cost_center, 'Graz', `${row.account} of ${id}`)
      }
    // 9 at the receipt; 0.55 by the rate, 0.90 by the price
    assert.equal(await story.books(bill.id), {
      Creditors: -10.45,
      'Stock Received But Not Billed': 9,
      'Exchange Gain and Loss': 0.55,
      'Stock Adjustment': 0.9,
    })
    for (const account of ['Output Tax', 'Exchange Gain and Loss', 'Debtors', 'Stock In Hand'])
      assert.ok(accounts.includes(account), account)
    assert.equal(await story.differences(), [])
  })

  test('k: two companies bill and pay each other in two currencies, and take it back', async () => {
    await story.create('Company', {
      company_name: 'Acme GmbH',
      abbr: 'AG',
      default_currency: 'EUR',
      country: 'Germany',
      chart_of_accounts: 'General',
    })
    await story.create('Currency Exchange', {
      date: '2026-01-01',
      from_currency: 'USD',
      to_currency: 'EUR',
      exchange_rate: 1.08,
    })
    const { id: sister } = await story.create('Customer', {
      customer_name: 'Acme GmbH',
      represents_company: 'Acme GmbH',
    })
    await story.create('Supplier', { supplier_name: 'Acme Inc', represents_company: 'Acme Inc' })
    const invoice = await story.make('Sales Invoice', {
      customer: sister,
      currency: 'EUR',
      items: [{ item_code: 'HOUR', qty: 10, rate: 100 }],
    })
    const draft = await story.draftOf('Sales Invoice', invoice.id, 'make_inter_company_bill')
    await story.update('Purchase Invoice', draft.id, { taxes: [], taxes_and_charges: null })
    const bill = await story.submit('Purchase Invoice', draft.id)
    assert.equal([bill.company, bill.currency, bill.grand_total], ['Acme GmbH', 'EUR', 1000])
    assert.equal(await story.books(invoice.id), { Debtors: 920, Sales: -920 })
    assert.equal(await story.books(bill.id), { 'Creditors - AG': -1000, 'Purchases - AG': 1000 })
    assert.is((await story.get('Sales Invoice', invoice.id)).inter_company_bill, bill.id)
    const received = await story.make('Payment Entry', {
      party: sister,
      currency: 'EUR',
      paid_amount: 1000,
      conversion_rate: 0.95,
      references: [{ sales_invoice: invoice.id }],
    })
    const counter = await story.draftOf('Payment Entry', received.id, 'make_inter_company_payment')
    assert.equal(
      [counter.company, counter.payment_type, counter.party_type, counter.paid_amount],
      ['Acme GmbH', 'Pay', 'Supplier', 1000],
    )
    const sent = await story.submit('Payment Entry', counter.id)
    assert.equal(await story.books(received.id), {
      Bank: 950,
      'Exchange Gain and Loss': -30,
      Debtors: -920,
    })
    assert.equal(await story.books(sent.id), { 'Creditors - AG': 1000, 'Bank - AG': -1000 })
    for (const [doctype, { id }] of [
      ['Sales Invoice', invoice],
      ['Purchase Invoice', bill],
    ] as const)
      assert.is((await story.get(doctype, id)).status, 'Paid')
    const again = story.act('Payment Entry', received.id, 'make_inter_company_payment')
    await again.then(
      () => assert.unreachable('paid twice'),
      (error) => assert.match(String(error), 'is booked there already'),
    )
    // What is booked in the other company is taken back there first.
    const first = await refusedAsConflict(story.cancel('Payment Entry', received.id))
    assert.match(first.message, 'other documents link to it')
    await story.cancel('Payment Entry', sent.id)
    await story.cancel('Payment Entry', received.id)
    await refusedAsConflict(story.cancel('Sales Invoice', invoice.id))
    await story.cancel('Purchase Invoice', bill.id)
    await story.cancel('Sales Invoice', invoice.id)
    for (const id of [invoice.id, bill.id, received.id, sent.id])
      assert.equal(await story.books(id), {})
    assert.equal(await story.differences(), [])
  })
})

function costOf(rows: readonly Shown[]): number {
  return rows
    .filter(({ account }) => account === 'Cost of Goods Sold')
    .reduce((sum, { debit, credit }) => sum + debit - credit, 0)
}

import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

/** What a tax return, a supplier's bill and a project are told by papers. */
forEachDatabaseWhenDeep('papers that are taxed', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    for (const item_code of ['HOUR', 'BOOK'])
      await story.create('Item', { item_code, item_name: item_code, is_stock_item: false })
    await story.create('Item Tax Template', {
      title: 'Books',
      taxes: [
        { tax_type: 'Output Tax', tax_rate: 0 },
        { tax_type: 'Output Tax Reduced', tax_rate: 7 },
        { tax_type: 'Input Tax', tax_rate: 0 },
        { tax_type: 'Input Tax Reduced', tax_rate: 7 },
      ],
    })
    await story.update('Item', 'BOOK', { taxes: [{ item_tax_template: 'Books' }] })
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Paper Ltd' })).id
  })
  test.after(() => story.close())

  const vat = (full: string, reduced: string): object[] => [
    { charge_type: 'On Net Total', account_head: full, description: '19 %', rate: 19 },
    { charge_type: 'On Net Total', account_head: reduced, description: '7 %', rate: 0 },
  ]
  const rows = (hours: number, books: number): object[] => [
    ...(hours === 0 ? [] : [{ item_code: 'HOUR', qty: 1, rate: hours }]),
    ...(books === 0 ? [] : [{ item_code: 'BOOK', qty: 1, rate: books }]),
  ]

  test('registers have a column for the tax on each account that occurs', async () => {
    const sell = (posting_date: string, hours: number, books: number): Promise<Shown> =>
      story.make('Sales Invoice', {
        customer,
        posting_date,
        items: rows(hours, books),
        taxes: vat('Output Tax', 'Output Tax Reduced'),
      })
    const first = await sell('2026-01-10', 1000, 200)
    const second = await sell('2026-01-20', 0, 50)
    await sell('2026-02-01', 0, 10)
    const untaxed = await story.make('Sales Invoice', {
      customer,
      posting_date: '2026-01-25',
      items: rows(30, 0),
    })
    const report = reportsOf(story)
    const january = { from_date: '2026-01-01', to_date: '2026-01-31' }
    const register = await report('sales-register', january)
    const shown = ['invoice', 'net_total', 'tax_output_tax', 'tax_output_tax_reduced', 'taxes']
    assert.equal(rowsOf(register, [...shown, 'grand_total']), [
      [first.id, 1200, 190, 14, 204, 1404],
      [second.id, 50, 0, 3.5, 3.5, 53.5],
      [untaxed.id, 30, 0, 0, 0, 30],
    ])
    assert.equal(
      register.columns.filter(({ name }) => name.startsWith('tax_')),
      [
        { name: 'tax_output_tax', label: 'Output Tax', type: 'currency' },
        { name: 'tax_output_tax_reduced', label: 'Output Tax Reduced', type: 'currency' },
      ],
    )
    const { tax_output_tax, tax_output_tax_reduced } = register.totals!
    assert.equal([tax_output_tax, tax_output_tax_reduced], [190, 17.5])
    // February has one of them, March none.
    const namesIn = async (month: string): Promise<readonly string[]> =>
      (
        await report('sales-register', {
          from_date: `2026-${month}-01`,
          to_date: `2026-${month}-28`,
        })
      ).columns
        .map(({ name }) => name)
        .filter((name) => name.startsWith('tax_'))
    assert.equal(await namesIn('02'), ['tax_output_tax', 'tax_output_tax_reduced'])
    assert.equal(await namesIn('03'), [])
    // The return: what was taxed at which rate, and the tax on it.
    const summary = await report('tax-summary', { ...january, side: 'Sales' })
    assert.equal(rowsOf(summary, ['account', 'rate', 'taxable', 'tax']), [
      ['Output Tax', 19, 1000, 190],
      ['Output Tax Reduced', 7, 250, 17.5],
    ])
  })

  test('an item is not left untaxed by rates of its own', async () => {
    const taxes = [{ account_head: 'Output Tax', description: '19 %', rate: 19 }]
    const draft = (more: object): Promise<Shown> =>
      story.create('Sales Invoice', { customer, items: rows(100, 10), ...more })
    await refusedFor(
      'taxes',
      'Books of row 2 of the items takes it from Output Tax to Output Tax Reduced, which has no row here',
      draft({ taxes }),
    )
    // A paper without tax stays one, and what is only bought at another rate is sold at the usual one.
    const free = [{ account_head: 'Output Tax', description: 'Export', rate: 0 }]
    assert.is((await draft({ taxes: free })).grand_total, 110)
    await story.create('Item Tax Template', {
      title: 'Bought at 7',
      taxes: [
        { tax_type: 'Output Tax', tax_rate: 0 },
        { tax_type: 'Input Tax Reduced', tax_rate: 7 },
      ],
    })
    const items = [{ item_code: 'HOUR', qty: 1, rate: 100, item_tax_template: 'Bought at 7' }]
    assert.is((await draft({ taxes, items })).grand_total, 100)
  })

  test('bills are rounded to the smallest coin where that is wished, and rounded off in the books', async () => {
    await story.update('Currency', 'USD', { smallest_currency_fraction_value: 0.05 })
    const bill = await story.make('Purchase Invoice', {
      supplier,
      disable_rounded_total: false,
      items: rows(100, 10.1),
      taxes: vat('Input Tax', 'Input Tax Reduced'),
    })
    // 110.10 and 19.00 and 0.71 are 129.81
    assert.equal(
      [bill.grand_total, bill.rounded_total, bill.rounding_adjustment, bill.outstanding_amount],
      [129.81, 129.8, -0.01, 129.8],
    )
    assert.equal(await story.books(bill.id), {
      Creditors: -129.8,
      Purchases: 110.1,
      'Input Tax': 19,
      'Input Tax Reduced': 0.71,
      'Round Off': -0.01,
    })
    const paid = await story.draftOf('Purchase Invoice', bill.id, 'make_payment')
    assert.is(paid.paid_amount, 129.8)
    await story.submit('Payment Entry', paid.id)
    assert.is((await story.get('Purchase Invoice', bill.id)).status, 'Paid')
    const note = await story.draftOf('Purchase Invoice', bill.id, 'make_return')
    const debited = await story.submit('Purchase Invoice', note.id)
    assert.equal([debited.grand_total, debited.rounded_total], [-129.81, -129.8])
    const order = await story.make('Purchase Order', {
      supplier,
      disable_rounded_total: false,
      items: rows(10.02, 0),
    })
    const billed = await story.draftOf('Purchase Order', order.id, 'make_invoice')
    assert.equal([order.rounded_total, billed.rounded_total], [10, 10])
    const cash = await story.make('Purchase Invoice', {
      supplier,
      is_paid: true,
      disable_rounded_total: false,
      items: rows(10.02, 0),
    })
    assert.equal([cash.status, cash.outstanding_amount], ['Paid', 0])
    await story.update('Currency', 'USD', { smallest_currency_fraction_value: 0.01 })
    assert.equal(await story.differences(), [])
  })

  test('a bill is for several projects, each row for its own', async () => {
    const project = async (project_name: string): Promise<string> =>
      (await story.create('Project', { project_name })).id
    const [house, bridge] = [await project('House'), await project('Bridge')]
    const order = await story.make('Purchase Order', {
      supplier,
      project: house,
      items: [
        { item_code: 'HOUR', qty: 1, rate: 60 },
        { item_code: 'HOUR', qty: 1, rate: 40, project: bridge },
      ],
    })
    const draft = await story.draftOf('Purchase Order', order.id, 'make_invoice')
    const bill = await story.submit('Purchase Invoice', draft.id)
    assert.equal(
      bill.items.map((row: Shown) => row.project),
      [house, bridge],
    )
    const posted = await story.all('GL Entry', { voucher_no: bill.id, account: 'Purchases' })
    assert.equal(
      posted.map(({ project: of, debit }) => [of, debit]),
      [
        [house, 60],
        [bridge, 40],
      ],
    )
    const cost = async (id: string): Promise<unknown> =>
      (await story.get('Project', id)).total_purchase_cost
    assert.equal([await cost(house), await cost(bridge)], [60, 40])
    await story.cancel('Purchase Invoice', bill.id)
    assert.equal([await cost(house), await cost(bridge)], [0, 0])
    assert.equal(await story.differences(), [])
  })

  test('what was billed first is delivered later, once, and needs no second bill', async () => {
    for (const item_code of ['DESK', 'LAMP']) {
      await story.create('Item', { item_code, item_name: item_code })
      await story.make('Stock Entry', {
        stock_entry_type: 'Material Receipt',
        posting_date: '2026-01-02',
        to_warehouse: 'Stores',
        items: [{ item_code, qty: 20, basic_rate: 30 }],
      })
    }
    const order = await story.make('Sales Order', {
      customer,
      set_warehouse: 'Stores',
      items: [
        { item_code: 'DESK', qty: 10, rate: 100 },
        { item_code: 'LAMP', qty: 2, rate: 50 },
      ],
    })
    const draft = await story.draftOf('Sales Order', order.id, 'make_invoice')
    const bill = await story.submit('Sales Invoice', draft.id)
    const [desk] = bill.items
    const part = await story.draftOf('Sales Invoice', bill.id, 'make_delivery_note', {
      posting_date: '2026-03-05',
      rows: [{ row_id: desk.row_id, qty: 4 }],
    })
    assert.equal(
      [part.items[0].rate, part.items[0].against_sales_invoice, part.posting_date],
      [100, bill.id, '2026-03-05'],
    )
    const first = await story.submit('Delivery Note', part.id)
    assert.equal([first.status, first.per_billed], ['Completed', 100])
    assert.equal(await story.books(first.id), { 'Cost of Goods Sold': 120, 'Stock In Hand': -120 })
    const again = story.act('Delivery Note', first.id, 'make_invoice')
    await again.then(
      () => assert.unreachable('billed twice'),
      (error) => assert.match(String(error), 'nothing is left to bill'),
    )
    // By naming the row: more than was billed is refused.
    const named = (qty: number): Promise<Shown> =>
      story.make('Delivery Note', {
        customer,
        items: [{ item_code: 'DESK', qty, si_detail: desk.row_id, so_detail: desk.so_detail }],
      })
    await refusedFor('items[0].delivered_qty', 'delivered more than billed, 11 of 10', named(7))
    await named(5)
    const rest = await story.draftOf('Sales Invoice', bill.id, 'make_delivery_note')
    assert.equal(
      rest.items.map((row: Shown) => [row.item_code, row.qty]),
      [
        ['DESK', 1],
        ['LAMP', 2],
      ],
    )
    await story.submit('Delivery Note', rest.id)
    const done = await story.get('Sales Order', order.id)
    assert.equal([done.status, done.per_delivered, done.per_billed], ['Completed', 100, 100])
    assert.equal(await story.differences(), [])
  })
})

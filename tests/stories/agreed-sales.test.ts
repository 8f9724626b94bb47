import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep(
  'what is agreed, sold at a till, and booked bit by bit',
  ({ test, fresh }) => {
    let story: Story
    let customer: string
    let supplier: string

    test.before(async () => {
      story = await openStory(await fresh())
      customer = (await story.create('Customer', { customer_name: 'Reader' })).id
      supplier = (await story.create('Supplier', { supplier_name: 'Press' })).id
      await story.create('Item', {
        item_code: 'BOOK',
        item_name: 'Book',
        is_stock_item: false,
        standard_rate: 20,
      })
    })
    test.after(() => story.close())

    const sell = (qty: number, rate: number, more: object = {}): Promise<Shown> =>
      story.make('Sales Invoice', { customer, items: [{ item_code: 'BOOK', qty, rate }], ...more })

    test('an agreed quantity is ordered bit by bit at its price, and no more', async () => {
      const agreed = await story.make('Blanket Order', {
        customer,
        from_date: '2026-01-01',
        to_date: '2026-12-31',
        items: [{ item_code: 'BOOK', qty: 10, rate: 17.5 }],
      })
      const [{ row_id }] = agreed.items
      const { id: stranger } = await story.create('Customer', { customer_name: 'Stranger' })
      const ordered = (more: object, row: object): Promise<Shown> =>
        story.create('Sales Order', {
          customer,
          items: [{ item_code: 'BOOK', qty: 1, blanket_order: agreed.id, ...row }],
          ...more,
        })
      const field = 'items[0].blanket_order'
      await refusedFor(field, 'of the same customer', ordered({ customer: stranger }, {}))
      const late = ordered({ transaction_date: '2027-01-01' }, {})
      await refusedFor(field, 'valid from 2026-01-01 to 2026-12-31', late)
      await refusedFor(
        field,
        'is needed beside',
        ordered({}, { blanket_order_row: row_id, blanket_order: null }),
      )
      const first = await story.draftOf('Blanket Order', agreed.id, 'make_sales_order', {
        rows: [{ row_id, qty: 4 }],
      })
      assert.equal([first.grand_total, first.items[0].rate], [70, 17.5])
      await story.submit('Sales Order', first.id)
      assert.is((await story.get('Blanket Order', agreed.id)).status, 'Partly Ordered')
      const balance = await reportsOf(story)('blanket-order-balance', { customer })
      const columns = ['item_code', 'qty', 'ordered_qty', 'left_qty', 'rate', 'left_amount']
      assert.equal(rowsOf(balance, columns), [['BOOK', 10, 4, 6, 17.5, 105]])
      const rest = await story.draftOf('Blanket Order', agreed.id, 'make_sales_order')
      assert.is(rest.items[0].qty, 6)
      const [row] = rest.items
      await story.update('Sales Order', rest.id, { items: [{ row_id: row.row_id, qty: 7 }] })
      await story.submit('Sales Order', rest.id).then(
        () => assert.unreachable('11 of 10'),
        (error) => assert.match(String(error), 'more ordered than agreed'),
      )
      await story.update('Sales Order', rest.id, { items: [{ row_id: row.row_id, qty: 6 }] })
      await story.submit('Sales Order', rest.id)
      assert.is((await story.get('Blanket Order', agreed.id)).status, 'Ordered')
    })

    test('sending costs by what is sent', async () => {
      await story.create('Shipping Rule', {
        label: 'Parcel',
        account: 'Sales',
        calculate_based_on: 'Net Total',
        conditions: [
          { from_value: 0, to_value: 50, shipping_amount: 4.9 },
          { from_value: 50, shipping_amount: 0.9 },
        ],
      })
      const { id } = await story.create('Sales Order', {
        customer,
        items: [{ item_code: 'BOOK', qty: 2 }],
      })
      const sent = await story.act('Sales Order', id, 'add_shipping', { shipping_rule: 'Parcel' })
      assert.equal([sent.taxes[0].tax_amount, sent.grand_total], [4.9, 44.9])
      const again = await story.act('Sales Order', id, 'add_shipping', { shipping_rule: 'Parcel' })
      assert.is(again.grand_total, 44.9)
    })

    test('a coupon gives its price as often as it may', async () => {
      const rule = await story.create('Pricing Rule', {
        title: 'Fair',
        item_code: 'BOOK',
        discount_percentage: 25,
        coupon_code_based: true,
      })
      await story.create('Coupon Code', {
        coupon_name: 'Fair 2026',
        coupon_code: 'FAIR',
        pricing_rule: rule.id,
      })
      const plain = await story.create('Pricing Rule', {
        title: 'For All',
        item_code: 'BOOK',
        discount_percentage: 1,
        disable: true,
      })
      await refusedFor(
        'pricing_rule',
        'only for coupons',
        story.create('Coupon Code', { coupon_name: 'X', coupon_code: 'X', pricing_rule: plain.id }),
      )
      const order = (more: object = {}): Promise<Shown> =>
        story.make('Sales Order', { customer, items: [{ item_code: 'BOOK', qty: 1 }], ...more })
      assert.is((await order()).grand_total, 20)
      assert.is((await order({ coupon_code: 'Fair 2026' })).grand_total, 15)
      await order({ coupon_code: 'Fair 2026' }).then(
        () => assert.unreachable('used twice'),
        (error) => assert.match(String(error), 'was used 1 times already'),
      )
    })

    test('a till is opened, sells and is counted', async () => {
      await story.create('POS Profile', {
        name: 'Till',
        warehouse: 'Stores',
        payments: [{ mode_of_payment: 'Cash', default: true }],
      })
      const buy = (paid: number): Promise<Shown> =>
        sell(1, 20, { pos_profile: 'Till', payments: [{ mode_of_payment: 'Cash', amount: paid }] })
      await refusedFor('pos_profile', 'the till Till is not open', buy(20))
      const opened = await story.make('POS Opening Entry', {
        pos_profile: 'Till',
        balance_details: [{ mode_of_payment: 'Cash', opening_amount: 50 }],
      })
      await refusedFor(
        'pos_profile',
        'the till is open since',
        story.make('POS Opening Entry', { pos_profile: 'Till' }),
      )
      const invoice = await buy(20)
      assert.equal([invoice.is_pos, invoice.status], [true, 'Paid'])
      // Five dollars of change go back out of the drawer.
      assert.is((await buy(25)).change_amount, 5)
      const forgotten = await story.create('Sales Invoice', {
        customer,
        pos_profile: 'Till',
        items: [{ item_code: 'BOOK', qty: 1, rate: 20 }],
        payments: [{ mode_of_payment: 'Cash', amount: 20 }],
      })
      const draft = await story.create('POS Closing Entry', { pos_opening_entry: opened.id })
      await refusedFor(
        'payment_reconciliation',
        'have brought 0 of 45; run count_up',
        story.submit('POS Closing Entry', draft.id),
      )
      const counted = await story.act('POS Closing Entry', draft.id, 'count_up')
      const [{ row_id, expected_amount }] = counted.payment_reconciliation
      // 50 + 20 + 25 − 5
      assert.equal([expected_amount, counted.invoices, counted.grand_total], [90, 2, 40])
      await story.update('POS Closing Entry', draft.id, {
        payment_reconciliation: [{ row_id, closing_amount: 89.5 }],
      })
      assert.is((await story.submit('POS Closing Entry', draft.id)).difference, -0.5)
      assert.is((await story.get('POS Opening Entry', opened.id)).status, 'Closed')
      await refusedFor('pos_profile', 'the till Till is not open', buy(20))
      await refusedFor(
        'pos_profile',
        'the till Till was closed since',
        story.submit('Sales Invoice', forgotten.id),
      )
      await refusedFor(
        'pos_profile',
        'the till Till was counted with it',
        story.cancel('Sales Invoice', invoice.id),
      )
      const sold = await reportsOf(story)('pos-register', { pos_profile: 'Till' })
      assert.equal(rowsOf(sold, ['mode_of_payment', 'sold', 'paid', 'change']), [
        ['Cash', 20, 20, 0],
        ['Cash', 20, 25, 5],
      ])
      assert.equal(sold.totals, { sold: 40, paid: 45, change: 5 })
    })

    test('income of a service is booked by its days', async () => {
      await story.create('Account', {
        account_name: 'Prepaid Costs',
        root_type: 'Asset',
        parent_account: 'Current Assets',
      })
      await story.create('Item', {
        item_code: 'YEAR',
        item_name: 'A Quarter of Reading',
        is_stock_item: false,
        deferred_revenue_account: 'Deferred Income',
        deferred_expense_account: 'Prepaid Costs',
        no_of_months: 3,
      })
      const invoice = await story.make('Sales Invoice', {
        customer,
        posting_date: '2026-01-01',
        items: [{ item_code: 'YEAR', qty: 1, rate: 100 }],
      })
      assert.equal(await story.books(invoice.id), { Debtors: 100, 'Deferred Income': -100 })
      assert.is(invoice.items[0].service_end_date, '2026-03-31')
      const book = async (type: string, end_date: string): Promise<Shown> => {
        const { id } = await story.create('Process Deferred Accounting', { type, end_date })
        await story.act('Process Deferred Accounting', id, 'fetch_entries')
        return story.submit('Process Deferred Accounting', id)
      }
      // 31 and 28 of 90 days: 34.44 (34.444…), then 65.56 (65.555…) less 34.44.
      const january = await book('Income', '2026-01-31')
      assert.equal(await story.books(january.id), { 'Deferred Income': 34.44, Sales: -34.44 })
      const february = await book('Income', '2026-02-28')
      assert.is(february.total, 31.12)
      const march = await book('Income', '2026-03-31')
      assert.is(march.total, 34.44)
      const all = await story.books(invoice.id, january.id, february.id, march.id)
      assert.equal(all, { Debtors: 100, Sales: -100 })
      await refusedFor('entries', 'nothing is to be booked', book('Income', '2026-04-30'))
      const bill = await story.make('Purchase Invoice', {
        supplier,
        items: [
          {
            item_code: 'YEAR',
            qty: 1,
            rate: 30,
            expense_account: 'Rent',
            service_start_date: '2026-03-01',
            service_end_date: '2026-04-29',
          },
        ],
      })
      // 31 of 60 days.
      const spent = await book('Expense', '2026-03-31')
      assert.equal(await story.books(bill.id, spent.id), {
        'Prepaid Costs': 14.5,
        Creditors: -30,
        Rent: 15.5,
      })
    })

    test('a company numbers its papers as it wants, a cost center by itself', async () => {
      await story.create('Cost Center', { cost_center_name: 'Graz' })
      const series = (pattern: string, more: object = {}): Promise<Shown> =>
        story.create('Number Series', { document_type: 'Sales Invoice', pattern, ...more })
      const { id } = await series('RE/{YYYY}/{####}')
      await series('G-{YY}-{###}', { cost_center: 'Graz' })
      await refusedFor(
        'document_type',
        'numbers these documents by RE/{YYYY}/{####} already',
        series('X-{##}'),
      )
      const names = []
      for (const more of [{}, { cost_center: 'Graz' }, {}]) names.push((await sell(1, 1, more)).id)
      assert.equal(names, ['RE/2026/0001', 'G-26-001', 'RE/2026/0002'])
      await story.update('Number Series', id, { disabled: true })
      assert.match((await sell(1, 1)).id, /^SINV-2026-/)
      const wrong = await series('R{YYY}-{##}')
      await refusedFor('number_pattern', 'expected a pattern', sell(1, 1))
      await story.update('Number Series', wrong.id, { disabled: true })
    })

    test('an invoice to a company of your own is a bill there', async () => {
      await story.create('Company', {
        company_name: 'Acme Verlag',
        abbr: 'AV',
        default_currency: 'USD',
        country: 'United States',
        chart_of_accounts: 'General',
      })
      const { id: sister } = await story.create('Customer', {
        customer_name: 'Acme Verlag',
        represents_company: 'Acme Verlag',
      })
      await story.create('Supplier', { supplier_name: 'Acme Inc', represents_company: 'Acme Inc' })
      const invoice = await sell(3, 12, { customer: sister })
      const bill = await story.draftOf('Sales Invoice', invoice.id, 'make_inter_company_bill')
      assert.equal(
        [bill.company, bill.supplier_name, bill.bill_no, bill.grand_total],
        ['Acme Verlag', 'Acme Inc', invoice.id, 36],
      )
      await story.submit('Purchase Invoice', bill.id)
      assert.equal(await story.books(bill.id), {
        'Creditors - AV': -36,
        'Purchases - AV': 36,
      })
      const again = story.act('Sales Invoice', invoice.id, 'make_inter_company_bill')
      await again.then(
        () => assert.unreachable('billed twice'),
        (error) => assert.match(String(error), 'the bill is made already'),
      )
      assert.equal(await story.differences(), [])
    })
  },
)

import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

const DAY = 24 * 60 * 60 * 1000

forEachDatabaseWhenDeep('the work of a period', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Old Friend' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Landlord' })).id
    await story.create('Item', { item_code: 'ROOM', item_name: 'Room', is_stock_item: false })
  })
  test.after(() => story.close())

  const bill = (rate: number, more: object = {}): Promise<Shown> =>
    story.make('Purchase Invoice', {
      supplier,
      items: [{ item_code: 'ROOM', qty: 1, rate, expense_account: 'Rent' }],
      ...more,
    })

  test('what was left to pay before the books began is owed, aged and paid by number', async () => {
    const opened = await story.make('Opening Invoice', {
      customer,
      invoice_no: '2025-77',
      invoice_date: '2025-12-15',
      posting_date: '2026-01-01',
      amount: 120.5,
    })
    // 30 days from the day of the paper, which is before it was booked.
    assert.equal([opened.due_date, opened.status], ['2026-01-14', 'Overdue'])
    assert.equal(await story.books(opened.id), { Debtors: 120.5, 'Opening Balances': -120.5 })
    const bill = await story.make('Opening Bill', { supplier, bill_no: 'R-9', amount: 80 })
    assert.equal(await story.books(bill.id), { Creditors: -80, 'Opening Balances': 80 })
    const payment = await story.draftOf('Opening Invoice', opened.id, 'make_payment')
    await story.submit('Payment Entry', payment.id)
    assert.is((await story.get('Opening Invoice', opened.id)).status, 'Paid')
    await refusedAsConflict(story.make('Opening Bill', { supplier, bill_no: 'R-9', amount: 1 }))
  })

  test('a template makes the entry of an amount', async () => {
    const rows = [
      { account: 'Rent', side: 'Debit', percentage: 70 },
      { account: 'Marketing Expenses', side: 'Debit', percentage: 30 },
      { account: 'Bank', side: 'Credit' },
    ]
    await refusedFor(
      'accounts',
      'shares of both sides must be equal',
      story.create('Journal Entry Template', { template_title: 'X', accounts: rows.slice(1) }),
    )
    const template = { template_title: 'Studio', accounts: rows }
    const { id } = await story.create('Journal Entry Template', template)
    const entry = await story.draftOf('Journal Entry Template', id, 'make_entry', { amount: 99.99 })
    assert.is(entry.title, 'Studio')
    await story.submit('Journal Entry', entry.id)
    // 70 % of 99.99 = 69.993, 30 % = 29.997: 69.99 and 30.00.
    assert.equal(await story.books(entry.id), {
      Rent: 69.99,
      'Marketing Expenses': 30,
      Bank: -99.99,
    })
  })

  test('a document is made again each month, its dates as much later as its day', async () => {
    const first = await bill(500, { posting_date: '2026-03-31', due_date: '2026-04-10' })
    const { id } = await story.create('Auto Repeat', {
      reference_doctype: 'Purchase Invoice',
      reference_document: first.id,
      start_date: '2026-04-30',
      repeat_on_last_day: true,
      submit_on_creation: true,
      end_date: '2026-06-29',
    })
    await story.tick()
    assert.equal((await story.get('Auto Repeat', id)).documents_made, 0)
    story.clock.time = Date.parse('2026-06-01T12:00:00.000Z')
    await story.tick()
    await story.tick()
    const repeat = await story.get('Auto Repeat', id)
    assert.equal(
      [repeat.documents_made, repeat.next_schedule_date, repeat.status],
      [2, '2026-06-30', 'Completed'],
    )
    const made = (await story.all('Purchase Invoice', { supplier })).slice(1)
    assert.equal(
      made.map(({ posting_date, due_date, grand_total, status }) => [
        posting_date,
        due_date,
        grand_total,
        status,
      ]),
      [
        ['2026-04-30', '2026-05-10', 500, 'Overdue'],
        ['2026-05-31', '2026-06-10', 500, 'Unpaid'],
      ],
    )
    assert.is(repeat.last_document, made[1]!.id)
    story.clock.time -= 84 * DAY
  })

  test('so is an order, whose own days move along', async () => {
    const order = await story.make('Sales Order', {
      customer,
      transaction_date: '2026-03-02',
      delivery_date: '2026-03-05',
      items: [{ item_code: 'ROOM', qty: 1, rate: 30 }],
    })
    const { id } = await story.create('Auto Repeat', {
      reference_doctype: 'Sales Order',
      reference_document: order.id,
      frequency: 'Weekly',
      start_date: '2026-03-09',
    })
    await story.act('Auto Repeat', id, 'process')
    const { last_document, next_schedule_date } = await story.get('Auto Repeat', id)
    const next = await story.get('Sales Order', last_document)
    assert.equal(
      [next.transaction_date, next.delivery_date, next.items[0].delivery_date, next.status],
      ['2026-03-09', '2026-03-12', '2026-03-12', 'Draft'],
    )
    assert.is(next_schedule_date, '2026-03-16')
  })

  test('the bank is told what to pay, and the payments are booked at once', async () => {
    await story.create('Bank Account', { account_name: 'House Bank', account: 'Bank' })
    const bills = [await bill(300), await bill(45.6)]
    const requests: Shown[] = []
    for (const { id } of bills) {
      const draft = await story.draftOf('Purchase Invoice', id, 'request_payment')
      requests.push(await story.submit('Payment Request', draft.id))
    }
    const order = await story.make('Payment Order', {
      company_bank_account: 'House Bank',
      references: requests.map(({ id }) => ({ payment_request: id })),
    })
    assert.equal([order.total, order.status], [345.6, 'Ordered'])
    await refusedFor(
      'references[0].payment_request',
      `is ordered by ${order.id} already`,
      story.make('Payment Order', {
        company_bank_account: 'House Bank',
        references: [{ payment_request: requests[0]!.id }],
      }),
    )
    assert.is((await story.get('Payment Request', requests[0]!.id)).status, 'Payment Ordered')
    const paid = await story.act('Payment Order', order.id, 'make_payments', {
      reference_no: 'FILE-1',
    })
    assert.equal([paid.status, paid.payments_made], ['Paid', 2])
    const payments = paid._created.map(({ id }: Shown) => id)
    assert.equal(await story.books(...payments), { Creditors: 345.6, Bank: -345.6 })
    for (const { id } of bills) assert.is((await story.get('Purchase Invoice', id)).status, 'Paid')
    assert.is((await story.get('Payment Request', requests[1]!.id)).status, 'Paid')
  })

  test('tax is withheld from bills once they are large or many enough', async () => {
    await story.create('Tax Withholding Category', {
      category_name: 'Rent of Rooms',
      rates: [
        {
          from_date: '2026-01-01',
          to_date: '2026-12-31',
          tax_withholding_rate: 10,
          single_threshold: 1000,
          cumulative_threshold: 1500,
        },
      ],
      accounts: [{ company: 'Acme Inc', account: 'Output Tax' }],
    })
    const { id: owner } = await story.create('Supplier', {
      supplier_name: 'Owner',
      tax_withholding_category: 'Rent of Rooms',
    })
    const small = await bill(400, { supplier: owner })
    assert.equal([small.withheld_amount, small.outstanding_amount], [0, 400])
    // Large by itself: 10 % of 1,000. With the 400 before, it comes to 1,400.
    const large = await bill(1000, { supplier: owner })
    assert.equal([large.withheld_amount, large.outstanding_amount], [100, 900])
    assert.equal(await story.books(large.id), { Rent: 1000, Creditors: -900, 'Output Tax': -100 })
    // 1,700 in all: the 700 that nothing was withheld on, at once.
    const more = await bill(300, { supplier: owner })
    assert.equal([more.tax_withholding_net_total, more.withheld_amount], [700, 70])
    const payment = await story.draftOf('Purchase Invoice', large.id, 'make_payment')
    assert.is(payment.paid_amount, 900)
    await story.submit('Payment Entry', payment.id)
    assert.is((await story.get('Purchase Invoice', large.id)).status, 'Paid')
    const { data, totals } = await reportsOf(story)('tax-withholding', {
      from_date: '2026-03-01',
      to_date: '2026-03-31',
    })
    assert.equal([data.length, totals?.withheld], [2, 170])
  })

  test('a statement tells what was owed, charged and paid', async () => {
    const invoice = await story.make('Sales Invoice', {
      customer,
      posting_date: '2026-03-02',
      due_date: '2026-03-05',
      items: [{ item_code: 'ROOM', qty: 2, rate: 50 }],
    })
    await story.make('Payment Entry', {
      party: customer,
      paid_amount: 30,
      references: [{ sales_invoice: invoice.id, allocated_amount: 30 }],
    })
    const { id } = await story.create('Statement of Account', { party: customer })
    const statement = await story.act('Statement of Account', id, 'fetch_entries')
    // Opened with 120.50 in January; 100 on the 2nd; 120.50 and 30 paid on the 9th.
    assert.is(statement.opening_balance, 120.5)
    assert.equal(
      statement.entries.map(({ posting_date, charged, paid, balance }: Shown) => [
        posting_date,
        charged,
        paid,
        balance,
      ]),
      [
        ['2026-03-02', 100, 0, 220.5],
        ['2026-03-09', 0, 120.5, 100],
        ['2026-03-09', 0, 30, 70],
      ],
    )
    assert.is(statement.closing_balance, 70)
    const told = await reportsOf(story)('statement-of-account', {
      party: customer,
      from_date: '2026-03-01',
    })
    assert.equal(rowsOf(told, ['posting_date', 'charged', 'paid', 'balance']), [
      [null, 0, 0, 120.5],
      ['2026-03-02', 100, 0, 220.5],
      ['2026-03-09', 0, 120.5, 100],
      ['2026-03-09', 0, 30, 70],
    ])
    assert.equal(told.totals, { charged: 100, paid: 150.5 })
    assert.equal(await story.differences(), [])
  })
})

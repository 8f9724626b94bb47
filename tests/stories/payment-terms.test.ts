import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf, rowsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('payment terms', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      is_stock_item: false,
    })
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    await story.create('Payment Term', { payment_term_name: 'Down payment', invoice_portion: 30 })
    await story.create('Payment Term', {
      payment_term_name: 'End of next month',
      invoice_portion: 70,
      due_date_based_on: 'Month(s) after the end of the invoice month',
      credit_months: 1,
    })
    await story.create('Payment Terms Template', {
      template_name: 'Project',
      terms: [{ payment_term: 'Down payment' }, { payment_term: 'End of next month' }],
    })
  })
  test.after(() => story.close())

  const bill = (more: object = {}): Promise<Shown> =>
    story.make('Sales Invoice', {
      customer,
      items: [{ item_code: 'HOUR', qty: 1, rate: 99.99 }],
      ...more,
    })

  const pay = (sales_invoice: string, amount: number): Promise<Shown> =>
    story.make('Payment Entry', {
      party: customer,
      paid_amount: amount,
      references: [{ sales_invoice }],
    })

  const parts = ({ payment_schedule }: Shown): unknown[] =>
    payment_schedule.map(({ due_date, payment_amount, outstanding }: Shown) => [
      due_date,
      payment_amount,
      outstanding,
    ])

  test('become the parts of an invoice, to the cent', async () => {
    // 30 % of 99.99 = 29.997, 30.00; 70 % = 69.993, 69.99
    const invoice = await bill({ payment_terms_template: 'Project' })
    assert.equal(parts(invoice), [
      ['2026-03-09', 30, 30],
      ['2026-04-30', 69.99, 69.99],
    ])
    assert.equal([invoice.due_date, invoice.status], ['2026-04-30', 'Unpaid'])
    // A third each: 33.33 + 33.33 + 33.33 = 99.99 of 100, and 0.01 that the last part takes
    const thirds = await bill({
      items: [{ item_code: 'HOUR', qty: 1 }],
      payment_schedule: [
        { invoice_portion: 33.333333, due_date: '2026-03-10' },
        { invoice_portion: 33.333333, due_date: '2026-04-10' },
        { invoice_portion: 33.333334, due_date: '2026-05-10' },
      ],
    })
    assert.equal(
      parts(thirds).map((part) => (part as number[])[1]),
      [33.33, 33.33, 33.34],
    )
    assert.is(thirds.due_date, '2026-05-10')
  })

  test('stand with the customer, on the order and on its invoice', async () => {
    const known = await story.create('Customer', {
      customer_name: 'Grey Whale',
      payment_terms: 'Project',
    })
    const order = await story.make('Sales Order', {
      customer: known.id,
      items: [{ item_code: 'HOUR', qty: 2 }],
    })
    assert.equal(
      order.payment_schedule.map(({ due_date, payment_amount }: Shown) => [
        due_date,
        payment_amount,
      ]),
      [
        ['2026-03-09', 60],
        ['2026-04-30', 140],
      ],
    )
    story.clock.time = Date.parse('2026-04-02T12:00:00.000Z')
    const invoice = await story.draftOf('Sales Order', order.id, 'make_invoice')
    assert.equal(parts(invoice), [
      ['2026-04-02', 60, 0],
      ['2026-05-31', 140, 0],
    ])
    assert.is(invoice.due_date, '2026-05-31')
    story.clock.time = Date.parse('2026-03-09T12:00:00.000Z')
  })

  test('are settled in their order, and the invoice is overdue by the first unpaid part', async () => {
    const { id } = await bill({
      items: [{ item_code: 'HOUR', qty: 1 }],
      payment_terms_template: 'Project',
    })
    await pay(id, 20)
    // 100 − 20: 10 of the first part, all 70 of the second
    const partly = await story.get('Sales Invoice', id)
    assert.equal(parts(partly), [
      ['2026-03-09', 30, 10],
      ['2026-04-30', 70, 70],
    ])
    assert.is(partly.status, 'Partly Paid')
    story.clock.time = Date.parse('2026-03-10T12:00:00.000Z')
    await story.tick()
    assert.is((await story.get('Sales Invoice', id)).status, 'Overdue')
    await pay(id, 15)
    const later = await story.get('Sales Invoice', id)
    assert.equal(parts(later), [
      ['2026-03-09', 30, 0],
      ['2026-04-30', 70, 65],
    ])
    assert.is(later.status, 'Partly Paid')
    story.clock.time = Date.parse('2026-03-09T12:00:00.000Z')
  })

  test('must make up the whole', async () => {
    await refusedFor(
      'terms',
      'add up to 100 %',
      story.create('Payment Terms Template', {
        template_name: 'Odd',
        terms: [{ invoice_portion: 60 }, { invoice_portion: 30 }],
      }),
    )
    await refusedFor(
      'payment_schedule',
      'add up to 100 %, they are 50 %',
      bill({ payment_schedule: [{ invoice_portion: 50, due_date: '2026-03-10' }] }),
    )
    await refusedFor(
      'payment_schedule[0].due_date',
      'before the date of the invoice, 2026-03-09',
      bill({ payment_schedule: [{ invoice_portion: 100, due_date: '2026-03-08' }] }),
    )
  })

  test('hold for bills of suppliers too', async () => {
    await story.update('Supplier', supplier, { payment_terms: 'Half in Advance' })
    const bought = await story.make('Purchase Invoice', {
      supplier,
      items: [{ item_code: 'HOUR', qty: 1, rate: 70.01 }],
    })
    // 50 % of 70.01 = 35.005, 35.01, and 35.00 is left for the second half
    assert.equal(parts(bought), [
      ['2026-03-09', 35.01, 35.01],
      ['2026-04-08', 35, 35],
    ])
    assert.is(bought.due_date, '2026-04-08')
  })

  const AGED = ['due_date', 'invoiced', 'paid', 'credit_note', 'outstanding', 'age']
  const BUCKETS = ['bucket1', 'bucket2', 'bucket3', 'bucket4', 'bucket5']
  const THREE = [
    { invoice_portion: 30, due_date: '2026-03-10' },
    { invoice_portion: 30, due_date: '2026-04-10' },
    { invoice_portion: 40, due_date: '2026-05-10' },
  ]

  test('are aged part by part', async () => {
    const owing = (await story.create('Customer', { customer_name: 'Right Whale' })).id
    const items = [{ item_code: 'HOUR', qty: 10 }]
    const invoice = await bill({ customer: owing, items, payment_schedule: THREE })
    await story.make('Payment Entry', {
      party: owing,
      posting_date: '2026-03-20',
      paid_amount: 400,
      references: [{ sales_invoice: invoice.id }],
    })
    const back = await story.draftOf('Sales Invoice', invoice.id, 'make_return')
    await story.update('Sales Invoice', back.id, {
      posting_date: '2026-04-20',
      items: [{ item_code: 'HOUR', qty: -2.5, sales_invoice_item: invoice.items[0].row_id }],
    })
    await story.submit('Sales Invoice', back.id)
    const report = reportsOf(story)
    const aged = async (report_date: string, more: object = {}) =>
      report('accounts-receivable', { party: owing, report_date, ...more })
    const eachPart = { based_on_payment_terms: 'true' }

    // Before the payment: 300 + 300 + 400, 5 days after the first day
    const first = await aged('2026-03-15')
    assert.equal(rowsOf(first, AGED), [['2026-03-10', 1000, 0, 0, 1000, 5]])
    assert.equal(rowsOf(first, BUCKETS), [[1000, 0, 0, 0, 0]])
    // 400 are paid: all of the first part, 100 of the second. 20 days of April, less 10
    const second = await aged('2026-04-15')
    assert.equal(rowsOf(second, AGED), [['2026-04-10', 1000, 400, 0, 600, 5]])
    assert.equal(rowsOf(await aged('2026-04-15', eachPart), AGED), [
      ['2026-04-10', 300, 100, 0, 200, 5],
      ['2026-05-10', 400, 0, 0, 400, 0],
    ])
    // 250 are credited on 20 April: the other 200 of the second part, 50 of the third. 5 + 20 days of May
    assert.equal(rowsOf(await aged('2026-06-04', eachPart), AGED), [
      ['2026-05-10', 400, 0, 50, 350, 25],
    ])
    // On 19 April the second is 9 days late and the third not due; by the day of posting both are 41 days old
    const ranges = { range1: '8', range2: '40' }
    const late = await aged('2026-04-19', ranges)
    assert.equal(rowsOf(late, BUCKETS), [[400, 200, 0, 0, 0]])
    const posted = await aged('2026-04-19', { ...ranges, ageing_based_on: 'Posting Date' })
    assert.equal(rowsOf(posted, [...BUCKETS, 'age']), [[0, 0, 600, 0, 0, 41]])
    const summary = await report('accounts-receivable-summary', {
      party: owing,
      report_date: '2026-04-19',
      ...ranges,
    })
    assert.equal(rowsOf(summary, ['invoiced', 'paid', 'outstanding', ...BUCKETS]), [
      [1000, 400, 600, 400, 200, 0, 0, 0],
    ])
    assert.equal(summary.totals?.bucket2, 200)
  })

  test('are aged in the currency of the company to the cent, and a note that takes nothing back has no parts', async () => {
    const owing = (
      await story.create('Customer', { customer_name: 'Wal', default_currency: 'EUR' })
    ).id
    const thirds = ['2026-03-10', '2026-04-10', '2026-05-10'].map((due_date, index) => ({
      invoice_portion: index === 2 ? 33.333334 : 33.333333,
      due_date,
    }))
    const { id } = await bill({ customer: owing, conversion_rate: 1.1, payment_schedule: thirds })
    await story.make('Payment Entry', {
      party: owing,
      paid_amount: 33.33,
      conversion_rate: 1.1,
      references: [{ sales_invoice: id }],
    })
    await bill({
      customer: owing,
      conversion_rate: 1.1,
      is_return: true,
      payment_schedule: THREE,
      items: [{ item_code: 'HOUR', qty: -1, rate: 10 }],
    })
    // 33.33 × 1.1 = 36.663, 36.66 paid and 36.66 open; 99.99 × 1.1 = 109.989, 109.99, less twice 36.66 = 36.67
    const params = { party: owing, report_date: '2026-05-20', based_on_payment_terms: 'true' }
    const found = await reportsOf(story)('accounts-receivable', params)
    assert.equal(rowsOf(found, AGED), [
      ['2026-04-10', 36.66, 0, 0, 36.66, 40],
      ['2026-05-10', 36.67, 0, 0, 36.67, 10],
      ['2026-05-10', 0, 0, 11, -11, 10],
    ])
    assert.is(found.totals?.outstanding, 62.33)
  })

  test('are aged for bills of suppliers too', async () => {
    // Half of 70.01 since 9 March, 22 + 20 days; the other half since 8 April
    const params = { party: supplier, report_date: '2026-04-20' }
    const found = await reportsOf(story)('accounts-payable', params)
    assert.equal(rowsOf(found, ['outstanding', 'age', ...BUCKETS]), [
      [70.01, 42, 35, 35.01, 0, 0, 0],
    ])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

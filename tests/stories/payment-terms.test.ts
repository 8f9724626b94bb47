import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
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

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

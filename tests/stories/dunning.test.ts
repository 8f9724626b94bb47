import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('dunnings', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let dunning: Shown
  const invoices: string[] = []

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      is_stock_item: false,
    })
    await story.create('Dunning Type', {
      dunning_type: 'Second reminder',
      dunning_fee: 15,
      rate_of_interest: 9,
    })
    for (const [posting_date, due_date, qty] of [
      ['2025-12-01', '2025-12-29', 10],
      ['2026-01-10', '2026-02-07', 2],
      ['2026-03-01', '2026-03-31', 5],
    ])
      invoices.push(
        (
          await story.make('Sales Invoice', {
            customer,
            posting_date,
            due_date,
            items: [{ item_code: 'HOUR', qty }],
          })
        ).id,
      )
  })
  test.after(() => story.close())

  test('take in what is overdue, with interest and a fee', async () => {
    const { id } = await story.create('Dunning', { customer, dunning_type: 'Second reminder' })
    await refusedFor('overdue_payments', 'needs invoices', story.submit('Dunning', id))
    await story.act('Dunning', id, 'fetch_overdue')
    dunning = await story.submit('Dunning', id)
    // 1,000 for 70 days: 1,000 × 9 % × 70 / 365 = 17.26; 200 for 30 days: 1.48
    assert.equal(
      dunning.overdue_payments.map((row: Shown) => [
        row.sales_invoice,
        row.outstanding,
        row.overdue_days,
        row.interest,
      ]),
      [
        [invoices[0], 1000, 70, 17.26],
        [invoices[1], 200, 30, 1.48],
      ],
    )
    assert.equal(
      [dunning.total_outstanding, dunning.dunning_amount, dunning.grand_total, dunning.status],
      [1200, 33.74, 1233.74, 'Unresolved'],
    )
    assert.match(dunning.body_text, /not received your payment/)
    assert.equal(await story.books(dunning.id), {})
  })

  test('ask for what is unpaid when they are submitted, not for what was when they were written', async () => {
    const bill = await story.make('Sales Invoice', {
      customer,
      posting_date: '2025-11-01',
      due_date: '2025-11-29',
      items: [{ item_code: 'HOUR', qty: 3 }],
    })
    const draft = () =>
      story.create('Dunning', { customer, overdue_payments: [{ sales_invoice: bill.id }] })
    const pay = (paid_amount: number) =>
      story.make('Payment Entry', {
        party: customer,
        paid_amount,
        references: [{ sales_invoice: bill.id, allocated_amount: paid_amount }],
      })
    const [early, late] = [await draft(), await draft()]
    await pay(100)
    assert.is((await story.submit('Dunning', early.id)).total_outstanding, 200)
    await pay(200)
    await refusedFor(
      'overdue_payments[0].reference_name',
      'is not overdue on 2026-03-09: 0 outstanding',
      story.submit('Dunning', late.id),
    )
  })

  test('are resolved by the payment of all, fee and interest included', async () => {
    const draft = await story.draftOf('Dunning', dunning.id, 'make_payment')
    const payment = await story.submit('Payment Entry', draft.id)
    assert.equal(
      [payment.paid_amount, payment.total_allocated_amount, payment.unallocated_amount],
      [1233.74, 1200, 0],
    )
    assert.equal(await story.books(payment.id), {
      Bank: 1233.74,
      Debtors: -1200,
      'Interest Income': -33.74,
    })
    assert.is((await story.get('Dunning', dunning.id)).status, 'Unresolved')
    story.clock.time = Date.parse('2026-03-10T12:00:00.000Z')
    await story.tick()
    const now = await story.get('Dunning', dunning.id)
    assert.equal([now.status, now.still_outstanding], ['Resolved', 0])
    assert.equal(
      now.overdue_payments.map((row: Shown) => row.outstanding),
      [1000, 200],
    )
    assert.equal(
      (await story.events(dunning.id)).filter((kind) => kind !== 'updated'),
      ['created', 'submitted', 'resolved'],
    )
  })

  test('name invoices of the customer alone, which are overdue', async () => {
    const other = (await story.create('Customer', { customer_name: 'Grey Whale' })).id
    const of = (sales_invoice: string, more: object = {}): Promise<Shown> =>
      story.make('Dunning', { customer, overdue_payments: [{ sales_invoice }], ...more })
    await refusedFor(
      'overdue_payments[0].reference_name',
      'is not overdue on 2026-03-10',
      of(invoices[2]!),
    )
    await refusedFor(
      'overdue_payments[0].reference_name',
      'is not overdue on 2026-03-10',
      of(invoices[0]!),
    )
    await refusedFor('overdue_payments', 'of the customer', of(invoices[2]!, { customer: other }))
    story.clock.time = Date.parse('2026-04-10T12:00:00.000Z')
    await of(invoices[2]!)
    const again = await of(invoices[2]!)
    assert.is(again.overdue_payments[0].dunning_level, 1)
    await story.make('Payment Entry', {
      party: customer,
      paid_amount: 500,
      references: [{ sales_invoice: invoices[2] }],
    })
    assert.is((await story.act('Dunning', again.id, 'refresh')).status, 'Resolved')
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

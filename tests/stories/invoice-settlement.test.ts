import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('invoices paid at once, written off and settled with advances', (suite) => {
  const { test, fresh } = suite
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      standard_buying_rate: 100,
      is_stock_item: false,
    })
    for (const [date, exchange_rate] of [
      ['2026-03-01', 1.08],
      ['2026-03-09', 1.1],
    ])
      await story.create('Currency Exchange', {
        date,
        from_currency: 'EUR',
        to_currency: 'USD',
        exchange_rate,
      })
  })
  test.before.each(async () => {
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
  })
  test.after(() => story.close())

  const draft = (qty: number, more: object = {}): Promise<Shown> =>
    story.create('Sales Invoice', { customer, items: [{ item_code: 'HOUR', qty }], ...more })
  const sell = async (qty: number, more: object = {}): Promise<Shown> =>
    story.submit('Sales Invoice', (await draft(qty, more)).id)
  const cash = (amount: number, mode_of_payment = 'Cash'): object => ({
    is_pos: true,
    payments: [{ mode_of_payment, amount }],
  })
  const pay = (paid_amount: number, more: object = {}): Promise<Shown> =>
    story.make('Payment Entry', { party: customer, paid_amount, ...more })
  const stateOf = async (id: string, doctype = 'Sales Invoice'): Promise<readonly unknown[]> => {
    const { outstanding_amount, paid_amount, status } = await story.get(doctype, id)
    return [outstanding_amount, paid_amount, status]
  }
  const left = async (...payments: readonly Shown[]): Promise<readonly number[]> => {
    const found = await Promise.all(payments.map(({ id }) => story.get('Payment Entry', id)))
    return found.map(
      ({ unallocated_amount, reconciled_amount }) => unallocated_amount - reconciled_amount,
    )
  }

  test('what is sold for cash is paid at once, with change; the credit note pays it back', async () => {
    // 100 and 20 % are 120; of 130 in cash 10 go back
    const sold = await sell(1, { taxes_and_charges: 'VAT 20 %', ...cash(130) })
    assert.equal(
      [sold.outstanding_amount, sold.paid_amount, sold.change_amount, sold.status],
      [0, 120, 10, 'Paid'],
    )
    assert.ok(sold.paid_at)
    assert.equal(await story.events(sold.id), ['created', 'submitted', 'paid'])
    assert.equal(await story.books(sold.id), { Cash: 120, Sales: -100, 'Output Tax': -20 })
    assert.is((await story.get('Customer', customer)).outstanding_total, 0)

    const { id } = await story.draftOf('Sales Invoice', sold.id, 'make_return')
    await story.update('Sales Invoice', id, cash(-120))
    assert.equal(await stateOf(id), [0, -120, 'Draft'])
    await story.submit('Sales Invoice', id)
    assert.equal(await story.books(id), { Cash: -120, Sales: 100, 'Output Tax': 20 })
    assert.equal(await stateOf(sold.id), [0, 0, 'Credit Note Issued'])
    await story.cancel('Sales Invoice', id)
    assert.equal(await stateOf(sold.id), [0, 120, 'Paid'])
    await story.cancel('Sales Invoice', sold.id)
    assert.equal(await story.books(sold.id), {})
  })

  test('a part is paid at once, a part is written off, the rest is paid later', async () => {
    const sold = await sell(1, { write_off_amount: 0.5, ...cash(60, 'Bank Transfer') })
    assert.equal(await stateOf(sold.id), [39.5, 60, 'Partly Paid'])
    assert.equal(await story.books(sold.id), {
      Debtors: 39.5,
      Bank: 60,
      'Write Off': 0.5,
      Sales: -100,
    })
    const payment = await story.draftOf('Sales Invoice', sold.id, 'make_payment')
    assert.is(payment.paid_amount, 39.5)
    await story.submit('Payment Entry', payment.id)
    assert.equal(await stateOf(sold.id), [0, 99.5, 'Paid'])
  })

  test('only cash gives change, and nothing takes more than is to be paid', async () => {
    await refusedFor('payments', 'only cash', draft(1, cash(130, 'Bank Transfer')))
    await refusedFor('payments', 'turn on is_pos', draft(1, { ...cash(10), is_pos: false }))
    await refusedFor('payments[0].amount', 'above 0', draft(1, cash(-10)))
    await refusedFor('write_off_amount', 'more is written off', draft(1, { write_off_amount: 101 }))
    const debtors = [{ mode_of_payment: 'Cash', account: 'Debtors', amount: 5 }]
    await refusedFor(
      'payments',
      'accounts of your own',
      draft(1, { is_pos: true, payments: debtors }),
    )
    const credit = { is_return: true, items: [{ item_code: 'HOUR', qty: -1 }] }
    await refusedFor('payments', 'more is taken', draft(1, { ...credit, ...cash(-101) }))
    await refusedFor(
      'write_off_amount',
      'more is written',
      draft(1, { ...credit, write_off_amount: 1 }),
    )
  })

  test('payments that came before settle the invoice, oldest first', async () => {
    const first = await pay(30, { posting_date: '2026-03-02' })
    const second = await pay(50, { posting_date: '2026-03-01' })
    const { id } = await draft(0.6)
    const filled = await story.act('Sales Invoice', id, 'get_advances')
    assert.equal(
      filled.advances.map((row: Shown) => [
        row.reference_name,
        row.advance_amount,
        row.allocated_amount,
      ]),
      [
        [second.id, 50, 50],
        [first.id, 30, 10],
      ],
    )
    await story.submit('Sales Invoice', id)
    assert.equal(await stateOf(id), [0, 0, 'Paid'])
    assert.equal(await left(first, second), [20, 0])
    assert.equal(
      (await story.events(id)).filter((kind) => kind !== 'updated'),
      ['created', 'submitted', 'paid'],
    )
    await refusedAsConflict(story.cancel('Payment Entry', second.id))

    const other = await story.create('Customer', { customer_name: 'Another' })
    const row = (payment: Shown, more: object = {}): object => ({
      advances: [{ reference_name: payment.id, ...more }],
    })
    const foreign = draft(1, { customer: other.id, ...row(first) })
    await refusedFor('advances[0].reference_name', "must be the customer's", foreign)
    await refusedFor(
      'advances[0].allocated_amount',
      'more is taken than is left',
      sell(1, row(first, { allocated_amount: 21 })),
    )
    await refusedFor('payments', 'more is taken', draft(0.1, row(first, { allocated_amount: 20 })))
    await refusedFor('advances', 'only what is owed', draft(-1, { is_return: true, ...row(first) }))

    await story.cancel('Sales Invoice', id)
    assert.equal(await left(first, second), [30, 50])
    await story.cancel('Payment Entry', second.id)
  })

  test('and do so by themselves where the invoice says so', async () => {
    const payments = [await pay(30), await pay(50), await pay(70)]
    const sold = await sell(0.9, { allocate_advances_automatically: true, ...cash(20) })
    // 90 less 20 in cash: 30, then 40 of the 50
    assert.equal([sold.outstanding_amount, sold.status], [0, 'Paid'])
    assert.equal(await left(...payments), [0, 10, 70])
    assert.is((await story.get('Customer', customer)).outstanding_total, 0)
    await story.cancel('Sales Invoice', sold.id)
    assert.equal(await left(...payments), [30, 50, 70])
  })

  test('in foreign money the advance is worth what it was, and cents go to round off', async () => {
    const euros = { currency: 'EUR' }
    // 100 euros came for 108 dollars; they settle 110 dollars of the invoice
    const advance = await pay(100, { ...euros, posting_date: '2026-03-02' })
    const items = [{ item_code: 'HOUR', qty: 1, rate: 100 }]
    const sold = await sell(1, { ...euros, items, allocate_advances_automatically: true })
    assert.is(sold.outstanding_amount, 0)
    const [entry] = (await story.all('Journal Entry')).slice(-1)
    assert.equal(await story.books(advance.id, sold.id, entry!.id), {
      Bank: 108,
      Sales: -110,
      'Exchange Gain and Loss': 2,
    })
    // Each row of 10.05 euros is 11.06 dollars; 20.10 euros in cash are 22.11
    const row = { item_code: 'HOUR', qty: 1, rate: 10.05 }
    const paid = await sell(1, { ...euros, items: [row, row], ...cash(20.1) })
    assert.is(paid.outstanding_amount, 0)
    assert.equal(await story.books(paid.id), { Cash: 22.11, 'Round Off': 0.01, Sales: -22.12 })
  })

  test('a bill is paid at once, written off and settled with advances alike', async () => {
    const buy = (more: object): Promise<Shown> =>
      story.make('Purchase Invoice', { supplier, items: [{ item_code: 'HOUR', qty: 1 }], ...more })
    const bill = await buy({ is_paid: true, mode_of_payment: 'Cash', write_off_amount: 5 })
    assert.equal([bill.outstanding_amount, bill.paid_amount, bill.status], [0, 95, 'Paid'])
    assert.equal(await story.books(bill.id), { Cash: -95, 'Write Off': -5, Purchases: 100 })
    const { id } = await story.draftOf('Purchase Invoice', bill.id, 'make_return')
    await story.update('Purchase Invoice', id, { is_paid: true, cash_amount: -95 })
    await story.submit('Purchase Invoice', id)
    assert.equal(await story.books(id), { Bank: 95, Creditors: 5, Purchases: -100 })
    assert.equal(await stateOf(bill.id, 'Purchase Invoice'), [-5, 0, 'Debit Note Issued'])

    const pays = { payment_type: 'Pay', party_type: 'Supplier', party: supplier }
    const advances = [await pay(30, pays), await pay(50, pays)]
    const draftBill = await story.create('Purchase Invoice', {
      supplier,
      items: [{ item_code: 'HOUR', qty: 1 }],
      is_paid: true,
      cash_amount: 40,
    })
    const { advances: taken } = await story.act('Purchase Invoice', draftBill.id, 'get_advances')
    // 100 less 40: 30, then 30 of the 50
    assert.equal(
      taken.map(({ allocated_amount }: Shown) => allocated_amount),
      [30, 30],
    )
    await refusedFor(
      'cash_amount',
      'more is taken',
      story.update('Purchase Invoice', draftBill.id, { cash_amount: 41 }),
    )
    await story.submit('Purchase Invoice', draftBill.id)
    assert.equal(await stateOf(draftBill.id, 'Purchase Invoice'), [0, 40, 'Paid'])
    assert.equal(await left(...advances), [0, 20])
    await story.cancel('Purchase Invoice', draftBill.id)
    const auto = await buy({ allocate_advances_automatically: true })
    assert.equal(await stateOf(auto.id, 'Purchase Invoice'), [20, 0, 'Partly Paid'])
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

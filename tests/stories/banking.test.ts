import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('bank statements and payments', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string
  let account: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Timber Co' })).id
    await story.create('Account', {
      account_name: 'Savings',
      root_type: 'Asset',
      account_type: 'Bank',
    })
    account = (
      await story.create('Bank Account', {
        account_name: 'Giro',
        account: 'Bank',
        opening_balance: 1000,
      })
    ).id
  })
  test.after(() => story.close())

  const line = (amount: number, more: object = {}): Promise<Shown> =>
    story.make('Bank Transaction', { bank_account: account, date: '2026-03-09', amount, ...more })

  const payment = (payment_type: string, paid_amount: number, more: object = {}): Promise<Shown> =>
    story.make('Payment Entry', {
      payment_type,
      party_type: payment_type === 'Pay' ? 'Supplier' : 'Customer',
      party: payment_type === 'Pay' ? supplier : customer,
      paid_amount,
      ...more,
    })

  const match = (transaction: Shown, payment_entry: string, more: object = {}): Promise<Shown> =>
    story.act('Bank Transaction', transaction.id, 'match', { payment_entry, ...more })

  const clearedOn = async (doctype: string, id: string): Promise<unknown> =>
    (await story.get(doctype, id)).clearance_date

  test('the balance follows the transactions', async () => {
    const { id } = await story.create('Bank Account', { account_name: 'Till', opening_balance: 50 })
    const start = await story.get('Bank Account', id)
    assert.equal([start.currency, start.company, start.balance], ['USD', 'Acme Inc', 50])
    const first = await line(120.5, { bank_account: id })
    assert.equal([first.deposit, first.withdrawal, first.currency], [120.5, 0, 'USD'])
    const second = await line(-20.25, { bank_account: id, date: '2026-03-11' })
    assert.equal([second.deposit, second.withdrawal], [0, 20.25])
    // 50 + 120.50 − 20.25
    const after = await story.get('Bank Account', id)
    assert.equal(
      [after.balance, after.movements, after.unreconciled_amount],
      [150.25, 100.25, 100.25],
    )
    assert.is(after.last_transaction_date, '2026-03-11')
    assert.equal(await story.events(id), [
      'created',
      'updated',
      'balance_updated',
      'updated',
      'balance_updated',
    ])
    await story.cancel('Bank Transaction', second.id)
    assert.is((await story.get('Bank Account', id)).balance, 170.5)
  })

  test('a line is matched to its payment and taken apart again; the payment knows when it was cleared', async () => {
    const paid = await payment('Receive', 300)
    const transaction = await line(300, { date: '2026-03-05' })
    assert.equal(
      [transaction.status, transaction.unallocated_amount, transaction.deposit],
      ['Unreconciled', 300, 300],
    )
    const before = (await story.get('Bank Account', account)).unreconciled_amount
    const matched = await match(transaction, paid.id)
    assert.equal(
      [matched.status, matched.matched_to, matched.allocated_amount, matched.unallocated_amount],
      ['Reconciled', paid.id, 300, 0],
    )
    assert.is(matched.reconciled_at, '2026-03-09T12:00:00.000Z')
    assert.is((await story.get('Payment Entry', paid.id)).bank_matches, 1)
    assert.is(await clearedOn('Payment Entry', paid.id), '2026-03-05')
    assert.is((await story.get('Bank Account', account)).unreconciled_amount, before - 300)
    await refusedAsConflict(match(transaction, paid.id))
    await refusedAsConflict(story.cancel('Payment Entry', paid.id))

    const apart = await story.act('Bank Transaction', transaction.id, 'unmatch')
    assert.equal(
      [apart.status, apart.matched_to, apart.reconciled_at, apart.allocated_amount],
      ['Unreconciled', null, null, 0],
    )
    assert.is(await clearedOn('Payment Entry', paid.id), null)
    await story.cancel('Payment Entry', paid.id)
    const kinds = (await story.events(transaction.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'submitted', 'matched', 'reconciled'])
  })

  test('a draft is pending, can be matched too, and holds its payment', async () => {
    const paid = await payment('Receive', 33)
    const draft = await story.create('Bank Transaction', {
      bank_account: account,
      date: '2026-03-05',
      deposit: 33,
      payment_entries: [{ payment_document: 'Payment Entry', payment_entry: paid.id }],
    })
    assert.equal([draft.amount, draft.status, draft.allocated_amount], [33, 'Reconciled', 33])
    await refusedFor('bank_matches', 'unmatch', story.cancel('Payment Entry', paid.id))
    const open = await story.update('Bank Transaction', draft.id, { payment_entries: [] })
    assert.is(open.status, 'Pending')
    await refusedFor('amount', 'must be the deposit', line(34, { deposit: 33 }))
  })

  test('several payments make up one line, never over its amount', async () => {
    const [one, two, three] = [
      await payment('Receive', 70),
      await payment('Receive', 30),
      await payment('Receive', 5),
    ]
    const transaction = await line(100)
    const partly = await match(transaction, one.id)
    assert.equal([partly.status, partly.unallocated_amount], ['Unreconciled', 30])
    await refusedFor(
      'payment_entries[1].payment_entry',
      'is named twice',
      match(transaction, one.id),
    )
    await refusedFor(
      'payment_entries',
      'more is allocated than the amount of the line',
      match(transaction, two.id, { allocated_amount: 30 }).then(() =>
        story.revise('Bank Transaction', transaction.id, {
          payment_entries: [one, two, three].map(({ id }) => ({ payment_entry: id })),
        }),
      ),
    )
    const whole = await story.get('Bank Transaction', transaction.id)
    assert.equal(
      [whole.status, whole.matched_to, whole.unallocated_amount],
      ['Reconciled', one.id, 0],
    )
    assert.equal(
      whole.payment_entries.map((row: Shown) => [row.payment_entry, row.allocated_amount]),
      [
        [one.id, 70],
        [two.id, 30],
      ],
    )
    const less = await story.act('Bank Transaction', transaction.id, 'unmatch', {
      payment_entry: one.id,
    })
    assert.equal(
      [less.status, less.matched_to, less.unallocated_amount],
      ['Unreconciled', two.id, 70],
    )
  })

  test('several lines make up one payment, never over its amount; it is cleared by the last', async () => {
    const paid = await payment('Receive', 70)
    const [one, two] = [
      await line(50, { date: '2026-03-04' }),
      await line(50, { date: '2026-03-06' }),
    ]
    await match(one, paid.id)
    assert.is(await clearedOn('Payment Entry', paid.id), null)
    await refusedFor(
      'payment_entries[0].allocated_amount',
      'more is allocated than is left of the voucher',
      match(two, paid.id, { allocated_amount: 20.01 }),
    )
    // 70 − 50
    const second = await match(two, paid.id)
    assert.equal([second.allocated_amount, second.unallocated_amount], [20, 30])
    assert.is(await clearedOn('Payment Entry', paid.id), '2026-03-06')
    await refusedFor(
      'payment_entries[0].allocated_amount',
      'is left of the voucher',
      match(await line(1), paid.id, { allocated_amount: 1 }),
    )
    await story.cancel('Bank Transaction', one.id)
    assert.is(await clearedOn('Payment Entry', paid.id), null)
  })

  test('lines that want one payment at once do not get more of it than there is', async () => {
    const paid = await payment('Receive', 100)
    const lines = await Promise.all([line(40), line(40), line(40), line(40)])
    const outcomes = await Promise.allSettled(
      lines.map((one) => match(one, paid.id, { allocated_amount: 40 })),
    )
    // 40 + 40; with a third it would be 120
    assert.is(outcomes.filter(({ status }) => status === 'fulfilled').length, 2)
    assert.is((await story.get('Payment Entry', paid.id)).bank_matches, 2)
    const wanted = await Promise.all([payment('Receive', 60), payment('Receive', 60)])
    const both = await line(100)
    await Promise.allSettled(wanted.map(({ id }) => match(both, id, { allocated_amount: 60 })))
    assert.is((await story.get('Bank Transaction', both.id)).allocated_amount, 60)
  })

  test('direction, account and state of the payment have to fit', async () => {
    const transaction = await line(80)
    const refused = async (
      words: string,
      paid: Shown,
      field = 'payment_entries[0].payment_entry',
    ): Promise<void> => refusedFor(field, words, match(transaction, paid.id))
    await refused(
      'booked -80 on the account of the bank, the line has 80',
      await payment('Pay', 80),
    )
    await refused(
      'booked 0 on the account of the bank',
      await payment('Receive', 80, { mode_of_payment: 'Cash' }),
    )
    const other = await story.create('Bank Account', { account_name: 'Other', account: 'Bank' })
    await refused(
      'another bank account',
      await payment('Receive', 80, { bank_account: other.id, paid_to: 'Bank' }),
      'payment_entries',
    )
    const draft = await story.create('Payment Entry', {
      party: customer,
      payment_type: 'Receive',
      paid_amount: 80,
    })
    await refused('booked 0', draft)
    await match(transaction, (await payment('Receive', 80, { bank_account: account })).id)
    const out = await line(-45)
    await match(out, (await payment('Pay', 45)).id)
  })

  test('a transfer between own accounts stands for a line of each', async () => {
    const savings = await story.create('Bank Account', {
      account_name: 'Saved',
      account: 'Savings',
    })
    const transfer = await payment('Internal Transfer', 500, {
      party: null,
      paid_from: 'Bank',
      paid_to: 'Savings',
    })
    const out = await line(-500)
    const into = await line(500, { bank_account: savings.id })
    await refusedFor(
      'payment_entries[0].payment_entry',
      'booked -500',
      match(await line(500), transfer.id),
    )
    await match(out, transfer.id)
    assert.is(await clearedOn('Payment Entry', transfer.id), null)
    await match(into, transfer.id)
    assert.is(await clearedOn('Payment Entry', transfer.id), '2026-03-09')
    await refusedFor(
      'payment_entries[0].allocated_amount',
      'must be above 0',
      match(await line(-500), transfer.id),
    )
  })

  test('money in another currency is compared in the currency of the account', async () => {
    await story.create('Currency Exchange', {
      from_currency: 'EUR',
      to_currency: 'USD',
      date: '2026-01-01',
      exchange_rate: 1.25,
    })
    const abroad = await story.create('Customer', {
      customer_name: 'Wal GmbH',
      default_currency: 'EUR',
    })
    // 100 € at 1.25 come as 125 $
    const paid = await payment('Receive', 100, { party: abroad.id })
    const matched = await match(await line(125), paid.id)
    assert.equal([matched.payment_entries[0].voucher_amount, matched.status], [125, 'Reconciled'])
  })

  test('a journal entry stands for a line, or is made of what is left of it', async () => {
    const entry = await story.make('Journal Entry', {
      accounts: [
        { account: 'Rent', debit: 90 },
        { account: 'Bank', credit: 90 },
      ],
    })
    const out = await line(-95.5, { reference_number: 'R-3' })
    const partly = await match(out, entry.id, { payment_document: 'Journal Entry' })
    // 95.50 − 90
    assert.is(partly.unallocated_amount, 5.5)
    assert.is(await clearedOn('Journal Entry', entry.id), '2026-03-09')
    const done = await story.act('Bank Transaction', out.id, 'make_journal_entry', {
      account: 'Bank Charges',
    })
    assert.equal([done.status, done.payment_entries.length], ['Reconciled', 2])
    assert.equal(await story.books(done._created[0].id), { 'Bank Charges': 5.5, Bank: -5.5 })
    await story.act('Bank Transaction', out.id, 'unmatch', { payment_entry: entry.id })
    assert.is(await clearedOn('Journal Entry', entry.id), null)
    await story.cancel('Journal Entry', entry.id)
  })

  test('a payment is made of a line, for an invoice', async () => {
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 60,
      is_stock_item: false,
    })
    const invoice = await story.make('Sales Invoice', {
      customer,
      items: [{ item_code: 'HOUR', qty: 1 }],
    })
    const into = await line(60, { party_type: 'Customer', party: customer })
    const done = await story.act('Bank Transaction', into.id, 'make_payment', {
      sales_invoice: invoice.id,
    })
    assert.is(done.status, 'Reconciled')
    assert.equal(await story.books(done._created[0].id), { Bank: 60, Debtors: -60 })
    assert.is((await story.get('Sales Invoice', invoice.id)).status, 'Paid')
    await refusedFor(
      'party',
      'required',
      story.act('Bank Transaction', (await line(7)).id, 'make_payment'),
    )
  })

  test('a line of the bank is taken once, and never of nothing', async () => {
    await line(12, { transaction_id: 'B-1' })
    await refusedFor('transaction_id', 'of this id already', line(12, { transaction_id: 'B-1' }))
    const other = await story.create('Bank Account', { account_name: 'Third' })
    await line(12, { transaction_id: 'B-1', bank_account: other.id })
    await refusedFor('amount', 'must not be 0', line(0))
    await refusedFor(
      'account',
      'must be a bank or cash account',
      story.create('Bank Account', { account_name: 'Odd', account: 'Debtors' }),
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('bank statements and payments', ({ test, create }) => {
  let story: Story
  let customer: string
  let supplier: string
  let account: string

  test.before(async () => {
    story = await openStory(await create())
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
    story.create('Bank Transaction', { bank_account: account, date: '2026-03-09', amount, ...more })

  const payment = (payment_type: string, paid_amount: number, more: object = {}): Promise<Shown> =>
    story.make('Payment Entry', {
      payment_type,
      party_type: payment_type === 'Pay' ? 'Supplier' : 'Customer',
      party: payment_type === 'Pay' ? supplier : customer,
      paid_amount,
      ...more,
    })

  const match = (transaction: Shown, payment_entry: string): Promise<Shown> =>
    story.act('Bank Transaction', transaction.id, 'match', { payment_entry })

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
  })

  test('a line is matched to its payment, reconciled and taken apart again', async () => {
    const paid = await payment('Receive', 300)
    const transaction = await line(300)
    assert.equal([transaction.status, transaction.unallocated_amount], ['Unreconciled', 300])
    await refusedAsConflict(story.act('Bank Transaction', transaction.id, 'reconcile'))

    const matched = await match(transaction, paid.id)
    assert.equal(
      [matched.status, matched.matched_to, matched.matched_amount, matched.unallocated_amount],
      ['Matched', paid.id, 300, 0],
    )
    assert.is((await story.get('Payment Entry', paid.id)).bank_matches, 1)
    await refusedAsConflict(match(transaction, paid.id))

    const before = (await story.get('Bank Account', account)).unreconciled_amount
    const reconciled = await story.act('Bank Transaction', transaction.id, 'reconcile')
    assert.equal(
      [reconciled.status, reconciled.reconciled_at],
      ['Reconciled', '2026-03-09T12:00:00.000Z'],
    )
    assert.is((await story.get('Bank Account', account)).unreconciled_amount, before - 300)

    const apart = await story.act('Bank Transaction', transaction.id, 'unmatch')
    assert.equal(
      [apart.status, apart.matched_to, apart.reconciled_at, apart.matched_amount],
      ['Unreconciled', null, null, 0],
    )
    assert.is((await story.get('Payment Entry', paid.id)).bank_matches, 0)
    const kinds = (await story.events(transaction.id)).filter((kind) => kind !== 'updated')
    assert.equal(kinds, ['created', 'matched', 'reconciled'])
  })

  test('a payment stands for one line alone', async () => {
    const paid = await payment('Receive', 70)
    const one = await line(70)
    const two = await line(70)
    await match(one, paid.id)
    await refusedFor('matched_to', 'is matched already', match(two, paid.id))
    await story.act('Bank Transaction', one.id, 'unmatch')
    await match(two, paid.id)
  })

  test('a matched payment stays until it is unmatched, and knows when it was cleared', async () => {
    const paid = await payment('Receive', 33)
    const transaction = await line(33, { date: '2026-03-05' })
    await match(transaction, paid.id)
    assert.is((await story.get('Payment Entry', paid.id)).clearance_date, null)
    await story.act('Bank Transaction', transaction.id, 'reconcile')
    assert.is((await story.get('Payment Entry', paid.id)).clearance_date, '2026-03-05')
    await refusedFor('bank_matches', 'unmatch', story.cancel('Payment Entry', paid.id))
    await story.act('Bank Transaction', transaction.id, 'unmatch')
    assert.is((await story.get('Payment Entry', paid.id)).clearance_date, null)
    await story.cancel('Payment Entry', paid.id)
  })

  test('two lines that want one payment at once do not both get it', async () => {
    const paid = await payment('Receive', 44)
    const lines = await Promise.all([line(44), line(44), line(44)])
    const outcomes = await Promise.allSettled(lines.map((one) => match(one, paid.id)))
    const won = outcomes.filter(({ status }) => status === 'fulfilled')
    assert.is(won.length, 1)
    assert.is((await story.get('Payment Entry', paid.id)).bank_matches, 1)
  })

  test('amount, direction, account and state of the payment have to fit', async () => {
    const transaction = await line(80)
    const refused = async (words: string, paid: Shown): Promise<void> =>
      refusedFor('matched_to', words, match(transaction, paid.id))
    await refused('another amount', await payment('Receive', 80.01))
    await refused('goes the other way', await payment('Pay', 80))
    await refused(
      'booked on another account',
      await payment('Receive', 80, { mode_of_payment: 'Cash' }),
    )
    const other = await story.create('Bank Account', { account_name: 'Other', account: 'Bank' })
    await refused(
      'another bank account',
      await payment('Receive', 80, { bank_account: other.id, paid_to: 'Bank' }),
    )
    const draft = await story.create('Payment Entry', {
      party: customer,
      payment_type: 'Receive',
      paid_amount: 80,
    })
    await refused('is not submitted', draft)
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
    await refusedFor('matched_to', 'booked on another account', match(await line(500), transfer.id))
    await match(out, transfer.id)
    await match(into, transfer.id)
    await refusedFor('matched_to', 'is matched already', match(await line(-500), transfer.id))
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
    await refusedFor('matched_to', 'another amount', match(await line(100), paid.id))
    const matched = await match(await line(125), paid.id)
    assert.equal([matched.matched_amount, matched.status], [125, 'Matched'])
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

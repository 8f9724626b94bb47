import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { randomOf, seedsOf } from '../helpers/random.ts'
import { openHttpStory } from './http-story.ts'
import { refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

forEachDatabaseWhenDeep('payments between currencies', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let supplier: string

  test.before(async () => {
    story = await openHttpStory(await fresh())
    const abroad = { default_currency: 'EUR' }
    customer = (await story.create('Customer', { customer_name: 'Müller', ...abroad })).id
    supplier = (await story.create('Supplier', { supplier_name: 'Schmidt', ...abroad })).id
    await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
    for (const [from_currency, date, exchange_rate] of [
      ['EUR', '2026-03-01', 1.1],
      ['EUR', '2026-03-05', 1.08],
      ['CHF', '2026-03-01', 1.2],
    ])
      await story.create('Currency Exchange', {
        from_currency,
        date,
        exchange_rate,
        to_currency: 'USD',
      })
    for (const account_currency of ['EUR', 'USD', 'CHF', 'SEK'])
      await story.create('Account', {
        account_name: `Bank ${account_currency}`,
        account_currency,
        root_type: 'Asset',
        account_type: 'Bank',
        parent_account: 'Current Assets',
      })
  })
  test.after(() => story.close())

  /** An invoice or a bill of 4 March, when a euro was 1.10 dollars. */
  const owed = (doctype: string, rate: number): Promise<Shown> =>
    story.make(doctype, {
      ...(doctype === 'Sales Invoice' ? { customer } : { supplier }),
      posting_date: '2026-03-04',
      items: [{ item_code: 'HOUR', qty: 1, rate }],
    })

  const receive = (more: object): Promise<Shown> =>
    story.make('Payment Entry', { party: customer, ...more })

  const transfer = (paid_from: string, paid_to: string, more: object): Promise<Shown> =>
    story.make('Payment Entry', { payment_type: 'Internal Transfer', paid_from, paid_to, ...more })

  const inAccount = async (voucher: string, account: string): Promise<unknown[]> => {
    const [line] = await story.all('GL Entry', { voucher_no: voucher, account })
    return [
      line?.account_currency,
      line?.debit_in_account_currency,
      line?.credit_in_account_currency,
    ]
  }

  test('a customer pays euros, dollars arrive; the row names the invoice as ERPNext does', async () => {
    const invoice = await owed('Sales Invoice', 100)
    const payment = await receive({
      paid_amount: 100,
      received_amount: 107.5,
      source_exchange_rate: 1.08,
      target_exchange_rate: 1,
      paid_to: 'Bank USD',
      references: [
        { reference_doctype: 'Sales Invoice', reference_name: invoice.id, allocated_amount: 100 },
      ],
    })
    const [row] = payment.references
    assert.equal(
      [row.sales_invoice, row.reference_name, payment.conversion_rate],
      [invoice.id, invoice.id, 1.08],
    )
    // 100 € were booked as 110 $; 107.50 $ came
    assert.equal(
      [payment.base_paid_amount, payment.base_received_amount, payment.difference_amount],
      [108, 107.5, -2.5],
    )
    assert.equal(await story.books(payment.id), {
      'Bank USD': 107.5,
      'Exchange Gain and Loss': 2.5,
      Debtors: -110,
    })
    assert.equal(await inAccount(payment.id, 'Bank USD'), ['USD', 107.5, 0])
    assert.is((await story.get('Sales Invoice', invoice.id)).status, 'Paid')
    // The bank's line says dollars
    await story.create('Bank Account', { account_name: 'Giro', account: 'Bank USD' })
    const line = await story.make('Bank Transaction', {
      bank_account: 'Giro',
      date: '2026-03-09',
      deposit: 107.5,
      payment_entries: [{ payment_entry: payment.id }],
    })
    assert.is(line.status, 'Reconciled')
    await story.act('Bank Transaction', line.id, 'unmatch')
    await story.cancel('Payment Entry', payment.id)
    assert.equal(await story.books(payment.id), {})
    const error = await refusedAsConflict(
      receive({
        paid_amount: 100,
        references: [{ sales_invoice: invoice.id }],
      }).then(async ({ references }) => {
        assert.equal(
          [references[0].reference_doctype, references[0].reference_name],
          ['Sales Invoice', invoice.id],
        )
        return story.cancel('Sales Invoice', invoice.id)
      }),
    )
    assert.is(error.linked?.length, 1)
  })

  test('a supplier gets euros, dollars leave the bank', async () => {
    const bill = await owed('Purchase Invoice', 100)
    const pay = (more: object): Promise<Shown> =>
      story.make('Payment Entry', {
        payment_type: 'Pay',
        party_type: 'Supplier',
        party: supplier,
        references: [{ reference_doctype: 'Purchase Invoice', reference_name: bill.id }],
        ...more,
      })
    const payment = await pay({ paid_from: 'Bank USD', paid_amount: 108.5, received_amount: 100 })
    assert.equal([payment.references[0].allocated_amount, payment.unallocated_amount], [100, 0])
    assert.equal(await story.books(payment.id), {
      'Bank USD': -108.5,
      'Exchange Gain and Loss': -1.5,
      Creditors: 110,
    })
    assert.equal(await inAccount(payment.id, 'Bank USD'), ['USD', 0, 108.5])
    await story.cancel('Payment Entry', payment.id)
    // Without received_amount the amount is in euros: 100 × 1.08
    const plain = await pay({ paid_from: 'Bank USD', paid_amount: 100 })
    assert.equal(await inAccount(plain.id, 'Bank USD'), ['USD', 0, 108])
  })

  test('what is left of a payment is kept at the rate of its day', async () => {
    const invoice = await owed('Sales Invoice', 100)
    const payment = await receive({
      paid_amount: 150,
      received_amount: 161,
      references: [{ sales_invoice: invoice.id }],
    })
    // 110 of the invoice and 50 € × 1.08 = 54 are 164 $; 161 $ came on an account without a currency
    assert.equal([payment.unallocated_amount, payment.difference_amount], [50, -3])
    assert.equal(await inAccount(payment.id, 'Bank'), ['USD', 161, 0])
    assert.equal(await story.books(payment.id), {
      Bank: 161,
      'Exchange Gain and Loss': 3,
      Debtors: -164,
    })
  })

  test('money moves between accounts of two currencies', async () => {
    // 100 € are 108 $, 107 $ arrive
    const dear = await transfer('Bank EUR', 'Bank USD', { paid_amount: 100, received_amount: 107 })
    assert.equal(await story.books(dear.id), {
      'Bank EUR': -108,
      'Bank USD': 107,
      'Exchange Gain and Loss': 1,
    })
    assert.equal(await inAccount(dear.id, 'Bank EUR'), ['EUR', 0, 100])
    // 90 CHF × 1.2 = 108 $ = 100 €
    const even = await transfer('Bank CHF', 'Bank EUR', { paid_amount: 90 })
    assert.equal(await story.books(even.id), { 'Bank CHF': -108, 'Bank EUR': 108 })
    assert.equal(await inAccount(even.id, 'Bank EUR'), ['EUR', 100, 0])
    await story.cancel('Payment Entry', dear.id)
    assert.equal(await story.books(dear.id), {})
  })

  test('amounts and rates that cannot be are refused', async () => {
    await refusedFor(
      'received_amount',
      'one currency',
      receive({ paid_amount: 5, received_amount: 6, paid_to: 'Bank EUR' }),
    )
    await refusedFor(
      'target_exchange_rate',
      'no exchange rate',
      receive({ paid_amount: 5, paid_to: 'Bank SEK' }),
    )
    await refusedFor(
      'source_exchange_rate',
      'no exchange rate',
      transfer('Bank SEK', 'Bank', { paid_amount: 5 }),
    )
    await refusedFor(
      'conversion_rate',
      'must be the rate of the account of the party, 1.08',
      receive({ paid_amount: 5, conversion_rate: 1.07, source_exchange_rate: 1.08 }),
    )
    const [one, two] = [await owed('Sales Invoice', 10), await owed('Sales Invoice', 10)]
    const row = { sales_invoice: one.id, reference_name: two.id }
    await refusedFor(
      'references',
      'reference_name must be',
      receive({ paid_amount: 5, references: [row] }),
    )
  })

  for (const seed of SEEDS)
    test(`paid in parts at any rates, an invoice leaves nothing (seed ${seed})`, async () => {
      const random = randomOf(seed)
      const cents = 1_000 + random.below(90_000)
      const invoice = await owed('Sales Invoice', cents / 100)
      let left = cents
      let arrived = 0
      const payments: string[] = []
      while (left > 0) {
        const part = payments.length === 4 ? left : 1 + random.below(left)
        const came = 1 + random.below(part * 2)
        const payment = await receive({
          paid_amount: part / 100,
          received_amount: came / 100,
          paid_to: 'Bank USD',
          references: [{ sales_invoice: invoice.id }],
        })
        payments.push(payment.id)
        arrived += came
        left -= part
      }
      const books = await story.books(invoice.id, ...payments)
      assert.equal([books.Debtors, books['Bank USD']], [undefined, arrived / 100])
      assert.is((await story.get('Sales Invoice', invoice.id)).status, 'Paid')
    })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

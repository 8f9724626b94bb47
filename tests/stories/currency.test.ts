import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('foreign money', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 110,
      is_stock_item: false,
    })
    for (const [date, exchange_rate] of [
      ['2026-03-01', 1.1],
      ['2026-03-05', 1.08],
    ])
      await story.create('Currency Exchange', {
        date,
        from_currency: 'EUR',
        to_currency: 'USD',
        exchange_rate,
      })
  })
  test.before.each(async () => {
    customer = (
      await story.create('Customer', { customer_name: 'Müller', default_currency: 'EUR' })
    ).id
  })
  test.after(() => story.close())

  /** An invoice of 4 March, when a euro was 1.10 dollars. */
  const bill = (rows: readonly object[], more: object = {}): Promise<Shown> =>
    story.make('Sales Invoice', {
      customer,
      posting_date: '2026-03-04',
      items: rows.map((row) => ({ item_code: 'HOUR', qty: 1, ...row })),
      ...more,
    })

  const pay = (amount: number, id: string, more: object = {}): Promise<Shown> =>
    story.make('Payment Entry', {
      party: customer,
      paid_amount: amount,
      references: [{ sales_invoice: id }],
      ...more,
    })

  test('an invoice takes the currency of the customer and the latest rate of its day', async () => {
    // The item's 110 dollars are 100 euros; 20 % VAT; 120 euros are 132 dollars.
    const invoice = await bill([{}], { taxes_and_charges: 'VAT 20 %' })
    assert.equal([invoice.currency, invoice.conversion_rate], ['EUR', 1.1])
    assert.equal([invoice.grand_total, invoice.base_grand_total], [120, 132])
    assert.equal(await story.books(invoice.id), { Debtors: 132, Sales: -110, 'Output Tax': -22 })
    const lines = await story.all('GL Entry', { voucher_no: invoice.id })
    assert.equal(
      lines.map((line) => [
        line.account,
        line.account_currency,
        line.debit_in_account_currency,
        line.credit_in_account_currency,
      ]),
      [
        ['Debtors', 'EUR', 120, 0],
        ['Sales', 'USD', 0, 110],
        ['Output Tax', 'USD', 0, 22],
      ],
    )
    assert.is((await story.get('Customer', customer)).outstanding_total, 132)
  })

  test('what the rate changed until the payment is gain or loss', async () => {
    // 100 euros: 110 dollars when billed, 108 when paid
    const { id } = await bill([{ rate: 100 }])
    const payment = await pay(100, id)
    assert.equal([payment.conversion_rate, payment.difference_amount], [1.08, -2])
    assert.equal(await story.books(payment.id), {
      Bank: 108,
      'Exchange Gain and Loss': 2,
      Debtors: -110,
    })
    const invoice = await story.get('Sales Invoice', id)
    assert.equal([invoice.outstanding_amount, invoice.status], [0, 'Paid'])
    const { id: supplier } = await story.create('Supplier', {
      supplier_name: 'Schmidt',
      default_currency: 'EUR',
    })
    const owed = await story.make('Purchase Invoice', {
      supplier,
      posting_date: '2026-03-04',
      items: [{ item_code: 'HOUR', qty: 1, rate: 100 }],
    })
    const paid = await story.draftOf('Purchase Invoice', owed.id, 'make_payment')
    await story.submit('Payment Entry', paid.id)
    assert.equal(await story.books(owed.id, paid.id), {
      Purchases: 110,
      Bank: -108,
      'Exchange Gain and Loss': -2,
    })
  })

  test('payments in parts leave not a cent in the books', async () => {
    // 10 euros at 1.1055 are 11.06 dollars (11.055). A third, 3.33 × 11.06 / 10 = 3.68 dollars (3.683);
    // again 3.33 of 6.67: 3.33 × 7.38 / 6.67 = 3.68 (3.684); the last 3.34 take what is left, 3.70.
    const { id, base_grand_total } = await bill([{ rate: 10 }], { conversion_rate: 1.1055 })
    assert.is(base_grand_total, 11.06)
    const parts = []
    for (const amount of [3.33, 3.33, 3.34])
      parts.push(await pay(amount, id, { conversion_rate: 1.1055 }))
    assert.equal(
      parts.map(({ references }) => references[0].base_allocated_amount),
      [3.68, 3.68, 3.7],
    )
    const books = await story.books(id, ...parts.map((part) => part.id))
    assert.is(books.Debtors, undefined)
    // In any order they are taken back, the books say what the invoice says.
    await story.cancel('Payment Entry', parts[1]!.id)
    const open = await story.get('Sales Invoice', id)
    assert.is(open.outstanding_amount, 3.33)
    const after = await story.books(id, ...parts.map((part) => part.id))
    assert.is(after.Debtors, 3.68)
  })

  test('rows that round in the company currency still balance', async () => {
    // 7 rows of 0.05 euros at 1.1: each 0.055, rounded 0.06: 0.42, while 0.35 × 1.1 is 0.385
    const { id, grand_total, base_grand_total } = await bill(Array(7).fill({ rate: 0.05 }))
    assert.equal([grand_total, base_grand_total], [0.35, 0.42])
    assert.equal(await story.books(id), { Debtors: 0.42, Sales: -0.42 })
    assert.equal(await story.books((await pay(0.35, id)).id), {
      Bank: 0.38, // 0.35 × 1.08 = 0.378
      'Exchange Gain and Loss': 0.04,
      Debtors: -0.42,
    })
  })

  test('amounts round to the units of their currencies', async () => {
    const rated = async (currency: string, conversion_rate: number): Promise<Shown> =>
      bill([{ rate: 10.4567, qty: 3 }], { currency, conversion_rate })
    const yen = await rated('JPY', 0.0067)
    assert.equal([yen.grand_total, yen.base_grand_total], [31, 0.21]) // 31.3701; 0.2077
    const dinar = await rated('KWD', 3.25)
    assert.equal([dinar.grand_total, dinar.base_grand_total], [31.37, 101.95]) // 31.3701; 101.9525
  })

  test('a total is rounded to the smallest coin where it is wished', async () => {
    // 10.03 francs become 10.05; at 1.2 dollars: income 12.04 (12.036), rounding 0.02 (0.024)
    const { id, grand_total, rounded_total, rounding_adjustment, outstanding_amount } = await bill(
      [{ rate: 10.03 }],
      { currency: 'CHF', conversion_rate: 1.2, disable_rounded_total: false },
    )
    assert.equal(
      [grand_total, rounded_total, rounding_adjustment, outstanding_amount],
      [10.03, 10.05, 0.02, 10.05],
    )
    assert.equal(await story.books(id), { Debtors: 12.06, Sales: -12.04, 'Round Off': -0.02 })
  })

  test('a credit note takes the rate of its invoice', async () => {
    const { id } = await bill([{ rate: 100 }])
    const draft = await story.draftOf('Sales Invoice', id, 'make_return')
    assert.is(draft.conversion_rate, 1.1)
    const credit = await story.submit('Sales Invoice', draft.id)
    assert.equal(await story.books(id, credit.id), {})
    assert.is((await story.get('Customer', customer)).outstanding_total, 0)
    const inEuros = async (): Promise<unknown[]> => {
      const lines = await story.all('GL Entry', { voucher_no: credit.id, account: 'Debtors' })
      return lines.map((line) => [line.debit_in_account_currency, line.credit_in_account_currency])
    }
    assert.equal(await inEuros(), [[0, 100]])
    await story.cancel('Sales Invoice', credit.id)
    assert.equal(await inEuros(), [
      [0, 100],
      [100, 0],
    ])
  })

  test('a document without a rate, or in the wrong currency, is refused', async () => {
    await refusedFor('conversion_rate', 'no exchange rate', bill([{}], { currency: 'SEK' }))
    await refusedFor(
      'conversion_rate',
      'no exchange rate',
      bill([{}], { posting_date: '2026-02-28' }),
    )
    await refusedFor(
      'conversion_rate',
      'is 1 for USD, the currency of the company, not 1.1',
      bill([{}], { currency: 'USD', conversion_rate: 1.1 }),
    )
    const { id } = await bill([{ rate: 100 }])
    await refusedFor('references', 'currency of the payment', pay(100, id, { currency: 'USD' }))
  })

  test('a bank account in its own currency takes postings in it', async () => {
    for (const [account_name, account_currency] of [
      ['Euro Bank', 'EUR'],
      ['Dollar Bank', 'USD'],
      ['Franc Bank', 'CHF'],
    ])
      await story.create('Account', {
        account_name,
        account_currency,
        root_type: 'Asset',
        account_type: 'Bank',
        parent_account: 'Current Assets',
      })
    const { id } = await bill([{ rate: 100 }])
    const into = async (paid_to: string): Promise<unknown[]> => {
      const payment = await pay(50, id, { paid_to })
      const [line] = await story.all('GL Entry', { voucher_no: payment.id, account: paid_to })
      return [line?.account_currency, line?.debit_in_account_currency, line?.debit]
    }
    assert.equal(await into('Euro Bank'), ['EUR', 50, 54])
    assert.equal(await into('Dollar Bank'), ['USD', 54, 54])
    const other = await bill([{ rate: 50 }])
    await refusedFor(
      'target_exchange_rate',
      'no exchange rate',
      pay(50, other.id, { paid_to: 'Franc Bank' }),
    )
  })

  test('a journal entry has a rate for each row', async () => {
    // 100 euros at 1.10 sold for 108.50 dollars: 1.50 lost
    const entry = await story.make('Journal Entry', {
      posting_date: '2026-03-04',
      accounts: [
        { account: 'Bank', currency: 'EUR', credit: 100 },
        { account: 'Cash', debit: 108.5 },
        { account: 'Exchange Gain and Loss', debit: 1.5 },
      ],
    })
    assert.equal(
      entry.accounts.map((row: Shown) => [
        row.currency,
        row.exchange_rate,
        row.base_debit,
        row.base_credit,
      ]),
      [
        ['EUR', 1.1, 0, 110],
        ['USD', 1, 108.5, 0],
        ['USD', 1, 1.5, 0],
      ],
    )
    assert.equal(await story.books(entry.id), {
      Bank: -110,
      Cash: 108.5,
      'Exchange Gain and Loss': 1.5,
    })
  })

  test('an invoice that a journal entry settles at another rate leaves nothing', async () => {
    // 100.01 euros at 1.10 were booked as 110.01; 40 of them are 44.00, the rest is 66.01
    const { id } = await bill([{ rate: 100.01 }])
    const settle = (credit: number, debit: number): Promise<Shown> =>
      story.make('Journal Entry', {
        posting_date: '2026-03-04',
        accounts: [
          {
            account: 'Debtors',
            party_type: 'Customer',
            party: customer,
            sales_invoice: id,
            currency: 'EUR',
            exchange_rate: 1.2345,
            credit,
          },
          { account: 'Write Off', debit },
        ],
      })
    // 40 × 1.2345 = 49.38; 60.01 × 1.2345 = 74.08
    const part = await settle(40, 49.38)
    assert.equal(await story.books(part.id), {
      Debtors: -44,
      'Write Off': 49.38,
      'Exchange Gain and Loss': -5.38,
    })
    const rest = await settle(60.01, 74.08)
    assert.equal(await story.books(rest.id), {
      Debtors: -66.01,
      'Write Off': 74.08,
      'Exchange Gain and Loss': -8.07,
    })
    const settled = await story.get('Sales Invoice', id)
    assert.equal([settled.outstanding_amount, settled.status], [0, 'Paid'])
    const back = await story.draftOf('Journal Entry', rest.id, 'reverse')
    await story.submit('Journal Entry', back.id)
    assert.equal(await story.books(rest.id, back.id), {})
    const open = await story.get('Sales Invoice', id)
    assert.is(open.outstanding_amount, 60.01)
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})

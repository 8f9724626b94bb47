import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Story } from '../stories/story.ts'
import { type Asked, reportsOf, rowsOf } from './report-of.ts'

forEachDatabase('reports of the books', ({ test, fresh }) => {
  let story: Story
  let report: Asked

  test.before(async () => {
    story = await openStory(await fresh())
    report = reportsOf(story)
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      is_stock_item: false,
    })
    const ada = (await story.create('Customer', { customer_name: 'Ada' })).id
    const bob = (await story.create('Customer', { customer_name: 'Bob' })).id
    const invoice = (customer: string, posting_date: string, qty: number) =>
      story.make('Sales Invoice', { customer, posting_date, items: [{ item_code: 'HOUR', qty }] })
    // Due 30 days later: 9 February, 31 March, 7 March. Today is 9 March.
    await invoice(ada, '2026-01-10', 2)
    const second = await invoice(ada, '2026-03-01', 3)
    await invoice(bob, '2026-02-05', 5)
    await story.make('Payment Entry', {
      party: ada,
      paid_amount: 120,
      references: [{ sales_invoice: second.id, allocated_amount: 120 }],
    })
  })
  test.after(() => story.close())

  test('the general ledger opens with what was there, and goes on from it', async () => {
    const dates = { from_date: '2026-02-01', to_date: '2026-12-31' }
    const found = await report('general-ledger', dates)
    const columns = ['account', 'posting_date', 'voucher_type', 'debit', 'credit', 'balance']
    assert.equal(rowsOf(found, columns), [
      ['Bank', '2026-03-09', 'Payment Entry', 120, 0, 120],
      // 2 hours of January
      ['Debtors', null, 'Opening', 200, 0, 200],
      ['Debtors', '2026-02-05', 'Sales Invoice', 500, 0, 700],
      ['Debtors', '2026-03-01', 'Sales Invoice', 300, 0, 1000],
      ['Debtors', '2026-03-09', 'Payment Entry', 0, 120, 880],
      ['Sales', null, 'Opening', 0, 200, -200],
      ['Sales', '2026-02-05', 'Sales Invoice', 0, 500, -700],
      ['Sales', '2026-03-01', 'Sales Invoice', 0, 300, -1000],
    ])
    assert.equal(found.totals, { debit: 1120, credit: 1120 })
    const paged = await report('general-ledger', dates, { limit: 2, offset: 3 })
    assert.equal(rowsOf(paged, ['balance']), [[1000], [880]])
    assert.equal([paged.total, paged.totals], [8, { debit: 1120, credit: 1120 }])
    const [of] = rowsOf(await report('general-ledger', { ...dates, account: 'Bank' }), columns)
    assert.equal(of, ['Bank', '2026-03-09', 'Payment Entry', 120, 0, 120])
  })

  test('the trial balance has the sums of groups above their accounts, and balances', async () => {
    const found = await report('trial-balance', { from_date: '2026-02-01' })
    assert.equal(
      rowsOf(found, ['indent', 'account', 'opening_debit', 'debit', 'credit', 'closing_debit']),
      [
        [0, 'Assets', 200, 920, 120, 1000],
        [1, 'Current Assets', 200, 920, 120, 1000],
        [2, 'Bank', 0, 120, 0, 120],
        [2, 'Debtors', 200, 800, 120, 880],
        [0, 'Income', 0, 0, 800, 0],
        [1, 'Sales', 0, 0, 800, 0],
      ],
    )
    assert.equal(found.totals, {
      opening_debit: 200,
      opening_credit: 200,
      debit: 920,
      credit: 920,
      closing_debit: 1000,
      closing_credit: 1000,
    })
    assert.is(found.summary[0]?.value, 0)
  })

  test('profit and loss has a column for each period', async () => {
    const found = await report('profit-and-loss-statement', {
      periodicity: 'Monthly',
      to_date: '2026-03-31',
    })
    assert.equal(
      found.columns.map(({ label }) => label),
      ['Account', 'Name', 'Kind', 'Jan 2026', 'Feb 2026', 'Mar 2026', 'Total'],
    )
    assert.equal(found.totals, {
      amount_2026_01: 200,
      amount_2026_02: 500,
      amount_2026_03: 300,
      total: 1000,
    })
    assert.equal(
      found.summary.map(({ value }) => value),
      [1000, 0, 1000],
    )
  })

  test('receivables are those of the day asked for, by their age', async () => {
    const columns = [
      'customer_name',
      'invoiced',
      'paid',
      'outstanding',
      'age',
      'bucket1',
      'bucket2',
    ]
    assert.equal(rowsOf(await report('accounts-receivable', { range1: '20' }), columns), [
      // 28 days late; not due yet; 2 days late
      ['Ada', 200, 0, 200, 28, 0, 200],
      ['Ada', 300, 120, 180, 0, 180, 0],
      ['Bob', 500, 0, 500, 2, 500, 0],
    ])
    const before = await report('accounts-receivable', { report_date: '2026-03-05' })
    assert.equal(before.totals?.outstanding, 1000, 'before the payment')
  })

  test('wrong parameters are told all at once', async () => {
    const error = await report('accounts-receivable', {
      company: 'Nobody',
      report_date: 'soon',
      colour: 'red',
      range1: '99999',
    }).catch((caught: unknown) => caught)
    const { details } = error as { details: readonly { field: string }[] }
    assert.equal(details.map(({ field }) => field).sort(), ['colour', 'company', 'report_date'])
    const ranges = await report('accounts-receivable', { range1: '70' }).catch(
      (caught: unknown) => caught,
    )
    assert.match(String(ranges), /must rise/)
  })
})

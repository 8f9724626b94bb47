import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { reportsOf } from '../reports/report-of.ts'
import { openHttpStory } from './http-story.ts'
import { refusalOf, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('the books of a year are closed', ({ test, fresh }) => {
  let story: Story
  let customer: string
  let closing: Shown

  test.before(async () => {
    story = await openHttpStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Blue Whale' })).id
    await story.create('Cost Center', { cost_center_name: 'Shop' })
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      is_stock_item: false,
    })
    story.clock.time = Date.parse('2025-12-01T12:00:00.000Z')
  })
  test.after(() => story.close())

  const bill = (posting_date: string, qty: number, cost_center: string): Promise<Shown> =>
    story.make('Sales Invoice', {
      customer,
      posting_date,
      cost_center,
      items: [{ item_code: 'HOUR', qty }],
    })

  const spend = (posting_date: string, account: string, amount: number, more: object = {}) =>
    story.make('Journal Entry', {
      posting_date,
      accounts: [
        { account, debit: amount, ...more },
        { account: 'Bank', credit: amount },
      ],
    })

  const balances = async (): Promise<Record<string, number>> => {
    const sums: Record<string, number> = {}
    for (const { account, debit, credit } of await story.all('GL Entry'))
      sums[account] = Math.round(((sums[account] ?? 0) + debit - credit) * 100) / 100
    return Object.fromEntries(Object.entries(sums).filter(([, sum]) => sum !== 0))
  }

  test('a month that is closed for invoices takes payments still', async () => {
    const { id } = await bill('2025-11-20', 2, 'Main')
    await story.create('Accounting Period', {
      period_name: 'November 2025',
      start_date: '2025-11-01',
      closed_documents: [{ document_type: 'Sales Invoice' }],
    })
    assert.is((await story.get('Accounting Period', 'November 2025')).end_date, '2025-11-30')
    await refusedFor(
      'posting_date',
      '2025-11-30 lies in the accounting period November 2025, which is closed for Sales Invoice documents',
      bill('2025-11-30', 1, 'Main'),
    )
    // An invoice posts to two accounts; the day is told of once.
    const { details = [] } = await refusalOf(bill('2025-11-30', 1, 'Main'))
    assert.equal(
      details.map(({ field }) => field),
      ['posting_date'],
    )
    await story.make('Payment Entry', {
      party: customer,
      posting_date: '2025-11-28',
      paid_amount: 50,
      references: [{ sales_invoice: id }],
    })
    await refusedFor(
      'start_date',
      'overlaps',
      story.create('Accounting Period', {
        period_name: 'Autumn',
        start_date: '2025-09-01',
        end_date: '2025-11-01',
        closed_documents: [{ document_type: 'Journal Entry' }],
      }),
    )
    await story.update('Accounting Period', 'November 2025', { disabled: true })
    await bill('2025-11-30', 1, 'Main')
    await story.update('Accounting Period', 'November 2025', { disabled: false })
  })

  test('its income and expenses go to retained earnings, by cost center', async () => {
    await bill('2025-12-01', 7, 'Shop')
    await spend('2025-12-02', 'Rent', 400)
    await spend('2025-12-03', 'Utilities', 120.5, { cost_center: 'Shop' })
    // Nothing of another year
    await bill('2024-12-31', 5, 'Main')
    await refusedFor(
      'transaction_date',
      'must be after the last day that is closed, 2025-12-31',
      story.make('Period Closing Voucher', {
        fiscal_year: '2025',
        closing_account_head: 'Retained Earnings',
      }),
    )
    story.clock.time = Date.parse('2026-03-09T12:00:00.000Z')
    closing = await story.make('Period Closing Voucher', {
      fiscal_year: '2025',
      closing_account_head: 'Retained Earnings',
    })
    // Main: 300 of income, 400 of rent: a loss of 100. Shop: 700 of income, 120.50 of costs: 579.50.
    assert.equal(await story.books(closing.id), {
      Sales: 1000,
      Rent: -400,
      Utilities: -120.5,
      'Retained Earnings': -479.5,
    })
    const rows = await story.all('GL Entry', {
      voucher_no: closing.id,
      account: 'Retained Earnings',
    })
    assert.equal(
      rows.map(({ cost_center, debit, credit, posting_date }) => [
        cost_center,
        debit,
        credit,
        posting_date,
      ]),
      [
        ['Main', 100, 0, '2025-12-31'],
        ['Shop', 0, 579.5, '2025-12-31'],
      ],
    )
    // 500 of 2024 are still open; the bank has 50 − 400 − 120.50
    assert.equal(await balances(), {
      Debtors: 1450,
      Bank: -470.5,
      Sales: -500,
      'Retained Earnings': -479.5,
    })
    assert.is((await story.get('Company', 'Acme Inc')).closed_until, '2025-12-31')
  })

  test('reports of the year still show what it earned, and what the closing did', async () => {
    const report = reportsOf(story)
    const year = { fiscal_year: '2025' }
    const sums = async (slug: string, more: object = {}) =>
      (await report(slug, { ...year, ...more })).summary.map(({ value }) => value)
    assert.equal(await sums('profit-and-loss-statement'), [1000, 520.5, 479.5])
    const shop = { cost_center: 'Shop', periodicity: 'Monthly' }
    assert.equal(await sums('profit-and-loss-statement', shop), [700, 120.5, 579.5])
    // 1,450 of debtors less 470.50 in the bank; 500 of 2024 are not closed
    assert.equal(await sums('balance-sheet'), [979.5, 0, 479.5, 500])
    const sales = async (more: object = {}) => {
      const { data, summary } = await report('trial-balance', { ...year, ...more })
      assert.is(summary[0]?.value, 0)
      const row = data.find(({ account }) => account === 'Sales')!
      return [row.opening_credit, row.debit, row.credit, row.closing_credit]
    }
    assert.equal(await sales(), [500, 1000, 1000, 500])
    assert.equal(await sales({ with_period_closing_entry: 'false' }), [500, 0, 1000, 1500])
  })

  test('nothing is posted in a closed year, and what is cancelled is so today', async () => {
    await refusedFor('posting_date', 'fiscal year that is closed', bill('2025-12-31', 1, 'Main'))
    await refusedFor('posting_date', 'fiscal year that is closed', spend('2024-06-01', 'Rent', 1))
    await refusedFor(
      'fiscal_year',
      'are closed until 2025-12-31 already',
      story.make('Period Closing Voucher', {
        fiscal_year: '2024',
        closing_account_head: 'Retained Earnings',
      }),
    )
    const [rent] = await story.all('Journal Entry', { posting_date: '2025-12-02' })
    await story.cancel('Journal Entry', rent!.id)
    const days = (await story.all('GL Entry', { voucher_no: rent!.id })).map(
      ({ posting_date }) => posting_date,
    )
    assert.equal([...new Set(days)].toSorted(), ['2025-12-02', '2026-03-09'])
  })

  test('the last closing can be taken back, on its day', async () => {
    await story.cancel('Period Closing Voucher', closing.id)
    assert.equal(await story.books(closing.id), {})
    const days = (await story.all('GL Entry', { voucher_no: closing.id })).map(
      ({ posting_date }) => posting_date,
    )
    assert.equal([...new Set(days)], ['2025-12-31'])
    assert.is((await story.get('Company', 'Acme Inc')).closed_until, null)
    await bill('2025-12-31', 1, 'Main')
  })

  test('the first months of a year can be closed before the rest of it', async () => {
    const part = await story.make('Period Closing Voucher', {
      fiscal_year: '2025',
      period_end_date: '2025-11-30',
      closing_account_head: 'Retained Earnings',
    })
    // November alone: three hours.
    assert.equal(await story.books(part.id), { Sales: 300, 'Retained Earnings': -300 })
    await refusedFor('posting_date', 'closed until 2025-11-30', bill('2025-11-30', 1, 'Main'))
    const rest = await story.make('Period Closing Voucher', {
      fiscal_year: '2025',
      closing_account_head: 'Retained Earnings',
    })
    assert.equal([rest.period_start_date, rest.period_end_date], ['2025-12-01', '2025-12-31'])
    // 700 and the hour of 31 December, less 120.50; the rent was taken back today.
    const earned = await story.books(part.id, rest.id)
    assert.is(earned.Sales, 1100)
    for (const { id } of [rest, part]) await story.cancel('Period Closing Voucher', id)
  })

  test('a year is closed once, however many close it at the same time', async () => {
    const drafts = await Promise.all(
      Array.from({ length: 4 }, () =>
        story.create('Period Closing Voucher', {
          fiscal_year: '2025',
          closing_account_head: 'Retained Earnings',
        }),
      ),
    )
    const outcomes = await Promise.allSettled(
      drafts.map(({ id }) => story.submit('Period Closing Voucher', id)),
    )
    const [again, ...more] = outcomes.flatMap((one) =>
      one.status === 'fulfilled' ? [one.value] : [],
    )
    assert.ok(again)
    assert.equal(more, [])
    // 1,100 of income, 520.50 of costs: the rent was taken back in 2026 only
    assert.equal(await story.books(again.id), {
      Sales: 1100,
      Rent: -400,
      Utilities: -120.5,
      'Retained Earnings': -579.5,
    })
    story.clock.time = Date.parse('2027-01-09T12:00:00.000Z')
    await story.make('Period Closing Voucher', {
      fiscal_year: '2026',
      closing_account_head: 'Retained Earnings',
    })
    await refusedFor(
      'fiscal_year',
      'cancel the voucher of that day first',
      story.cancel('Period Closing Voucher', again.id),
    )
  })

  test('svc verify finds nothing wrong', async () => {
    assert.equal(await story.differences(), [])
  })
})

import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Story } from './story.ts'

forEachDatabaseWhenDeep('companies and their years', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
  })
  test.after(() => story.close())

  test('a further company brings its accounts, taxes, warehouses and cost center', async () => {
    const company = await story.create('Company', {
      company_name: 'Blau GmbH',
      abbr: 'BG',
      default_currency: 'EUR',
      country: 'Germany',
      chart_of_accounts: 'Germany SKR04',
      default_cash_account: 'Cash',
    })
    assert.is(company.default_receivable_account, 'Forderungen aus Lieferungen und Leistungen - BG')
    assert.is(company.default_payroll_payable_account, 'Verbindlichkeiten aus Lohn und Gehalt - BG')
    assert.is(company.cost_center, 'Main - BG')
    assert.is(company.default_cash_account, 'Cash', 'what was sent stays')
    const own = { company: 'Blau GmbH' }
    assert.is((await story.all('Account', { ...own, account_type: 'Tax' })).length, 11)
    assert.equal(
      (await story.all('Warehouse', own)).map(({ id }) => id),
      ['Stores - BG', 'Work In Progress - BG', 'Finished Goods - BG'],
    )
    const bank = await story.get('Account', 'Bank - BG')
    assert.equal([bank.account_number, bank.parent_account], ['1800', 'Umlaufvermögen - BG'])
    const reduced = await story.get('Sales Taxes and Charges Template', 'VAT 7 % - BG')
    assert.is(reduced.taxes[0].account_head, 'Umsatzsteuer 7 % - BG')

    await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
    const customer = await story.create('Customer', { customer_name: 'Rot AG' })
    // 2 × 100 = 200, and 19 % of it
    const invoice = await story.make('Sales Invoice', {
      company: 'Blau GmbH',
      currency: 'EUR',
      customer: customer.id,
      taxes_and_charges: 'VAT 19 % - BG',
      items: [{ item_code: 'HOUR', qty: 2, rate: 100 }],
    })
    assert.equal(await story.books(invoice.id), {
      'Forderungen aus Lieferungen und Leistungen - BG': 238,
      'Erlöse 19 % USt - BG': -200,
      'Umsatzsteuer 19 % - BG': -38,
    })
    await story.cancel('Sales Invoice', invoice.id)
    assert.equal(await story.books(invoice.id), {})
    assert.equal(await story.differences(), [])

    const another = { company_name: 'Grau AG', abbr: 'BG', default_currency: 'CHF' }
    const taken = await refusedAsConflict(
      story.create('Company', { ...another, chart_of_accounts: 'Germany SKR04' }),
    )
    assert.match(taken.message, 'Aktiva - BG')
    await refusedFor(
      'chart_of_accounts',
      'expected one of General, Germany SKR04, United States, got "SKR03"',
      story.create('Company', { ...another, abbr: 'G', chart_of_accounts: 'SKR03' }),
    )
    assert.equal(await story.all('Company', { name: 'Grau AG' }), [], 'nothing of it is left')

    // Without a chart it takes the accounts of the first company, which are everybody's.
    const bare = await story.create('Company', another)
    assert.is(bare.default_receivable_account, 'Debtors')
  })

  test('the next fiscal year is made 60 days before this one ends, once', async () => {
    const years = async (): Promise<readonly string[]> =>
      (await story.all('Fiscal Year')).map(({ id }) => id)
    const [first] = [await years()]
    assert.equal([first.length, first[0], first.at(-1)], [21, '2035', '2015'])
    await story.tick()
    assert.is((await years()).length, 21)

    // 1 November 2035 is 60 days before 31 December.
    story.clock.time = Date.parse('2035-10-31T12:00:00Z')
    await story.tick()
    assert.is((await years()).length, 21)
    story.clock.time = Date.parse('2035-11-01T12:00:00Z')
    await story.tick()
    await story.tick()
    const next = await story.get('Fiscal Year', '2036')
    assert.equal([next.year_start_date, next.year_end_date], ['2036-01-01', '2036-12-31'])
    assert.is((await years()).length, 22)

    // One that begins in April is named by both years; and one that somebody has made already is not made again.
    const april = { year_start_date: '2040-04-01', year_end_date: '2041-03-31' }
    await story.create('Fiscal Year', { year: '2040-2041', ...april })
    story.clock.time = Date.parse('2041-03-01T12:00:00Z')
    await story.tick()
    const after = await story.get('Fiscal Year', '2041-2042')
    assert.equal([after.year_start_date, after.year_end_date], ['2041-04-01', '2042-03-31'])
    assert.is((await years()).length, 24)
  })
})

import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

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
    })
    assert.is(company.default_receivable_account, 'Forderungen aus Lieferungen und Leistungen - BG')
    assert.is(company.default_payroll_payable_account, 'Verbindlichkeiten aus Lohn und Gehalt - BG')
    assert.is(company.cost_center, 'Main - BG')
    assert.is(company.default_cash_account, 'Kasse - BG')
    const foreign = 'expected one of the Company "Blau GmbH", got the Account "Cash" of "Acme Inc"'
    await refusedFor(
      'default_cash_account',
      foreign,
      story.update('Company', 'Blau GmbH', { default_cash_account: 'Cash' }),
    )
    const own = { company: 'Blau GmbH' }
    assert.is((await story.all('Account', { ...own, account_type: 'Tax' })).length, 11)
    assert.equal(
      (await story.all('Warehouse', own)).map(({ id }) => id),
      ['Stores - BG', 'Work In Progress - BG', 'Finished Goods - BG', 'Goods In Transit - BG'],
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

    // Without a chart it has no accounts: those of the others are theirs. What has no company is everybody's.
    const bare = await story.create('Company', another)
    assert.is(bare.default_receivable_account, null)
    await story.create('Account', {
      account_name: 'Shared Debtors',
      root_type: 'Asset',
      account_type: 'Receivable',
    })
    const later = await story.create('Company', {
      company_name: 'Gelb AG',
      default_currency: 'CHF',
    })
    assert.is(later.default_receivable_account, 'Shared Debtors')
  })

  test('the accounts, taxes and warehouses of the first company are its own', async () => {
    const own = { company: 'Acme Inc' }
    for (const account of ['Assets', 'Debtors', 'Payroll Payable'])
      assert.is((await story.get('Account', account)).company, 'Acme Inc')
    for (const doctype of ['Warehouse', 'Cost Center', 'Sales Taxes and Charges Template'])
      assert.equal(
        (await story.all(doctype, own)).map(({ id }) => id),
        (await story.all(doctype))
          .filter(({ company }) => company !== 'Blau GmbH')
          .map(({ id }) => id),
      )
    const acme = await story.get('Company', 'Acme Inc')
    assert.equal([acme.default_receivable_account, acme.cost_center], ['Debtors', 'Main'])
  })

  test('what another company owns is refused at the field that names it', async () => {
    const mixed = story.create('Sales Invoice', {
      company: 'Blau GmbH',
      currency: 'EUR',
      customer: (await story.all('Customer'))[0]!.id,
      debit_to: 'Debtors',
      set_warehouse: 'Stores',
      taxes_and_charges: 'VAT 20 %',
      taxes: [{ charge_type: 'On Net Total', account_head: 'Output Tax', rate: 19 }],
      items: [
        { item_code: 'HOUR', qty: 1, rate: 1 },
        { item_code: 'HOUR', qty: 1, rate: 1, income_account: 'Sales', cost_center: 'Main' },
        { item_code: 'HOUR', qty: 1, rate: 1, warehouse: 'Stores' },
      ],
    })
    const error = await mixed.then(
      () => undefined,
      (reason: unknown) => reason,
    )
    assert.instance(error, AppError)
    assert.equal(((error as AppError).details ?? []).map(({ field }) => field).sort(), [
      'debit_to',
      'items[1].cost_center',
      'items[1].income_account',
      'items[2].warehouse',
      'set_warehouse',
      'taxes[0].account_head',
      'taxes_and_charges',
    ])

    await refusedFor(
      'accounts[1].account',
      'of "Acme Inc"',
      story.create('Journal Entry', {
        company: 'Blau GmbH',
        accounts: [
          { account: 'Bank - BG', debit: 10 },
          { account: 'Bank', credit: 10 },
        ],
      }),
    )
    await refusedFor(
      'items[0].t_warehouse',
      'expected one of the Company "Acme Inc", got the Warehouse "Stores - BG" of "Blau GmbH"',
      story.create('Stock Entry', {
        stock_entry_type: 'Material Receipt',
        items: [{ item_code: 'HOUR', t_warehouse: 'Stores - BG', qty: 1, basic_rate: 1 }],
      }),
    )
  })

  test('an account that an item has in one company is not proposed in another', async () => {
    await story.create('Item', {
      item_code: 'ADVICE',
      item_name: 'Advice',
      is_stock_item: false,
      income_account: 'Service',
    })
    const customer = (await story.all('Customer'))[0]!.id
    const items = [{ item_code: 'ADVICE', qty: 3, rate: 50 }]
    const bill = (body: object) => story.make('Sales Invoice', { customer, items, ...body })
    const here = await bill({})
    assert.equal(await story.books(here.id), { Debtors: 150, Service: -150 })
    const there = await bill({
      company: 'Blau GmbH',
      currency: 'EUR',
      taxes_and_charges: null,
    })
    assert.equal(await story.books(there.id), {
      'Forderungen aus Lieferungen und Leistungen - BG': 150,
      'Erlöse 19 % USt - BG': -150,
    })
    assert.equal(await story.differences(), [])
  })

  test('a further company taxes items of several rates as its country does', async () => {
    await story.create('Company', {
      company_name: 'Green Isle Ltd',
      abbr: 'GI',
      default_currency: 'EUR',
      country: 'Ireland',
      chart_of_accounts: 'General',
    })
    const { id: customer } = await story.create('Customer', { customer_name: 'Dublin Pubs' })
    for (const item_code of ['BEER', 'FOOD', 'COW'])
      await story.create('Item', { item_code, item_name: item_code, is_stock_item: false })
    const row = (item_code: string, rate?: string): object => ({
      item_code,
      qty: 1,
      rate: 100,
      ...(rate === undefined ? {} : { item_tax_template: `Item VAT ${rate} % - GI` }),
    })
    const invoice = await story.make('Sales Invoice', {
      company: 'Green Isle Ltd',
      customer,
      currency: 'EUR',
      items: [row('BEER'), row('FOOD', '13.5'), row('COW', '4.8')],
    })
    assert.is(invoice.taxes_and_charges, 'VAT 23 % / 13.5 % / 9 % / 4.8 % - GI')
    assert.equal(await story.books(invoice.id), {
      'Debtors - GI': 341.3,
      'Sales - GI': -300,
      'Output Tax - GI': -23,
      'Output VAT 13.5 % - GI': -13.5,
      'Output VAT 4.8 % - GI': -4.8,
    })
    await story.cancel('Sales Invoice', invoice.id)
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

  test('a company with years of its own posts and closes by them, the others by those of all', async () => {
    story.clock.time = Date.parse('2026-11-20T12:00:00Z')
    await story.create('Company', {
      company_name: 'July Ltd',
      abbr: 'JL',
      default_currency: 'USD',
      country: 'United States',
      chart_of_accounts: 'General',
    })
    const own = (year: string, year_start_date: string, year_end_date: string): Promise<Shown> =>
      story.create('Fiscal Year', {
        year,
        year_start_date,
        year_end_date,
        companies: [{ company: 'July Ltd' }],
      })
    await own('JL 25/26', '2025-07-01', '2026-06-30')
    await own('JL 26/27', '2026-07-01', '2027-06-30')
    await refusedFor('companies[0].company', 'another year', own('X', '2027-06-30', '2028-06-29'))
    const spend = (company: string, suffix: string, posting_date: string): Promise<Shown> =>
      story.make('Journal Entry', {
        company,
        posting_date,
        accounts: [
          { account: `Rent${suffix}`, debit: 100 },
          { account: `Cash${suffix}`, credit: 100 },
        ],
      })
    const yearOf = async ({ id }: Shown): Promise<unknown> =>
      (await story.all('GL Entry', { voucher_no: id }))[0]!.fiscal_year
    const [july, acme] = [
      await spend('July Ltd', ' - JL', '2026-06-30'),
      await spend('Acme Inc', '', '2026-06-30'),
    ]
    assert.equal([await yearOf(july), await yearOf(acme)], ['JL 25/26', '2026'])
    assert.is(await yearOf(await spend('July Ltd', ' - JL', '2026-07-01')), 'JL 26/27')

    const closing = { transaction_date: '2026-11-20', closing_account_head: 'Retained Earnings' }
    await refusedFor(
      'fiscal_year',
      'JL 25/26 is a year of other companies',
      story.create('Period Closing Voucher', { ...closing, fiscal_year: 'JL 25/26' }),
    )
    const voucher = await story.make('Period Closing Voucher', {
      ...closing,
      company: 'July Ltd',
      closing_account_head: 'Retained Earnings - JL',
      fiscal_year: 'JL 25/26',
    })
    assert.equal(await story.books(voucher.id), {
      'Rent - JL': -100,
      'Retained Earnings - JL': 100,
    })
    // Closed for July Ltd up to June, not for Acme Inc, and not in July.
    await refusedFor(
      'posting_date',
      'are closed until 2026-06-30',
      spend('July Ltd', ' - JL', '2026-06-30'),
    )
    await spend('Acme Inc', '', '2026-06-30')
    await spend('July Ltd', ' - JL', '2026-07-01')

    // Frozen days and accounting periods are those of a company, too.
    await story.update('Company', 'July Ltd', { accounts_frozen_till_date: '2026-07-31' })
    await story.create('Accounting Period', {
      period_name: 'August of July Ltd',
      company: 'July Ltd',
      start_date: '2026-08-01',
      closed_documents: [{ document_type: 'Journal Entry' }],
    })
    await refusedFor('posting_date', 'are frozen until', spend('July Ltd', ' - JL', '2026-07-31'))
    await refusedFor('posting_date', 'August of July Ltd', spend('July Ltd', ' - JL', '2026-08-15'))
    for (const day of ['2026-07-31', '2026-08-15']) await spend('Acme Inc', '', day)

    // The next own year is made 60 days before this one ends; that of all has its own turn.
    story.clock.time = Date.parse('2027-05-15T12:00:00Z')
    await story.tick()
    const next = await story.get('Fiscal Year', '2027-2028 JL')
    assert.equal(
      [next.year_start_date, next.year_end_date, next.companies[0].company],
      ['2027-07-01', '2028-06-30', 'July Ltd'],
    )
    assert.equal(await story.differences(), [])
  })
})

import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openStory, refusedAsConflict, refusedFor, type Shown, type Story } from './story.ts'

forEachDatabaseWhenDeep('the books', ({ test, fresh }) => {
  let story: Story
  let customer: string

  test.before(async () => {
    story = await openStory(await fresh())
    customer = (await story.create('Customer', { customer_name: 'Somebody' })).id
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      standard_rate: 100,
      is_stock_item: false,
    })
  })
  test.after(() => story.close())

  const bill = (): Promise<Shown> =>
    story.make('Sales Invoice', { customer, items: [{ item_code: 'HOUR', qty: 1 }] })

  const post = (accounts: readonly object[], more: object = {}): Promise<Shown> =>
    story.make('Journal Entry', { accounts, ...more })

  const debtors = (more: object): object => ({
    account: 'Debtors',
    party_type: 'Customer',
    party: customer,
    ...more,
  })

  test('a company finds its accounts in the chart', async () => {
    const company = await story.get('Company', 'Acme Inc')
    const found = Object.entries(company).filter(([name]) => name.endsWith('_account'))
    assert.equal(Object.fromEntries(found), {
      default_receivable_account: 'Debtors',
      default_payable_account: 'Creditors',
      default_income_account: 'Sales',
      default_expense_account: 'Purchases',
      default_bank_account: 'Bank',
      default_cash_account: 'Cash',
      default_inventory_account: 'Stock In Hand',
      stock_adjustment_account: 'Stock Adjustment',
      default_cogs_account: 'Cost of Goods Sold',
      round_off_account: 'Round Off',
      exchange_gain_loss_account: 'Exchange Gain and Loss',
      write_off_account: 'Write Off',
      default_payroll_payable_account: 'Payroll Payable',
      default_employee_advance_account: 'Employee Advances',
      accumulated_depreciation_account: 'Accumulated Depreciation',
      depreciation_expense_account: 'Depreciation',
      disposal_account: 'Gain and Loss on Disposal',
      capital_work_in_progress_account: 'Assets Under Construction',
      default_operating_cost_account: 'Production Costs Capitalized',
      purchase_price_variance_account: null,
    })
    assert.equal(
      [company.stock_received_but_not_billed, company.cost_center, company.is_default],
      ['Stock Received But Not Billed', 'Main', true],
    )
    const second = await story.create('Company', {
      company_name: 'Second',
      default_currency: 'USD',
    })
    assert.is(second.is_default, false)
    const change = (id: string, is_default: boolean): Promise<Shown> =>
      story.update('Company', id, { is_default })
    await refusedFor('is_default', 'another company', change(second.id, true))
    await change('Acme Inc', false)
    await change(second.id, true)
    await change(second.id, false)
    await change('Acme Inc', true)
  })

  test('a company of which only the name is known posts too, once it has accounts', async () => {
    await story.create('Company', { company_name: 'Bare' })
    const bill = { customer, items: [{ item_code: 'HOUR', qty: 1 }] }
    await refusedFor(
      'debit_to',
      'is required',
      story.make('Sales Invoice', { company: 'Bare', ...bill }),
    )
    await story.create('Company', { company_name: 'Plain', chart_of_accounts: 'General' })
    const { id, currency, conversion_rate } = await story.make('Sales Invoice', {
      company: 'Plain',
      ...bill,
    })
    assert.equal([currency, conversion_rate], [null, 1])
    const payment = await story.draftOf('Sales Invoice', id, 'make_payment')
    assert.is(payment.company, 'Plain')
    await story.submit('Payment Entry', payment.id)
    assert.equal(await story.books(id, payment.id), { 'Bank - Plain': 100, 'Sales - Plain': -100 })
  })

  test('a journal entry balances or is not posted', async () => {
    const entry = await post([
      { account: 'Rent', debit: 900 },
      { account: 'Utilities', debit: 100.5 },
      { account: 'Bank', credit: 1000.5 },
    ])
    assert.equal([entry.total_debit, entry.difference, entry.status], [1000.5, 0, 'Submitted'])
    assert.equal(await story.books(entry.id), { Rent: 900, Utilities: 100.5, Bank: -1000.5 })
    await refusedFor(
      'accounts',
      'must be equal',
      post([
        { account: 'Rent', debit: 900 },
        { account: 'Bank', credit: 899.99 },
      ]),
    )
    await refusedFor(
      'accounts[0].debit',
      'either a debit or a credit: 1 debit, 1 credit',
      post([
        { account: 'Rent', debit: 1, credit: 1 },
        { account: 'Bank', debit: 1, credit: 1 },
      ]),
    )
  })

  test('receivable and payable accounts need a party, groups and disabled accounts take nothing', async () => {
    await refusedFor(
      'accounts[0].party',
      'is required',
      post([
        { account: 'Debtors', debit: 1 },
        { account: 'Bank', credit: 1 },
      ]),
    )
    const rent = (account: string): readonly object[] => [
      { account: 'Rent', debit: 1 },
      { account, credit: 1 },
    ]
    await refusedFor('account', 'only its subaccounts', post(rent('Assets')))
    await story.create('Account', { account_name: 'Old Bank', root_type: 'Asset', disabled: true })
    await refusedFor('account', 'is disabled', post(rent('Old Bank')))
    await story.create('Company', { company_name: 'Sister', default_currency: 'USD' })
    await story.create('Account', {
      account_name: 'Sister Bank',
      root_type: 'Asset',
      company: 'Sister',
    })
    await refusedFor('accounts[1].account', 'of "Sister"', post(rent('Sister Bank')))
  })

  test('a journal entry settles an invoice, in part and never too much', async () => {
    const { id } = await bill()
    const part = await post([
      debtors({ credit: 30, reference_type: 'Sales Invoice', reference_name: id }),
      { account: 'Write Off', debit: 30 },
    ])
    const invoice = await story.get('Sales Invoice', id)
    assert.equal([invoice.outstanding_amount, invoice.status], [70, 'Partly Paid'])
    assert.equal(await story.books(id, part.id), { Debtors: 70, 'Write Off': 30, Sales: -100 })
    await refusedFor(
      'outstanding_amount',
      'payments exceed',
      post([debtors({ credit: 70.01, sales_invoice: id }), { account: 'Write Off', debit: 70.01 }]),
    )
    await refusedFor(
      'accounts',
      'needs a receivable account',
      post([
        { account: 'Bank', credit: 70, sales_invoice: id },
        { account: 'Write Off', debit: 70 },
      ]),
    )
    await refusedAsConflict(story.cancel('Sales Invoice', id))
    await story.cancel('Journal Entry', part.id)
    assert.is((await story.get('Sales Invoice', id)).outstanding_amount, 100)
  })

  test('a journal entry settles a bill', async () => {
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Red Fox' })
    const { id } = await story.make('Purchase Invoice', {
      supplier,
      items: [{ item_code: 'HOUR', qty: 1, rate: 80 }],
    })
    await post([
      {
        account: 'Creditors',
        party_type: 'Supplier',
        party: supplier,
        debit: 80,
        purchase_invoice: id,
      },
      { account: 'Other Income', credit: 80 },
    ])
    assert.is((await story.get('Purchase Invoice', id)).status, 'Paid')
    assert.is((await story.get('Supplier', supplier)).outstanding_total, 0)
  })

  test('an entry is reversed by its opposite, once', async () => {
    const { id } = await bill()
    const entry = await post([
      debtors({ credit: 100, sales_invoice: id }),
      { account: 'Write Off', debit: 100 },
    ])
    const draft = await story.draftOf('Journal Entry', entry.id, 'reverse')
    assert.equal(
      draft.accounts.map(({ account, debit, credit }: Shown) => [account, debit ?? 0, credit ?? 0]),
      [
        ['Debtors', 100, 0],
        ['Write Off', 0, 100],
      ],
    )
    const reversal = await story.submit('Journal Entry', draft.id)
    assert.equal(await story.books(entry.id, reversal.id), {})
    assert.is((await story.get('Sales Invoice', id)).outstanding_amount, 100)
    await refusedAsConflict(story.act('Journal Entry', entry.id, 'reverse'))
    await refusedAsConflict(story.act('Journal Entry', reversal.id, 'reverse'))
    await refusedAsConflict(story.cancel('Journal Entry', entry.id))
  })

  test('nothing is posted into frozen days, nor outside every fiscal year', async () => {
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: '2026-02-28' })
    const accounts = [
      { account: 'Rent', debit: 1 },
      { account: 'Bank', credit: 1 },
    ]
    await refusedFor('posting_date', 'frozen', post(accounts, { posting_date: '2026-02-28' }))
    await post(accounts, { posting_date: '2026-03-01' })
    await story.update('Company', 'Acme Inc', { accounts_frozen_till_date: null })
    await refusedFor(
      'posting_date',
      'no fiscal year',
      post(accounts, { posting_date: '2036-01-01' }),
    )
    await refusedFor(
      'posting_date',
      'no fiscal year',
      post(accounts, { posting_date: '2014-12-31' }),
    )
    await refusedFor(
      'accounts_frozen_till_date',
      'before today',
      story.update('Company', 'Acme Inc', { accounts_frozen_till_date: '2026-03-09' }),
    )
  })

  test('a cancelled document leaves its lines and their mirror, on its day while that is open', async () => {
    const entry = await post(
      [
        { account: 'Rent', debit: 7 },
        { account: 'Bank', credit: 7 },
      ],
      { posting_date: '2025-12-31' },
    )
    await story.cancel('Journal Entry', entry.id)
    const lines = await story.all('GL Entry', { voucher_no: entry.id })
    assert.equal(
      lines.map((line) => [
        line.account,
        line.debit,
        line.credit,
        line.posting_date,
        line.fiscal_year,
      ]),
      [
        ['Rent', 7, 0, '2025-12-31', '2025'],
        ['Bank', 0, 7, '2025-12-31', '2025'],
        ['Rent', 0, 7, '2025-12-31', '2025'],
        ['Bank', 7, 0, '2025-12-31', '2025'],
      ],
    )
    assert.equal(
      lines.map(({ reverses }) => reverses),
      [null, null, lines[0]?.id, lines[1]?.id],
    )
    assert.equal(await story.books(entry.id), {})
  })

  test('all of it adds up', async () => {
    assert.equal(await story.differences(), [])
  })
})

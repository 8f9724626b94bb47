import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openHttpStory } from './http-story.ts'
import { refusedFor, type Shown, type Story } from './story.ts'

forEachDatabase('what an item, a party and pay say by company', ({ test, fresh }) => {
  let story: Story
  const BLAU = 'Blau GmbH'

  test.before(async () => {
    story = await openHttpStory(await fresh())
    await story.create('Company', {
      company_name: BLAU,
      abbr: 'BG',
      default_currency: 'USD',
      chart_of_accounts: 'General',
    })
    const own = { company: BLAU, root_type: 'Income', account_type: 'Direct Income' }
    await story.create('Account', { account_name: 'Repairs - BG', ...own })
    const expense = { root_type: 'Expense', account_type: 'Direct Expense' }
    await story.create('Account', { account_name: 'Spare Parts', company: 'Acme Inc', ...expense })
    await story.create('Account', { account_name: 'Parts - BG', company: BLAU, ...expense })
    await story.create('Account', {
      account_name: 'Repairs',
      company: 'Acme Inc',
      root_type: 'Income',
      account_type: 'Direct Income',
    })
    await story.create('Cost Center', { cost_center_name: 'Workshop - BG', company: BLAU })
    await story.create('Item', {
      item_code: 'REPAIR',
      item_name: 'Repair',
      is_stock_item: false,
      income_account: 'Repairs',
      expense_account: 'Spare Parts',
      item_defaults: [
        {
          company: BLAU,
          income_account: 'Repairs - BG',
          expense_account: 'Parts - BG',
          selling_cost_center: 'Workshop - BG',
          buying_cost_center: 'Workshop - BG',
        },
      ],
    })
    // Says nothing for Blau, and something of Acme Inc for all.
    await story.create('Item', {
      item_code: 'HOUR',
      item_name: 'Hour',
      is_stock_item: false,
      income_account: 'Repairs',
      expense_account: 'Spare Parts',
    })
  })
  test.after(() => story.close())

  const items = [
    { item_code: 'REPAIR', qty: 1, rate: 70 },
    { item_code: 'HOUR', qty: 2, rate: 15 },
  ]

  test('rows take the account and cost center of the company of the document', async () => {
    const { id: customer } = await story.create('Customer', { customer_name: 'Driver' })
    const ours = await story.make('Sales Invoice', { customer, items })
    assert.equal(await story.books(ours.id), { Debtors: 100, Repairs: -100 })
    const theirs = await story.make('Sales Invoice', { company: BLAU, customer, items })
    assert.equal(await story.books(theirs.id), {
      'Debtors - BG': 100,
      'Repairs - BG': -70,
      'Sales - BG': -30,
    })
    assert.equal(
      theirs.items.map(({ cost_center }: Shown) => cost_center),
      ['Workshop - BG', 'Main - BG'],
    )

    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Garage' })
    const bought = await story.make('Purchase Invoice', { supplier, items })
    assert.equal(await story.books(bought.id), { Creditors: -100, 'Spare Parts': 100 })
    const bill = await story.make('Purchase Invoice', { company: BLAU, supplier, items })
    assert.equal(await story.books(bill.id), {
      'Creditors - BG': -100,
      'Parts - BG': 70,
      'Purchases - BG': 30,
    })
    assert.is(bill.items[0].cost_center, 'Workshop - BG')
  })

  test('an item has one row for a company, with what is its own', async () => {
    const item_defaults = [{ company: BLAU, income_account: 'Sales' }]
    await refusedFor(
      'item_defaults[0].income_account',
      'expected one of the Company "Blau GmbH"',
      story.update('Item', 'HOUR', { item_defaults }),
    )
    await refusedFor(
      'item_defaults[1].company',
      'a company has one row',
      story.update('Item', 'HOUR', { item_defaults: [{ company: BLAU }, { company: BLAU }] }),
    )
  })

  test('a customer and a supplier are booked on their account of the company', async () => {
    const debtors = { root_type: 'Asset', account_type: 'Receivable' }
    for (const [account_name, company] of [
      ['Key Accounts', 'Acme Inc'],
      ['Key Accounts - BG', BLAU],
    ])
      await story.create('Account', { account_name, company, ...debtors })
    const { id: customer } = await story.create('Customer', {
      customer_name: 'Fleet',
      receivable_account: 'Key Accounts',
      accounts: [{ company: BLAU, account: 'Key Accounts - BG' }],
    })
    const ours = await story.make('Sales Invoice', { customer, items })
    const theirs = await story.make('Sales Invoice', { company: BLAU, customer, items })
    assert.equal([ours.debit_to, theirs.debit_to], ['Key Accounts', 'Key Accounts - BG'])
    const paid = await story.make('Payment Entry', {
      company: BLAU,
      party: customer,
      paid_amount: 20,
    })
    assert.equal(await story.books(paid.id), { 'Bank - BG': 20, 'Key Accounts - BG': -20 })

    const plain = await story.create('Customer', {
      customer_name: 'Plain',
      receivable_account: 'Key Accounts',
    })
    const passed = await story.make('Sales Invoice', { company: BLAU, customer: plain.id, items })
    assert.is(passed.debit_to, 'Debtors - BG', "another company's is passed over")
    await refusedFor(
      'accounts[0].account',
      'must be a Receivable account',
      story.update('Customer', plain.id, { accounts: [{ company: BLAU, account: 'Bank - BG' }] }),
    )

    const credit = { root_type: 'Liability', account_type: 'Payable', company: BLAU }
    await story.create('Account', { account_name: 'Partners - BG', ...credit })
    const { id: supplier } = await story.create('Supplier', {
      supplier_name: 'Partner',
      accounts: [{ company: BLAU, account: 'Partners - BG' }],
    })
    const bill = await story.make('Purchase Invoice', { company: BLAU, supplier, items })
    assert.is(bill.credit_to, 'Partners - BG')
    const bought = await story.make('Purchase Invoice', { supplier, items })
    assert.is(bought.credit_to, 'Creditors')
  })

  test('goods come to and leave the warehouse of the company', async () => {
    await story.create('Item', {
      item_code: 'LAMP',
      item_name: 'Lamp',
      default_warehouse: 'Finished Goods',
      item_defaults: [
        { company: BLAU, default_warehouse: 'Finished Goods - BG', expense_account: 'Parts - BG' },
      ],
    })
    await story.create('Item', {
      item_code: 'BULB',
      item_name: 'Bulb',
      default_warehouse: 'Finished Goods',
    })
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Mill' })
    const rows = [
      { item_code: 'LAMP', qty: 5, rate: 20 },
      { item_code: 'BULB', qty: 5, rate: 2 },
    ]
    const warehousesOf = ({ items: all }: Shown): string[] =>
      all.map(({ warehouse }: Shown) => warehouse)
    const ours = await story.make('Purchase Receipt', { supplier, items: rows })
    assert.equal(warehousesOf(ours), ['Finished Goods', 'Finished Goods'])
    const theirs = await story.make('Purchase Receipt', { company: BLAU, supplier, items: rows })
    assert.equal(warehousesOf(theirs), ['Finished Goods - BG', 'Stores - BG'])
    await story.update('Company', BLAU, { default_warehouse: 'Work In Progress - BG' })
    const named = await story.make('Purchase Receipt', { company: BLAU, supplier, items: rows })
    assert.equal(warehousesOf(named), ['Finished Goods - BG', 'Work In Progress - BG'])

    // 2 lamps cost 40; they are sold for 60.
    const { id: customer } = await story.create('Customer', { customer_name: 'Reader' })
    const sold = await story.make('Sales Invoice', {
      company: BLAU,
      customer,
      update_stock: true,
      items: [{ item_code: 'LAMP', qty: 2, rate: 30 }],
    })
    const [left] = await story.all('Stock Ledger Entry', { voucher_no: sold.id })
    assert.is(left?.warehouse, 'Finished Goods - BG')
    assert.equal(await story.books(sold.id), {
      'Debtors - BG': 60,
      'Sales - BG': -60,
      'Parts - BG': 40,
      'Stock In Hand - BG': -40,
    })
    const sent = await story.make('Delivery Note', {
      company: BLAU,
      customer,
      items: [{ item_code: 'LAMP', qty: 1, rate: 30 }],
    })
    assert.equal(warehousesOf(sent), ['Finished Goods - BG'])
    assert.equal(await story.books(sent.id), { 'Parts - BG': 20, 'Stock In Hand - BG': -20 })
  })

  test('pay and expenses of a further company have accounts of its own', async () => {
    const accountsOf = async (doctype: string, id: string): Promise<unknown[]> =>
      (await story.get(doctype, id)).accounts.map((row: Shown) => [
        row.company,
        row.account ?? row.default_account,
      ])
    assert.equal(await accountsOf('Salary Component', 'Basic'), [
      ['Acme Inc', 'Salaries'],
      [BLAU, 'Salaries - BG'],
    ])
    assert.equal(await accountsOf('Expense Claim Type', 'Calls'), [
      ['Acme Inc', 'Telephone and Internet'],
      [BLAU, 'Telephone and Internet - BG'],
    ])
    const german = { company_name: 'Gelb AG', abbr: 'G', default_currency: 'EUR' }
    await story.create('Company', { ...german, chart_of_accounts: 'Germany SKR04' })
    assert.equal((await accountsOf('Salary Component', 'Income Tax'))[2], [
      'Gelb AG',
      'Verbindlichkeiten aus Lohn- und Kirchensteuer - G',
    ])
    assert.equal(await story.differences(), [])
  })
})

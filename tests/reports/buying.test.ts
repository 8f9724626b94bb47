import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { openStory, type Story } from '../stories/story.ts'
import { type Asked, reportsOf, rowsOf } from './report-of.ts'

forEachDatabase('reports of what is bought, and of the bank', ({ test, fresh }) => {
  let story: Story
  let report: Asked
  /** Short names → ids. */
  const ids: Record<string, string> = {}

  test.before(async () => {
    story = await openStory(await fresh())
    report = reportsOf(story)
    await story.create('Item', { item_code: 'LAMP', item_name: 'Lamp', item_group: 'Products' })
    await story.create('Item', { item_code: 'HOUR', item_name: 'Hour', is_stock_item: false })
    const suppliers = { Timber: 'Raw Material', Studio: 'Services' }
    for (const [supplier_name, supplier_group] of Object.entries(suppliers))
      ids[supplier_name] = (await story.create('Supplier', { supplier_name, supplier_group })).id
    ids.Ada = (await story.create('Customer', { customer_name: 'Ada' })).id
    await story.create('Cost Center', { cost_center_name: 'Shops', is_group: true })
    await story.create('Cost Center', { cost_center_name: 'East', parent_cost_center: 'Shops' })
    const account = { account_name: 'Euro Bank', parent_account: 'Current Assets' }
    const euro = { account_currency: 'EUR', root_type: 'Asset', account_type: 'Bank' }
    await story.create('Account', { ...account, ...euro })
    await trade()
    await bank()
  })
  test.after(() => story.close())

  async function trade(): Promise<void> {
    const buy = async (name: string, party: string, day: string, row: object, more = {}) => {
      const body = { supplier: ids[party], posting_date: day, items: [{ qty: 1, ...row }], ...more }
      const bill = await story.make('Purchase Invoice', body)
      ids[name] = bill.id
      return bill
    }
    const goods = { update_stock: true, taxes: [{ description: 'VAT', rate: 20 }] }
    const lamps = { item_code: 'LAMP', qty: 20, rate: 20 }
    const b1 = await buy('B1', 'Timber', '2026-01-05', lamps, goods) // 480
    const euros = { currency: 'EUR', conversion_rate: 1.1 }
    await buy('B2', 'Studio', '2026-02-10', { item_code: 'HOUR', rate: 100 }, euros) // 110
    await buy('B3', 'Timber', '2026-02-12', { item_code: 'HOUR', rate: 500 })
    await story.cancel('Purchase Invoice', ids.B3!) // on its day
    const paid = { is_paid: true, mode_of_payment: 'Bank Transfer' }
    await buy('B4', 'Studio', '2026-03-03', { item_code: 'HOUR', rate: 60 }, paid)
    const back = await story.draftOf('Purchase Invoice', b1.id, 'make_return')
    const purchase_invoice_item = b1.items[0].row_id
    const items = [{ item_code: 'LAMP', qty: -2, rate: 20, purchase_invoice_item }]
    await story.update('Purchase Invoice', back.id, { posting_date: '2026-03-04', items })
    ids.N1 = (await story.submit('Purchase Invoice', back.id)).id // -48
  }

  async function bank(): Promise<void> {
    const pay = async (name: string, party: string, posting_date: string, body: object) => {
      const kinds = party === 'Ada' ? ['Receive', 'Customer'] : ['Pay', 'Supplier']
      const [payment_type, party_type] = kinds
      const head = { payment_type, party_type, party: ids[party], posting_date }
      ids[name] = (await story.make('Payment Entry', { ...head, ...body })).id
    }
    const references = [{ purchase_invoice: ids.B1, allocated_amount: 200 }]
    await pay('R1', 'Ada', '2026-02-20', { paid_amount: 1000 })
    await pay('R2', 'Ada', '2026-02-21', { paid_amount: 77 })
    await story.cancel('Payment Entry', ids.R2!)
    await pay('P1', 'Timber', '2026-03-01', { paid_amount: 200, reference_no: 'CH-1', references })
    await pay('P2', 'Studio', '2026-03-02', { paid_amount: 25, reference_no: 'CH-2' })
    const book = async (name: string, posting_date: string, debit: object, credit: object) => {
      const accounts = [debit, credit]
      ids[name] = (await story.make('Journal Entry', { posting_date, accounts })).id
    }
    const charges = { account: 'Bank Charges', debit: 5, cost_center: 'East' }
    await book('J1', '2026-03-06', charges, { account: 'Bank', credit: 5 })
    await book('J2', '2026-03-08', { account: 'Cash', debit: 40 }, { account: 'Bank', credit: 40 })
    const machine = { account: 'Fixed Assets', debit: 300 }
    await book('J3', '2026-03-08', machine, { account: 'Cash', credit: 300 })
    const euros = { account: 'Euro Bank', debit: 100, exchange_rate: 1.1 }
    await book('J4', '2026-03-08', euros, { account: 'Capital', credit: 110 })
    const { id } = await story.create('Bank Account', { account_name: 'Giro', account: 'Bank' })
    for (const [date, amount, payment_document, voucher] of [
      ['2026-02-22', 1000, 'Payment Entry', 'R1'],
      ['2026-03-02', -200, 'Payment Entry', 'P1'],
      ['2026-03-05', -60, 'Purchase Invoice', 'B4'],
      ['2026-03-10', -5, 'Journal Entry', 'J1'],
    ] as const) {
      const payment_entries = [{ payment_document, payment_entry: ids[voucher] }]
      await story.make('Bank Transaction', { bank_account: id, date, amount, payment_entries })
    }
  }

  const nameOf = (id: unknown): string =>
    Object.entries(ids).find(([, one]) => one === id)?.[0] ?? String(id)
  /** The rows of a report, each as a line of words. */
  const linesOf = async (
    slug: string,
    params: Readonly<Record<string, string>>,
    columns: string,
  ): Promise<string[]> =>
    rowsOf(await report(slug, params), columns.split(' ')).map((row) => row.map(nameOf).join(' '))

  test('payables tell payments from debit notes, and forget what was cancelled', async () => {
    const columns = 'party voucher_no invoiced paid credit_note outstanding age'
    assert.equal(await linesOf('accounts-payable', {}, columns), [
      'Timber B1 480 200 48 232 33', // due on 4 February
      'Studio B2 110 0 0 110 0',
      'Studio P2 0 25 0 -25 7',
    ])
    const short = 'party paid credit_note advance outstanding bucket1 bucket2'
    assert.equal(await linesOf('accounts-payable-summary', {}, short), [
      'Timber 200 48 0 232 0 232',
      'Studio 25 0 25 85 85 0',
    ])
    const owed = async (params: Readonly<Record<string, string>>) =>
      (await report('accounts-payable', params)).totals?.outstanding
    assert.is(await owed({ report_date: '2026-02-28' }), 480 + 110)
    assert.is(await owed({ party: ids.Timber!, ageing_based_on: 'Posting Date' }), 232)
    assert.is(await owed({ supplier_group: 'Services' }), 85)
    assert.is(await owed({ supplier_group: 'All Supplier Groups' }), 317)
  })

  const year = { from_date: '2026-01-01', to_date: '2026-12-31' }

  test('the registers have what was billed, in the currency of the company', async () => {
    const columns = 'invoice invoice_total net_total taxes grand_total outstanding'
    assert.equal(await linesOf('purchase-register', year, columns), [
      'B1 480 400 80 480 232',
      'B2 100 110 0 110 110',
      'B4 60 60 0 60 0',
      'N1 -48 -40 -8 -48 0',
    ])
    const found = await report('purchase-register', year)
    assert.equal(found.totals, {
      net_total: 530,
      tax_input_tax: 72,
      taxes: 72,
      grand_total: 602,
      rounded_total: 602,
      outstanding: 342,
    })
    const services = { ...year, supplier_group: 'Services' }
    assert.equal(await linesOf('purchase-register', services, 'invoice'), ['B2', 'B4'])
    const some = { supplier: ids.Studio!, from_date: '2026-03-01' }
    assert.equal(await linesOf('purchase-register', some, 'invoice'), ['B4'])
    assert.equal(
      await linesOf('item-wise-purchase-register', year, 'invoice item_code qty rate amount'),
      ['B1 LAMP 20 20 400', 'B2 HOUR 1 110 110', 'B4 HOUR 1 60 60', 'N1 LAMP -2 20 -40'],
    )
    const of = async (params: object) =>
      (await report('item-wise-purchase-register', { ...year, ...params })).totals?.amount
    assert.is(await of({ item_group: 'Products' }), 360)
    assert.is(await of({ item_code: 'HOUR', supplier: ids.Studio }), 170)
  })

  test('ledgers of the parties lead from what was owed to what is', async () => {
    const columns = 'party opening invoiced debited paid closing'
    const spring = { from_date: '2026-02-01', to_date: '2026-03-31' }
    assert.equal(await linesOf('supplier-ledger-summary', spring, columns), [
      'Timber 480 0 48 200 232',
      'Studio 0 170 0 85 85', // 60 at once, 25 in advance
    ])
    const february = { ...spring, to_date: '2026-02-28', supplier_group: 'Raw Material' }
    assert.equal(await linesOf('supplier-ledger-summary', february, columns), [
      'Timber 480 0 0 0 480',
    ])
    const sides = 'party opening_credit debit credit closing_debit closing_credit'
    const suppliers = { ...spring, party_type: 'Supplier' }
    assert.equal(await linesOf('trial-balance-for-party', suppliers, sides), [
      'Timber 480 748 500 0 232', // 500 of the cancelled bill, 200, 48
      'Studio 0 85 170 0 85',
    ])
    const customers = { ...spring, account: 'Debtors', party: ids.Ada! }
    assert.equal(await linesOf('trial-balance-for-party', customers, sides), [
      'Ada 0 77 1077 0 1000',
    ])
    const ledger = { ...spring, party_type: 'Supplier', party: ids.Timber! }
    assert.equal(
      await linesOf('general-ledger', ledger, 'account voucher_no debit credit balance'),
      [
        'Creditors null 0 480 -480',
        'Creditors B3 0 500 -980',
        'Creditors B3 500 0 -480',
        'Creditors P1 200 0 -280',
        'Creditors N1 48 0 -232',
      ],
    )
    const one = { ...spring, voucher_no: ids.J2! }
    assert.equal(await linesOf('general-ledger', one, 'account balance'), ['Bank -40', 'Cash 40'])
    const shops = { ...spring, cost_center: 'Shops', account: 'Expenses' }
    assert.equal(await linesOf('general-ledger', shops, 'account debit'), ['Bank Charges 5'])
  })

  test('the bank statement is told from the books by what it does not show yet', async () => {
    const on = async (report_date: string, account = 'Bank') => {
      const params = { report_date, account }
      const found = await report('bank-reconciliation-statement', params)
      assert.is(found.data.at(-1)?.balance, found.summary[2]?.value)
      const rows = await linesOf('bank-reconciliation-statement', params, 'voucher_no debit credit')
      return [...rows.slice(1), ...found.summary.map(({ value }) => value)]
    }
    // Books: 1000 - 200 - 25 - 60 - 5 - 40; the bank: 1000 - 200 - 60
    assert.equal(await on('2026-03-09'), ['P2 25 0', 'J1 5 0', 'J2 40 0', 670, 70, 740])
    assert.equal(await on('2026-03-10'), ['P2 25 0', 'J2 40 0', 670, 65, 735])
    assert.equal(await on('2026-03-04'), ['P2 25 0', 'B4 60 0', 715, 85, 800])
    assert.equal(await on('2026-03-31', 'Euro Bank'), ['J4 0 100', 100, -100, 0])
    const euro = await report('bank-reconciliation-statement', { account: 'Euro Bank' })
    assert.is(euro.currency, 'EUR')
    const [, p2] = (await report('bank-reconciliation-statement', {})).data
    assert.equal([p2?.party, p2?.reference_no], [ids.Studio, 'CH-2'])
  })

  test('the statements of the year agree with one another', async () => {
    const months = { from_date: '2026-02-01', to_date: '2026-03-31', periodicity: 'Monthly' }
    const flow = 'activity account amount_2026_02 amount_2026_03 total'
    assert.equal(await linesOf('cash-flow', months, flow), [
      'Operating Bank Charges 0 -5 -5',
      'Operating Creditors 0 -225 -225',
      'Operating Debtors 1000 0 1000', // 77 were taken back on their day
      'Operating Purchases 0 -60 -60',
      'Investing Fixed Assets 0 -300 -300',
      'Financing Capital 0 110 110',
    ])
    const values = async (slug: string, params: object = {}) =>
      (await report(slug, { ...year, ...params })).summary.map(({ value }) => value)
    // 670 in the bank, 40 - 300 in cash, 110 in euros
    assert.equal(await values('cash-flow'), [710, -300, 110, 520])
    // 520, 360 of lamps, 72 of tax, 300 of machines, -1000 owed to Ada; creditors; capital
    assert.equal(await values('balance-sheet'), [252, 317, 110, -175])
    assert.equal(await values('profit-and-loss-statement'), [0, 175, -175])
    assert.equal(await values('profit-and-loss-statement', { cost_center: 'Shops' }), [0, 5, -5])
    assert.equal(
      await linesOf(
        'profit-and-loss-statement',
        months,
        'indent account amount_2026_02 amount_2026_03',
      ),
      [
        '0 Expenses 110 65',
        '1 Direct Expenses 110 60',
        '2 Purchases 110 60', // of 500 nothing is left
        '1 Indirect Expenses 0 5',
        '2 Bank Charges 0 5',
      ],
    )
  })

  test('budgets are set against what was spent', async () => {
    const plan = (cost_center: string, account: string, budget_amount: number) =>
      story.make('Budget', {
        cost_center,
        fiscal_year: '2026',
        accounts: [{ account, budget_amount }],
      })
    await plan('East', 'Bank Charges', 20)
    await plan('Main', 'Purchases', 1000)
    const columns = 'dimension account budget actual variance used'
    assert.equal(await linesOf('budget-variance', {}, columns), [
      'East Bank Charges 20 5 15 25',
      'Main Purchases 1000 170 830 17',
    ])
    assert.equal(await linesOf('budget-variance', { cost_center: 'Shops' }, 'dimension'), ['East'])
    assert.equal(await linesOf('budget-variance', { budget_against: 'Project' }, columns), [])
    assert.equal(await story.differences(), [])
  })
})

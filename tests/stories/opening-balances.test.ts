import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { reportsOf } from '../reports/report-of.ts'
import { openStory, refusedFor, type Story } from './story.ts'

/** The books begin with what stood in those before: bank, capital, stock, and single unpaid papers. */
forEachDatabaseWhenDeep('opening balances', ({ test, fresh }) => {
  let story: Story

  test.before(async () => {
    story = await openStory(await fresh())
  })
  test.after(() => story.close())

  const date = '2026-01-01'

  test('of all kinds leave nothing on the account they stand against, and are marked', async () => {
    const { id: customer } = await story.create('Customer', { customer_name: 'Blue Whale' })
    const { id: supplier } = await story.create('Supplier', { supplier_name: 'Timber Co' })
    await story.create('Item', { item_code: 'PLANK', item_name: 'Plank' })
    // Bank 5,000, machine 8,000, receivable 1,190, stock 600; payable 714, loan 6,000, capital 8,076
    const entry = await story.make('Journal Entry', {
      voucher_type: 'Opening Entry',
      posting_date: date,
      accounts: [
        { account: 'Bank', debit: 5000 },
        { account: 'Fixed Assets', debit: 8000 },
        { account: 'Loans', credit: 6000 },
        { account: 'Capital', credit: 8076 },
        { account: 'Opening Balances', debit: 1076 },
      ],
    })
    assert.is(entry.is_opening, 'Yes')
    const invoice = await story.make('Opening Invoice', {
      customer,
      invoice_no: 'RE-77',
      posting_date: date,
      invoice_date: '2025-12-05',
      due_date: '2026-01-04',
      amount: 1190,
    })
    const bill = await story.make('Opening Bill', {
      supplier,
      bill_no: 'B-9',
      posting_date: date,
      amount: 714,
    })
    const count = await story.make('Stock Reconciliation', {
      purpose: 'Opening Stock',
      posting_date: date,
      items: [{ item_code: 'PLANK', warehouse: 'Stores', qty: 60, valuation_rate: 10 }],
    })
    const vouchers = [entry.id, invoice.id, bill.id, count.id]
    assert.equal(await story.books(...vouchers), {
      Bank: 5000,
      'Fixed Assets': 8000,
      Debtors: 1190,
      'Stock In Hand': 600,
      Creditors: -714,
      Loans: -6000,
      Capital: -8076,
    })
    const posted = await story.all('GL Entry')
    assert.equal([...new Set(posted.map(({ is_opening }) => is_opening))], ['Yes'])
    const later = await story.make('Journal Entry', {
      posting_date: '2026-01-31',
      accounts: [
        { account: 'Rent', debit: 100 },
        { account: 'Bank', credit: 100 },
      ],
    })
    const [rent] = await story.all('GL Entry', { voucher_no: later.id, account: 'Rent' })
    assert.is(rent!.is_opening, 'No')
    // They are the opening of a report that begins on their day, not what was posted in it.
    const trial = await reportsOf(story)('trial-balance', {
      from_date: date,
      to_date: '2026-03-31',
    })
    const bank = trial.data.find(({ account }) => account === 'Bank')
    assert.equal(
      [bank!.opening_debit, bank!.debit, bank!.credit, bank!.closing_debit],
      [5000, 0, 100, 4900],
    )
    assert.equal([trial.totals!.debit, trial.totals!.credit], [100, 100])
    assert.equal(await story.differences(), [])
  })

  test('are of balances alone, and are taken back as they came', async () => {
    const rows = [
      { account: 'Rent', debit: 10 },
      { account: 'Opening Balances', credit: 10 },
    ]
    const entry = { is_opening: 'Yes', posting_date: date, accounts: rows }
    await refusedFor(
      'accounts[0].account',
      'Rent is income or expense; opening balances are of assets',
      story.create('Journal Entry', entry),
    )
    const [bank, balances] = [
      { account: 'Bank', debit: 10 },
      { account: 'Opening Balances', credit: 10 },
    ]
    const { id } = await story.make('Journal Entry', { ...entry, accounts: [bank, balances] })
    await story.cancel('Journal Entry', id)
    assert.equal(await story.books(id), {})
    const mirrors = await story.all('GL Entry', { voucher_no: id })
    assert.equal(
      mirrors.map(({ is_opening }) => is_opening),
      ['Yes', 'Yes', 'Yes', 'Yes'],
    )
    assert.equal(await story.differences(), [])
  })
})

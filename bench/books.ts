import type BetterSqlite3 from 'better-sqlite3'
import { CUSTOMERS, DAY, type FillBooks, ITEMS } from './book-values.ts'
import { fillDocuments } from './document-books.ts'
import type { RowCopier } from './row-copier.ts'

const AMOUNT = '(n.n % 997 + 1) * 10000'

/** Rows that reports are measured over, each kind in a workspace of its own. */
export const BOOKS = {
  ledgers: fillLedgers,
  payables: fillPayables,
  bank: fillBank,
  leave: fillLeave,
  stock: fillBins,
  documents: fillDocuments,
} as const satisfies Readonly<Record<string, FillBooks>>

export type Books = keyof typeof BOOKS

/**
 * Invoices of 500 customers on all accounts, most of them paid, movements of 200 items, over two years, and a budget of
 * every account.
 */
function fillLedgers(
  { copy, add }: RowCopier,
  rows: number,
  database: BetterSqlite3.Database,
): void {
  const count = Math.ceil(rows / 2)
  const leaves = makeLeaves(database)
  copy('gl_entries', `t.party is not null and t.voucher_type = 'Sales Invoice'`, count, {
    name: `'d' || n.n`,
    posting_date: DAY,
    voucher_no: `'B-' || n.n`,
    against_voucher: `'B-' || n.n`,
    party: partyOf('CUST'),
    debit: AMOUNT,
  })
  postOnLeaves(copy, leaves, count)
  fillOwed(copy, rows, {
    accountType: 'Receivable',
    partyType: 'Customer',
    invoice: 'Sales Invoice',
    prefix: 'CUST',
  })
  for (const [prefix, sign] of [
    ['i', ''],
    ['o', '-'],
  ] as const) {
    const qty = `${sign}(n.n % 7 + ${sign === '' ? 3 : 1})`
    copy('stock_ledger_entries', 't.rid = 1', count, {
      name: `'${prefix}' || n.n`,
      posting_date: DAY,
      item_code: `printf('G-%03d', n.n % ${ITEMS} + 1)`,
      actual_qty: `${qty} * 1000000`,
      stock_value_difference: `${qty} * 50000`,
      voucher_no: `'${prefix}-' || n.n`,
    })
  }
  add('budgets', 1, {
    rid: '1',
    name: `'BUDGET'`,
    docstatus: '1',
    budget_against: `'Cost Center'`,
    cost_center: `'Main'`,
    company: '(select name from companies)',
    fiscal_year: `'2026'`,
  })
  database.exec(
    `insert into budgets__accounts (row_id, parent, idx, account, root_type, budget_amount)
     select 'b' || i, 1, i + 1, name, root_type, (i + 1) * 100000000 from leaf`,
  )
}

/** Accounts that anything may be posted on, numbered from 0; returns how many. */
function makeLeaves(database: BetterSqlite3.Database): number {
  database.exec(
    `create temp table leaf as select row_number() over (order by name) - 1 as i, name, root_type, coalesce(account_type, '') as account_type
     from accounts where is_group = 0 and coalesce(account_type, '') not in ('Stock', 'Receivable', 'Payable')`,
  )
  return (database.prepare('select count(*) as n from leaf').get() as { n: number }).n
}

function postOnLeaves(copy: RowCopier['copy'], leaves: number, count: number): void {
  copy(
    'gl_entries',
    `t.party is null and t.voucher_type = 'Sales Invoice'`,
    count,
    {
      name: `'c' || n.n`,
      posting_date: DAY,
      voucher_no: `'B-' || n.n`,
      account: 'leaf.name',
      root_type: 'leaf.root_type',
      account_type: 'leaf.account_type',
      credit: AMOUNT,
    },
    `join leaf on leaf.i = n.n % ${leaves}`,
  )
}

function partyOf(prefix: string): string {
  return `printf('${prefix}-%05d', n.n % ${CUSTOMERS} + 1)`
}

interface Owed {
  readonly accountType: string
  readonly partyType: string
  readonly invoice: string
  readonly prefix: string
}

/** Invoices and their payments in the ledger of what is owed. */
function fillOwed(
  copy: RowCopier['copy'],
  rows: number,
  { accountType, partyType, invoice, prefix }: Owed,
): void {
  const count = Math.ceil(rows / 2)
  const of = {
    account_type: `'${accountType}'`,
    party_type: `'${partyType}'`,
    party: partyOf(prefix),
    against_voucher_type: `'${invoice}'`,
    against_voucher_no: `'B-' || n.n`,
  }
  copy('payment_ledger_entries', 't.rid = 1', count, {
    ...of,
    name: `'p' || n.n`,
    posting_date: DAY,
    due_date: `date(${DAY}, '30 days')`,
    amount: AMOUNT,
    voucher_type: `'${invoice}'`,
    voucher_no: `'B-' || n.n`,
  })
  copy(
    'payment_ledger_entries',
    't.rid = 1',
    count,
    {
      ...of,
      name: `'q' || n.n`,
      posting_date: `date(${DAY}, '20 days')`,
      due_date: 'null',
      amount: `-${AMOUNT}`,
      voucher_type: `'Payment Entry'`,
      voucher_no: `'P-' || n.n`,
    },
    'on n.n % 10 > 0',
  )
}

/** Invoices of 500 suppliers, most of them paid. */
function fillPayables({ copy }: RowCopier, rows: number): void {
  fillOwed(copy, rows, {
    accountType: 'Payable',
    partyType: 'Supplier',
    invoice: 'Purchase Invoice',
    prefix: 'SUP',
  })
}

/**
 * Half of the rows on other accounts, half on a bank's: payments and, one of five, journal entries. The bank has shown
 * nine of ten.
 */
function fillBank({ copy, add }: RowCopier, rows: number, database: BetterSqlite3.Database): void {
  const count = Math.ceil(rows / 2)
  postOnLeaves(copy, makeLeaves(database), count)
  const company = '(select name from companies)'
  const isJournal = 'n.n % 5 = 0'
  const kind = `case when ${isJournal} then 'Journal Entry' else 'Payment Entry' end`
  copy('gl_entries', `t.party is null and t.voucher_type = 'Sales Invoice'`, count, {
    name: `'k' || n.n`,
    posting_date: DAY,
    account: `'Bank'`,
    account_type: `'Bank'`,
    root_type: `'Asset'`,
    debit: `case when n.n % 3 > 0 then ${AMOUNT} else 0 end`,
    credit: `case when n.n % 3 > 0 then 0 else ${AMOUNT} end`,
    voucher_type: kind,
    voucher_no: `'V-' || n.n`,
  })
  const submitted = { name: `'V-' || n.n`, docstatus: '1', company, posting_date: DAY }
  add('payment_entries', count, {
    ...submitted,
    name: `case when ${isJournal} then 'other ' else '' end || 'V-' || n.n`,
    paid_to: `case when ${isJournal} then 'Cash' else 'Bank' end`,
    party: partyOf('CUST'),
    reference_no: `'R-' || n.n`,
  })
  add('journal_entries', count / 5, {
    ...submitted,
    rid: 'n.n',
    name: `'V-' || (5 * n.n)`,
    cheque_no: `'R-' || n.n`,
  })
  add('journal_entries__accounts', count / 5, {
    row_id: `'a' || n.n`,
    parent: 'n.n',
    idx: '1',
    account: `'Bank'`,
  })
  const shown = Math.floor(count * 0.9)
  add('bank_transactions', shown, {
    rid: 'n.n',
    name: `'T-' || n.n`,
    docstatus: '1',
    company,
    date: DAY,
    ledger_account: `'Bank'`,
    amount: `case when n.n % 3 > 0 then ${AMOUNT} else -${AMOUNT} end`,
  })
  add('bank_transactions__payment_entries', shown, {
    row_id: `'t' || n.n`,
    parent: 'n.n',
    idx: '1',
    payment_document: kind,
    payment_entry: `'V-' || n.n`,
    allocated_amount: AMOUNT,
  })
}

/** The leave of 1000 employees of five kinds: what they were given or lost, and as many days that they took. */
function fillLeave({ add }: RowCopier, rows: number): void {
  const count = Math.ceil(rows / 2)
  const company = '(select name from companies)'
  const employee = `printf('E-%04d', n.n % 1000)`
  const leaveType = `'Kind ' || (n.n % 5)`
  add('employees', 1000, {
    name: employee,
    employee_name: `'Employee ' || n.n`,
    company,
    department: `'Department ' || (n.n % 20)`,
    status: `'Active'`,
  })
  add('leave_ledger_entries', count, {
    name: `'l' || n.n`,
    docstatus: '1',
    posting_date: DAY,
    from_date: DAY,
    employee,
    company,
    leave_type: leaveType,
    leaves: '(n.n % 9 - 2) * 500000',
    is_expired: 'n.n % 9 < 2',
    voucher_type: `'Leave Allocation'`,
    voucher_no: `'A-' || n.n`,
  })
  add('leave_applications', count / 5, {
    rid: 'n.n',
    name: `'L-' || n.n`,
    docstatus: '1',
    status: `'Approved'`,
    employee,
    company,
    leave_type: leaveType,
    half_day: 'n.n % 4 = 0',
    half_day_date: DAY,
    is_lwp: 'n.n % 7 = 0',
  })
  const parent = `((n.n - 1) / 5 + 1)`
  add('leave_applications__days', count, {
    row_id: `'d' || n.n`,
    parent,
    idx: '(n.n - 1) % 5 + 1',
    day: `date('2026-12-31', '-' || (${parent} * 37 % 730 + (n.n - 1) % 5) || ' days')`,
  })
}

/** Stock that a thousand warehouses have of as many items as that takes. */
function fillBins({ add }: RowCopier, rows: number): void {
  const item = `printf('G-%03d', n.n % ${ITEMS} + 1)`
  const warehouse = `'Warehouse ' || (n.n / ${ITEMS})`
  add('bins', rows / 2, {
    name: `${item} || '::' || ${warehouse}`,
    company: '(select name from companies)',
    item_code: item,
    warehouse,
    stock_uom: `'Nos'`,
    actual_qty: 'n.n % 97 * 1000000',
    ordered_qty: 'n.n % 31 * 1000000',
    reserved_qty: 'n.n % 53 * 1000000',
    projected_qty: '(n.n % 97 + n.n % 31 - n.n % 53) * 1000000',
    reorder_level: 'n.n % 11 * 1000000',
  })
}

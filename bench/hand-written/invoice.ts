import { randomBytes, randomUUID } from 'node:crypto'
import Database from 'better-sqlite3'
import { eventJson, type InvoiceRow, type ItemRow, type TaxRow } from './invoice-json.ts'

/** A line of the invoice that both sides make; amounts in 1/10⁴, quantities in 1/10⁶. */
export interface Line {
  readonly item_code: string
  readonly qty: number
  readonly rate: number
}

/** Creates and submits invoices by hand: one transaction each, on the tables that the engine made. */
export interface InvoiceWriter {
  create(customer: string, lines: readonly Line[]): string
  submit(name: string): void
  begin(): void
  commit(): void
  close(): void
}

const VAT = 19n
const INVOICE_COLUMNS =
  'name owner created modified modified_by docstatus version customer customer_name company company_currency posting_date due_date is_return currency conversion_rate total_qty apply_discount_on disable_rounded_total total net_tax_rate fixed_charges discount_amount net_discount net_total net_remainder total_taxes_and_charges grand_total rounded_total rounding_adjustment paid_amount journal_amount credited_amount outstanding_amount base_net_total base_total_taxes_and_charges base_grand_total base_rounding_adjustment base_rounded_total base_paid_amount base_journal_amount base_credited_amount base_outstanding_amount debit_to party_account_currency income_account cost_center round_off_account status'.split(
    ' ',
  )
const ITEM_COLUMNS =
  'row_id parent idx item_code item_name qty uom price_list_rate rate amount net_share net_amount base_net_amount income_account cost_center returned_qty'.split(
    ' ',
  )
const GL_COLUMNS =
  'name owner created modified modified_by docstatus version posting_date fiscal_year company company_currency account account_type party_type party debit credit account_currency debit_in_account_currency credit_in_account_currency cost_center against_voucher_type against_voucher voucher_type voucher_no'.split(
    ' ',
  )
const EVENT_COLUMNS = 'id event resource kind record_id at actor data'.split(' ')
const USER = 'Administrator'

/** Half away from zero, to cents: scaled 1/10⁴ in and out. */
function cents(value: bigint): bigint {
  const half = value < 0n ? -50n : 50n
  return ((value + half) / 100n) * 100n
}

/** Opens the writer on a database that the engine has set up. Throws what SQLite throws. */
export function openInvoiceWriter(file: string, durability: 'normal' | 'full'): InvoiceWriter {
  const db = new Database(file)
  db.pragma('journal_mode = wal')
  db.pragma(`synchronous = ${durability}`)
  db.pragma('cache_size = -32768')
  db.defaultSafeIntegers(true)
  const insert = (table: string, columns: readonly string[]) =>
    db.prepare(
      `insert into ${table} (${columns.map((name) => `"${name}"`).join(', ')}) values (${columns.map(() => '?').join(', ')})`,
    )
  const findCustomer = db.prepare('select * from customers where name = ?')
  const findCompany = db.prepare(
    'select * from companies where is_default = 1 order by rid limit 1',
  )
  const findItems = db.prepare('select * from items where name in (?, ?, ?, ?, ?)')
  const findAccounts = db.prepare('select * from accounts where name in (?, ?, ?)')
  const findYear = db.prepare(
    'select name from fiscal_years where year_start_date <= ? and year_end_date >= ? and disabled = 0',
  )
  const findRate = db.prepare(
    'select exchange_rate from currency_exchanges where from_currency = ? and to_currency = ? and date <= ? order by date desc limit 1',
  )
  const nextNumber = db.prepare(
    `insert into svc_series (prefix, current) values (?, 1)
     on conflict (prefix) do update set current = current + 1 returning current`,
  )
  const insertInvoice = insert('sales_invoices', INVOICE_COLUMNS)
  const insertItem = insert('sales_invoices__items', ITEM_COLUMNS)
  const insertTax = insert(
    'sales_invoices__taxes',
    'row_id parent idx charge_type description account_head rate tax_amount base_tax_amount'.split(
      ' ',
    ),
  )
  const insertSearch = db.prepare('insert into svc_search (rowid, body) values (?, ?)')
  const insertEvent = insert('svc_events', EVENT_COLUMNS)
  const insertGl = insert('gl_entries', GL_COLUMNS)
  const findInvoice = db.prepare('select * from sales_invoices where name = ?')
  const findRows = db.prepare('select * from sales_invoices__items where parent = ? order by idx')
  const findTaxes = db.prepare('select * from sales_invoices__taxes where parent = ? order by idx')
  const submitInvoice = db.prepare(
    `update sales_invoices set docstatus = 1, version = version + 1, modified = ?, modified_by = ?,
     outstanding_amount = ?, base_outstanding_amount = ?, status = ? where rid = ?`,
  )
  const addToCustomer = db.prepare(
    `update customers set outstanding_total = coalesce(outstanding_total, 0) + ?,
     billed_total = coalesce(billed_total, 0) + ?, version = version + 1, modified = ?, modified_by = ?
     where name = ? returning *`,
  )
  const searchBase = db
    .prepare(`select number from svc_doctype_numbers where doctype = 'Sales Invoice'`)
    .pluck()
    .get() as bigint
  const begin = db.prepare('begin immediate')
  const commit = db.prepare('commit')

  const event = (resource: string, kind: string, id: string, at: string, data: string): void => {
    const eventId = `evt_${randomUUID().replaceAll('-', '')}`
    insertEvent.run(eventId, `${resource}.${kind}`, resource, kind, id, at, USER, data)
  }
  const rowId = (): string => randomBytes(10).toString('hex')

  function create(customerName: string, lines: readonly Line[]): string {
    const now = new Date().toISOString()
    const today = now.slice(0, 10)
    const due = new Date(Date.parse(today) + 30 * 86_400_000).toISOString().slice(0, 10)
    const customer = findCustomer.get(customerName) as Record<string, unknown> | undefined
    if (!customer || customer.disabled === 1n) throw new Error('no such customer')
    const company = findCompany.get() as Record<string, string> | undefined
    if (!company) throw new Error('no company')
    const currency = String(customer.default_currency ?? company.default_currency)
    const rate = currency === company.default_currency ? 1_000_000_000n : findRate.get(currency)
    findRate.get(currency, company.default_currency, today)
    if (typeof rate !== 'bigint') throw new Error('no exchange rate')
    const items = new Map(
      (findItems.all(lines.map((line) => line.item_code)) as Record<string, unknown>[]).map(
        (item) => [item.name, item],
      ),
    )
    const accounts = findAccounts.all(
      company.default_receivable_account,
      company.default_income_account,
      'Output Tax',
    ) as Record<string, unknown>[]
    if (accounts.length !== 3 || accounts.some(({ is_group }) => is_group === 1n))
      throw new Error('accounts are missing')
    let total = 0n
    let quantity = 0n
    const rows = lines.map((line, index): ItemRow => {
      const item = items.get(line.item_code)
      if (!item) throw new Error(`no item ${line.item_code}`)
      if (line.qty <= 0 || line.rate < 0) throw new Error('quantity must be above 0')
      const qty = BigInt(Math.round(line.qty * 1e6))
      const price = BigInt(Math.round(line.rate * 1e6))
      const amount = cents((qty * price) / 100_000_000n)
      total += amount
      quantity += qty
      return {
        row_id: rowId(),
        idx: BigInt(index + 1),
        item_code: line.item_code,
        item_name: String(item.item_name),
        qty,
        uom: (item.stock_uom as string | null) ?? null,
        price_list_rate: BigInt(item.standard_rate as bigint) * 100n,
        rate: price,
        amount,
        income_account: company.default_income_account!,
        cost_center: company.cost_center!,
      }
    })
    const tax = cents((total * VAT) / 100n)
    const grand = total + tax
    const number = (nextNumber.get(`SINV-${today.slice(0, 4)}-`) as { current: bigint }).current
    const name = `SINV-${today.slice(0, 4)}-${String(number).padStart(5, '0')}`
    const invoice: InvoiceRow = {
      name,
      created: now,
      modified: now,
      docstatus: 0n,
      customer: customerName,
      customer_name: String(customer.customer_name),
      company: company.name!,
      company_currency: company.default_currency!,
      posting_date: today,
      due_date: due,
      currency,
      conversion_rate: rate,
      total_qty: quantity,
      total,
      net_tax_rate: VAT * 1_000_000n,
      total_taxes: tax,
      grand_total: grand,
      outstanding: 0n,
      debit_to: company.default_receivable_account!,
      income_account: company.default_income_account!,
      cost_center: company.cost_center!,
      round_off_account: company.round_off_account!,
      status: 'Draft',
    }
    const { lastInsertRowid } = insertInvoice.run(
      name,
      USER,
      now,
      now,
      USER,
      0,
      1,
      customerName,
      invoice.customer_name,
      invoice.company,
      invoice.company_currency,
      today,
      due,
      0,
      currency,
      rate,
      quantity,
      'Net Total',
      1,
      total,
      invoice.net_tax_rate,
      0,
      0,
      0,
      total,
      0,
      tax,
      grand,
      grand,
      0,
      0,
      0,
      0,
      0,
      total,
      tax,
      grand,
      0,
      grand,
      0,
      0,
      0,
      0,
      invoice.debit_to,
      currency,
      invoice.income_account,
      invoice.cost_center,
      invoice.round_off_account,
      'Draft',
    )
    for (const row of rows)
      insertItem.run(
        row.row_id,
        lastInsertRowid,
        row.idx,
        row.item_code,
        row.item_name,
        row.qty,
        row.uom,
        row.price_list_rate,
        row.rate,
        row.amount,
        row.amount,
        row.amount,
        row.amount,
        row.income_account,
        row.cost_center,
        0,
      )
    const taxes: TaxRow[] = [{ row_id: rowId(), rate: invoice.net_tax_rate, amount: tax }]
    insertTax.run(
      taxes[0]!.row_id,
      lastInsertRowid,
      1,
      'On Net Total',
      'VAT 19 %',
      'Output Tax',
      invoice.net_tax_rate,
      tax,
      tax,
    )
    insertSearch.run(
      searchBase * 2n ** 36n + BigInt(lastInsertRowid),
      `${name.toLowerCase()} ${invoice.customer_name.toLowerCase()}`,
    )
    event('sales-invoices', 'created', name, now, eventJson(invoice, rows, taxes))
    return name
  }

  function submit(name: string): void {
    const now = new Date().toISOString()
    const found = findInvoice.get(name) as Record<string, unknown> | undefined
    if (!found) throw new Error('no such invoice')
    if (found.docstatus !== 0n) throw new Error('not a draft')
    const rows = findRows.all(found.rid) as ItemRow[]
    const taxes = (findTaxes.all(found.rid) as Record<string, unknown>[]).map(
      (row): TaxRow => ({
        row_id: String(row.row_id),
        rate: row.rate as bigint,
        amount: row.tax_amount as bigint,
      }),
    )
    const customer = findCustomer.get(found.customer) as Record<string, unknown> | undefined
    if (!customer) throw new Error('no such customer')
    const items = findItems.all(rows.map((row) => row.item_code))
    if (items.length !== 5) throw new Error('items are missing')
    const year = findYear.get(found.posting_date, found.posting_date) as
      | { name: string }
      | undefined
    if (!year) throw new Error('no fiscal year')
    const accounts = new Map(
      (
        findAccounts.all(found.debit_to, found.income_account, 'Output Tax') as Record<
          string,
          unknown
        >[]
      ).map((account) => [account.name, account]),
    )
    const grand = found.grand_total as bigint
    const net = found.net_total as bigint
    const status = String(found.due_date) < now.slice(0, 10) ? 'Overdue' : 'Unpaid'
    submitInvoice.run(now, USER, grand, grand, status, found.rid)
    const entries = [
      { account: found.debit_to, debit: grand, credit: 0n, party: found.customer },
      { account: found.income_account, debit: 0n, credit: net, party: null },
      { account: 'Output Tax', debit: 0n, credit: grand - net, party: null },
    ]
    if (entries.reduce((sum, { debit, credit }) => sum + debit - credit, 0n) !== 0n)
      throw new Error('does not balance')
    for (const { account, debit, credit, party } of entries) {
      const master = accounts.get(account)
      if (!master || master.is_group === 1n || master.disabled === 1n)
        throw new Error('bad account')
      insertGl.run(
        randomUUID(),
        USER,
        now,
        now,
        USER,
        0,
        1,
        found.posting_date,
        year.name,
        found.company,
        found.company_currency,
        account,
        master.account_type,
        party === null ? null : 'Customer',
        party,
        debit,
        credit,
        found.currency,
        debit,
        credit,
        found.cost_center,
        party === null ? null : 'Sales Invoice',
        party === null ? null : name,
        'Sales Invoice',
        name,
      )
    }
    const limit = (customer.credit_limit as bigint | null) ?? 0n
    const owed = addToCustomer.get(grand, grand, now, USER, found.customer) as Record<
      string,
      bigint
    >
    if (limit > 0n && owed.outstanding_total! > limit) throw new Error('credit limit')
    const invoice: InvoiceRow = {
      ...(found as unknown as InvoiceRow),
      modified: now,
      docstatus: 1n,
      total_taxes: grand - net,
      outstanding: grand,
      status,
    }
    event('sales-invoices', 'submitted', name, now, eventJson(invoice, rows, taxes))
    event('customers', 'updated', String(found.customer), now, customerJson(owed))
  }

  return {
    create,
    submit,
    begin: () => void begin.run(),
    commit: () => void commit.run(),
    close: () => db.close(),
  }
}

/** The customer as the event tells of it. */
function customerJson(row: Readonly<Record<string, unknown>>): string {
  const { rid, version, ...shown } = row
  void rid
  void version
  return JSON.stringify(shown, (_key, value: unknown) =>
    typeof value === 'bigint' ? Number(value) / 10_000 : value,
  )
}

import { commitTogether, type Write } from './commit.ts'
import { type Database, openDatabase, type Statement } from './database.ts'
import { accountsOf, draftOf, type Invoice, missing, submitted } from './invoice-book.ts'
import { customerEvent, invoiceEvent, searchTextOf } from './invoice-events.ts'
import { readInvoice } from './invoice-input.ts'
import { OWED_COLUMNS, owedBy } from './invoice-owed.ts'
import { checkCredit, postingsOf } from './invoice-postings.ts'
import {
  ACCOUNT_COLUMNS,
  type AccountRow,
  COMPANY_COLUMNS,
  COST_CENTER_COLUMNS,
  type CompanyRow,
  type CostCenterRow,
  CUSTOMER_COLUMNS,
  type CustomerRow,
  EVENT_COLUMNS,
  type EventRow,
  GL_COLUMNS,
  INVOICE_COLUMNS,
  type InvoiceRow,
  ITEM_COLUMNS,
  type ItemRow,
  LINE_COLUMNS,
  type LineRow,
  TAX_COLUMNS,
  type TaxRow,
} from './invoice-rows.ts'
import { Refusal } from './refusal.ts'

/** Invoices in SQL, with no engine: each call one transaction, those at the same time one commit. */
export interface InvoiceStore {
  create(body: unknown): Promise<string>
  submit(name: string): Promise<void>
  close(): Promise<void>
}

/** Room for the rids of one DocType in the workspace's search table. */
const RIDS = 2 ** 36

const CLOSED_PERIODS = `accounting_periods__closed_documents d
  join accounting_periods p on p.rid = d.parent
  where d.document_type = 'Sales Invoice' and d.closed = 1 and p.company = ? and p.start_date <= ?
  and p.end_date >= ? and coalesce(p.disabled, 0) = 0`

/** Opens the store on a database whose tables and masters the engine has made. */
export function openInvoices(file: string, isDurable: boolean): InvoiceStore {
  const database = openDatabase(file, isDurable)
  const write: Write = commitTogether(database)
  const { create, submit } = invoices(database)
  return {
    create: async (body) => {
      const input = readInvoice(body)
      return write(() => create(input))
    },
    submit: (name) => write(() => submit(name)),
    async close() {
      database.close()
    },
  }
}

function invoices(database: Database) {
  const one = <Row>(columns: readonly string[], rest: string) =>
    database.prepare<unknown[], Row>(`select ${columns.join(', ')} from ${rest}`)
  const customerNamed = one<CustomerRow>(CUSTOMER_COLUMNS, 'customers where name = ?')
  const defaultCompany = one<CompanyRow>(
    COMPANY_COLUMNS,
    'companies where is_default = 1 order by rid limit 1',
  )
  const companyNamed = one<CompanyRow>(COMPANY_COLUMNS, 'companies where name = ?')
  const itemNamed = one<ItemRow>(ITEM_COLUMNS, 'items where name = ?')
  const accountNamed = one<AccountRow>(ACCOUNT_COLUMNS, 'accounts where name = ?')
  const yearOf = one<{ year: string }>(
    ['year'],
    `fiscal_years where year_start_date <= ? and year_end_date >= ? and disabled = 0
     order by year_start_date desc limit 1`,
  )
  const costCenterNamed = one<CostCenterRow>(COST_CENTER_COLUMNS, 'cost_centers where name = ?')
  const closedOn = one<{ closed: number }>(['count(*) as closed'], CLOSED_PERIODS)
  const rateOn = one<{ exchange_rate: number }>(
    ['exchange_rate'],
    `currency_exchanges where from_currency = ? and to_currency = ? and date <= ?
     order by date desc limit 1`,
  )
  const invoiceNamed = one<InvoiceRow & { rid: number }>(
    ['rid', ...INVOICE_COLUMNS],
    'sales_invoices where name = ?',
  )
  const linesOf = one<LineRow>(LINE_COLUMNS, 'sales_invoices__items where parent = ? order by idx')
  const taxesOf = one<TaxRow>(TAX_COLUMNS, 'sales_invoices__taxes where parent = ? order by idx')
  const nextNumber = database.prepare<[string], { current: number }>(
    `insert into svc_series (prefix, current) values (?, 1)
     on conflict (prefix) do update set current = current + 1 returning current`,
  )
  const insertInvoice = insertInto(database, 'sales_invoices', INVOICE_COLUMNS)
  const insertLine = insertInto(database, 'sales_invoices__items', ['parent', ...LINE_COLUMNS])
  const insertTax = insertInto(database, 'sales_invoices__taxes', ['parent', ...TAX_COLUMNS])
  const insertGl = insertInto(database, 'gl_entries', GL_COLUMNS)
  const insertOwed = insertInto(database, 'payment_ledger_entries', OWED_COLUMNS)
  const insertEvent = insertInto(database, 'svc_events', EVENT_COLUMNS)
  const insertSearch = database.prepare('insert into svc_search (rowid, body) values (?, ?)')
  const updateInvoice = database.prepare(
    `update sales_invoices set docstatus = ?, version = ?, modified = ?, modified_by = ?,
     outstanding_amount = ?, base_outstanding_amount = ?, status = ? where rid = ?`,
  )
  const addToCustomer = database.prepare<unknown[], CustomerRow>(
    `update customers set outstanding_total = coalesce(outstanding_total, 0) + ?,
     billed_total = coalesce(billed_total, 0) + ?, version = version + 1, modified = ?, modified_by = ?
     where name = ? returning ${CUSTOMER_COLUMNS.join(', ')}`,
  )
  const { number } = database
    .prepare<[], { number: number }>(
      `select number from svc_doctype_numbers where doctype = 'Sales Invoice'`,
    )
    .get()!

  function read<Row>(statement: Statement, names: Iterable<string>): Map<string, Row> {
    const found = new Map<string, Row>()
    for (const name of names) {
      const row = found.has(name) ? undefined : (statement.get(name) as Row | undefined)
      if (row) found.set(name, row)
    }
    return found
  }

  function saveEvent(event: EventRow): void {
    insertEvent.run(valuesOf(event, EVENT_COLUMNS))
  }

  function conversionRate(customer: CustomerRow, company: CompanyRow): number {
    const currency = customer.default_currency ?? company.default_currency
    if (currency === company.default_currency) return 1_000_000_000
    const today = new Date().toISOString().slice(0, 10)
    const rate = rateOn.get(currency, company.default_currency, today)
    if (!rate) throw new Refusal(422, 'VALIDATION_ERROR', 'there is no exchange rate')
    return rate.exchange_rate
  }

  return {
    create(input: ReturnType<typeof readInvoice>): string {
      const customer = customerNamed.get(input.customer)
      if (!customer) throw missing('customer', 'Customer', input.customer)
      const company = defaultCompany.get()
      if (!company) throw missing('company', 'Company', '')
      const items = read<ItemRow>(
        itemNamed,
        input.items.map(({ item_code }) => item_code),
      )
      const accounts = read<AccountRow>(
        accountNamed,
        accountsOf({ customer, company, items }, input),
      )
      const masters = { customer, company, items, accounts }
      const invoice = draftOf(
        input,
        { ...masters, conversionRate: conversionRate(customer, company) },
        (year) => {
          const prefix = `SINV-${year}-`
          return prefix + String(nextNumber.get(prefix)!.current).padStart(5, '0')
        },
      )
      const { lastInsertRowid } = insertInvoice.run(valuesOf(invoice.head, INVOICE_COLUMNS))
      const rid = Number(lastInsertRowid)
      for (const line of invoice.lines) insertLine.run([rid, ...valuesOf(line, LINE_COLUMNS)])
      for (const tax of invoice.taxes) insertTax.run([rid, ...valuesOf(tax, TAX_COLUMNS)])
      insertSearch.run(BigInt(number * RIDS + rid), searchTextOf(invoice.head))
      saveEvent(invoiceEvent('created', invoice))
      return invoice.head.name
    },

    submit(name: string): void {
      const head = invoiceNamed.get(name)
      if (!head) throw new Refusal(404, 'NOT_FOUND', `there is no Sales Invoice "${name}"`)
      const { rid } = head
      const draft: Invoice = { head, lines: linesOf.all(rid), taxes: taxesOf.all(rid) }
      const invoice = submitted(draft)
      const { posting_date, modified, modified_by } = invoice.head
      const company = companyNamed.get(head.company)
      if (!company) throw missing('company', 'Company', head.company)
      const year = yearOf.get(posting_date, posting_date)?.year
      const accounts = read<AccountRow>(accountNamed, [
        head.debit_to,
        ...draft.lines.map(({ income_account }) => income_account),
        ...draft.taxes.map(({ account_head }) => account_head),
      ])
      const costCenters = read<CostCenterRow>(costCenterNamed, [
        head.cost_center,
        ...draft.lines.map(({ cost_center }) => cost_center),
      ])
      const entries = postingsOf(invoice, company, {
        accounts,
        costCenters,
        fiscalYear: year,
        closedPeriods: closedOn.get(head.company, posting_date, posting_date)!.closed,
      })
      const { docstatus, version, outstanding_amount, base_outstanding_amount, status } =
        invoice.head
      updateInvoice.run(
        docstatus,
        version,
        modified,
        modified_by,
        outstanding_amount,
        base_outstanding_amount,
        status,
        rid,
      )
      for (const entry of entries) insertGl.run(valuesOf(entry, GL_COLUMNS))
      insertOwed.run(valuesOf(owedBy(invoice), OWED_COLUMNS))
      const customer = addToCustomer.get(
        base_outstanding_amount,
        invoice.head.base_rounded_total,
        modified,
        modified_by,
        head.customer,
      )
      if (!customer) throw missing('customer', 'Customer', head.customer)
      checkCredit(customer)
      saveEvent(invoiceEvent('submitted', invoice))
      saveEvent(customerEvent(customer))
    },
  }
}

function insertInto(database: Database, table: string, columns: readonly string[]): Statement {
  return database.prepare(
    `insert into ${table} (${columns.join(', ')}) values (${columns.map(() => '?').join(', ')})`,
  )
}

function valuesOf<Row>(row: Row, columns: readonly (keyof Row)[]): unknown[] {
  return columns.map((column) => row[column])
}

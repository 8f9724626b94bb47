import pg from 'pg'
import type { InvoiceStore } from './invoice.ts'
import { accountsOf, draftOf, missing, submitted } from './invoice-book.ts'
import { customerEvent, invoiceEvent, searchTextOf } from './invoice-events.ts'
import { type InvoiceInput, readInvoice } from './invoice-input.ts'
import { OWED_COLUMNS, type OwedRow, owedBy } from './invoice-owed.ts'
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
import { held, insertInto, run } from './postgres-statements.ts'
import { Refusal } from './refusal.ts'

const INT8_OID = 20
const ONE = 1_000_000_000

/** The store of `invoice.ts` on PostgreSQL: the same reads and rows, each call a transaction of its own. */
export function openPostgresInvoices(url: string, connections: number): InvoiceStore {
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        oid === INT8_OID
          ? Number
          : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
    },
  })

  async function write<T>(job: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    try {
      await client.query('begin')
      const result = await job(client)
      await client.query('commit')
      return result
    } catch (error) {
      await client.query('rollback')
      throw error
    } finally {
      client.release()
    }
  }

  return {
    create: (body) => {
      const input = readInvoice(body)
      return write((client) => create(client, input))
    },
    submit: (name) => write((client) => submit(client, name)),
    close: () => pool.end(),
  }
}

async function create(client: pg.PoolClient, input: InvoiceInput): Promise<string> {
  const customers = await held<CustomerRow>(client, CUSTOMER_COLUMNS, 'customers', [input.customer])
  const customer = customers.get(input.customer)
  if (!customer) throw missing('customer', 'Customer', input.customer)
  const [company] = await run<CompanyRow>(
    client,
    `select ${COMPANY_COLUMNS} from companies where is_default = 1 order by rid limit 1 for key share`,
  )
  if (!company) throw missing('company', 'Company', '')
  const codes = input.items.map(({ item_code }) => item_code)
  const items = await held<ItemRow>(client, ITEM_COLUMNS, 'items', codes)
  const names = accountsOf({ customer, company, items }, input)
  const accounts = await held<AccountRow>(client, ACCOUNT_COLUMNS, 'accounts', names)
  const conversionRate = await rateFor(client, customer, company)
  const year = new Date().getUTCFullYear()
  // Last of the reads: its row is held until the commit.
  const [series] = await run<{ current: number }>(
    client,
    `insert into svc_series (prefix, current) values ($1, 1)
     on conflict (prefix) do update set current = svc_series.current + 1 returning current`,
    [`SINV-${year}-`],
  )
  const name = `SINV-${year}-${String(series!.current).padStart(5, '0')}`
  const invoice = draftOf(input, { customer, company, items, accounts, conversionRate }, () => name)
  const [inserted] = await run<{ rid: number }>(
    client,
    `insert into sales_invoices (${INVOICE_COLUMNS})
     values (${INVOICE_COLUMNS.map((_name, at) => `$${at + 1}`)}) returning rid`,
    INVOICE_COLUMNS.map((column) => invoice.head[column]),
  )
  const parent = inserted!.rid
  const inParent = <Row>(row: Row) => ({ parent, ...row })
  await insertInto(
    client,
    'sales_invoices__items',
    ['parent', ...LINE_COLUMNS],
    invoice.lines.map(inParent),
  )
  await insertInto(
    client,
    'sales_invoices__taxes',
    ['parent', ...TAX_COLUMNS],
    invoice.taxes.map(inParent),
  )
  await run(
    client,
    `insert into svc_search (doctype, rid, body)
     select number, $1, $2 from svc_doctype_numbers where doctype = 'Sales Invoice'`,
    [parent, searchTextOf(invoice.head)],
  )
  await insertInto<EventRow>(client, 'svc_events', EVENT_COLUMNS, [
    invoiceEvent('created', invoice),
  ])
  return name
}

async function rateFor(
  client: pg.PoolClient,
  customer: CustomerRow,
  company: CompanyRow,
): Promise<number> {
  const currency = customer.default_currency ?? company.default_currency
  if (currency === company.default_currency) return ONE
  const [rate] = await run<{ exchange_rate: number }>(
    client,
    `select exchange_rate from currency_exchanges where from_currency = $1 and to_currency = $2
     and date <= $3 order by date desc limit 1`,
    [currency, company.default_currency, new Date().toISOString().slice(0, 10)],
  )
  if (!rate) throw new Refusal(422, 'VALIDATION_ERROR', 'there is no exchange rate')
  return rate.exchange_rate
}

async function submit(client: pg.PoolClient, name: string): Promise<void> {
  const [head] = await run<InvoiceRow & { readonly rid: number }>(
    client,
    `select rid, ${INVOICE_COLUMNS} from sales_invoices where name = $1 for update`,
    [name],
  )
  if (!head) throw new Refusal(404, 'NOT_FOUND', `there is no Sales Invoice "${name}"`)
  const lines = await run<LineRow>(
    client,
    `select ${LINE_COLUMNS} from sales_invoices__items where parent = $1 order by idx`,
    [head.rid],
  )
  const taxes = await run<TaxRow>(
    client,
    `select ${TAX_COLUMNS} from sales_invoices__taxes where parent = $1 order by idx`,
    [head.rid],
  )
  const invoice = submitted({ head, lines, taxes })
  const [company] = await run<CompanyRow>(
    client,
    `select ${COMPANY_COLUMNS} from companies where name = $1 for key share`,
    [head.company],
  )
  if (!company) throw missing('company', 'Company', head.company)
  const [year] = await run<{ year: string }>(
    client,
    `select year from fiscal_years where year_start_date <= $1 and year_end_date >= $1
     and disabled = 0 order by year_start_date desc limit 1`,
    [head.posting_date],
  )
  const names = [
    head.debit_to,
    ...lines.map(({ income_account }) => income_account),
    ...taxes.map(({ account_head }) => account_head),
  ]
  const accounts = await held<AccountRow>(client, ACCOUNT_COLUMNS, 'accounts', names)
  const costCenters = await held<CostCenterRow>(client, COST_CENTER_COLUMNS, 'cost_centers', [
    head.cost_center,
    ...lines.map(({ cost_center }) => cost_center),
  ])
  const [periods] = await run<{ closed: number }>(
    client,
    `select count(*) as closed from accounting_periods__closed_documents d
     join accounting_periods p on p.rid = d.parent
     where d.document_type = 'Sales Invoice' and d.closed = 1 and p.company = $1
     and p.start_date <= $2 and p.end_date >= $2 and coalesce(p.disabled, 0) = 0`,
    [head.company, head.posting_date],
  )
  const entries = postingsOf(invoice, company, {
    accounts,
    costCenters,
    fiscalYear: year?.year,
    closedPeriods: periods!.closed,
  })
  const after = invoice.head
  await run(
    client,
    `update sales_invoices set docstatus = $1, version = $2, modified = $3, modified_by = $4,
     outstanding_amount = $5, base_outstanding_amount = $6, status = $7 where rid = $8`,
    [
      after.docstatus,
      after.version,
      after.modified,
      after.modified_by,
      after.outstanding_amount,
      after.base_outstanding_amount,
      after.status,
      head.rid,
    ],
  )
  await insertInto(client, 'gl_entries', GL_COLUMNS, entries)
  await insertInto<OwedRow>(client, 'payment_ledger_entries', OWED_COLUMNS, [owedBy(invoice)])
  const [customer] = await run<CustomerRow>(
    client,
    `update customers set outstanding_total = coalesce(outstanding_total, 0) + $1,
     billed_total = coalesce(billed_total, 0) + $2, version = version + 1, modified = $3,
     modified_by = $4 where name = $5 returning ${CUSTOMER_COLUMNS}`,
    [
      after.base_outstanding_amount,
      after.base_rounded_total,
      after.modified,
      after.modified_by,
      head.customer,
    ],
  )
  if (!customer) throw missing('customer', 'Customer', head.customer)
  checkCredit(customer)
  await insertInto<EventRow>(client, 'svc_events', EVENT_COLUMNS, [
    invoiceEvent('submitted', invoice),
    customerEvent(customer),
  ])
}

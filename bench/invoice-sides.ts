import { join } from 'node:path'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/operations/create.ts'
import { submitDocument } from '../engine/documents/operations/submit.ts'
import type { Context } from '../engine/documents/work/context.ts'
import { type DatabaseOptions, type Engine, openEngine } from '../engine/index.ts'
import { hooks } from '../hooks/index.ts'
import type { InvoiceStore } from './hand-written/invoice.ts'

const DOCTYPES = join(import.meta.dirname, '..', 'doctypes')
const CUSTOMERS = 50
const ITEMS = 100
const LINES = 5
/** First of every five items that is sold into another income account than the company's own. */
const SERVICES_FROM = 3

/** Opens the engine with the shipped DocTypes. */
export function openShipped(database: DatabaseOptions): Promise<Engine> {
  return openEngine({ hooks, database, doctypes: [DOCTYPES], secretKey: Buffer.alloc(32, 7) })
}

/** Creates what the invoices of the bench name; returns the names of the customers. */
export async function furnish(engine: Engine): Promise<string[]> {
  const make = maker(engine)
  for (let n = 0; n < ITEMS; n += 1) {
    await make('Item', {
      item_code: `BENCH-${n}`,
      item_name: `Bench item ${n}`,
      stock_uom: 'Kg',
      standard_rate: 8.13,
      is_stock_item: false,
      ...(n % LINES < SERVICES_FROM ? {} : { income_account: 'Service' }),
    })
  }
  const customers: string[] = []
  for (let n = 0; n < CUSTOMERS; n += 1)
    customers.push(await make('Customer', { customer_name: `Bench Customer ${n}` }))
  return customers
}

/** The company of a database that `svc setup` has not made. */
export async function makeCompany(engine: Engine): Promise<void> {
  const { createMasters } = await import('../cli/setup/masters.ts')
  await createMasters(contextOf(engine), [DOCTYPES])
  await maker(engine)('Company', { company_name: 'Test Company', default_currency: 'USD' })
}

/**
 * Body of the nth invoice: five lines of which two go to an income account of their own, one tax; four rows
 * of the ledger. `po_no` says which it is, since names depend on who comes first.
 */
export function invoiceBody(n: number, customers: readonly string[]): Record<string, unknown> {
  return {
    customer: customers[(n * 7) % customers.length],
    po_no: `PO-${n}`,
    items: Array.from({ length: LINES }, (_, line) => ({
      item_code: `BENCH-${((n * LINES) % ITEMS) + line}`,
      qty: ((n * 3 + line * 7) % 40) / 4 + 0.5,
      rate: (((n * 31 + line * 17) % 9000) + 100) / 100,
    })),
    taxes: [
      {
        charge_type: 'On Net Total',
        description: 'VAT 19 %',
        account_head: 'Output Tax',
        rate: 19,
      },
    ],
  }
}

/** Our engine in the shape of the hand-written store. */
export function engineInvoices(engine: Engine): InvoiceStore {
  const context = contextOf(engine)
  const definition = engine.services.registry.byDoctype('Sales Invoice')!
  return {
    create: async (body) => (await createDocument(context, definition, body)).id,
    submit: async (name) => void (await submitDocument(context, definition, name)),
    close: () => engine.close(),
  }
}

function maker(engine: Engine): (doctype: string, body: unknown) => Promise<string> {
  const context = contextOf(engine)
  return async (doctype, body) => {
    const definition = engine.services.registry.byDoctype(doctype)!
    return (await createDocument(context, definition, body)).id
  }
}

function contextOf(engine: Engine): Context {
  return engine.context(SYSTEM_ACTOR, 'business')
}

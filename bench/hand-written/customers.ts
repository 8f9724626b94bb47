import {
  type CustomerCells,
  type CustomerRow,
  type Exists,
  readCustomer,
  shownCustomer,
} from './customer.ts'
import type { Database } from './database.ts'
import { newEventId } from './ids.ts'
import { Refusal } from './refusal.ts'
import { RIDS } from './search.ts'

export interface CustomerImport {
  /** Writes these lines in one transaction, those that hold; returns how many were refused. */
  write(lines: readonly CustomerCells[]): number
}

const BY = 'Administrator'
const COLUMNS = [
  'name',
  'owner',
  'created',
  'modified',
  'modified_by',
  'docstatus',
  'version',
  'customer_name',
  'customer_type',
  'customer_group',
  'territory',
  'disabled',
  'email_id',
  'phone',
  'website',
  'tax_id',
  'default_currency',
  'credit_limit',
  'outstanding_total',
  'billed_total',
  'ordered_total',
  'unbilled_total',
  'open_orders',
  'customer_details',
] as const

/**
 * Customers into the tables of a workspace: row, series, search text, event. Everything is prepared once, links
 * that were found are remembered, and the counter of the series is read and written once a transaction.
 */
export function customerImport(database: Database): CustomerImport {
  const insert = database.prepare(
    `insert into customers (${COLUMNS.join(', ')}) values (${COLUMNS.map(() => '?').join(', ')})`,
  )
  const insertText = database.prepare('insert into svc_search (rowid, body) values (?, ?)')
  const insertEvent = database.prepare(
    `insert into svc_events (id, event, resource, kind, record_id, at, actor, data)
     values (?, 'customers.created', 'customers', 'created', ?, ?, '${BY}', ?)`,
  )
  const readSeries = database
    .prepare<[], number>(`select current from svc_series where prefix = 'CUST-'`)
    .pluck()
  const writeSeries = database.prepare(
    `insert into svc_series (prefix, current) values ('CUST-', ?)
     on conflict (prefix) do update set current = excluded.current`,
  )
  const base = searchBase(database)
  const exists = rememberedLinks(database)

  function insertCustomer(row: CustomerRow): void {
    const { lastInsertRowid } = insert.run(
      row.name,
      BY,
      row.at,
      row.at,
      BY,
      0,
      1,
      row.customer_name,
      row.customer_type,
      row.customer_group,
      row.territory,
      0,
      row.email_id,
      row.phone,
      row.website,
      row.tax_id,
      row.default_currency,
      row.credit_limit,
      0,
      0,
      0,
      0,
      0,
      row.customer_details,
    )
    insertText.run(BigInt(base + Number(lastInsertRowid)), searchTextOf(row))
    insertEvent.run(newEventId(), row.name, row.at, JSON.stringify(shownCustomer(row, BY)))
  }

  const write = database.transaction((lines: readonly CustomerCells[]): number => {
    let number = readSeries.get() ?? 0
    let refused = 0
    for (const cells of lines) {
      try {
        const row = readCustomer(cells, exists)
        number += 1
        const name = `CUST-${String(number).padStart(5, '0')}`
        insertCustomer({ ...row, name, at: new Date().toISOString() })
      } catch (error) {
        if (!(error instanceof Refusal)) throw error
        refused += 1
      }
    }
    writeSeries.run(number)
    return refused
  })
  return { write: (lines) => write.immediate(lines) }
}

function searchBase(database: Database): number {
  const number = database
    .prepare<[], number>(`select number from svc_doctype_numbers where doctype = 'Customer'`)
    .pluck()
    .get()
  if (number === undefined) throw new Error('expected a workspace with customers')
  return number * RIDS
}

/** Test for linked records that remembers those it found: nobody else writes while a file is imported. */
function rememberedLinks(database: Database): Exists {
  const known = new Set<string>()
  const statements = new Map(
    ['customer_groups', 'territories', 'currencies'].map((table) => [
      table,
      database.prepare<[string]>(`select 1 from ${table} where name = ?`),
    ]),
  )
  return (table, name) => {
    const key = `${table}\0${name}`
    if (known.has(key)) return true
    if (!statements.get(table)?.get(name)) return false
    known.add(key)
    return true
  }
}

function searchTextOf({ name, customer_name, email_id, phone, tax_id }: CustomerRow): string {
  const texts = [name, customer_name, email_id, phone, tax_id].filter((text) => text !== null)
  return texts.join('\n').normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}

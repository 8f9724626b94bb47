import { newEventId } from './ids.ts'
import { type Invoice, USER } from './invoice-book.ts'
import { customerJson, invoiceJson } from './invoice-json.ts'
import type { CustomerRow, EventRow, InvoiceRow } from './invoice-rows.ts'

export function invoiceEvent(kind: 'created' | 'submitted', invoice: Invoice): EventRow {
  const { name, modified } = invoice.head
  return eventOf('sales-invoices', kind, name, modified, invoiceJson(invoice))
}

export function customerEvent(customer: CustomerRow): EventRow {
  return eventOf('customers', 'updated', customer.name, customer.modified, customerJson(customer))
}

function eventOf(resource: string, kind: string, id: string, at: string, data: string): EventRow {
  const event = `${resource}.${kind}`
  return { id: newEventId(), event, resource, kind, record_id: id, at, actor: USER, data }
}

/** The text an invoice is found by. */
export function searchTextOf({ name, customer_name, po_no }: InvoiceRow): string {
  const parts = po_no === null ? [name, customer_name] : [name, customer_name, po_no]
  return parts.join('\n').normalize('NFC').toLowerCase()
}

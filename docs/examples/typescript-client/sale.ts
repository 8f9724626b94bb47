import { connect, each, unwrap, update } from './client.ts'

/** A sale from the order to the money, typed end to end. */
const api = connect({
  url: process.env.SVC_URL ?? 'http://127.0.0.1:8000',
  key: process.env.SVC_API_KEY ?? '',
})

const customer = await unwrap(
  api.POST('/v1/customers', {
    body: { customer_name: 'Acme GmbH', email_id: 'hello@acme.example' },
  }),
)
const item = await unwrap(
  api.POST('/v1/items', {
    body: {
      item_code: 'BOLT-10',
      item_name: 'Steel bolt 10 mm',
      item_group: 'Products',
      stock_uom: 'Nos',
      standard_rate: 8.13,
    },
  }),
)

// Rate, amounts and totals are computed; the type of the body has no place for them.
const order = await unwrap(
  api.POST('/v1/sales-orders', {
    body: { customer: customer.id, items: [{ item_code: item.id, qty: 2.5 }] },
  }),
)
console.log(`${order.id}: ${order.grand_total} ${order.currency}, ${order.status}`)

// Only if nobody has changed it since it was read.
await update(api, '/v1/sales-orders/{id}', order.id, ({ po_no }) => ({ po_no: po_no ?? 'PO-4711' }))

const path = { id: order.id }
await unwrap(api.POST('/v1/sales-orders/{id}/submit', { params: { path } }))

// An action answers the record, and what it created.
const { _created = [] } = await unwrap(
  api.POST('/v1/sales-orders/{id}/actions/make_invoice', { params: { path } }),
)
for (const { resource, id } of _created) {
  if (resource !== 'sales-invoices') continue
  const { outstanding_amount } = await unwrap(
    api.POST('/v1/sales-invoices/{id}/submit', { params: { path: { id } } }),
  )
  console.log(`${id}: ${outstanding_amount} to pay`)
}

for await (const { id, status } of each(api, '/v1/sales-orders', {
  status: 'To Deliver',
  suffixed: { grand_total__gt: 10 },
})) {
  console.log(`${id}: ${status}`)
}

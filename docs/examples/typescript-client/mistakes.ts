import { connect, each, unwrap, update } from './client.ts'
import type { Resources, WebhookEnvelope } from './generated/svc-types.ts'

/**
 * What the types catch. It is never run: `npm run check` fails as soon as one of these lines compiles, for then
 * there is nothing that `@ts-expect-error` expects.
 */
export async function mistakes(): Promise<void> {
  const api = connect({ url: 'http://127.0.0.1:8000', key: '' })
  const params = { path: { id: 'SO-2026-00001' } }
  const row = { item_code: 'BOLT-10', qty: 1 }
  const items = [row]

  // @ts-expect-error: no such resource
  api.GET('/v1/sales-ordres')
  // @ts-expect-error: no such action
  api.POST('/v1/sales-orders/{id}/actions/make_coffee', { params })
  // @ts-expect-error: the id is missing
  api.POST('/v1/sales-orders/{id}/submit')
  // @ts-expect-error: a required field is missing
  api.POST('/v1/sales-orders', { body: { customer: 'CUST-00001' } })
  // @ts-expect-error: no such field
  api.POST('/v1/sales-orders', { body: { customer: 'CUST-00001', items, colour: 'red' } })
  // @ts-expect-error: no such field in a row
  api.POST('/v1/sales-orders', { body: { customer: 'C', items: [{ ...row, colour: 'red' }] } })
  // @ts-expect-error: totals are computed
  api.POST('/v1/sales-orders', { body: { customer: 'CUST-00001', items, grand_total: 1 } })
  // @ts-expect-error: a number, not a text
  api.POST('/v1/sales-orders', { body: { customer: 'C', items: [{ item_code: 'B', qty: '2' }] } })
  // @ts-expect-error: not one of the options
  api.POST('/v1/sales-orders', { body: { customer: 'C', items, order_type: 'Gift' } })
  // @ts-expect-error: no such status
  api.GET('/v1/sales-orders', { params: { query: { status: 'Drafted' } } })
  // @ts-expect-error: cannot be filtered by
  api.GET('/v1/sales-orders', { params: { query: { terms: 'x' } } })
  // @ts-expect-error: no such operator for a number
  api.GET('/v1/sales-orders', { params: { query: { suffixed: { grand_total__like: '1' } } } })

  const order = await unwrap(api.GET('/v1/sales-orders/{id}', { params }))
  // @ts-expect-error: no such field
  order.colour
  // @ts-expect-error: may be null
  order.terms.length
  // @ts-expect-error: a ledger is written by the workspace alone
  api.POST('/v1/gl-entries', { body: {} })
  // @ts-expect-error: a list item has only the fields that were asked for
  for await (const row of each(api, '/v1/sales-orders')) row.customer.length
  // @ts-expect-error: customers cannot be submitted
  await update(api, '/v1/customers/{id}', 'C', () => ({ docstatus: 1 }))
  // @ts-expect-error: is fixed once created
  await update(api, '/v1/items/{id}', 'BOLT-10', () => ({ item_code: 'BOLT-12' }))
}

/** And of events. */
export function mistakenEvents(envelope: WebhookEnvelope): void {
  // @ts-expect-error: no such event
  if (envelope.event === 'sales-orders.eaten') return
  // @ts-expect-error: a customer has no due date
  if (envelope.event === 'customers.created') envelope.data.due_date
  // @ts-expect-error: no such field in an order
  const order: Resources['sales-orders']['create'] = { customer: 'C', items: [], colour: 'red' }
  console.log(order)
}

import { connect, each } from './client.ts'
import type { WebhookEvents } from './generated/svc-types.ts'

/** The event log from its beginning. The data of each event is typed by its name, by what `svc types` writes. */
const api = connect({
  url: process.env.SVC_URL ?? 'http://127.0.0.1:8000',
  key: process.env.SVC_API_KEY ?? '',
})

for await (const row of each(api, '/v1/events', { order: 'asc' })) {
  // The description calls the data of an event any object: what it is depends on the name beside it.
  const sentence = tell(row as unknown as Happened)
  if (sentence !== undefined) console.log(sentence)
}

/** The name decides what is in the data, here and in the body of a webhook (`WebhookEnvelope`). */
type Happened = {
  [Name in keyof WebhookEvents]: { readonly event: Name; readonly data: WebhookEvents[Name] }
}[keyof WebhookEvents]

function tell({ event, data }: Happened): string | undefined {
  switch (event) {
    case 'customers.created':
      return `${data.customer_name} is a customer`
    case 'sales-orders.submitted':
      return `${data.customer_name} orders for ${data.grand_total} ${data.currency}`
    case 'sales-invoices.submitted':
      return `${data.name} is due on ${data.due_date}`
    default:
      return undefined
  }
}

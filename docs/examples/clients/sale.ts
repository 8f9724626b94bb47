/* A customer and an order, made, listed and submitted with the generated client. Arguments: address of the workspace, key, item. */
import { client } from './src/client.gen'
import { createCustomer, createSalesOrder, listSalesOrders, submitSalesOrder } from './src/sdk.gen'

const [address = '', key = '', item = ''] = process.argv.slice(2)
client.setConfig({ baseUrl: address, auth: key })

const { data: customer } = await createCustomer({
  body: { customer_name: 'TypeScript Bikes' },
  throwOnError: true,
})
// A create that is only previewed answers otherwise, so the type is one of two.
if (!('id' in customer)) throw new Error('expected a record, got a preview')
const items = [{ item_code: item, qty: 3, rate: 12378984.61 }]
const { data: order } = await createSalesOrder({
  body: { customer: customer.id, items },
  throwOnError: true,
})
if (!('id' in order)) throw new Error('expected a record, got a preview')
const { data: page } = await listSalesOrders({
  query: { customer: customer.id, suffixed: { grand_total__gt: 1 } },
  throwOnError: true,
})
const { data: done } = await submitSalesOrder({ path: { id: order.id }, throwOnError: true })
console.log(page.data[0]?.id === order.id, done.docstatus, done.net_total)

/*
 * A small day's work of an agent, with the tool server and nothing else: what a model would choose to call is
 * written down here as a program. It answers the lead that has waited longest, with a quotation, and bills it.
 *
 *   SVC_API_KEY=svc_live_… SVC_API_BASE=http://127.0.0.1:8000 node agent-day.js svc mcp
 *
 * What follows the file is the command that starts the tool server; `svc mcp` by itself. It needs an open lead
 * and an item, which `svc demo` makes, and @modelcontextprotocol/sdk.
 */
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'

const [command = 'svc', ...args] = process.argv.length > 2 ? process.argv.slice(2) : ['svc', 'mcp']
const client = new Client({ name: 'agent-day', version: '1.0.0' })
await client.connect(new StdioClientTransport({ command, args, env: { ...process.env } }))
try {
  await work()
} finally {
  await client.close()
}

async function work() {
  const morning = new Date().toISOString()

  // Which resources there are, and what a quotation needs.
  const { data: catalogue } = await call('list_resources', { brief: true })
  say(`the workspace has ${catalogue.length} resources`)
  const { fields } = await call('get_record', { resource: 'resources', id: 'quotations' })
  const required = fields.filter((field) => field.required && !field.readOnly)
  say(`a quotation needs ${required.map(({ name }) => name).join(', ')}`)

  // Who has waited longest?
  const lead = await first('leads', { filter: { status: 'Open' }, order_by: 'created asc' })
  const item = await first('items', { order_by: 'created asc' })
  const company = await first('companies', { fields: ['id'] })
  say(`${lead.lead_name} waits for an answer; ${item.item_name} is what we sell`)
  await call('update_record', { resource: 'leads', id: lead.id, data: { status: 'Contacted' } })

  // A quotation: first the draft, then a look at what the workspace computed, then out with it.
  const customer = await call('create_record', {
    resource: 'customers',
    data: { customer_name: lead.lead_name, email_id: lead.email_id, lead: lead.id },
  })
  const items = [{ item_code: item.id, qty: 3 }]
  const draft = await call('create_record', {
    resource: 'quotations',
    data: { customer: customer.id, lead: lead.id, items },
  })
  if (!(draft.grand_total > 0)) throw new Error(`${draft.id} is over ${draft.grand_total}`)
  const quotation = await call('submit_record', { resource: 'quotations', id: draft.id })
  say(
    `${quotation.id} went to ${quotation.customer_name}: ${money(quotation)}, ${quotation.status}`,
  )

  // They said yes. The invoice.
  const { id } = await call('create_record', {
    resource: 'sales-invoices',
    data: { customer: customer.id, company: company.id, items },
  })
  const invoice = await call('submit_record', { resource: 'sales-invoices', id })
  say(`${invoice.id} is due on ${invoice.due_date}: ${money(invoice)}, ${invoice.status}`)

  // A refusal is an answer too: it says what stands in the way.
  const refused = await client.callTool({
    name: 'update_record',
    arguments: { resource: 'sales-invoices', id, data: { items } },
  })
  say(`changing ${id} now: ${refused.structuredContent.error.message}`)

  // What happened today, page by page.
  const events = []
  for (let cursor = ''; cursor !== undefined; ) {
    const page = await call('list_events', { since: morning, order: 'asc', limit: 5, cursor })
    events.push(...page.data.map(({ event, record_id }) => `${event} ${record_id}`))
    cursor = page.next_cursor || undefined
  }
  say(`today:\n  ${events.join('\n  ')}`)
}

/** Calls a tool; an answer that is an error ends the day with what the API said. */
async function call(name, given = {}) {
  const { structuredContent, isError } = await client.callTool({ name, arguments: given })
  if (isError) throw new Error(`${name}: ${structuredContent.error.message}`)
  return structuredContent
}

/** The first record of a list. */
async function first(resource, query) {
  const { data } = await call('list_records', { resource, limit: 1, ...query })
  if (data.length === 0) throw new Error(`expected one of ${resource}, there is none: try svc demo`)
  return data[0]
}

function money({ grand_total, currency }) {
  return `${grand_total} ${currency ?? ''}`.trim()
}

function say(text) {
  console.log(text)
}

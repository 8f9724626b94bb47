import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTestApp, type TestApp, testClock } from '../server/test-app.ts'
import { FURNITURE } from '../stories/story.ts'
import { connectTools, type RecordedServer, serveRecorded, type ToolClient } from './tool-client.ts'

/** What one task may take of a model's patience and of its context. */
const MOST_CALLS = 8
const MOST_TOKENS = 8000

/** The catalogue in brief, and one resource for writing (contract §7.9). */
const MOST_OF_CATALOGUE = 6000
const MOST_OF_FORM = 1500

type Shown = Readonly<Record<string, unknown>>

const tasks = suite('five tasks of an office, with tools alone')
let app: TestApp
let server: RecordedServer
let tool: ToolClient

tasks.before(async () => {
  const clock = testClock(Date.parse('2026-03-09T12:00:00.000Z'))
  app = await openTestApp({ furniture: FURNITURE, doctypes: {}, tier: 'business', clock })
  server = await serveRecorded(app)
  const env = { SVC_API_KEY: app.keys.write, SVC_API_BASE: server.url }
  tool = await connectTools(env, ['--tools', 'full'])
  await fill()
})
tasks.after(async () => {
  await tool.close()
  await server.close()
  await app.close()
})

/** What the office has: two customers with orders and invoices, a supplier, and stock that runs low. */
async function fill(): Promise<void> {
  const { make, act, submit } = task()
  for (const name of ['Acme Trading', 'Blue Bikes'])
    await make('customers', { customer_name: name })
  await make('suppliers', { supplier_name: 'City Power' })
  for (const item_code of ['BELL', 'HELMET']) {
    const reorder_levels = [
      { warehouse: 'Stores', warehouse_reorder_level: 10, warehouse_reorder_qty: 50 },
    ]
    await make('items', {
      item_code,
      item_name: item_code,
      is_stock_item: true,
      stock_uom: 'Nos',
      standard_rate: 20,
      reorder_levels,
    })
  }
  const rows = (rate: number) => [{ item_code: 'BELL', qty: 2, rate }]
  for (const [customer, rate] of [
    ['CUST-00001', 100],
    ['CUST-00001', 50],
    ['CUST-00002', 70],
  ] as const) {
    const order = await make('sales-orders', { customer, items: rows(rate) })
    await submit('sales-orders', order.id)
  }
  const billed = await act('sales-orders', 'SO-2026-00003', 'make_invoice')
  const [{ id }] = billed._created as [{ id: string }]
  await submit('sales-invoices', id)
}

/** One task of a scripted model: its calls, and the tokens of all that was answered. */
function task() {
  let calls = 0
  let tokens = 0
  async function call(name: string, args: Readonly<Record<string, unknown>> = {}): Promise<Shown> {
    const { content, isError, structuredContent } = await tool.call(name, args)
    const texts = content.map(({ text }) => text)
    calls += 1
    tokens += tokensOf(texts.join('\n'))
    assert.not(isError, texts.join('\n'))
    assert.is(structuredContent, undefined, 'an answer is said once')
    return JSON.parse(texts[0] || '{}')
  }
  return {
    call,
    make: (resource: string, data: object) => call('create_record', { resource, data }),
    submit: (resource: string, id: unknown) => call('submit_record', { resource, id }),
    act: (resource: string, id: unknown, action: string) =>
      call('run_action', { resource, id, action }),
    assertCheap(): void {
      assert.ok(calls <= MOST_CALLS, `${calls} calls`)
      assert.ok(tokens <= MOST_TOKENS, `${tokens} tokens`)
    },
  }
}

/** Tokens of a text: a fourth of its bytes, which is near what models count for JSON in English. */
function tokensOf(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 4)
}

tasks('bill the open orders of Acme', async () => {
  const { call, act, submit, assertCheap } = task()
  const { data } = await call('search', { q: 'acme', resources: ['customers'] })
  const [{ id: customer }] = data as [{ id: string }]
  const orders = await call('list_records', {
    resource: 'sales-orders',
    filter: { customer, docstatus: 1, per_billed__lt: 100 },
    fields: ['id', 'status', 'grand_total'],
  })
  const open = orders.data as { id: string; grand_total: number }[]
  assert.equal(open.map(({ grand_total }) => grand_total).sort(), [100, 200])
  for (const { id } of open) {
    const { _created } = await act('sales-orders', id, 'make_invoice')
    const [{ resource, id: draft }] = _created as [{ resource: string; id: string }]
    const invoice = await submit(resource, draft)
    assert.equal([invoice.status, invoice.customer], ['Unpaid', customer])
  }
  assertCheap()
  const left = await call('list_records', {
    resource: 'sales-orders',
    filter: { customer, docstatus: 1, per_billed__lt: 100 },
    fields: ['id'],
  })
  assert.equal(left.data, [])
})

tasks('who owes us most', async () => {
  const { call, assertCheap } = task()
  const { data } = await call('list_records', {
    resource: 'customers',
    order_by: 'outstanding_total desc',
    fields: ['customer_name', 'outstanding_total'],
    limit: 3,
  })
  assert.equal(data, [
    { customer_name: 'Acme Trading', outstanding_total: 300 },
    { customer_name: 'Blue Bikes', outstanding_total: 140 },
  ])
  assertCheap()
})

tasks('book this bill of a supplier', async () => {
  const { call, make, submit, assertCheap } = task()
  const { data } = await call('search', { q: 'city power', resources: ['suppliers'] })
  const [{ id: supplier }] = data as [{ id: string }]
  const form = await call('describe', { resource: 'purchase-invoices' })
  assert.is(form.supplier, 'link suppliers, required')
  const item = { item_code: 'ELECTRICITY', item_name: 'Electricity', is_stock_item: false }
  await make('items', item)
  const bill = {
    supplier,
    bill_no: 'CP-778',
    bill_date: '2026-03-01',
    items: [{ item_code: 'ELECTRICITY', qty: 1, rate: 412.5 }],
  }
  const asked = { resource: 'purchase-invoices', operation: 'create', data: bill }
  const { problems, record } = await call('preview', asked)
  assert.equal([problems, (record as { grand_total: number }).grand_total], [[], 412.5])
  const { id } = await make('purchase-invoices', bill)
  const booked = await submit('purchase-invoices', id)
  assert.equal([booked.status, booked.outstanding_amount], ['Unpaid', 412.5])
  assertCheap()
})

tasks('what is below its reorder level', async () => {
  const { call, assertCheap } = task()
  const { data: reports } = await call('run_report')
  const named = (reports as { slug: string }[]).map(({ slug }) => slug)
  assert.ok(named.includes('stock-projected-qty'))
  const { data } = await call('run_report', {
    report: 'stock-projected-qty',
    params: { order_by: '-shortage_qty', limit: 10 },
  })
  const short = (data as { item_code: string; shortage_qty: number }[]).filter(
    ({ shortage_qty }) => shortage_qty > 0,
  )
  assert.ok(short.some(({ item_code }) => item_code === 'BELL'))
  assertCheap()
})

tasks('hire Ann', async () => {
  const { call, make, assertCheap } = task()
  const form = await call('describe', { resource: 'employees' })
  assert.is(form.designation, 'link designations')
  await make('designations', { designation_name: 'Mechanic' })
  const ann = await make('employees', {
    first_name: 'Ann',
    last_name: 'Lee',
    date_of_joining: '2026-04-01',
    designation: 'Mechanic',
  })
  assert.equal([ann.employee_name, ann.status], ['Ann Lee', 'Active'])
  assertCheap()
})

tasks('the catalogue, the forms for writing and the tools themselves are small', async () => {
  const { call } = task()
  const brief = await call('list_resources', { brief: true })
  assert.ok(tokensOf(JSON.stringify(brief)) <= MOST_OF_CATALOGUE)
  const form = await call('describe', { resource: 'sales-invoices' })
  assert.ok(tokensOf(JSON.stringify(form)) <= MOST_OF_FORM)
  assert.equal((form._actions as Shown).make_payment, {})
  const { tools } = await tool.client.listTools()
  assert.ok(tokensOf(JSON.stringify(tools)) <= MOST_OF_CATALOGUE)
})

tasks('the description comes by module, and a form by resource', async () => {
  const { resourceTemplates } = await tool.client.listResourceTemplates()
  assert.equal(
    resourceTemplates.map(({ uriTemplate }) => uriTemplate),
    ['svc://openapi/{module}', 'svc://resources/{slug}'],
  )
  const read = async (uri: string): Promise<Shown> => {
    const { contents } = await tool.client.readResource({ uri })
    return JSON.parse((contents[0] as { text: string }).text)
  }
  const { paths } = await read('svc://openapi/crm')
  assert.ok('/v1/leads' in (paths as object) && !('/v1/sales-orders' in (paths as object)))
  assert.is((await read('svc://resources/leads')).lead_name, 'data')
  const refused = await read('svc://openapi/nothing').catch(String)
  assert.match(String(refused), 'there is no module')
  assert.match(String(await read('svc://else').catch(String)), 'one of the templates')
})

tasks.run()

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { FirstRunFile, Served } from '../cli/process.ts'
import { createTestDatabase } from '../helpers/databases.ts'
import { type Installation, installBinary } from './binary.ts'

const sale = suite('the binary, for a user without Node in an empty folder')

type Fields = Readonly<Record<string, unknown>>

let installation: Installation
let server: Served
let key = ''

sale.before(async () => {
  installation = installBinary()
  server = await installation.serve()
})
sale.after(() => installation.remove())

async function call(path: string, method = 'GET', body?: Fields): Promise<Fields> {
  const response = await fetch(`${server.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as Fields
}

async function made(path: string): Promise<string> {
  const { _created: [first] = [] } = (await call(path, 'POST')) as {
    readonly _created?: readonly { readonly id: string }[]
  }
  return String(first?.id)
}

sale('sets itself up: user, password and key are in a file that only they can read', () => {
  const file = join(installation.home, 'data/first-run.json')
  const { uid, mode } = statSync(file)
  assert.equal([uid, mode & 0o777], [installation.user, 0o600])
  const first = JSON.parse(readFileSync(file, 'utf8')) as FirstRunFile
  assert.is(first.user, 'Administrator')
  key = first.admin_key
  assert.equal(readdirSync(installation.home), ['data'])
})

sale('starts with the definitions that its build has checked', () => {
  const kept = readdirSync(join(installation.home, 'data/cache'))
  assert.equal(
    kept.filter((name) => name.startsWith('definitions-')),
    [],
  )
})

sale('goes with the licences of what is in it, of the server and of the Desk', () => {
  const text = readFileSync(new URL('../../dist/LICENSES.txt', import.meta.url), 'utf8')
  for (const name of ['express', 'better-sqlite3', 'react', 'zxing-wasm', 'lucide-static'])
    assert.match(text, new RegExp(`^${name} [\\d.]+ \\(\\S+\\)$`, 'm'))
})

sale('takes a sale from the order to the paid invoice', async () => {
  const customer = await call('/v1/customers', 'POST', { customer_name: 'Bolt & Nut Works' })
  await call('/v1/items', 'POST', { item_code: 'BOLT-10', item_name: 'Bolt', standard_rate: 4 })
  const order = await call('/v1/sales-orders', 'POST', {
    customer: customer.id,
    items: [{ item_code: 'BOLT-10', qty: 2.5 }],
  })
  assert.is(order.grand_total, 10)
  await call(`/v1/sales-orders/${order.id}/submit`, 'POST')
  const invoice = await made(`/v1/sales-orders/${order.id}/actions/make_invoice`)
  await call(`/v1/sales-invoices/${invoice}/submit`, 'POST')
  const payment = await made(`/v1/sales-invoices/${invoice}/actions/make_payment`)
  await call(`/v1/payment-entries/${payment}/submit`, 'POST')
  const { status, outstanding_amount } = await call(`/v1/sales-invoices/${invoice}`)
  assert.equal([status, outstanding_amount], ['Paid', 0])
})

sale('shows the reference and pages with all their files', async () => {
  const { paths } = await call('/v1/openapi.json')
  assert.ok(
    Object.hasOwn(paths as object, '/sales-invoices') || Object.keys(paths as object).length > 100,
  )
  const files = [
    ['/docs', 'text/html'],
    ['/docs/swagger-ui-bundle.js', 'javascript'],
    ['/docs/swagger-ui.css', 'text/css'],
    ['/docs/favicon-32x32.png', 'image/png'],
    ['/login', 'text/html'],
    ['/assets/pages.css', 'text/css'],
    ['/favicon.svg', 'image/svg+xml'],
    ['/favicon.ico', 'image/vnd.microsoft.icon'],
  ] as const
  for (const [path, type] of files) {
    const response = await fetch(`${server.url}${path}`)
    assert.is(response.status, 200, path)
    assert.match(String(response.headers.get('content-type')), type)
    assert.ok((await response.arrayBuffer()).byteLength > 100, path)
  }
})

sale('serves agents', () => {
  const sent = [
    {
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-06-18',
        capabilities: {},
        clientInfo: { name: 'test', version: '1' },
      },
    },
    { method: 'notifications/initialized' },
    { id: 2, method: 'tools/list' },
  ].map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const env = { SVC_API_KEY: key, SVC_API_BASE: server.url }
  const { stdout, stderr } = installation.svc(['mcp'], env, sent.join(''))
  const answers = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  assert.is(answers.find(({ id }) => id === 2)?.result.tools.length, 12, stderr)
})

sale('takes in records from files and gives them out', () => {
  for (const [format, text] of [
    ['csv', 'customer_name\nAcme\n"Nuts, Inc."\n'],
    ['json', '[{"customer_name": "Screws"}]'],
    ['jsonl', '{"customer_name": "Rivets"}\n'],
  ] as const) {
    writeFileSync(join(installation.home, `customers.${format}`), text)
    const imported = installation.svc(['import', 'customers', `customers.${format}`])
    assert.is(imported.code, 0, imported.stderr)
  }
  const { code, stdout, stderr } = installation.svc(['export', 'customers', '--format', 'jsonl'])
  assert.is(code, 0, stderr)
  const names = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).customer_name)
  assert.equal(names.sort(), ['Acme', 'Bolt & Nut Works', 'Nuts, Inc.', 'Rivets', 'Screws'])
})

sale('saves the workspace while it is served, and makes it anew', () => {
  const saved = installation.svc(['backup', 'saved.svc'])
  assert.is(saved.code, 0, saved.stderr)
  const key = readFileSync(join(installation.home, 'data/secret.key'), 'utf8').trim()
  const elsewhere = { SVC_SECRET_KEY: key, SVC_DATA: 'second' }
  const restored = installation.svc(['restore', 'saved.svc'], elsewhere)
  assert.is(restored.code, 0, restored.stderr)
  const verified = installation.svc(['verify'], elsewhere)
  assert.is(verified.code, 0, verified.stdout + verified.stderr)
})

sale('keeps all that was answered when it is killed', async () => {
  const before = await call('/v1/gl-entries?sort=created&order=asc')
  assert.is((before.data as unknown[]).length, 4)
  assert.is((await server.end('SIGKILL')).code, null)
  server = await installation.serve()
  assert.equal(await call('/v1/gl-entries?sort=created&order=asc'), before)
})

sale('ends with 0 when it is asked to, and its books are right', async () => {
  const { code, stdout } = await server.end()
  assert.is(code, 0)
  assert.is(stdout, `svc listening on ${server.url}\n`)
  const verified = installation.svc(['verify'])
  assert.is(verified.code, 0, verified.stdout + verified.stderr)
})

sale('serves a workspace on PostgreSQL', async () => {
  const { database, remove } = await createTestDatabase('postgres')
  try {
    if (database.kind !== 'postgres') throw new Error('expected a PostgreSQL database')
    const data = join(installation.home, 'on-postgres')
    server = await installation.serve(['--data', data, '--database', database.url], {
      SVC_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    })
    key = (JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8')) as FirstRunFile).admin_key
    await call('/v1/customers', 'POST', { customer_name: 'Washers' })
    assert.is(((await call('/v1/customers')).data as unknown[]).length, 1)
    assert.is((await server.end()).code, 0)
  } finally {
    await remove()
  }
})

sale.run()

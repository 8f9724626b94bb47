import { execFile } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { ENTRY } from '../cli/process.ts'
import { openTestApp, type TestApp } from '../server/test-app.ts'
import {
  type Answer,
  connectTools,
  type RecordedServer,
  serveRecorded,
  type ToolClient,
} from './tool-client.ts'

const tools = suite('the tools of svc mcp')
let app: TestApp
let server: RecordedServer
let tool: ToolClient

tools.before(async () => {
  app = await openTestApp()
  server = await serveRecorded(app)
  tool = await connectTools({ SVC_API_KEY: app.keys.admin, SVC_API_BASE: `${server.url}/v1/` })
})
tools.after(async () => {
  await tool.close()
  await server.close()
  await app.close()
})

/** Calls a tool and checks that it answered with exactly what HTTP did, by this request. */
async function same(
  name: string,
  args: Readonly<Record<string, unknown>>,
  expected: readonly [request: string, status: number],
  through = tool,
): Promise<Record<string, unknown>> {
  const answer = await through.call(name, args)
  const { method, path, status, text } = server.last()
  assert.equal([`${method} ${path}`, status], expected, text)
  assert.equal(answer.content[0], { type: 'text', text })
  assert.equal(answer.structuredContent, text === '' ? {} : JSON.parse(text))
  assert.is(answer.isError ?? false, status >= 400)
  return answer.structuredContent as Record<string, unknown>
}

/** The advice that follows the body. */
async function advice(name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const { content } = await tool.call(name, args)
  return content
    .slice(1)
    .map(({ text }) => text)
    .join('\n')
}

const gadget = (code: string, rest: Readonly<Record<string, unknown>> = {}) =>
  tool.call('create_record', { resource: 'gadgets', data: { code, title: code, ...rest } })

tools(
  'are the twelve of the spec, with title, description, schema and all four hints',
  async () => {
    const { tools: listed } = await tool.client.listTools()
    assert.equal(
      listed.map(({ name }) => name),
      `list_resources list_records get_record create_record update_record delete_record submit_record
    list_addons list_tiers subscribe_tier list_events list_webhook_subscriptions`.split(/\s+/),
    )
    for (const { name, title, description = '', inputSchema, annotations, ...rest } of listed) {
      assert.ok(title && description.length > 80, name)
      assert.is(inputSchema.type, 'object')
      assert.is(inputSchema.additionalProperties, false)
      for (const each of inputSchema.required ?? []) assert.ok(inputSchema.properties?.[each], name)
      assert.equal(
        Object.entries(annotations ?? {}).map(([hint, value]) => [hint, typeof value]),
        ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'].map((hint) => [
          hint,
          'boolean',
        ]),
      )
      const reads = /^(list|get)_/.test(name)
      assert.is(annotations?.readOnlyHint, reads, name)
      assert.is(annotations?.destructiveHint, !reads && name !== 'create_record', name)
      assert.equal(
        Object.keys(rest),
        [],
        `${name}: an outputSchema would refuse answers with errors`,
      )
    }
    const { version } = tool.client.getServerVersion() ?? {}
    assert.match(version ?? '', /^\d+\.\d+\.\d+$/)
    assert.match(tool.client.getInstructions() ?? '', '1. list_resources')
  },
)

tools('list_resources answers the catalogue, also for get_record in full', async () => {
  const { data } = await same('list_resources', {}, ['GET /v1/resources', 200])
  assert.ok((data as unknown[]).length > 50)
  const brief = await same('list_resources', { brief: true }, ['GET /v1/resources?brief=1', 200])
  assert.is((brief.data as unknown[]).length, (data as unknown[]).length)
  assert.ok(JSON.stringify(brief).length < JSON.stringify(data).length / 5)
  await same('list_resources', { module: 'crm', brief: false }, [
    'GET /v1/resources?module=crm&brief=0',
    200,
  ])
  await same('list_resources', { module: 'nothing' }, ['GET /v1/resources?module=nothing', 422])
  await same('get_record', { resource: 'resources', id: 'gadgets' }, [
    'GET /v1/resources/gadgets',
    200,
  ])
})

tools('create_record, get_record and update_record answer the record', async () => {
  const data = { code: 'Hammer 7/8"', title: 'Hämmer', price: 12.5, made_on: '2026-01-15' }
  const made = await same('create_record', { resource: 'gadgets', data }, ['POST /v1/gadgets', 201])
  assert.equal([made.id, made.price], ['Hammer 7/8"', 12.5])
  const one = { resource: 'gadgets', id: made.id }
  const path = '/v1/gadgets/Hammer%207%2F8%22'
  assert.equal(await same('get_record', one, [`GET ${path}`, 200]), made)
  const change = { ...one, data: { title: null, price: 0 } }
  const refused = await same('update_record', change, [`PATCH ${path}`, 422])
  assert.equal(refused.error, {
    code: 'VALIDATION_ERROR',
    message: 'title: is required',
    status: 422,
    details: [{ field: 'title', message: 'is required', code: 'required' }],
  })
  const unlinked = { ...one, data: { parent_gadget: 'Hammer 7/8' } }
  const { error } = await same('update_record', unlinked, [`PATCH ${path}`, 422])
  const [{ suggestions } = {}] = (error as { details: Record<string, unknown>[] }).details
  assert.equal(suggestions, [{ id: 'Hammer 7/8"', title: 'Hammer 7/8"' }])
  const changed = await same('update_record', { ...change, data: { price: 0, kind: 'Tool' } }, [
    `PATCH ${path}`,
    200,
  ])
  assert.equal([changed.price, changed.kind, changed.title], [0, 'Tool', 'Hämmer'])
  await same('create_record', { resource: 'gadgets', data }, ['POST /v1/gadgets', 409])
  await same('create_record', { resource: 'gadgets', data: {} }, ['POST /v1/gadgets', 422])
})

tools('list_records takes filter, order_by, limit, q, fields and cursor', async () => {
  for (const [code, kind, stock] of [
    ['A,1', 'Tool', 1],
    ['B\\2', 'Toy', 2],
    ['C', 'Toy', 3],
  ] as const) {
    await gadget(code, { kind, stock })
  }
  const page = await same(
    'list_records',
    {
      resource: 'gadgets',
      filter: { code__in: ['A,1', 'B\\2', 'C', 'D'], stock__gte: 1, active: true },
      order_by: ' stock DESC ',
      limit: 2,
      fields: ['code', 'stock'],
    },
    [
      'GET /v1/gadgets?code__in=A%5C%2C1%2CB%5C%5C2%2CC%2CD&stock__gte=1&active=true&sort=stock&order=desc&fields=code%2Cstock&limit=2',
      200,
    ],
  )
  assert.equal(
    (page.data as { code: string }[]).map(({ code }) => code),
    ['C', 'B\\2'],
  )
  assert.equal(page.meta, { total: 3, limit: 2, offset: 0 })
  const walk = { resource: 'gadgets', filter: { kind: 'Toy' }, limit: 1, cursor: '' }
  const first = await same('list_records', walk, ['GET /v1/gadgets?kind=Toy&limit=1&cursor=', 200])
  const cursor = String(first.next_cursor)
  assert.match(await advice('list_records', walk), `cursor ${JSON.stringify(cursor)}`)
  const next = { ...walk, cursor }
  const encoded = encodeURIComponent(cursor)
  const last = await same('list_records', next, [
    `GET /v1/gadgets?kind=Toy&limit=1&cursor=${encoded}`,
    200,
  ])
  assert.not('next_cursor' in last && last.next_cursor)
  assert.is(await advice('list_records', next), '')
  const none = { resource: 'gadgets', filter: { kind: null, code__like: 'ham' }, q: 'hammer' }
  await same('list_records', none, ['GET /v1/gadgets?kind=&code__like=ham&q=hammer', 200])
})

tools('list_records hands on what the API refuses', async () => {
  for (const [args, query] of [
    [{ filter: { colour: 'red' } }, 'colour=red'],
    [{ filter: { stock__roughly: 3 } }, 'stock__roughly=3'],
    [{ limit: 1000 }, 'limit=1000'],
    [{ order_by: 'colour' }, 'sort=colour'],
    [{ cursor: 'made-up' }, 'cursor=made-up'],
    [{ fields: 'code,colour' }, 'fields=code%2Ccolour'],
  ] as const) {
    const { error } = await same('list_records', { resource: 'gadgets', ...args }, [
      `GET /v1/gadgets?${query}`,
      422,
    ])
    assert.is((error as { code: string }).code, 'VALIDATION_ERROR')
  }
  await same('list_records', { resource: 'gadgetz' }, ['GET /v1/gadgetz', 404])
  await same('list_records', { resource: 'turbines' }, ['GET /v1/turbines', 403])
})

tools('submit_record submits a draft once; a submitted document stays as it is', async () => {
  await gadget('Part')
  const data = { receiver: 'Ann', items: [{ gadget: 'Part', qty: 2 }] }
  const made = await same('create_record', { resource: 'parcels', data }, ['POST /v1/parcels', 201])
  const one = { resource: 'parcels', id: made.id }
  const path = `/v1/parcels/${made.id}`
  const submitted = await same('submit_record', one, [`POST ${path}/submit`, 200])
  assert.equal([made.docstatus, submitted.docstatus], [0, 1])
  await same('submit_record', one, [`POST ${path}/submit`, 409])
  await same('delete_record', one, [`DELETE ${path}`, 409])
  await same('update_record', { ...one, data: { receiver: 'Bo' } }, [`PATCH ${path}`, 409])
  await same('submit_record', { resource: 'gadgets', id: 'Part' }, [
    'POST /v1/gadgets/Part/submit',
    422,
  ])
  const { error } = await same('delete_record', { resource: 'gadgets', id: 'Part' }, [
    'DELETE /v1/gadgets/Part',
    409,
  ])
  assert.equal((error as { linked: unknown }).linked, [
    { resource: 'parcels', doctype: 'Parcel', id: made.id, field: 'items.gadget' },
  ])
})

tools('delete_record answers an empty text and an empty object', async () => {
  await gadget('Gone')
  const one = { resource: 'gadgets', id: 'Gone' }
  assert.equal(await same('delete_record', one, ['DELETE /v1/gadgets/Gone', 204]), {})
  await same('delete_record', one, ['DELETE /v1/gadgets/Gone', 404])
  await same('get_record', one, ['GET /v1/gadgets/Gone', 404])
})

tools('list_tiers, list_addons and subscribe_tier', async () => {
  await same('list_addons', {}, ['GET /v1/addons', 200])
  const request = 'POST /v1/tiers/business/subscribe'
  const applied = await same('subscribe_tier', { slug: 'business', seats: 3 }, [request, 200])
  assert.equal(applied, { tier: 'business', applied: true })
  const { current } = await same('list_tiers', {}, ['GET /v1/tiers', 200])
  assert.is(current, 'business')
  await same('list_records', { resource: 'turbines' }, ['GET /v1/turbines', 200])
  await same('subscribe_tier', { slug: 'business', seats: 0 }, [request, 422])
  await same('subscribe_tier', { slug: 'gold' }, ['POST /v1/tiers/gold/subscribe', 404])
})

tools('list_events and list_webhook_subscriptions', async () => {
  const args = { resource: 'parcels', kind: 'submitted', limit: 1, order: 'asc' }
  const { data } = await same('list_events', args, [
    'GET /v1/events?resource=parcels&kind=submitted&limit=1&order=asc',
    200,
  ])
  const [event] = data as { id: string; event: string }[]
  assert.is(event?.event, 'parcels.submitted')
  await same('list_events', { after: event?.id, cursor: '' }, [
    `GET /v1/events?after=${event?.id}&cursor=`,
    200,
  ])
  await same('list_events', { since: 'yesterday' }, ['GET /v1/events?since=yesterday', 422])
  const subscription = { url: 'https://example.com/hook', events: ['*'], secret: 'a'.repeat(32) }
  const headers = { 'X-API-Key': app.keys.admin, 'Content-Type': 'application/json' }
  const body = JSON.stringify(subscription)
  await fetch(`${server.url}/v1/webhooks`, { method: 'POST', headers, body })
  const listed = await same('list_webhook_subscriptions', { limit: 5 }, [
    'GET /v1/webhooks?limit=5',
    200,
  ])
  assert.is((listed.data as { url: string }[])[0]?.url, subscription.url)
  await same('list_webhook_subscriptions', { limit: 0 }, ['GET /v1/webhooks?limit=0', 422])
})

tools('do not write to what is no resource of records', async () => {
  const before = server.last()
  for (const resource of ['api-keys', 'webhooks', 'tiers', 'openapi.json']) {
    for (const [name, rest] of [
      ['create_record', { data: { scope: 'admin' } }],
      ['update_record', { id: 'x', data: {} }],
      ['delete_record', { id: 'x' }],
      ['submit_record', { id: 'x' }],
    ] as const) {
      const { isError, structuredContent } = await tool.call(name, { resource, ...rest })
      assert.is(isError, true)
      const { code, message } = structuredContent.error as Record<string, string>
      assert.is(code, 'INVALID_ARGUMENTS')
      assert.match(message ?? '', `resource: expected a resource of records`)
    }
  }
  assert.is(server.last(), before, 'nothing was sent')
})

tools('say what to do about each error, after the body', async () => {
  assert.match(
    await advice('get_record', { resource: 'gadgets', id: 'no' }),
    'list_records the ids',
  )
  assert.match(await advice('create_record', { resource: 'gadgets', data: {} }), 'details names')
  assert.match(await advice('submit_record', { resource: 'parcels', id: 'PAR-00001' }), 'no tool')
})

tools('a key of scope read reads and is refused the rest; an unknown key everything', async () => {
  const reader = await connectTools({ SVC_API_KEY: app.keys.read, SVC_API_BASE: server.url })
  const one = { resource: 'gadgets', id: 'C' }
  const path = '/v1/gadgets/C'
  const data = { title: 'x' }
  await same('get_record', one, [`GET ${path}`, 200], reader)
  await same('update_record', { ...one, data }, [`PATCH ${path}`, 403], reader)
  await same('create_record', { resource: 'gadgets', data }, ['POST /v1/gadgets', 403], reader)
  await same('delete_record', one, [`DELETE ${path}`, 403], reader)
  await same('submit_record', one, [`POST ${path}/submit`, 403], reader)
  await same('subscribe_tier', { slug: 'pro' }, ['POST /v1/tiers/pro/subscribe', 403], reader)
  await reader.close()
  const stranger = await connectTools({ SVC_API_KEY: 'svc_live_x', SVC_API_BASE: server.url })
  const calls: readonly [name: string, args: Readonly<Record<string, unknown>>, request: string][] =
    [
      ['list_resources', {}, 'GET /v1/resources'],
      ['list_records', { resource: 'gadgets' }, 'GET /v1/gadgets'],
      ['get_record', one, `GET ${path}`],
      ['create_record', { resource: 'gadgets', data }, 'POST /v1/gadgets'],
      ['update_record', { ...one, data }, `PATCH ${path}`],
      ['delete_record', one, `DELETE ${path}`],
      ['submit_record', one, `POST ${path}/submit`],
      ['list_addons', {}, 'GET /v1/addons'],
      ['list_tiers', {}, 'GET /v1/tiers'],
      ['subscribe_tier', { slug: 'pro' }, 'POST /v1/tiers/pro/subscribe'],
      ['list_events', {}, 'GET /v1/events'],
      ['list_webhook_subscriptions', {}, 'GET /v1/webhooks'],
    ]
  for (const [name, args, request] of calls) await same(name, args, [request, 401], stranger)
  // The address is slowed down for a minute, which is longer than a call may take.
  let answer: Answer = await stranger.call('list_tiers')
  while (server.last().status === 401) answer = await stranger.call('list_tiers')
  assert.is(server.last().status, 429)
  assert.is(answer.content[0]?.text, server.last().text)
  assert.equal(answer.structuredContent, JSON.parse(server.last().text))
  assert.match(answer.content[1]?.text ?? '', 'Wait 60 seconds')
  await stranger.close()
  app.clock.advance(60_000)
})

tools('the resources are the description of the API and the catalogue', async () => {
  const { resources } = await tool.client.listResources()
  assert.equal(
    resources.map(({ uri, mimeType }) => [uri, mimeType]),
    [
      ['svc://openapi', 'application/json'],
      ['svc://resources', 'application/json'],
    ],
  )
  for (const [uri, path] of [
    ['svc://openapi', '/v1/openapi.json'],
    ['svc://resources', '/v1/resources'],
  ] as const) {
    const { contents } = await tool.client.readResource({ uri })
    assert.is(server.last().path, path)
    assert.equal(contents, [{ uri, mimeType: 'application/json', text: server.last().text }])
  }
  const before = server.last()
  for (const uri of ['svc://secrets', 'file:///etc/passwd', 'svc://openapi/../x']) {
    const refused = await tool.client.readResource({ uri }).catch((error: Error) => error)
    assert.match((refused as Error).message, 'expected svc://openapi and svc://resources')
  }
  assert.is(server.last(), before)
})

const INSPECTOR = join(
  dirname(fileURLToPath(import.meta.resolve('@modelcontextprotocol/inspector-cli'))),
)

/**
 * One call of the official inspector's command line: of the program behind its launcher, which finds its own
 * version from its own folder only.
 */
async function inspect(...method: readonly string[]): Promise<Record<string, unknown>> {
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [join(INSPECTOR, 'index.js'), process.execPath, ENTRY, 'mcp', '--method', ...method],
    {
      cwd: INSPECTOR,
      env: { SVC_API_KEY: app.keys.admin, SVC_API_BASE: server.url },
      maxBuffer: 1e8,
    },
  )
  return JSON.parse(stdout)
}

tools("the official inspector's command line lists, calls and reads", async () => {
  const filter = { kind: 'Toy', stock__gte: 2 }
  const args = [`filter=${JSON.stringify(filter)}`, 'resource=gadgets', 'limit=1', 'fields=code']
  const [listed, called, resources, read] = await Promise.all([
    inspect('tools/list'),
    inspect(
      'tools/call',
      '--tool-name',
      'list_records',
      ...args.flatMap((arg) => ['--tool-arg', arg]),
    ),
    inspect('resources/list'),
    inspect('resources/read', '--uri', 'svc://resources'),
  ])
  assert.equal(listed.tools, (await tool.client.listTools()).tools)
  const same = { resource: 'gadgets', filter, limit: 1, fields: 'code' }
  assert.equal(called, await tool.call('list_records', same))
  const { data, meta } = called.structuredContent as Record<string, unknown>
  assert.equal([data, meta], [[{ code: 'C' }], { total: 2, limit: 1, offset: 0 }])
  assert.equal(resources, await tool.client.listResources())
  assert.equal(read, await tool.client.readResource({ uri: 'svc://resources' }))
})

tools('there are seven more with --tools full, whose answers are said once', async () => {
  const env = { SVC_API_KEY: app.keys.admin, SVC_API_BASE: server.url }
  const full = await connectTools(env, ['--tools', 'full'])
  try {
    const { tools: listed } = await full.client.listTools()
    assert.equal(
      listed.slice(12).map(({ name }) => name),
      ['run_action', 'run_report', 'preview', 'search', 'describe', 'cancel_record', 'explain'],
    )
    const made = {
      receiver: 'Ann',
      items: [{ gadget: (await gadget('EX')).structuredContent.id, qty: 2 }],
    }
    const parcel = await tool.call('create_record', { resource: 'parcels', data: made })
    const { id } = parcel.structuredContent
    const field = 'items[0].qty'
    const answer = await full.call('explain', { resource: 'parcels', id, field, depth: 2 })
    assert.is(server.last().path, `/v1/parcels/${id}/explain/items%5B0%5D.qty?depth=2`)
    assert.equal(Object.keys(answer), ['content'])
    const { how, value } = JSON.parse(answer.content[0]!.text)
    assert.equal([how, value], ['entered', 2])
    const unknown = await full.call('explain', { resource: 'parcels', id, field: 'nothing' })
    assert.is(unknown.isError, true)
    await previewsAndCancels(full, String(id))
    const without = await tool.call('explain', { resource: 'parcels', id, field }).catch(String)
    assert.match(String(without), 'there is no tool of this name')
  } finally {
    await full.close()
  }
})

/** Each operation of `preview` is the request that would do it, and nothing is done. */
async function previewsAndCancels(full: ToolClient, id: string): Promise<void> {
  const at = (more: string): string => `/v1/parcels/${id}${more}?_preview=1`
  const of = { resource: 'parcels', id }
  for (const [operation, method, more] of [
    ['update', 'PATCH', ''],
    ['submit', 'POST', '/submit'],
    ['delete', 'DELETE', ''],
    ['pack', 'POST', '/actions/pack'],
  ] as const) {
    const { isError = false } = await full.call('preview', { ...of, operation, data: {} })
    const sent = server.last()
    assert.equal([sent.method, sent.path, isError], [method, at(more), operation === 'pack'])
  }
  const create = { resource: 'parcels', operation: 'create', data: { receiver: 'Ben' } }
  await full.call('preview', create)
  assert.equal([server.last().method, server.last().path], ['POST', '/v1/parcels?_preview=1'])
  const refused = await full.call('preview', { ...create, id })
  assert.match(refused.content[0]!.text, 'has no id yet')
  const nameless = await full.call('preview', { resource: 'parcels', operation: 'submit' })
  assert.match(nameless.content[0]!.text, 'id: is required')
  await full.call('submit_record', of)
  const cancelled = await full.call('cancel_record', of)
  assert.is(JSON.parse(cancelled.content[0]!.text).docstatus, 2)
  const again = await full.call('cancel_record', of)
  assert.match(again.content[1]!.text, 'cancel_record')
  const keys = await full.call('cancel_record', { resource: 'api-keys', id: 'x' })
  assert.match(keys.content[0]!.text, 'is not changed by tools')
}

tools.run()

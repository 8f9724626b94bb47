import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { providerFor } from '../../server/billing/configured.ts'
import { type AppRoutes, routesOf } from './matrix-routes.ts'
import { argumentsOf, CUSTOMER, sampleOf } from './samples.ts'
import { openWatched, type Reply, type Watched } from './workspace.ts'

/** Reads of surface A leave parameters they do not know, as Frappe does (docs/surface-a.md). */
const LEAVES_UNKNOWN = /^GET \/api\/(v1\/)?resource\//

const test = suite('a query parameter that a route does not know')

let watched: Watched
let routes: AppRoutes

test.before(async () => {
  watched = await openWatched({
    provider: providerFor({ stripeSecretKey: 'sk_test_x', stripeWebhookSecret: 'whsec_x' })!,
  })
  routes = routesOf(watched.app.app)
  const made = await send('POST', '/v1/customers', { customer_name: 'Blue Bikes' })
  assert.is(JSON.parse(made.text).id, CUSTOMER)
  // The use of the key is noted beside its first request: behind it in the queue, that is done.
  await watched.app.engine.services.database.write(async () => undefined)
})
test.after(() => watched?.close())

const send = (method: string, path: string, body?: object): Promise<Reply> =>
  watched.send(method, path, { headers: { 'x-api-key': watched.app.keys.admin }, body })

/** The path with one more parameter. */
const asking = (path: string, name: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}${name}=1`

test('is refused by every route, and nothing is written', async () => {
  const before = watched.contents()
  const wrong: string[] = []
  for (const route of routes.routes) {
    const [method = ''] = route.split(' ')
    const { path, body } = sampleOf(route)
    const { status, text } = await send(method, asking(path, 'zzz'), body)
    const isSite = route.includes('/api/')
    const isRefused = [422, ...(isSite ? [417] : [])].includes(status) && /zzz/i.test(text)
    if (isRefused === LEAVES_UNKNOWN.test(route))
      wrong.push(`${route}: ${status} ${text.slice(0, 100)}`)
  }
  assert.equal(wrong, [])
  assert.is(watched.contents(), before)
})

test('is named by an answer of /v1, with what the route has and what may be meant', async () => {
  for (const [method, path, field, message] of [
    [
      'POST',
      '/v1/customers?_previw=1',
      '_previw',
      'unknown parameter (did you mean _preview?); expected _preview',
    ],
    ['DELETE', `/v1/customers/${CUSTOMER}?zzz=1`, 'zzz', 'unknown parameter; expected _preview'],
    [
      'GET',
      '/v1/resources?modul=crm',
      'modul',
      'unknown parameter (did you mean module?); expected module, brief, _locked',
    ],
    ['GET', '/v1/resources?brief=1&brief=0', 'brief', 'came more than once; expected one value'],
  ] as const) {
    const { status, text } = await send(method, path, method === 'POST' ? {} : undefined)
    assert.is(status, 422, path)
    const { error } = JSON.parse(text)
    assert.is(error.code, 'VALIDATION_ERROR')
    const code = message.startsWith('unknown') ? 'unknown_field' : 'wrong_type'
    assert.equal(error.details, [{ field, message, code }])
  }
  const both = await send('GET', `/v1/customers/${CUSTOMER}?_titel=1&foo=1`)
  assert.equal(
    JSON.parse(both.text).error.details.map(({ field }: { field: string }) => field),
    ['_titel', 'foo'],
  )
})

test('is refused by changes of surface A, unless clients of Frappe send it', async () => {
  const before = watched.contents()
  const customer = `/api/resource/Customer/${CUSTOMER}`
  for (const [method, path] of [
    ['POST', '/api/resource/Customer?_preview=1'],
    ['PUT', `${customer}?phon=1`],
    ['DELETE', `${customer}?zzz=1`],
    ['POST', `${customer}?run_method=hold&zzz=1`],
    ['POST', '/api/method/frappe.client.set_value?_preview=1'],
    ['POST', '/?cmd=frappe.client.set_value&_preview=1'],
  ] as const) {
    const { status } = await send(method, path, argumentsOf('frappe.client.set_value'))
    assert.is(status, 417, `${method} ${path}`)
  }
  assert.is(watched.contents(), before)
  for (const [method, path] of [
    ['PUT', `${customer}?customer_name=Blue&_=1700000000000&sid=x&cmd=x&_lang=en`],
    ['GET', `/api/resource/Customer?_=1700000000000&zzz=1`],
    ['GET', `${customer}?_=1700000000000&zzz=1`],
    ['GET', '/api/method/frappe.client.get_count?doctype=Customer&_=1700000000000&zzz=1'],
    ['POST', '/api/method/frappe.client.get_count?doctype=Customer&_=1700000000000&zzz=1'],
  ] as const) {
    const { status, text } = await send(method, path)
    assert.is(status, 200, `${method} ${path}: ${text}`)
  }
})

test('is one that OpenAPI does not tell of, and the others are told of', async () => {
  const { paths, components } = JSON.parse((await send('GET', '/v1/openapi.json')).text)
  const told = (path: string, method: string): string[] => {
    const given = [...(paths[path].parameters ?? []), ...(paths[path][method].parameters ?? [])]
    return given
      .map(({ $ref, ...own }: { $ref?: string; in?: string; name?: string; style?: string }) =>
        $ref === undefined ? own : components.parameters[$ref.split('/').at(-1)!],
      )
      .flatMap((one) => (one.in === 'query' && one.style !== 'form' ? [one.name] : []))
  }
  const patterns = [...routes.parameters.keys()]
  let compared = 0
  for (const [path, operations] of Object.entries(paths) as [string, object][]) {
    for (const method of Object.keys(operations)) {
      if (!['get', 'post', 'patch', 'delete'].includes(method)) continue
      const request = `${method.toUpperCase()} ${path}`
      // Named routes stand before the generic ones.
      const route = patterns.find((pattern) => isFor(pattern, request))
      assert.ok(route, `no route states its parameters for ${request}`)
      const known = routes.parameters.get(route)!
      const isList = route === 'GET /v1/:resource' && path !== '/v1/{resource}'
      const stated = isList ? known.filter((name) => !GROUPING.includes(name)) : known
      // Filters of a list, and parameters of a report, are its own.
      const hasMore = ['GET /v1/:resource', 'GET /v1/reports/:report'].includes(route)
      const names = told(path, method)
      // The groups of a list are a path of their own, which alone tells of what makes them.
      if (path === '/v1/{resource}') {
        if (method === 'get') assert.ok(GROUPING.every((name) => names.includes(name)))
        assert.ok(names.every((name) => stated.includes(name)))
        continue
      }
      const expected = hasMore ? names.filter((name) => stated.includes(name)) : names
      assert.equal(expected.toSorted(), [...stated].toSorted(), request)
      compared += 1
    }
  }
  assert.ok(compared > 100, `${compared} operations`)
})

/** Parameters that answer groups instead of a page. */
const GROUPING = ['_count_by', '_sum']

function isFor(pattern: string, request: string): boolean {
  const [parts, asked] = [pattern.split('/'), request.split('/')]
  return (
    parts.length === asked.length &&
    parts.every((part, at) => part.startsWith(':') || part === asked[at])
  )
}

test.run()

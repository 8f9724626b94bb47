import { ServerResponse } from 'node:http'
import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hostileRequests } from '../../fuzz/requests.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'
import { routesOf } from '../../security/matrix-routes.ts'
import { type RawRequest, rawServer } from './raw-answers.ts'
import { openRecordedWorld, type RecordedWorld } from './recorded-world.ts'

const SEEDS = seedsOf(import.meta.filename, [98_240_131])
const REQUESTS = rounds(200)
const HOST = 'Host: svc.test'

/** Record routes, as the OpenAPI names them. */
const ROUTES: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  '/v1/gadgets': { get: {}, post: {} },
  '/v1/gadgets/{id}': { get: {}, patch: {} },
  '/v1/parcels': { get: {}, post: {} },
  '/v1/parcels/{id}': { get: {}, patch: {} },
  '/v1/parcels/{id}/submit': { post: {} },
  '/v1/parcels/{id}/amend': { post: {} },
  '/v1/parcels/{id}/actions/{name}': { post: {} },
}

const test = suite('the direct way')
let direct: RecordedWorld
let express: RecordedWorld
test.before(async () => {
  direct = await openRecordedWorld()
  express = await openRecordedWorld({ settings: { directRoutes: false } })
})
test.after(async () => {
  await direct.close()
  await express.close()
})

test('gives every answer that Express gives, byte for byte', async () => {
  const [answers, expected] = await Promise.all([direct.answers(), express.answers()])
  assert.is(answers.size, expected.size)
  for (const [name, answer] of answers) assert.is(answer, expected.get(name), name)
})

for (const seed of SEEDS)
  test(`gives the same answers to ${REQUESTS} hostile requests (seed ${seed})`, async () => {
    const { engine, keys } = direct.app
    const surface = { paths: ROUTES, registry: engine.services.registry, keys, own: [] }
    const made = hostileRequests({ ...surface, ids: ['g1', 'PAR-00001', 'caf%C3%A9'] })
    const all = fc.sample(made, { seed, numRuns: REQUESTS })
    const requests = all.map(({ method, path, headers, body }, index): RawRequest => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
      return { name: `${index} ${method} ${path}`, method, path, headers: [HOST, ...lines], body }
    })
    const [answers, expected] = await Promise.all([
      direct.answers(requests),
      express.answers(requests.map((request) => ofTheOther(request, direct, express))),
    ])
    for (const [name, answer] of answers) assert.is(answer, expected.get(name), name)
  })

test('is taken by record routes, whoever asks, and by nothing else', async () => {
  const admin = direct.callers.admin ?? []
  const ways: string[] = []
  const server = await rawServer((request, response) => {
    const { method, url } = request
    // Express gives each answer methods of its own.
    direct.app.app(request as never, response as never)
    const isNodes = Object.getPrototypeOf(response) === ServerResponse.prototype
    ways.push(`${method} ${url} ${isNodes ? 'direct' : 'Express'}`)
  })
  const asked: readonly (readonly [way: 'direct' | 'Express', method: string, path: string])[] = [
    ['direct', 'GET', '/v1/gadgets'],
    ['direct', 'GET', '/v1/gizmos?limit=1&q=blue'],
    ['direct', 'GET', '/v1/gadgets/g1'],
    ['direct', 'GET', '/v1/gadgets/caf%C3%A9?_can=1'],
    ['direct', 'POST', '/v1/gadgets'],
    ['direct', 'PATCH', '/v1/gadgets/g1'],
    ['direct', 'POST', '/v1/parcels/PAR-00002/submit'],
    ['direct', 'POST', '/v1/parcels/PAR-00002/cancel'],
    ['direct', 'POST', '/v1/parcels/PAR-00002/amend'],
    ['direct', 'POST', '/v1/parcels/PAR-00002/update-submitted'],
    ['direct', 'POST', '/v1/parcels/PAR-00002/actions/any'],
    ['Express', 'DELETE', '/v1/gadgets/none'],
    ['Express', 'HEAD', '/v1/gadgets'],
    ['Express', 'PATCH', '/v1/gadgets'],
    ['Express', 'GET', '/v1/gadgets/'],
    ['Express', 'GET', '/v1/gadgets/_export'],
    ['Express', 'GET', '/v1/gadgets/%zz'],
    ['Express', 'GET', '/v1/gadgets#part'],
    ['Express', 'GET', '/v1/nonsense'],
    ['Express', 'GET', '/v1/resources'],
    ['Express', 'GET', '/v1/gadgets/g1/timeline'],
  ]
  for (const [, method, path] of asked)
    await server.answer({ name: path, method, path, headers: [HOST, ...admin] })
  await server.close()
  assert.equal(
    ways,
    asked.map(([way, method, path]) => `${method} ${path} ${way}`),
  )
})

test('answers requests that came together on one connection in their order', async () => {
  const line = (path: string): string =>
    [`GET ${path} HTTP/1.1`, HOST, ...(direct.callers.admin ?? [])].join('\r\n')
  const paths = ['/v1/gadgets/g5', '/v1/resources/gadgets', '/v1/gadgets/none']
  const first = paths.map((path) => `${line(path)}\r\n\r\n`).join('')
  const server = await rawServer(direct.app.app)
  const answer = await server.answer({
    name: 'pipeline',
    method: '',
    path: '',
    headers: [HOST, ...(direct.callers.admin ?? [])],
    before: `${first}GET /v1/gadgets/g6`,
  })
  await server.close()
  const statuses = [...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)
  assert.equal(statuses, ['200', '200', '404', '200'])
  assert.ok(answer.indexOf('"id":"g5"') < answer.indexOf('"id":"g6"'))
})

test('has no DocType in it whose name is a route of its own', () => {
  const { routes } = routesOf(direct.app.app)
  const own = new Set(
    routes.map((route) => /^\w+ \/v1\/([a-z][\w-]*)(?:$|\/)/.exec(route)?.[1]).filter(Boolean),
  )
  const { registry } = direct.app.engine.services
  assert.equal(
    registry.all.map(({ slug }) => slug).filter((slug) => own.has(slug)),
    [],
  )
})

/** The same request with the credentials of another world. */
function ofTheOther(
  request: RawRequest,
  { app: { keys: ours } }: RecordedWorld,
  { app: { keys: theirs } }: RecordedWorld,
): RawRequest {
  const pairs = (Object.keys(ours) as (keyof typeof ours)[]).flatMap((scope) => [
    [ours[scope], theirs[scope]] as const,
    [ours[scope].slice(0, -1), theirs[scope].slice(0, -1)] as const,
  ])
  const headers = request.headers.map((line) =>
    pairs.reduce((text, [from, to]) => text.replaceAll(from, to), line),
  )
  return { ...request, headers }
}

test.run()

import request, { type Test } from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { once } from '../../../engine/base/once.ts'
import type { OpenApiDocument } from '../../../engine/schema/openapi/openapi.ts'
import { ATTEMPT_EXAMPLE } from '../../../engine/schema/shapes/webhook-shapes.ts'
import { attemptInserter } from '../../../webhooks/attempt-store.ts'
import { refsOf, resolve, schemaCompiler } from '../../engine/schema/openapi-reader.ts'
import { bearer, openTestApp, TEST_DOCTYPES, type TestApp } from '../test-app.ts'

type Json = Readonly<Record<string, unknown>>

const CHORE = `
doctype: Chore
module: support
tier: free
naming: CHORE-{###}
fields:
  what: {type: data, required: true}
  again: {type: link, options: Chore, readOnly: true}
actions:
  repeat:
    when: again == ""
    input: {what: {type: data, required: true}}
    steps:
      - {create: Chore, as: next, set: {what: input.what}}
      - {post: Mark, rows: [{set: {thing: input.what}}]}
      - {set: {again: next.name}}
  rest: {steps: [{set: {again: '""'}}]}
`

const MARK = `
doctype: Mark
module: support
tier: free
naming: uuid
ledger: {}
fields:
  thing: {type: data, required: true}
`

const description = suite('/v1/openapi.json')

let test: TestApp
let document: OpenApiDocument
description.before(async () => {
  test = await openTestApp({ doctypes: { ...TEST_DOCTYPES, chore: CHORE, mark: MARK } })
  document = (await request(test.app).get('/v1/openapi.json')).body as OpenApiDocument
})
description.after(() => test.close())

description('D20: is compressed once, and answered 120 times a minute to one address', async () => {
  const get = () => request(test.app).get('/v1/openapi.json')
  const first = await get().set('Accept-Encoding', 'gzip')
  assert.is(first.headers['content-encoding'], 'gzip')
  const sent = Number(first.headers['content-length'])
  assert.ok(sent < first.text.length / 5, `${sent} bytes of ${first.text.length}`)
  let last = first
  let answers = 0
  while (last.status !== 429 && answers <= 120) {
    last = await get().set('If-None-Match', String(first.headers.etag))
    answers += 1
  }
  assert.is(last.status, 429)
  test.clock.advance(60_000)
  assert.is((await get()).status, 200)
})

interface ListedShape {
  readonly properties: object
  readonly required?: readonly string[]
}

description('answers a part of itself, which is whole', async () => {
  const part = async (query: string) =>
    (await request(test.app).get(`/v1/openapi.json?${query}`)).body
  const two = (await part('resource=parcels,gizmos')) as OpenApiDocument
  assert.ok(
    Object.keys(two.paths).every((path) => /^\/v1\/(parcels|gadgets|\{resource\})/.test(path)),
  )
  assert.ok(['/v1/parcels/{id}/submit', '/v1/gadgets'].every((path) => path in two.paths))
  for (const ref of refsOf(two)) resolve(two, ref)
  const { Parcel, ParcelListItem } = two.components.schemas as unknown as Record<
    string,
    ListedShape
  >
  assert.equal(Parcel!.required, document.components.schemas!.Parcel!.required)
  assert.equal(Parcel!.properties, ParcelListItem!.properties)
  assert.equal(ParcelListItem, document.components.schemas!.ParcelListItem)
  assert.not('Turbine' in two.components.schemas!)
  const { paths } = (await part('module=crm')) as OpenApiDocument
  assert.ok(['/v1/leads', '/v1/reports/lead-details'].every((path) => path in paths))
  assert.not('/v1/gadgets' in paths || '/v1/reports/trial-balance' in paths)
  const { error } = await part('resource=gadget')
  assert.match(error.message, 'did you mean "gadgets"?')
})

description('is readable without a key, and says when it is unchanged', async () => {
  const { status, headers } = await request(test.app).get('/v1/openapi.json')
  assert.is(status, 200)
  assert.match(String(headers['content-type']), 'application/json')
  const again = await request(test.app)
    .get('/v1/openapi.json')
    .set('If-None-Match', String(headers.etag))
  assert.is(again.status, 304)
  const post = await request(test.app).post('/v1/openapi.json')
  assert.equal([post.status, post.body.error.code], [405, 'METHOD_NOT_ALLOWED'])
})

description(
  'describes what the server answers: records, lists, catalogue, keys and errors',
  async () => {
    const gadget = { code: 'G-1', title: 'Bell', price: 3.5, extra: { a: [1] }, pin: '1234' }
    await assertDescribed(call('post', '/v1/gadgets').send(gadget), '/v1/gadgets', 201)
    await assertDescribed(call('get', '/v1/gadgets/G-1'), '/v1/gadgets/{id}', 200)
    await assertDescribed(call('get', '/v1/gadgets'), '/v1/gadgets', 200)
    await assertDescribed(
      call('get', '/v1/gadgets?cursor=&fields=story,title&_titles=1'),
      '/v1/gadgets',
      200,
    )
    await assertDescribed(
      call('get', '/v1/gadgets?price__gte=1&created__lt=2030-01-01T00:00:00Z'),
      '/v1/gadgets',
      200,
    )
    await assertDescribed(
      call('patch', '/v1/gadgets/G-1').send({ price: null }),
      '/v1/gadgets/{id}',
      200,
    )
    await assertDescribed(
      call('patch', '/v1/gadgets/G-1').send({ code: 'G-2' }),
      '/v1/gadgets/{id}',
      422,
    )

    const parcel = { receiver: 'Ann', items: [{ gadget: 'G-1', qty: 2 }] }
    const { body } = await assertDescribed(
      call('post', '/v1/parcels').send(parcel),
      '/v1/parcels',
      201,
    )
    const one = `/v1/parcels/${(body as { id: string }).id}`
    await assertDescribed(call('post', `${one}/submit`), '/v1/parcels/{id}/submit', 200)
    await assertDescribed(call('post', `${one}/submit`), '/v1/parcels/{id}/submit', 409)
    await assertDescribed(call('post', `${one}/cancel`), '/v1/parcels/{id}/cancel', 200)
    await assertDescribed(call('post', `${one}/amend`), '/v1/parcels/{id}/amend', 201)
    await assertDescribed(call('delete', '/v1/gadgets/G-1'), '/v1/gadgets/{id}', 409)
    await assertDescribed(call('get', '/v1/turbines'), '/v1/turbines', 403)
    await assertDescribed(call('get', '/v1/gadgets/none'), '/v1/gadgets/{id}', 404)
    await assertDescribed(call('post', '/v1/gadgets').send([1] as never), '/v1/gadgets', 400)
    await assertDescribed(
      call('post', '/v1/gadgets').set('Content-Type', 'text/plain').send('x'),
      '/v1/gadgets',
      415,
    )

    await assertDescribed(call('post', '/v1/chores').send({ what: 'Sweep' }), '/v1/chores', 201)
    const repeat = () => call('post', '/v1/chores/CHORE-001/actions/repeat')
    const at = '/v1/chores/{id}/actions/repeat'
    const acted = await assertDescribed(repeat().send({ what: 'Sweep again' }), at, 200)
    assert.is((acted.body as { _created: unknown[] })._created.length, 1)
    await assertDescribed(repeat().send({ what: 'And again' }), at, 409)
    await assertDescribed(repeat().send({}), at, 422)
    await assertDescribed(
      call('post', '/v1/chores/CHORE-001/actions/rest'),
      '/v1/chores/{id}/actions/rest',
      200,
    )
    await assertDescribed(call('get', '/v1/marks'), '/v1/marks', 200)

    await assertDescribed(call('get', '/v1/resources'), '/v1/resources', 200)
    await assertDescribed(call('get', '/v1/resources/chores'), '/v1/resources/{slug}', 200)
    await assertDescribed(call('get', '/v1/resources/marks'), '/v1/resources/{slug}', 200)
    await assertDescribed(call('get', '/v1/resources/parcels'), '/v1/resources/{slug}', 200)
    const events = '/v1/webhooks/events'
    await assertDescribed(call('get', events), events, 200)
    await assertDescribed(call('get', `${events}?resource=parcels`), events, 200)
    await assertDescribed(call('get', `${events}?kind=created`), events, 422)
    await assertDescribed(call('get', '/v1/api-keys'), '/v1/api-keys', 200)
    await assertDescribed(call('post', '/v1/api-keys').send({ scope: 'read' }), '/v1/api-keys', 201)
    for (const own of ['sessions', 'pairs']) {
      const path = `/v1/me/${own}`
      await assertDescribed(call('get', path), path, 200)
      await assertDescribed(call('get', `${path}?limit=x`), path, 422)
      await assertDescribed(call('delete', `${path}/none`), `${path}/{id}`, 404)
    }
    await assertDescribed(call('post', '/v1/users/none/leave'), '/v1/users/{id}/leave', 404)

    await assertDescribed(call('get', '/v1/events?limit=2'), '/v1/events', 200)
    await assertDescribed(call('get', '/v1/events?kind=a&kind=b'), '/v1/events', 422)
    const [event] = (await call('get', '/v1/events?limit=1')).body.data
    await assertDescribed(call('get', `/v1/events/${event.id}`), '/v1/events/{id}', 200)
    const asked = { url: 'http://127.0.0.1:9/hook', events: ['gadgets.*'] }
    const hook = await assertDescribed(
      call('post', '/v1/webhooks').send({ ...asked, url: 'http://127.0.0.1:9999/hook' }),
      '/v1/webhooks',
      201,
    )
    await assertDescribed(call('post', '/v1/webhooks').send(asked), '/v1/webhooks', 422)
    const of = `/v1/webhooks/${(hook.body as { id: string }).id}`
    const byId = '/v1/webhooks/{id}'
    await assertDescribed(call('get', '/v1/webhooks'), '/v1/webhooks', 200)
    await assertDescribed(call('get', of), byId, 200)
    await assertDescribed(call('patch', of).send({ label: null, status: 'paused' }), byId, 200)
    await assertDescribed(call('post', `${of}/rotate`), `${byId}/rotate`, 200)
    const tested = await assertDescribed(call('post', `${of}/test`), `${byId}/test`, 202)
    const { delivery_id } = tested.body as { delivery_id: string }
    await assertDescribed(
      call('post', `${of}/deliveries/${delivery_id}/resend`),
      `${byId}/deliveries/{delivery}/resend`,
      202,
    )
    const since = { since: '2026-01-01' }
    await assertDescribed(call('post', `${of}/recover`).send(since), `${byId}/recover`, 202)
    const { request_headers: _, ...row } = ATTEMPT_EXAMPLE
    const { id: webhook_id } = hook.body as { id: string }
    await test.engine.services.database.write((tx) =>
      attemptInserter()(tx, [{ ...row, webhook_id, trigger: 'auto' }]),
    )
    const log = await assertDescribed(call('get', `${of}/deliveries`), `${byId}/deliveries`, 200)
    assert.is((log.body as { data: unknown[] }).data.length, 1)
    assert.is((await call('delete', of)).status, 204)
    await assertDescribed(call('get', '/v1/tiers'), '/v1/tiers', 200)
    await assertDescribed(call('get', '/v1/addons'), '/v1/addons', 200)
    const subscribe = '/v1/tiers/{slug}/subscribe'
    await assertDescribed(call('post', '/v1/tiers/pro/subscribe'), subscribe, 200)
    await assertDescribed(
      call('post', '/v1/tiers/pro/subscribe').send({ seats: 0 }),
      subscribe,
      422,
    )
    await assertDescribed(call('get', '/healthz'), '/healthz', 200)
    await assertDescribed(call('get', '/readyz'), '/readyz', 200)
  },
)

description('the methods of a path are what OPTIONS answers', async () => {
  const asked = (path: string) =>
    request(test.app).options(path).set('Authorization', bearer(test.keys.read))
  for (const [path, status, allow] of [
    ['/v1/gadgets', 204, 'GET, HEAD, POST, OPTIONS'],
    ['/v1/gadgets/G-1', 204, 'GET, HEAD, PATCH, DELETE, OPTIONS'],
    ['/v1/nothing', 404, undefined],
    ['/nothing', 404, undefined],
  ] as const) {
    const answer = await asked(path)
    assert.equal([path, answer.status, answer.headers.allow], [path, status, allow])
  }
})

description('a filter may be written as the property of an object', async () => {
  await call('post', '/v1/gadgets').send({ code: 'O-1', title: 'Object', price: 77 })
  const { body } = await call('get', '/v1/gadgets?suffixed[price__gte]=77&filters[code]=O-1')
  assert.equal(
    body.data.map(({ id }: { id: string }) => id),
    ['O-1'],
  )
  const { status } = await call('get', '/v1/gadgets?other[code]=O-1')
  assert.is(status, 422)
})

description.run()

function call(method: 'get' | 'post' | 'patch' | 'delete', path: string): Test {
  return request(test.app)[method](path).set('Authorization', bearer(test.keys.admin))
}

/** Made once: taking in the whole document is what costs. */
const compiler = once(() => schemaCompiler(document))

/** Sends the request; the answer must have that status, and the body and headers described for it. */
async function assertDescribed(sent: Test, path: string, status: number) {
  const { method } = sent as unknown as { method: string }
  const answer = await sent
  const at = `${method} ${path}`
  assert.equal([at, answer.status, answer.body?.error], [at, status, answer.body?.error])
  const operation = (document.paths[path] as Json)[method.toLowerCase()] as { responses: Json }
  const described = (operation.responses[String(status)] ?? operation.responses.default) as
    | { $ref?: string }
    | undefined
  assert.ok(described, `${at} does not describe ${status}`)
  const { content, headers } = (described.$ref ? resolve(document, described.$ref) : described) as {
    content: Record<string, { schema: unknown }>
    headers?: Json
  }
  const validate = compiler()(content['application/json']!.schema)
  validate(answer.body)
  assert.equal([at, validate.errors], [at, null])
  if (path.startsWith('/v1/')) {
    for (const header of Object.keys(headers ?? {})) {
      // Work is counted where a server has readers, which this app has none of.
      const comesAlways = header.startsWith('X-') && !header.startsWith('X-Work-')
      if (comesAlways) assert.ok(header.toLowerCase() in answer.headers, `${at} lacks ${header}`)
    }
  }
  return answer
}

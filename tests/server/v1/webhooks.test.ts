import request, { type Response } from 'supertest'
import * as assert from 'uvu/assert'
import type { Scope } from '../../../engine/access/actor.ts'
import { attemptInserter } from '../../../webhooks/attempt-store.ts'
import { openSecrets } from '../../../webhooks/signing/secrets.ts'
import { findWebhook, insertWebhook, updateWebhook } from '../../../webhooks/store.ts'
import { MAX_GRACE, MAX_SUBSCRIPTIONS } from '../../../webhooks/subscriptions.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { changedTables, type DumpedTables, dumpTables } from '../../helpers/tables.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

type Json = Record<string, unknown>
type Method = 'get' | 'post' | 'patch' | 'put' | 'delete' | 'head'

interface Detail {
  readonly field: string
  readonly message: string
}

const URL_OF = 'https://shop.example/hook'
const OWN_SECRET = 'canary-of-a-receiver-1234567890'

forEachDatabaseWhenDeep('/v1/webhooks', ({ test, fresh }) => {
  let api: TestApp
  test.before(async () => {
    api = await openTestApp({
      database: await fresh(),
      settings: { rateLimit: false },
      // No test waits for name servers.
      resolve: async () => [{ address: '93.184.215.14', family: 4 }],
    })
  })
  test.after(() => api.close())
  test.after.each(async () => {
    await api.engine.services.database.write((tx) => tx.deleteFrom('svc_webhooks').execute())
  })

  const send = (method: Method, path: string, body?: object, key: Scope = 'write') =>
    request(api.app)[method](path).set('Authorization', bearer(api.keys[key])).send(body)
  const register = async (body: Json = {}): Promise<Json & { id: string; secret: string }> =>
    (await send('post', '/v1/webhooks', { url: URL_OF, events: ['*'], ...body }).expect(201)).body
  const refused = async (method: Method, path: string, body?: object): Promise<Detail[]> => {
    const { body: answer } = await send(method, path, body).expect(422)
    assert.is(answer.error.code, 'VALIDATION_ERROR')
    return answer.error.details
  }
  const fields = (details: readonly Detail[]): string[] => details.map(({ field }) => field)
  const messageOf = (details: readonly Detail[], field: string): string =>
    details.find((detail) => detail.field === field)?.message ?? ''

  test('registers a subscription and shows it everywhere the same, the secret once', async () => {
    const made = await register({ label: 'Web shop', events: ['gadgets.*', 'parcels.submitted'] })
    const { secret, ...shown } = made
    assert.equal(shown, {
      id: made.id,
      url: URL_OF,
      events: ['gadgets.*', 'parcels.submitted'],
      label: 'Web shop',
      status: 'active',
      failing_since: null,
      created: new Date(api.clock.now()).toISOString(),
      created_by: made.created_by,
      user: null,
      paused_because: null,
      modified: made.created,
      last_delivery: null,
    })
    assert.match(made.id, /^whk_[0-9a-z]{29}$/)
    assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal((await send('get', `/v1/webhooks/${made.id}`, undefined, 'read')).body, shown)
    const { body } = await send('get', '/v1/webhooks', undefined, 'read').expect(200)
    assert.equal(body, { data: [shown], meta: { total: 1, limit: 20, offset: 0 } })
  })

  test('tells where the new one is, and that its answer is not to be cached', async () => {
    const answer = await send('post', '/v1/webhooks', { url: URL_OF, events: ['*'] }).expect(201)
    assert.is(answer.headers.location, `/v1/webhooks/${answer.body.id}`)
    assert.is(answer.headers['cache-control'], 'no-store')
    const path = `/v1/webhooks/${answer.body.id}/rotate`
    assert.is((await send('post', path).expect(200)).headers['cache-control'], 'no-store')
  })

  test('needs an address and events, and says both at once', async () => {
    for (const body of [undefined, {}, { label: 'Nothing' }])
      assert.equal(fields(await refused('post', '/v1/webhooks', body)), ['url', 'events'])
    await send('post', '/v1/webhooks', [] as object).expect(400)
  })

  const WRONG: Readonly<Record<string, readonly unknown[]>> = {
    url: [
      null,
      7,
      true,
      '',
      [],
      {},
      [URL_OF],
      'shop.example',
      '/hook',
      `https://x/${'y'.repeat(2048)}`,
    ],
    events: [
      null,
      7,
      '*',
      '',
      {},
      [],
      [null],
      [7],
      ['*', 7],
      [['*']],
      { 0: '*' },
      Array(501).fill('*'),
    ],
    label: [7, true, [], {}, 'x'.repeat(141)],
    secret: [
      7,
      true,
      [],
      {},
      '',
      'short',
      'x'.repeat(256),
      'with a space in it',
      'späte-Überraschung',
    ],
    status: [null, 7, '', 'disabled', 'Active', 'deleted', ['active']],
  }

  test('refuses every value a field cannot have, naming the field', async () => {
    const { id } = await register()
    for (const [field, values] of Object.entries(WRONG))
      for (const value of values) {
        const said = JSON.stringify(value).slice(0, 60)
        if (field !== 'status') {
          const body = { url: URL_OF, events: ['*'], [field]: value }
          const [first = '', ...more] = fields(await refused('post', '/v1/webhooks', body))
          assert.is(first.replace(/\[\d+\]$/, ''), field, said)
          assert.equal(more, [], said)
        }
        if (field === 'secret') continue
        const details = await refused('patch', `/v1/webhooks/${id}`, { [field]: value })
        assert.is(details[0]?.field.replace(/\[\d+\]$/, ''), field, said)
      }
  })

  test('names all problems of a body at once, and fields nobody knows', async () => {
    const wrong = {
      url: 'ftp://x',
      events: ['gadgts.*', 7],
      label: 1,
      secret: 'no',
      color: 'red',
      id: 'x',
    }
    const details = await refused('post', '/v1/webhooks', wrong)
    assert.equal(fields(details), ['color', 'id', 'url', 'events', 'label', 'secret'])
    assert.match(messageOf(details, 'color'), 'unknown field; expected url, events, secret, label')
    const { id } = await register()
    const forbidden = { secret: OWN_SECRET, created: 'x', failing_since: null, __proto: 1 }
    const changed = await refused('patch', `/v1/webhooks/${id}`, forbidden)
    assert.equal(fields(changed), ['secret', 'created', 'failing_since', '__proto'])
    assert.match(messageOf(changed, 'secret'), '/rotate')
    assert.not.match(JSON.stringify([details, changed]), OWN_SECRET)
    // On registration the status is always active.
    const status = { url: URL_OF, events: ['*'], status: 'paused' }
    assert.equal(fields(await refused('post', '/v1/webhooks', status)), ['status'])
  })

  test('takes the events there are and their aliases, and helps with those there are not', async () => {
    const taken = [
      '*',
      'gadgets.*',
      'gadgets.created',
      'gizmos.updated',
      'gizmos.*',
      'webhooks.*',
      'webhooks.disabled',
    ]
    assert.equal((await register({ events: taken })).events, [
      '*',
      'gadgets.*',
      'gadgets.created',
      'gadgets.updated',
      'webhooks.*',
      'webhooks.disabled',
    ])
    const helped: Readonly<Record<string, string>> = {
      'gadgets.creatd': 'did you mean gadgets.created?',
      'gadgts.*': 'did you mean gadgets.*?',
      gadgets: 'did you mean gadgets.*?',
      'gadgets.repainted-in-green': 'that resource has gadgets.created',
      'nonsense.*': 'GET /v1/webhooks/events lists them',
      'parcel-items.*': 'no event matches',
      '*.created': 'no event matches',
      '**': 'no event matches',
      'gadgets.*.*': 'no event matches',
      'GADGETS.CREATED': 'no event matches',
      ' gadgets.*': 'no event matches',
      'webhooks.test': 'no event matches',
      '': 'no event matches',
      '__proto__.*': 'no event matches',
      'constructor.*': 'no event matches',
      'gadgets.constructor': 'no event matches',
    }
    const patterns = Object.keys(helped)
    const details = await refused('post', '/v1/webhooks', {
      url: URL_OF,
      events: ['gadgets.*', ...patterns],
    })
    for (const [index, pattern] of patterns.entries())
      assert.match(messageOf(details, `events[${index + 1}]`), helped[pattern]!, pattern)
    assert.is(details.length, patterns.length)
  })

  test('compares only so many wrong patterns with what there is, and repeats no more than their start', async () => {
    const events = Array.from({ length: 500 }, (_, n) => `gadgets.created-or-so-${n}`)
    assert.is((await refused('post', '/v1/webhooks', { url: URL_OF, events })).length, 20)
    const [detail] = await refused('post', '/v1/webhooks', {
      url: URL_OF,
      events: ['x'.repeat(100_000)],
    })
    assert.ok(detail!.message.length < 300)
  })

  test('takes a secret of the receiver, and makes one for null', async () => {
    const { id, secret } = await register({ secret: OWN_SECRET })
    assert.is(secret, OWN_SECRET)
    const { database } = api.engine.services
    const row = await findWebhook(database.read, id)
    assert.is(openSecrets(api.secretKey, id, row!.secrets)[0]?.secret, OWN_SECRET)
    assert.match((await register({ secret: null })).secret, /^whsec_/)
    assert.is.not((await register()).secret, (await register()).secret)
    const bytes = (length: number): string => `whsec_${Buffer.alloc(length, 9).toString('base64')}`
    assert.is((await register({ secret: bytes(24) })).secret, bytes(24))
    for (const wrong of [bytes(23), bytes(65), 'whsec_no-base64-here-at-all!', `${bytes(32)}x`]) {
      const [detail] = await refused('post', '/v1/webhooks', {
        url: URL_OF,
        events: ['*'],
        secret: wrong,
      })
      assert.is(detail!.field, 'secret')
      assert.not.match(detail!.message, wrong.slice(6, 20))
    }
  })

  test('shows no secret anywhere but in the answers that make one', async () => {
    const made = await register({ secret: OWN_SECRET })
    const other = await register({ secret: OWN_SECRET })
    const path = `/v1/webhooks/${made.id}`
    const key = { 'Idempotency-Key': 'canary-1' }
    const rotated = (
      await send('post', `${path}/rotate`, { grace_seconds: 60 }).set(key).expect(200)
    ).body
    assert.match(rotated.secret, /^whsec_/)
    const twin = { url: URL_OF, events: ['*'], secret: OWN_SECRET }
    await send('post', '/v1/webhooks', twin).set('Idempotency-Key', 'canary-2').expect(201)
    await send('post', '/v1/webhooks', { ...twin, url: 'x' })
      .set('Idempotency-Key', 'canary-3')
      .expect(422)
    const answers = [
      await send('get', '/v1/webhooks'),
      await send('get', path),
      await send('patch', path, { label: 'New' }),
      await send('patch', path, { secret: OWN_SECRET }),
      await send('post', '/v1/webhooks', { secret: OWN_SECRET }),
      await send('post', `${path}/test`),
      await send('get', `${path}/deliveries`),
      await send('get', '/v1/events'),
      await send('post', `${path}/rotate`, { secret: OWN_SECRET }),
    ]
    const tables = await dumpTables(api.engine.services.database)
    assert.ok(tables.svc_webhooks?.length === 3 && tables.svc_idempotency!.length >= 2)
    const everything = JSON.stringify([answers.map(({ text }) => text), tables, api.logged()])
    for (const canary of [OWN_SECRET, rotated.secret, rotated.secret.slice(6)]) {
      const escaped = JSON.stringify(canary).slice(1, -1)
      for (const form of [
        escaped,
        Buffer.from(canary).toString('base64'),
        Buffer.from(canary).toString('hex'),
      ])
        assert.ok(!everything.includes(form), `${form} is kept or shown`)
    }
    // The same secret is another text in each row: nobody sees that two are the same, or copies one over.
    const { database } = api.engine.services
    const rows = await Promise.all([made.id, other.id].map((id) => findWebhook(database.read, id)))
    assert.is.not(rows[0]!.secrets, rows[1]!.secrets)
    assert.throws(() => openSecrets(api.secretKey, made.id, rows[1]!.secrets))
  })

  test('repeats the answer to a repeated request byte by byte, secret included, and does it once', async () => {
    const body = { url: URL_OF, events: ['*'] }
    const post = (key: string, sent: object = body) =>
      send('post', '/v1/webhooks', sent).set('Idempotency-Key', key)
    const first = await post('one').expect(201)
    const again = await post('one').expect(201)
    assert.is(again.text, first.text)
    assert.is(again.headers['idempotent-replayed'], 'true')
    assert.is(again.headers['cache-control'], 'no-store')
    assert.is(again.headers.location, first.headers.location)
    await post('one', { ...body, label: 'Other' }).expect(422)
    const path = `/v1/webhooks/${first.body.id}`
    for (const [method, route, sent] of [
      ['post', `${path}/rotate`, { grace_seconds: 5 }],
      ['patch', path, { label: 'Kept' }],
      ['post', `${path}/test`, {}],
      ['post', `${path}/recover`, { since: '2026-01-01' }],
    ] as const) {
      const key = `key of ${route}`
      const one = await send(method, route, sent).set('Idempotency-Key', key.replaceAll(' ', '-'))
      const two = await send(method, route, sent).set('Idempotency-Key', key.replaceAll(' ', '-'))
      assert.ok(one.status < 300, one.text)
      assert.is(two.text, one.text)
      assert.is(two.headers['idempotent-replayed'], 'true')
    }
    const { svc_webhooks = [], svc_deliveries = [] } = await dumpTables(
      api.engine.services.database,
    )
    assert.is(svc_webhooks.length, 1)
    assert.is(svc_deliveries.filter((row) => row.includes(first.body.id)).length, 1)
    // Whoever may only read gets no stored secret either.
    const denied = await send('post', '/v1/webhooks', body, 'read').set('Idempotency-Key', 'one')
    assert.is(denied.status, 403)
    assert.not.match(denied.text, 'whsec_')
  })

  test('changes address, events, label and status, each alone', async () => {
    const { id } = await register({ label: 'Old' })
    const path = `/v1/webhooks/${id}`
    const change = async (body: object): Promise<Json> =>
      (await send('patch', path, body).expect(200)).body
    api.clock.advance(1000)
    const changed = await change({ url: 'https://other.example:8443/x?y=1' })
    assert.is(changed.url, 'https://other.example:8443/x?y=1')
    assert.is(changed.label, 'Old')
    assert.is(changed.modified, new Date(api.clock.now()).toISOString())
    assert.is.not(changed.modified, changed.created)
    assert.equal((await change({ events: ['gizmos.*', 'gadgets.*'] })).events, ['gadgets.*'])
    assert.is((await change({ label: null })).label, null)
    assert.is((await change({ label: 'Ünïcode 🎉' })).label, 'Ünïcode 🎉')
    assert.is((await change({ status: 'paused' })).status, 'paused')
    assert.is((await change({})).status, 'paused')
    const active = await change({ status: 'active' })
    assert.equal(active, (await send('get', path)).body)
    assert.equal(active, {
      ...changed,
      events: ['gadgets.*'],
      label: 'Ünïcode 🎉',
      modified: active.modified,
    })
  })

  test('begins anew for an endpoint that was disabled, once it is set active', async () => {
    const { id } = await register()
    const { database } = api.engine.services
    const failing_since = '2026-02-20T00:00:00.000Z'
    await database.write((tx) => updateWebhook(tx, id, { status: 'disabled', failing_since }))
    const path = `/v1/webhooks/${id}`
    assert.is((await send('patch', path, { label: 'x' })).body.status, 'disabled')
    const { body } = await send('patch', path, { status: 'active' }).expect(200)
    assert.is(body.status, 'active')
    assert.is(body.failing_since, null)
  })

  test('rotates within the bounds of the grace time', async () => {
    const { id, secret } = await register()
    const path = `/v1/webhooks/${id}/rotate`
    for (const grace_seconds of [-1, MAX_GRACE + 1, 1.5, '60', null, [], 1e300])
      assert.equal(fields(await refused('post', path, { grace_seconds })), ['grace_seconds'])
    assert.equal(fields(await refused('post', path, { grace: 1, grace_seconds: 'x' })), [
      'grace',
      'grace_seconds',
    ])
    const secretsNow = async (): Promise<readonly (string | null)[]> => {
      const row = await findWebhook(api.engine.services.database.read, id)
      return openSecrets(api.secretKey, id, row!.secrets).map(({ expires }) => expires)
    }
    const after = (seconds: number): string =>
      new Date(api.clock.now() + seconds * 1000).toISOString()
    const { body } = await send('post', path).expect(200)
    assert.is.not(body.secret, secret)
    assert.equal(await secretsNow(), [null, after(24 * 60 * 60)])
    await send('post', path, { grace_seconds: MAX_GRACE }).expect(200)
    // A later rotation does not make an old secret live longer.
    assert.equal(await secretsNow(), [null, after(MAX_GRACE), after(24 * 60 * 60)])
    await send('post', path, { grace_seconds: 0 }).expect(200)
    assert.equal(await secretsNow(), [null])
    for (let n = 0; n < 12; n += 1) await send('post', path).expect(200)
    assert.is((await secretsNow()).length, 10)
  })

  test('ends a subscription once', async () => {
    const { id } = await register()
    const answer = await send('delete', `/v1/webhooks/${id}`).expect(204)
    assert.is(answer.text, '')
    for (const method of ['get', 'patch', 'delete'] as const)
      await send(method, `/v1/webhooks/${id}`, method === 'patch' ? {} : undefined).expect(404)
    assert.equal((await send('get', '/v1/webhooks')).body.data, [])
  })

  test('refuses bodies of test, recover and resend that mean nothing', async () => {
    const { id } = await register()
    const path = `/v1/webhooks/${id}`
    for (const event of [
      7,
      null,
      '',
      'gadgets',
      'gadgets.painted',
      'nonsense.created',
      '*',
      'x'.repeat(201),
    ])
      assert.equal(
        fields(await refused('post', `${path}/test`, { event })),
        ['event'],
        String(event),
      )
    assert.equal(fields(await refused('post', `${path}/test`, { evnt: 'x' })), ['evnt'])
    const { body } = await send('post', `${path}/test`, { event: 'gizmos.created' }).expect(202)
    assert.is(body.event, 'gadgets.created')
    for (const since of [
      undefined,
      null,
      7,
      '',
      'yesterday',
      '2026-13-01',
      '2026-02-30',
      '2026-01-01T25:00:00Z',
      '1e9',
    ])
      assert.equal(
        fields(await refused('post', `${path}/recover`, { since })),
        ['since'],
        String(since),
      )
    const both = { since: 'x', until: 7, all: true }
    assert.equal(fields(await refused('post', `${path}/recover`, both)), ['all', 'since', 'until'])
    const resend = `${path}/deliveries/${body.delivery_id}/resend`
    assert.equal(fields(await refused('post', resend, { at: 'once' })), ['at'])
    await send('post', resend).expect(202)
  })

  test('asks for scope write for every change, for read to look, and for a key at all', async () => {
    const { id } = await register()
    const path = `/v1/webhooks/${id}`
    const { body: tested } = await send('post', `${path}/test`).expect(202)
    const changes: readonly (readonly [Method, string, object?])[] = [
      ['post', '/v1/webhooks', { url: URL_OF, events: ['*'] }],
      ['patch', path, { label: 'Mine' }],
      ['post', `${path}/rotate`],
      ['post', `${path}/test`],
      ['post', `${path}/recover`, { since: '2026-01-01' }],
      ['post', `${path}/deliveries/${tested.delivery_id}/resend`],
      ['delete', path],
    ]
    const looks = ['/v1/webhooks', path, `${path}/deliveries`]
    const before = await ownTables(api)
    for (const [method, route, body] of changes) {
      const denied = await send(method, route, body, 'read').set('Idempotency-Key', 'denied')
      assert.is(denied.status, 403, `${method} ${route}`)
      assert.is(denied.body.error.code, 'FORBIDDEN')
      const wrong = await send(method, route, { nonsense: 1 }, 'read')
      assert.is(wrong.status, 403, `permission comes before validation: ${method} ${route}`)
      const unknown = await send(method, route.replace(id, 'whk_none'), body, 'read')
      assert.is(unknown.status, 403, `nor does it tell what there is: ${method} ${route}`)
      await request(api.app)[method](route).send(body).expect(401)
      await request(api.app)
        [method](route)
        .set('X-API-Key', 'svc_live_nonsense')
        .send(body)
        .expect(401)
    }
    for (const route of looks) {
      await send('get', route, undefined, 'read').expect(200)
      await send('head', route, undefined, 'read').expect(200)
      await request(api.app).get(route).expect(401)
    }
    const refusals: readonly (readonly [number, Method, string, object?])[] = [
      [422, 'post', '/v1/webhooks', { url: 'x', events: [] }],
      [422, 'patch', path, { status: 'disabled', label: 'Half' }],
      [422, 'patch', path, { url: 'http://127.0.0.1:6379/', label: 'Half' }],
      [422, 'post', `${path}/rotate`, { grace_seconds: -1 }],
      [422, 'post', `${path}/test`, { event: 'no.such' }],
      [422, 'post', `${path}/recover`, {}],
      [422, 'post', `${path}/deliveries/${tested.delivery_id}/resend`, { a: 1 }],
      [404, 'post', '/v1/webhooks/whk_none/rotate'],
      [404, 'post', '/v1/webhooks/whk_none/test'],
      [404, 'post', '/v1/webhooks/whk_none/recover', { since: '2026-01-01' }],
      [404, 'post', `/v1/webhooks/whk_none/deliveries/${tested.delivery_id}/resend`],
      [404, 'post', `${path}/deliveries/dlv_none/resend`],
      [404, 'patch', '/v1/webhooks/whk_none', { label: 'x' }],
      [404, 'delete', '/v1/webhooks/whk_none'],
      [405, 'put', path, { label: 'x' }],
    ]
    for (const [status, method, route, body] of refusals) {
      const answer = await send(method, route, body).set('Idempotency-Key', 'refused')
      assert.is(answer.status, status, `${method} ${route}: ${answer.text}`)
      assert.is(answer.body.error.status, status)
    }
    assert.equal(changedTables(before, await ownTables(api)), [])
    for (const [method, route, body] of changes.filter(([method]) => method !== 'delete'))
      assert.ok((await send(method, route, body)).status < 300, `${method} ${route}`)
    await send('delete', path).expect(204)
  })

  test('names the methods of every path', async () => {
    const { id } = await register()
    const paths: Readonly<Record<string, string>> = {
      '/v1/webhooks': 'GET, HEAD, POST',
      [`/v1/webhooks/${id}`]: 'GET, HEAD, PATCH, DELETE',
      [`/v1/webhooks/${id}/rotate`]: 'POST',
      [`/v1/webhooks/${id}/test`]: 'POST',
      [`/v1/webhooks/${id}/recover`]: 'POST',
      [`/v1/webhooks/${id}/deliveries`]: 'GET, HEAD',
      [`/v1/webhooks/${id}/deliveries/dlv_x/resend`]: 'POST',
    }
    for (const [path, allow] of Object.entries(paths))
      for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const) {
        if (allow.includes(method.toUpperCase())) continue
        const answer = await send(method, path).expect(405)
        assert.is(answer.headers.allow, allow, `${method} ${path}`)
        assert.is(answer.body.error.code, 'METHOD_NOT_ALLOWED')
      }
    await send('get', `/v1/webhooks/${id}/secret`).expect(404)
    await send('get', `/v1/webhooks/${id}/deliveries/dlv_x`).expect(404)
  })

  test('answers 404 to any id that cannot be, never 500', async () => {
    const { id } = await register()
    const { body: tested } = await send('post', `/v1/webhooks/${id}/test`).expect(202)
    const dlv: string = tested.delivery_id
    const strange = (good: string): string[] => [
      `${good}%00`,
      `%00${good}`,
      '%00',
      good.toUpperCase(),
      `${good}%20`,
      `${good}%0A`,
      good.slice(0, -1),
      'x'.repeat(7000),
      encodeURIComponent('ключ🔑'),
      '%EF%BF%BF',
      "'%20or%20'1'%3D'1",
      '..%2F..%2Fetc%2Fpasswd',
      '*',
      '__proto__',
      'constructor',
      'null',
      '-1',
    ]
    const before = await ownTables(api)
    for (const one of strange(id))
      for (const [method, rest, body] of [
        ['get', ''],
        ['patch', '', { label: 'x' }],
        ['delete', ''],
        ['post', '/rotate'],
        ['post', '/test'],
        ['post', '/recover', { since: '2026-01-01' }],
        ['get', '/deliveries'],
        ['post', `/deliveries/${dlv}/resend`],
      ] as const) {
        const answer = await send(method, `/v1/webhooks/${one}${rest}`, body)
        assert.is(answer.status, 404, `${method} ${one.slice(0, 60)}${rest}: ${answer.text}`)
        assert.is(answer.body.error.code, 'NOT_FOUND')
        assert.ok(answer.text.length < 1000)
      }
    for (const one of strange(dlv)) {
      const answer = await send('post', `/v1/webhooks/${id}/deliveries/${one}/resend`)
      assert.is(answer.status, 404, `${one.slice(0, 60)}: ${answer.text}`)
    }
    await send('get', '/v1/webhooks/%E0%A4%A').expect(400)
    assert.equal(changedTables(before, await ownTables(api)), [])
  })

  test('pages subscriptions both ways, the newest first', async () => {
    const made: string[] = []
    for (let n = 0; n < 7; n += 1) {
      api.clock.advance(1)
      made.unshift((await register()).id)
    }
    await pagesBothWays('/v1/webhooks', made)
    assert.equal(
      fields(await refused('get', '/v1/webhooks?status=active&limit=0&cursor=x&offset=1')),
      ['status', 'limit', 'offset', 'cursor'],
    )
  })

  test('pages and filters the delivery log of one subscription', async () => {
    const [{ id }, { id: other }] = [await register(), await register()]
    const { database } = api.engine.services
    const row = (n: number, webhook_id: string) => ({
      id: `att_${webhook_id.slice(-8)}${n}`,
      delivery_id: `dlv_${n % 3}`,
      webhook_id,
      event: n % 2 === 0 ? 'gadgets.created' : 'gadgets.updated',
      attempt: n + 1,
      trigger: 'auto' as const,
      url: URL_OF,
      status_code: n % 2 === 0 ? 200 : null,
      latency_ms: 5,
      response_preview: null,
      error: n % 2 === 0 ? null : 'nobody there',
      attempted_at: '2026-03-01T12:00:00.000Z',
      next_attempt_at: null,
    })
    const rows = Array.from({ length: 7 }, (_, n) => row(n, id))
    await database.write((tx) => attemptInserter()(tx, [...rows, row(9, other)]))
    const path = `/v1/webhooks/${id}/deliveries`
    await pagesBothWays(path, rows.map((one) => one.id).reverse())
    const ids = async (query: string): Promise<number[]> =>
      (await send('get', `${path}?${query}`).expect(200)).body.data.map(
        ({ attempt }: { attempt: number }) => attempt,
      )
    assert.equal(await ids('outcome=ok'), [7, 5, 3, 1])
    assert.equal(await ids('outcome=failed'), [6, 4, 2])
    assert.equal(await ids('event=gadgets.updated'), [6, 4, 2])
    assert.equal(await ids('event=gizmos.updated'), [6, 4, 2])
    assert.equal(await ids('delivery_id=dlv_1'), [5, 2])
    assert.equal(await ids('delivery_id=dlv_1&outcome=ok'), [5])
    assert.equal(await ids('event=nothing'), [])
    const { body } = await send('get', `${path}?limit=2&outcome=ok`).expect(200)
    assert.equal(body.meta, { total: 4, limit: 2, offset: 0 })
    assert.equal(
      fields(
        await refused('get', `${path}?outcom=ok&outcome=good&event=${'x'.repeat(201)}&limit=101`),
      ),
      ['outcom', 'outcome', 'event', 'limit'],
    )
    await send('get', `${path}?event=%00`).expect(422)
    // A cursor is of one subscription and its filters.
    const { body: page } = await send('get', `${path}?limit=2&cursor=`).expect(200)
    await refused('get', `/v1/webhooks/${other}/deliveries?limit=2&cursor=${page.next_cursor}`)
    await refused('get', `${path}?outcome=ok&cursor=${page.next_cursor}`)
    await refused('get', `/v1/webhooks?cursor=${page.next_cursor}`)
    await refused('get', `${path}?cursor=${page.next_cursor}x`)
    assert.is((await send('get', `/v1/webhooks/${id}`)).body.last_delivery.status_code, 200)
  })

  test('registers no more than there can be, also when several try at once', async () => {
    const { database } = api.engine.services
    const { id } = await register()
    const row = (await findWebhook(database.read, id))!
    await database.write(async (tx) => {
      for (let n = 0; n < MAX_SUBSCRIPTIONS - 2; n += 1)
        await insertWebhook(tx, { ...row, id: `whk_filler${n}` })
    })
    const body = { url: URL_OF, events: ['*'] }
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => send('post', '/v1/webhooks', body)),
    )
    assert.equal(answers.map(({ status }) => status).sort(), [201, 409, 409, 409, 409, 409])
    const denied = answers.find(({ status }) => status === 409)!
    assert.is(denied.body.error.code, 'CONFLICT')
    assert.match(denied.body.error.message, String(MAX_SUBSCRIPTIONS))
    const before = await ownTables(api)
    await send('post', '/v1/webhooks', body).set('Idempotency-Key', 'beyond').expect(409)
    assert.equal(changedTables(before, await ownTables(api)), [])
    await send('delete', `/v1/webhooks/${id}`).expect(204)
    await send('post', '/v1/webhooks', body).expect(201)
  })

  /** All ids of a list by offset and by cursor. */
  async function pagesBothWays(path: string, expected: readonly string[]): Promise<void> {
    const idsOf = ({ data }: { data: readonly { id: string }[] }): string[] =>
      data.map(({ id }) => id)
    const { body } = await send('get', `${path}?limit=3&offset=2`).expect(200)
    assert.equal(idsOf(body), expected.slice(2, 5))
    assert.equal(body.meta, { total: expected.length, limit: 3, offset: 2 })
    assert.equal((await send('get', `${path}?offset=${expected.length}`)).body.data, [])
    const walked: string[] = []
    let cursor: string | undefined = ''
    while (cursor !== undefined) {
      const page: Response = await send('get', `${path}?limit=3&cursor=${cursor}`).expect(200)
      assert.is(page.body.meta, undefined)
      walked.push(...idsOf(page.body))
      cursor = page.body.next_cursor
    }
    assert.equal(walked, expected)
  }
})

/** The system's tables, without what every request notes: the use of a key. */
async function ownTables({ engine }: TestApp): Promise<DumpedTables> {
  return dumpTables(
    engine.services.database,
    (name) => name.startsWith('svc_') && name !== 'svc_api_keys',
  )
}

import supertest from 'supertest'
import * as assert from 'uvu/assert'
import type { Actor } from '../../../engine/access/actor.ts'
import { requestPasswordReset } from '../../../server/site/password-reset.ts'
import { createSite } from '../../../server/site/site.ts'
import { createSubscription } from '../../../webhooks/subscriptions.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { addPerson, changePerson, cookieOf, PASSWORD } from '../auth/people.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

type Headers = Readonly<Record<string, string>>
type Method = 'get' | 'post' | 'patch' | 'delete'
type Json = Record<string, unknown>
const KEYS = '/v1/api-keys'
const GENERATE = '/api/method/frappe.core.doctype.user.user.generate_keys'
const MANAGER = { roles: [{ role: 'System Manager' }] }
const HOOK = { url: 'http://127.0.0.1:9009/hook', events: ['*'] }

forEachDatabaseWhenDeep('what a person is signed in with', ({ test, fresh }) => {
  let api: TestApp
  let boss: Headers

  test.before(async () => {
    api = await openTestApp({ database: await fresh(), tier: 'business' })
    await addPerson(api.engine, 'boss@example.com', ['System Manager'])
    await addPerson(api.engine, 'sal@example.com', ['Sales User'])
    await addPerson(api.engine, 'ann@example.com', ['Stock User'])
    boss = await sessionOf('boss@example.com')
  })
  test.after(() => api.close())

  const call = (who: Headers, method: Method, path: string, body?: object) =>
    supertest(api.app)[method](path).set(who).send(body)
  const sessionOf = async (login: string): Promise<Headers> => {
    const { findPerson } = await import('../../../server/auth/people.ts')
    const person = await findPerson(api.engine.services, login)
    return { cookie: (await cookieOf(api.engine, person!)).cookie }
  }
  const tokenOf = ({ api_key, api_secret }: Json): Headers => ({
    authorization: `token ${api_key}:${api_secret}`,
  })
  const told = async (kind: string): Promise<Json[]> => {
    const { body } = await call(boss, 'get', `/v1/events?event=security.${kind}&order=asc`)
    return body.data as Json[]
  }
  const makePair = async (more: object): Promise<Json> => {
    const wish = { type: 'pair', label: 'Shop', scope: 'write', user: 'ann@example.com', ...more }
    const made = await call(boss, 'post', KEYS, wish)
    assert.is(made.status, 201, made.text)
    return made.body
  }

  test('are sessions, listed with where they are from, and ended one by one', async () => {
    const { status } = await supertest(api.app)
      .post('/api/method/login')
      .set('User-Agent', 'A browser')
      .send({ usr: 'ann@example.com', pwd: PASSWORD })
    assert.is(status, 200)
    api.clock.advance(1000)
    const here = await sessionOf('ann@example.com')
    const { body } = await call(here, 'get', '/v1/me/sessions')
    assert.equal(
      body.data.map(({ current, agent }: Json) => [current, agent]),
      [
        [true, 'test'],
        [false, 'A browser'],
      ],
    )
    assert.equal(Object.keys(body.data[0]).toSorted(), [
      'address',
      'agent',
      'created',
      'current',
      'expires',
      'id',
      'last_seen',
    ])
    assert.is(body.meta.total, 2)
    const [own, other] = body.data.map(({ id }: Json) => id)
    assert.is((await call(boss, 'delete', `/v1/me/sessions/${other}`)).status, 404, 'of others')
    assert.is((await call(here, 'delete', `/v1/me/sessions/${other}`)).status, 204)
    assert.is((await call(here, 'delete', `/v1/me/sessions/${other}`)).status, 404)
    assert.is((await call(here, 'delete', '/v1/me/sessions/a%00')).status, 404)
    const [there] = [await sessionOf('ann@example.com'), await sessionOf('ann@example.com')]
    assert.is((await call(here, 'delete', '/v1/me/sessions')).status, 422)
    assert.equal((await call(here, 'delete', '/v1/me/sessions?current=false')).body, { ended: 2 })
    assert.is((await call(there, 'get', '/v1/me/sessions')).status, 401)
    assert.equal((await call(here, 'delete', '/v1/me/sessions?current=false')).body, { ended: 0 })
    assert.is((await call(here, 'delete', `/v1/me/sessions/${own}`)).status, 204)
    assert.is((await call(here, 'get', '/v1/me/sessions')).status, 401)
    const [signedIn] = await told('signed_in')
    assert.equal(
      [signedIn!.record_id, signedIn!.actor, signedIn!.data],
      [
        other,
        'ann@example.com',
        { id: other, person: 'ann@example.com', address: '127.0.0.1', agent: 'A browser' },
      ],
    )
    assert.equal(
      (await told('session_revoked'))
        .map(({ record_id }) => record_id)
        .filter((id) => [other, own].includes(id)),
      [other, own],
    )
    assert.is((await told('session_revoked')).length, 4)
  })

  test('are for who they are of: no key of the workspace, none of a lower scope', async () => {
    for (const what of ['sessions', 'pairs']) {
      const status = async (key: string) =>
        (await call({ 'x-api-key': key }, 'get', `/v1/me/${what}`)).status
      assert.equal([await status(api.keys.read), await status(api.keys.write)], [403, 403])
      const { body } = await call({ 'x-api-key': api.keys.admin }, 'get', `/v1/me/${what}`)
      assert.equal(body.data, [])
    }
    const low = tokenOf(await makePair({ label: 'low' }))
    assert.is((await call(low, 'get', '/v1/me/sessions')).status, 403)
    assert.is((await supertest(api.app).get('/v1/me/sessions')).status, 401)
  })

  test('are pairs with scope, expiry and allow list, as keys have them', async () => {
    const pair = await makePair({ expires: '2026-03-02T12:00:00Z' })
    assert.equal(
      [pair.type, pair.user, pair.scope, pair.env, pair.created_by, pair.prefix === pair.api_key],
      ['pair', 'ann@example.com', 'write', 'live', 'boss@example.com', true],
    )
    const write = tokenOf(pair)
    const read = tokenOf(await makePair({ scope: 'read' }))
    const gadget = { code: `P-${api.engine.services.database.kind}`, title: 'Pair' }
    assert.is((await call(read, 'post', '/v1/gadgets', gadget)).status, 403)
    assert.is((await call(read, 'get', '/v1/gadgets')).status, 200)
    assert.is((await call(read, 'post', '/api/resource/Gadget', gadget)).status, 403)
    assert.is((await call(write, 'post', '/v1/gadgets', gadget)).status, 201)
    assert.is((await call(write, 'delete', `/v1/gadgets/${gadget.code}`)).status, 403)
    const raise = await call(write, 'post', GENERATE, { user: 'ann@example.com' })
    assert.is(raise.status, 403, 'a pair does not raise itself')
    const away = tokenOf(await makePair({ allow_ips: ['192.0.2.1'] }))
    assert.is((await call(away, 'get', '/v1/gadgets')).status, 403)
    const test = tokenOf(await makePair({ env: 'test' }))
    assert.is((await call(test, 'get', '/v1/gadgets')).status, 401)
    api.clock.advance(25 * 60 * 60 * 1000)
    boss = await sessionOf('boss@example.com')
    assert.is((await call(write, 'get', '/v1/gadgets')).status, 401)
    assert.is((await call(read, 'get', '/v1/gadgets')).status, 200)
  })

  test('are pairs that have a label, and a person who is there', async () => {
    const wish = { type: 'pair', label: 'Shop', scope: 'write', user: 'ann@example.com' }
    const refused: [object, string][] = [
      [{ ...wish, label: undefined }, 'label'],
      [{ ...wish, user: 'nobody@example.com' }, 'user'],
      [{ ...wish, user: 7 }, 'user'],
      [{ ...wish, type: 'triple' }, 'type'],
      [{ scope: 'read', user: 'ann@example.com' }, 'user'],
    ]
    for (const [body, field] of refused) {
      const { status, body: answer } = await call(boss, 'post', KEYS, body)
      assert.equal([status, answer.error.details[0].field], [422, field], JSON.stringify(body))
    }
    const own = await call(boss, 'post', KEYS, { ...wish, user: undefined })
    assert.is(own.body.user, 'boss@example.com')
    const workspace = { 'x-api-key': api.keys.admin }
    assert.is((await call(workspace, 'post', KEYS, { ...wish, user: undefined })).status, 422)
  })

  test('are pairs that end one by one, with the password, and anew by generate_keys', async () => {
    const ann = await sessionOf('ann@example.com')
    const first = await makePair({ label: 'First' })
    api.clock.advance(1000)
    const second = await makePair({ label: 'Second' })
    const listed = await call(ann, 'get', '/v1/me/pairs?limit=2')
    assert.equal(
      listed.body.data.map(({ id, label }: Json) => [id, label]),
      [
        [second.id, 'Second'],
        [first.id, 'First'],
      ],
    )
    assert.not.match(listed.text, String(first.api_secret))
    assert.not.match(listed.text, 'hash')
    const ofBoss = (await call(boss, 'get', '/v1/me/pairs')).body.data[0]
    assert.is((await call(ann, 'delete', `/v1/me/pairs/${ofBoss.id}`)).status, 404)
    assert.is((await call(ann, 'delete', `/v1/me/pairs/${first.id}`)).status, 204)
    const status = async (pair: Json) => (await call(tokenOf(pair), 'get', '/v1/gadgets')).status
    assert.equal([await status(first), await status(second)], [401, 200])
    const generate = async () =>
      (await call(ann, 'post', GENERATE, { user: 'ann@example.com' })).body.message
    const old = await generate()
    const newer = await generate()
    assert.equal([await status(old), await status(newer), await status(second)], [401, 200, 200])
    assert.is((await told('key_revoked')).length, 2, 'the first, and the one before the newer')
    assert.is((await call(boss, 'delete', `${KEYS}/${second.id}`)).status, 204)
    assert.is(await status(second), 401)
    const { newPassword, setPassword } = await import('../../../server/auth/accounts.ts')
    const { services } = api.engine
    const hashed = await newPassword('another password')
    await services.database.write((tx) => setPassword(tx, services, 'ann@example.com', hashed))
    assert.is(await status(newer), 401)
    const [changed] = (await told('password_changed')).slice(-1)
    assert.equal([changed!.record_id, changed!.actor], ['ann@example.com', 'Administrator'])
    const revoked = (await told('key_revoked')).map(({ record_id }) => record_id)
    assert.ok(revoked.includes(first.id as string) && revoked.includes(second.id as string))
    const made = (await told('key_created')).find(({ record_id }) => record_id === first.id)!
    assert.equal(made.data, {
      id: first.id,
      person: 'ann@example.com',
      address: '127.0.0.1',
      type: 'pair',
      scope: 'write',
      env: 'live',
      label: 'First',
    })
  })

  test('and their roles are told of to System Managers and their admin keys alone', async () => {
    await changePerson(api.engine, 'ann@example.com', { roles: [{ role: 'Sales User' }] })
    const [changed] = (await told('roles_changed')).slice(-1)
    assert.equal(changed!.data, {
      id: 'ann@example.com',
      person: 'ann@example.com',
      address: null,
      before: ['Stock User'],
      after: ['Sales User'],
    })
    const read = { 'x-api-key': api.keys.read }
    const ann = await sessionOf('ann@example.com')
    for (const who of [read, { 'x-api-key': api.keys.write }, ann]) {
      const { body } = await call(who, 'get', '/v1/events?resource=security')
      assert.equal(body.data, [])
      assert.is((await call(who, 'get', `/v1/events/${changed!.id}`)).status, 404)
    }
    const url = 'http://127.0.0.1:9009/hook'
    const hooks = []
    for (const scope of ['write', 'admin'] as const) {
      const key = { 'x-api-key': api.keys[scope] }
      hooks.push((await call(key, 'post', '/v1/webhooks', { url, events: ['security.*'] })).body.id)
    }
    await changePerson(api.engine, 'ann@example.com', { roles: [] })
    const { read: db } = api.engine.services.database
    const rows = await db.selectFrom('svc_deliveries').select(['webhook_id', 'event']).execute()
    assert.equal(
      rows.map(({ webhook_id, event }) => [webhook_id, event]),
      [[hooks[1], 'security.roles_changed']],
    )
    await call({ 'x-api-key': api.keys.admin }, 'post', `/v1/webhooks/${hooks[1]}/rotate`, {})
    assert.is((await told('secret_rotated'))[0]!.record_id, hooks[1])
  })
})

forEachDatabaseWhenDeep('somebody who leaves, or may do less', ({ test, fresh }) => {
  let api: TestApp
  let boss: Headers
  let serial = 0

  test.before(async () => {
    api = await openTestApp({ database: await fresh(), tier: 'business' })
    boss = await signedIn('boss@example.com')
  })
  test.after(() => api.close())

  const call = (
    who: Headers,
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    body?: object,
  ) => supertest(api.app)[method](path).set(who).send(body)
  const signedIn = async (login: string, roles = ['System Manager']): Promise<Headers> => {
    const person = await addPerson(api.engine, login, roles)
    return { cookie: (await cookieOf(api.engine, person)).cookie }
  }
  const leaves = (login: string, body?: object, who = boss) =>
    call(who, 'post', `/v1/users/${login}/leave`, body)
  /** Somebody with one of everything that lets them in, and a webhook. */
  const equipped = async (login: string) => {
    const session = await signedIn(login)
    const key = (await call(session, 'post', '/v1/api-keys', { scope: 'admin' })).body
    const wish = { type: 'pair', label: 'x', scope: 'read' }
    const pair = (await call(session, 'post', '/v1/api-keys', wish)).body
    const hook = { url: 'http://127.0.0.1:9009/hook', events: ['*'] }
    const webhook = (await call(session, 'post', '/v1/webhooks', hook)).body
    const credentials: readonly Headers[] = [
      session,
      { 'x-api-key': key.key },
      { authorization: `token ${pair.api_key}:${pair.api_secret}` },
    ]
    const site = createSite({
      engine: api.engine,
      settings: {},
      background: { run: (job) => void job(), settled: async () => undefined },
      listeningAt: () => 'http://svc.test',
    })
    await requestPasswordReset(site, login, '192.0.2.1')
    while (!(await links(login))) await new Promise((resolve) => setImmediate(resolve))
    return { session, credentials, key, webhook }
  }
  const links = async (login: string): Promise<number> => {
    const { read } = api.engine.services.database
    const query = read.selectFrom('svc_one_time_links').select('id').where('login', '=', login)
    return (await query.execute()).length
  }

  test('takes everything along that would let them in again, and the answer lists it', async () => {
    const { credentials, key, webhook } = await equipped('ann@example.com')
    for (const one of credentials) assert.is((await call(one, 'get', '/v1/gadgets')).status, 200)
    const left = await leaves('ann@example.com')
    assert.equal(
      [left.status, left.body],
      [
        200,
        {
          sessions: 1,
          pairs: 1,
          keys: [key.id],
          links: 1,
          webhooks: [{ id: webhook.id, action: 'paused' }],
          records: {},
        },
      ],
    )
    for (const one of credentials) assert.is((await call(one, 'get', '/v1/gadgets')).status, 401)
    assert.is(await links('ann@example.com'), 0)
    const shown = (await call(boss, 'get', `/v1/webhooks/${webhook.id}`)).body
    assert.equal([shown.status, shown.paused_because], ['paused', 'ann@example.com is disabled'])
    const { body } = await call(boss, 'get', '/v1/events?event=security.left')
    assert.equal(body.data[0].data, {
      id: 'ann@example.com',
      person: 'ann@example.com',
      address: '127.0.0.1',
      ...left.body,
      webhooks: [webhook.id],
      to: null,
    })
    await changePerson(api.engine, 'ann@example.com', { enabled: true })
    for (const one of credentials) assert.is((await call(one, 'get', '/v1/gadgets')).status, 401)
    const usr = { usr: 'ann@example.com', pwd: PASSWORD }
    assert.is((await call({}, 'post', '/api/method/login', usr)).status, 200, 'the record is there')
    const again = await leaves('ann@example.com')
    assert.equal([again.status, again.body.sessions, again.body.keys], [200, 1, []])
  })

  test('hands webhooks over to a System Manager who is named', async () => {
    const { webhook } = await equipped('bob@example.com')
    await changePerson(api.engine, 'ann@example.com', { enabled: false })
    for (const to of ['nobody@example.com', 'bob@example.com', 'ann@example.com', 7]) {
      const { status, body } = await leaves('bob@example.com', { hand_over_to: to })
      assert.equal([status, body.error.details[0].field], [422, 'hand_over_to'], String(to))
    }
    await changePerson(api.engine, 'bob@example.com', { enabled: false })
    const headers = { ...boss, 'idempotency-key': 'bob-leaves' }
    const wish = { hand_over_to: 'boss@example.com' }
    const left = await leaves('bob@example.com', wish, headers)
    assert.equal(left.body.webhooks, [{ id: webhook.id, action: 'handed_over' }])
    const again = await leaves('bob@example.com', wish, headers)
    assert.equal([again.headers['idempotent-replayed'], again.text], ['true', left.text])
    const { status, user } = (await call(boss, 'get', `/v1/webhooks/${webhook.id}`)).body
    assert.equal([status, user], ['active', 'boss@example.com'], 'though it had paused already')
  })

  test('hands what is still to be done over to the successor, and leaves what is done', async () => {
    await signedIn('sal@example.com', ['Sales User'])
    const { webhook } = await equipped('eva@example.com')
    const todo = async (more: object): Promise<string> => {
      const body = { description: 'Call', allocated_to: 'eva@example.com', ...more }
      const made = await call(boss, 'post', '/v1/todos', body)
      assert.is(made.status, 201, made.text)
      return made.body.id
    }
    const open = await todo({})
    const done = await todo({})
    const others = await todo({ allocated_to: 'boss@example.com' })
    await call(boss, 'patch', `/v1/todos/${done}`, { status: 'Closed' })
    const left = await leaves('eva@example.com', { hand_over_to: 'sal@example.com' })
    assert.equal(
      [left.status, left.body.records, left.body.webhooks],
      [200, { todos: [open] }, [{ id: webhook.id, action: 'paused' }]],
      'webhooks go to System Managers alone',
    )
    const holder = async (id: string) =>
      (await call(boss, 'get', `/v1/todos/${id}`)).body.allocated_to
    assert.equal(
      [await holder(open), await holder(done), await holder(others)],
      ['sal@example.com', 'eva@example.com', 'boss@example.com'],
    )
    const { body } = await call(boss, 'get', '/v1/events?event=todos.assigned&limit=1')
    assert.equal(
      [body.data[0].record_id, body.data[0].data.allocated_to],
      [open, 'sal@example.com'],
    )
  })

  test('is never oneself, never the last System Manager, never a stranger to the list', async () => {
    await signedIn('eve@example.com')
    const own = await leaves('boss@example.com')
    assert.equal([own.status, own.body.error.code], [409, 'CONFLICT'])
    assert.match(own.body.error.message, 'nobody leaves by themselves')
    await leaves('eve@example.com')
    const workspace = { 'x-api-key': api.keys.admin }
    const last = await leaves('boss@example.com', undefined, workspace)
    assert.is(last.status, 409, last.text)
    assert.is((await call(boss, 'get', '/v1/me/sessions')).status, 200, 'and nothing has ended')
    assert.is((await leaves('nobody@example.com')).status, 404)
    assert.is((await leaves('sal@example.com', { reason: 'x' })).status, 422)
    assert.is((await leaves('sal@example.com', {}, { 'x-api-key': api.keys.write })).status, 403)
    assert.is((await call(boss, 'post', '/v1/gadgets/x/leave')).status, 404)
    assert.is((await call(boss, 'get', '/v1/users/x/leave')).status, 405)
  })

  /** A System Manager with a webhook for everything. */
  const manager = async (): Promise<{ login: string; id: string; who: Headers }> => {
    const login = `m${++serial}@example.com`
    const who = await signedIn(login)
    const made = await call(who, 'post', '/v1/webhooks', HOOK)
    assert.is(made.status, 201, made.text)
    assert.equal([made.body.user, made.body.paused_because], [login, null])
    return { login, id: made.body.id, who }
  }
  const shown = async (id: string): Promise<Json> =>
    (await call(boss, 'get', `/v1/webhooks/${id}`)).body
  /** Events that a webhook was told of since the last look. */
  const looks = new Map<string, number>()
  const told = async (id: string): Promise<readonly string[]> => {
    const { read } = api.engine.services.database
    const rows = await read
      .selectFrom('svc_deliveries')
      .select('event')
      .where('webhook_id', '=', id)
      .orderBy('id')
      .execute()
    const since = looks.get(id) ?? 0
    looks.set(id, rows.length)
    return rows.slice(since).map(({ event }) => String(event))
  }
  const makeGadget = () =>
    call({ 'x-api-key': api.keys.admin }, 'post', '/v1/gadgets', {
      code: `G-${++serial}`,
      title: 'x',
    })

  test('or loses their rights has webhooks that are paused: disabled, demoted or deleted, and told of nothing from then on (safety D8)', async () => {
    const changes: [string, (login: string) => Promise<unknown>][] = [
      ['is disabled', (login) => changePerson(api.engine, login, { enabled: false })],
      ['is no System Manager', (login) => changePerson(api.engine, login, { roles: [] })],
      ['was deleted', (login) => call(boss, 'delete', `/v1/users/${login}`)],
    ]
    for (const [reason, change] of changes) {
      const { login, id } = await manager()
      await makeGadget()
      assert.equal(await told(id), ['gadgets.created'])
      await change(login)
      await makeGadget()
      assert.equal(await told(id), [], reason)
      const { status, paused_because } = await shown(id)
      assert.equal([status, paused_because], ['paused', `${login} ${reason}`])
      const { body } = await call(boss, 'get', '/v1/events?event=webhooks.paused&limit=1')
      assert.equal([body.data[0].record_id, body.data[0].data.user], [id, login])
      const plain = { 'x-api-key': api.keys.read }
      assert.is((await call(plain, 'get', `/v1/events/${body.data[0].id}`)).status, 200)
    }
  })

  test('has no webhook made in their name, though they were asked who they are before', async () => {
    const { login, who } = await manager()
    const { database, registry } = api.engine.services
    const { body } = await call(who, 'get', '/v1/webhooks')
    assert.ok(body.data)
    await changePerson(api.engine, login, { enabled: false })
    const scene = { kind: database.kind, people: registry.serving('users'), now: api.clock.now() }
    const actor: Actor = {
      ...{ kind: 'user', id: login, name: login, scope: 'admin', roles: ['System Manager'] },
      user: { login, email: login },
    }
    const made = database.write((tx) =>
      createSubscription({ ...scene, tx, actor, secretKey: api.secretKey }, HOOK),
    )
    const refusal = await made.catch((error: unknown) => error)
    assert.match(String(refusal), `webhooks are for System Managers, and ${login} is disabled`)
  })

  test('has webhooks that go on when a System Manager takes them over, who recovers what was missed', async () => {
    const { login, id } = await manager()
    await changePerson(api.engine, login, { enabled: false })
    await makeGadget()
    await changePerson(api.engine, login, { enabled: true })
    assert.is((await shown(id)).status, 'paused', 'not by themselves')
    const low = await call({ 'x-api-key': api.keys.write }, 'patch', `/v1/webhooks/${id}`, {
      status: 'active',
    })
    assert.is(low.status, 403)
    const since = new Date(api.clock.now() - 1000).toISOString()
    const { body } = await call(boss, 'patch', `/v1/webhooks/${id}`, { status: 'active' })
    assert.equal(
      [body.status, body.user, body.paused_because],
      ['active', 'boss@example.com', null],
    )
    assert.equal(await told(id), [])
    await makeGadget()
    assert.equal(await told(id), ['gadgets.created'])
    await call(boss, 'post', `/v1/webhooks/${id}/recover`, { since })
    assert.ok((await told(id)).includes('gadgets.created'))
    await changePerson(api.engine, login, { enabled: false })
    assert.is((await shown(id)).status, 'active', 'it is not theirs any more')
  })

  test('has webhooks no more that others changed: they are whose it was who changed last where they lead or what they are told', async () => {
    const { login, id } = await manager()
    await call(boss, 'patch', `/v1/webhooks/${id}`, { label: 'mine' })
    assert.is((await shown(id)).user, login)
    await call(boss, 'patch', `/v1/webhooks/${id}`, { events: ['gadgets.*'] })
    assert.is((await shown(id)).user, 'boss@example.com')
    await call({ 'x-api-key': api.keys.admin }, 'patch', `/v1/webhooks/${id}`, HOOK)
    assert.is((await shown(id)).user, null, 'the workspace’s own')
    await changePerson(api.engine, login, { enabled: false })
    await changePerson(api.engine, login, MANAGER)
    assert.is((await shown(id)).status, 'active')
  })
})

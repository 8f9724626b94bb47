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
type Json = Record<string, unknown>

const MANAGER = { roles: [{ role: 'System Manager' }] }
const HOOK = { url: 'http://127.0.0.1:9009/hook', events: ['*'] }

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
    await signedIn('sal@example.com', ['Sales User'])
    for (const to of ['sal@example.com', 'nobody@example.com', 'bob@example.com', 7]) {
      const { status, body } = await leaves('bob@example.com', { hand_over_to: to })
      assert.equal([status, body.error.details[0].field], [422, 'hand_over_to'], String(to))
    }
    const headers = { ...boss, 'idempotency-key': 'bob-leaves' }
    const wish = { hand_over_to: 'boss@example.com' }
    const left = await leaves('bob@example.com', wish, headers)
    assert.equal(left.body.webhooks, [{ id: webhook.id, action: 'handed_over' }])
    const again = await leaves('bob@example.com', wish, headers)
    assert.equal([again.headers['idempotent-replayed'], again.text], ['true', left.text])
    const { status, user } = (await call(boss, 'get', `/v1/webhooks/${webhook.id}`)).body
    assert.equal([status, user], ['active', 'boss@example.com'])
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

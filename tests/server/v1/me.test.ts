import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { addPerson, changePerson, cookieOf, PASSWORD } from '../auth/people.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

type Headers = Readonly<Record<string, string>>
type Method = 'get' | 'post' | 'patch' | 'delete'
type Json = Record<string, unknown>

const KEYS = '/v1/api-keys'
const GENERATE = '/api/method/frappe.core.doctype.user.user.generate_keys'

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
      (await told('session_revoked')).map(({ record_id }) => record_id),
      [other, own],
    )
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

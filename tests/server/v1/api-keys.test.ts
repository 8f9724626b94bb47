import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addPerson, cookieOf } from '../auth/people.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

const test = suite('/v1/api-keys')
let app: TestApp
test.before(async () => {
  app = await openTestApp()
})
test.after(() => app.close())

const as = (
  scope: 'read' | 'write' | 'admin',
  method: 'get' | 'post' | 'delete',
  path = '',
): supertest.Test =>
  supertest(app.app)[method](`/v1/api-keys${path}`).set('X-API-Key', app.keys[scope])

test('a created key is shown once, works at once, and is never listed', async () => {
  const made = await as('admin', 'post').send({
    scope: 'write',
    label: 'Web shop',
    expires: '2027-01-01T00:00:00+01:00',
  })
  assert.is(made.status, 201, made.text)
  assert.match(made.body.key, /^svc_live_[0-9A-Za-z]{36}$/)
  assert.equal(made.body, {
    id: made.body.id,
    type: 'key',
    user: null,
    key: made.body.key,
    prefix: made.body.key.slice(0, 12),
    last4: made.body.key.slice(-4),
    scope: 'write',
    env: 'live',
    label: 'Web shop',
    allow_ips: [],
    created: '2026-03-01T12:00:00.000Z',
    created_by: made.body.created_by,
    expires: '2026-12-31T23:00:00.000Z',
    last_used: null,
  })
  assert.is(
    (await supertest(app.app).get('/v1/gadgets').set('X-API-Key', made.body.key)).status,
    200,
  )
  const list = await as('admin', 'get')
  const listed = list.body.data.find(({ id }: { id: string }) => id === made.body.id)
  assert.is(listed.label, 'Web shop')
  assert.not.match(list.text, made.body.key)
  assert.not.match(list.text, 'hash')
  assert.not.match(app.logged(), made.body.key)
})

test('the key in use and the last admin key that can be used are not deleted', async () => {
  const alone = await openTestApp()
  const call = (key: string, method: 'get' | 'post' | 'delete', path: string, body?: object) =>
    supertest(alone.app)[method](`/v1/api-keys${path}`).set('X-API-Key', key).send(body)
  const { admin } = alone.keys
  const idOf = async () => {
    const { data } = (await call(admin, 'get', '?limit=100')).body
    return data.find((one: { scope: string }) => one.scope === 'admin').id as string
  }
  const first = await idOf()
  const itself = await call(admin, 'delete', `/${first}`)
  assert.equal([itself.status, itself.body.error.code], [409, 'CONFLICT'])
  const old = await call(admin, 'post', '', { scope: 'admin', expires: '2999-01-01T00:00:00Z' })
  assert.is(old.status, 201, old.text)
  assert.is((await call(old.body.key, 'delete', `/${first}`)).status, 204)
  const last = await call(old.body.key, 'delete', `/${old.body.id}`)
  assert.match(last.body.error.message, 'with itself')
  const boss = await addPerson(alone.engine, 'boss', ['System Manager'])
  const { cookie } = await cookieOf(alone.engine, boss)
  const bySession = await supertest(alone.app)
    .delete(`/v1/api-keys/${old.body.id}`)
    .set('Cookie', cookie)
  assert.equal([bySession.status, bySession.body.error?.code], [409, 'CONFLICT'])
  assert.match(bySession.body.error.message, 'the last admin key')
  await alone.close()
})

test('a deleted key is revoked at once and gone from the list; deleting it again is 404', async () => {
  const { body } = await as('admin', 'post').send({ scope: 'read', env: 'test' })
  assert.match(body.key, /^svc_test_/)
  assert.is((await as('admin', 'delete', `/${body.id}`)).status, 204)
  assert.is((await as('admin', 'delete', `/${body.id}`)).status, 404)
  assert.is((await as('admin', 'delete', '/key_none%00')).status, 404)
  assert.not.match((await as('admin', 'get')).text, body.id)
})

test('only admin keys manage keys', async () => {
  for (const scope of ['read', 'write'] as const) {
    assert.is((await as(scope, 'get')).status, 403)
    assert.is((await as(scope, 'post').send({ scope: 'read' })).status, 403)
    assert.is((await as(scope, 'delete', '/key_x')).status, 403)
  }
})

test('every problem of a body is named', async () => {
  const body = {
    scope: 'root',
    env: 'prod',
    label: 1,
    allow_ips: ['300.1.1.1', '10.0.0.0/33', 'fe80::1%eth0', 5],
    expires: '2020-01-01T00:00:00Z',
    name: 'x',
  }
  const { status, body: answer } = await as('admin', 'post').send(body)
  assert.is(status, 422)
  const fields = answer.error.details.map(({ field }: { field: string }) => field).sort()
  assert.equal(fields, [
    'allow_ips[0]',
    'allow_ips[1]',
    'allow_ips[2]',
    'allow_ips[3]',
    'env',
    'expires',
    'label',
    'name',
    'scope',
  ])
  assert.is((await as('admin', 'post')).status, 422)
})

test('an allow list needs the plan that has it', async () => {
  const wanted = { scope: 'read', allow_ips: ['10.0.0.0/8', '2001:db8::/32', '::ffff:1.2.3.4'] }
  const refused = await as('admin', 'post').send(wanted)
  assert.is(refused.status, 403)
  assert.match(refused.body.error.message, 'business')
  await app.engine.setTier('business')
  const made = await as('admin', 'post').send(wanted)
  assert.is(made.status, 201, made.text)
  assert.equal(made.body.allow_ips, wanted.allow_ips)
})

test('the list pages by offset with a total and by cursor without', async () => {
  for (let n = 0; n < 5; n += 1) await app.newKey()
  const page = await as('admin', 'get', '?limit=2&offset=1')
  assert.is(page.body.data.length, 2)
  assert.equal(Object.keys(page.body.meta), ['total', 'limit', 'offset'])
  const seen: string[] = []
  let cursor = ''
  do {
    const { body } = await as('admin', 'get', `?limit=3&cursor=${cursor}`)
    assert.not('meta' in body)
    seen.push(...body.data.map(({ id }: { id: string }) => id))
    cursor = body.next_cursor ?? ''
  } while (cursor !== '')
  assert.is(seen.length, page.body.meta.total)
  assert.is(new Set(seen).size, seen.length)
  assert.equal(
    seen.slice(1, 3),
    page.body.data.map(({ id }: { id: string }) => id),
  )
  for (const query of [
    '?limit=0',
    '?sort=id',
    '?cursor=x',
    '?cursor=&offset=0',
    '?limit=1&limit=2',
  ]) {
    assert.is((await as('admin', 'get', query)).status, 422, query)
  }
})

test.run()

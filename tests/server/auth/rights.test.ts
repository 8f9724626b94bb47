import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { csrfToken } from '../../../server/auth/forgery.ts'
import { reissuePair } from '../../../server/auth/key-pairs.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { openTestApp, TEST_DOCTYPES, type TestApp } from '../test-app.ts'
import { addPerson, changePerson, cookieOf } from './people.ts'

const DOCTYPES = {
  ...TEST_DOCTYPES,
  note: `
doctype: Note
module: crm
tier: free
submittable: true
title: text
search: [text]
fields:
  text: {type: data, required: true, filterable: true}
  team: {type: data, filterable: true}
  about: {type: link, options: Note}
  about_text: {type: data, fetch: about.text}
  gadget: {type: link, options: Gadget}
permissions:
  roles:
    Writer: [read, create, update, submit]
    Editor: [read, create, update, delete, submit, cancel, amend]
    Reader: [read]
  rows:
    Writer: owner == user.name
    Reader: team == "open"
`,
}

forEachDatabaseWhenDeep('what roles let people do', ({ test, create }) => {
  let app: TestApp
  const cookies = new Map<string, string>()

  test.before(async () => {
    app = await openTestApp({ database: await create(), doctypes: DOCTYPES })
    await app.engine.setTier('business')
    for (const [login, roles] of Object.entries({
      'writer@example.com': ['Writer'],
      'other@example.com': ['Writer'],
      'both@example.com': ['Writer', 'Reader'],
      'editor@example.com': ['Editor'],
      'nobody@example.com': [],
      'manager@example.com': ['System Manager'],
    })) {
      const person = await addPerson(app.engine, login, roles)
      cookies.set(login.split('@')[0]!, (await cookieOf(app.engine, person)).cookie)
    }
  })
  test.after(() => app.close())

  const call = (
    who: string,
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    body?: object,
  ): supertest.Test => {
    const request = supertest(app.app)[method](`/v1${path}`).set('Cookie', cookies.get(who)!)
    return body ? request.send(body) : request
  }
  const made = async (who: string, body: object): Promise<string> => {
    const { body: record, status, text } = await call(who, 'post', '/notes', body)
    assert.is(status, 201, text)
    return record.id
  }

  test('a role limited to some records sees, counts, finds and changes those alone', async () => {
    const mine = await made('writer', { text: 'mine alone' })
    const theirs = await made('other', { text: 'theirs alone', team: 'open' })
    const list = await call('writer', 'get', '/notes')
    assert.equal(
      list.body.data.map(({ id }: { id: string }) => id),
      [mine],
    )
    assert.is(list.body.meta.total, 1)
    assert.is((await call('writer', 'get', '/notes?q=alone')).body.meta.total, 1)
    assert.is((await call('writer', 'get', '/notes?q=theirs')).body.meta.total, 0)
    assert.is((await call('writer', 'get', '/notes?text=theirs alone')).body.meta.total, 0)
    assert.is((await call('writer', 'get', '/notes?cursor=')).body.data.length, 1)
    for (const [method, path] of [
      ['get', ''],
      ['patch', ''],
      ['post', '/submit'],
    ] as const) {
      const { status } = await call('writer', method, `/notes/${theirs}${path}`, undefined)
      assert.is(status, method === 'patch' ? 400 : 404, `${method} ${path}`)
    }
    assert.is((await call('writer', 'patch', `/notes/${theirs}`, { text: 'x' })).status, 404)
    assert.is((await call('writer', 'patch', `/notes/${mine}`, { text: 'mine still' })).status, 200)
    assert.is((await call('editor', 'get', '/notes')).body.meta.total, 2)
  })

  test('two limited roles see what either may, and change what the one may change', async () => {
    const own = await made('both', { text: 'own' })
    const open = await made('editor', { text: 'open', team: 'open' })
    const closed = await made('editor', { text: 'closed', team: 'closed' })
    const status = async (method: 'get' | 'patch', id: string): Promise<number> =>
      (await call('both', method, `/notes/${id}`, method === 'patch' ? { text: 'x' } : undefined))
        .status
    assert.equal(
      [await status('get', own), await status('get', open), await status('get', closed)],
      [200, 200, 404],
    )
    assert.equal(
      [await status('patch', own), await status('patch', open), await status('patch', closed)],
      [200, 403, 404],
    )
  })

  test('a right nobody was given is refused with the roles that have it', async () => {
    const id = await made('writer', { text: 'kept' })
    const { status, body } = await call('writer', 'delete', `/notes/${id}`)
    assert.is(status, 403)
    assert.is(
      body.error.message,
      'a user with Writer may not delete Notes; it needs the role Editor or System Manager',
    )
    assert.is((await call('nobody', 'get', '/notes')).status, 403)
    assert.is((await call('manager', 'get', `/notes/${id}`)).status, 200)
  })

  test('what somebody may not read is neither linked to nor titled', async () => {
    const secret = await made('editor', { text: 'the secret' })
    const linked = await call('writer', 'post', '/notes', { text: 'about', about: secret })
    assert.is(linked.status, 422)
    assert.is(linked.body.error.details[0].field, 'about')
    const own = await made('writer', { text: 'tells' })
    await call('editor', 'patch', `/notes/${own}`, { about: secret })
    const titled = await call('writer', 'get', `/notes?fields=about&_titles=1&text=tells`)
    assert.equal(titled.body.data[0]._titles, {})
    const manager = await call('manager', 'get', `/notes?fields=about&_titles=1&text=tells`)
    assert.equal(manager.body.data[0]._titles, { about: 'the secret' })
  })

  test('a document may name what its writer sees nothing of, where no condition hides single records', async () => {
    const key = app.keys.admin
    const gadget = await supertest(app.app)
      .post('/v1/gadgets')
      .set('X-API-Key', key)
      .send({ code: 'G-1', title: 'Lathe' })
    assert.is(gadget.status, 201, gadget.text)
    assert.is((await call('writer', 'get', '/gadgets/G-1')).status, 403)
    const { body, status, text } = await call('writer', 'post', '/notes', {
      text: 'names it',
      gadget: 'G-1',
    })
    assert.is(status, 201, text)
    assert.is(body.gadget, 'G-1')
  })

  test('the catalogue and the event log hold what somebody may read', async () => {
    const slugs = async (who: string): Promise<string[]> =>
      (await call(who, 'get', '/resources')).body.data.map(({ slug }: { slug: string }) => slug)
    assert.ok((await slugs('editor')).includes('notes'))
    assert.not((await slugs('nobody')).includes('notes'))
    assert.not((await slugs('editor')).includes('users'))
    assert.ok((await slugs('manager')).includes('users'))
    assert.is((await call('nobody', 'get', '/resources/notes')).status, 404)
    const events = async (who: string): Promise<number> =>
      (await call(who, 'get', '/events?resource=notes')).body.data.length
    assert.ok((await events('editor')) > 0)
    assert.is(await events('writer'), 0, 'limited to some records')
    assert.is(await events('nobody'), 0)
  })

  test('people, keys and webhooks are for System Managers', async () => {
    for (const path of ['/users', '/roles', '/api-keys', '/webhooks']) {
      assert.is((await call('editor', 'get', path)).status, 403, path)
      assert.is((await call('manager', 'get', path)).status, 200, path)
    }
  })

  test('a key has the roles of who made it, at every moment', async () => {
    const key = await call('manager', 'post', '/api-keys', { scope: 'admin', label: 'mine' })
    assert.is(key.status, 201, key.text)
    const get = (path: string) =>
      supertest(app.app)
        .get(`/v1${path}`)
        .set('X-API-Key', key.body.key as string)
    assert.is((await get('/users')).status, 200)
    await addPerson(app.engine, 'second@example.com', ['System Manager'])
    await changePerson(app.engine, 'manager@example.com', { roles: [{ role: 'Reader' }] })
    assert.is((await get('/users')).status, 403)
    assert.is((await get('/notes')).status, 200)
    await changePerson(app.engine, 'manager@example.com', { enabled: false })
    assert.is((await get('/notes')).status, 401)
    await changePerson(app.engine, 'manager@example.com', {
      enabled: true,
      roles: [{ role: 'System Manager' }],
    })
    assert.is((await get('/users')).status, 200)
  })

  test('a change of roles, of the password or of being enabled ends sessions at once', async () => {
    const person = await addPerson(app.engine, 'gil@example.com', ['Editor'])
    const { cookie } = await cookieOf(app.engine, person)
    const status = async (): Promise<number> =>
      (await supertest(app.app).get('/v1/notes').set('Cookie', cookie)).status
    assert.is(await status(), 200)
    await changePerson(app.engine, 'gil@example.com', { roles: [{ role: 'Reader' }] })
    assert.is(await status(), 401)
  })

  test('a session of our own page needs its token, and no call may come from another site', async () => {
    const person = await addPerson(app.engine, 'pia@example.com', ['Editor'])
    const page = await cookieOf(app.engine, person, { byPage: true })
    const api = await cookieOf(app.engine, person)
    const post = (cookie: string, headers: Record<string, string> = {}) =>
      supertest(app.app).post('/v1/notes').set('Cookie', cookie).set(headers).send({ text: 'x' })
    const token = csrfToken(app.secretKey, page.id)
    assert.is((await post(page.cookie)).status, 403)
    assert.is((await post(page.cookie, { 'X-CSRF-Token': 'x' })).status, 403)
    assert.is((await post(page.cookie, { 'X-CSRF-Token': token })).status, 201)
    assert.is((await post(page.cookie, { 'X-Frappe-CSRF-Token': token })).status, 201)
    assert.is((await post(api.cookie)).status, 201)
    for (const headers of [
      { 'Sec-Fetch-Site': 'cross-site' },
      { 'Sec-Fetch-Site': 'same-site' },
      { Origin: 'https://evil.example' },
      { Origin: 'null' },
    ] as Record<string, string>[]) {
      assert.is((await post(api.cookie, headers)).status, 403, JSON.stringify(headers))
      const withToken = { ...headers, 'X-CSRF-Token': token }
      assert.is((await post(page.cookie, withToken)).status, 403, JSON.stringify(headers))
    }
    assert.is((await post(api.cookie, { 'Sec-Fetch-Site': 'same-origin' })).status, 201)
  })

  test('key and secret of surface A work on /v1 too; a wrong half does not', async () => {
    await addPerson(app.engine, 'kim@example.com', ['Editor'])
    const { database } = app.engine.services
    const pair = await database.write((tx) =>
      reissuePair(tx, app.engine.services, 'kim@example.com'),
    )
    const get = async (authorization: string): Promise<number> =>
      (await supertest(app.app).get('/v1/notes').set('Authorization', authorization)).status
    const text = `${pair.api_key}:${pair.api_secret}`
    assert.is(await get(`token ${text}`), 200)
    assert.is(await get(`Token ${text}`), 200)
    assert.is(await get(`Basic ${Buffer.from(text).toString('base64')}`), 200)
    assert.is(await get(`token ${pair.api_key}:${'0'.repeat(48)}`), 401)
    assert.is(await get(`token ${pair.api_key}`), 401)
    assert.is(await get(`token x:${pair.api_secret}`), 401)
    const newer = await database.write((tx) =>
      reissuePair(tx, app.engine.services, 'kim@example.com'),
    )
    assert.is(await get(`token ${text}`), 401)
    assert.is(await get(`token ${newer.api_key}:${newer.api_secret}`), 200)
  })

  test('a webhook hears what the key that made it may read', async () => {
    const register = async (scope: 'write' | 'admin'): Promise<string> => {
      const { body, text } = await supertest(app.app)
        .post('/v1/webhooks')
        .set('X-API-Key', app.keys[scope])
        .send({ url: 'http://127.0.0.1:9009/hook', events: ['*'] })
      assert.ok(body.id, text)
      return body.id
    }
    const low = await register('write')
    const high = await register('admin')
    await addPerson(app.engine, 'heard@example.com')
    const events = async (id: string): Promise<unknown[]> =>
      (
        await app.engine.services.database.read
          .selectFrom('svc_deliveries')
          .select('event')
          .where('webhook_id', '=', id)
          .where('event', '=', 'users.created')
          .execute()
      ).map(({ event }) => event)
    assert.equal(await events(high), ['users.created'])
    assert.equal(await events(low), [])
    const recover = (id: string, scope: 'write' | 'admin') =>
      supertest(app.app)
        .post(`/v1/webhooks/${id}/recover`)
        .set('X-API-Key', app.keys[scope])
        .send({ since: '2026-01-01T00:00:00Z' })
    for (const scope of ['write', 'admin'] as const)
      assert.is((await recover(low, scope)).status, 202, scope)
    assert.equal(await events(low), [], 'not by asking for the past either')
    const moved = await supertest(app.app)
      .patch(`/v1/webhooks/${high}`)
      .set('X-API-Key', app.keys.write)
      .send({ url: 'http://127.0.0.1:9010/hook' })
    assert.is(moved.status, 403, 'and nobody leads a louder one elsewhere')
    const rotate = (id: string, scope: 'write' | 'admin') =>
      supertest(app.app)
        .post(`/v1/webhooks/${id}/rotate`)
        .set('X-API-Key', app.keys[scope])
        .send({})
    const rotated = await rotate(high, 'write')
    assert.is(rotated.status, 403, 'or learns what it is signed with')
    assert.not.ok(JSON.stringify(rotated.body).includes('whsec_'))
    assert.is((await rotate(low, 'write')).status, 200)
    assert.is((await rotate(high, 'admin')).status, 200)
    const labelled = await supertest(app.app)
      .patch(`/v1/webhooks/${high}`)
      .set('X-API-Key', app.keys.write)
      .send({ label: 'loud' })
    assert.is(labelled.status, 200)
  })

  test('the plan has so many seats, also for two who come at once; a demo account takes none', async () => {
    const small = await openTestApp({ database: await create() })
    const add = (n: number) =>
      supertest(small.app)
        .post('/v1/users')
        .set('X-API-Key', small.keys.admin)
        .send({ email: `person${n}@example.com`, full_name: `Person ${n}` })
    const statuses = (await Promise.all([1, 2, 3, 4].map(add))).map(({ status }) => status)
    assert.equal(statuses.toSorted(), [201, 201, 403, 403])
    await small.engine.setTier('pro')
    assert.is((await add(5)).status, 201)
    await small.close()
  })

  test('somebody who may run the workspace is always left', async () => {
    const small = await openTestApp({ database: await create() })
    await addPerson(small.engine, 'boss@example.com', ['System Manager'])
    const send = (method: 'patch' | 'delete', body?: object) =>
      supertest(small.app)
        [method]('/v1/users/boss@example.com')
        .set('X-API-Key', small.keys.admin)
        .send(body)
    for (const body of [{ enabled: false }, { roles: [] }])
      assert.is((await send('patch', body)).status, 409)
    assert.is((await send('delete')).status, 409)
    await addPerson(small.engine, 'second@example.com', ['System Manager'])
    assert.is((await send('patch', { roles: [] })).status, 200)
    await small.close()
  })

  test('a deleted person leaves nothing that a later one of the same name could use', async () => {
    await addPerson(app.engine, 'lou@example.com', ['Editor'])
    const { database } = app.engine.services
    const pair = await database.write((tx) =>
      reissuePair(tx, app.engine.services, 'lou@example.com'),
    )
    const gone = await supertest(app.app)
      .delete('/v1/users/lou@example.com')
      .set('X-API-Key', app.keys.admin)
    assert.is(gone.status, 204, gone.text)
    const again = await supertest(app.app)
      .post('/v1/users')
      .set('X-API-Key', app.keys.admin)
      .send({ email: 'lou@example.com', full_name: 'Lou', roles: [{ role: 'Editor' }] })
    assert.is(again.status, 201, again.text)
    const { status } = await supertest(app.app)
      .get('/v1/notes')
      .set('Authorization', `token ${pair.api_key}:${pair.api_secret}`)
    assert.is(status, 401)
  })
})

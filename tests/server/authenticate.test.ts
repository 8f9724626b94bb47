import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Db } from '../../engine/storage/database/database.ts'
import { writeOverride } from '../../engine/storage/workspace/tier.ts'
import { markRevoked } from '../../server/auth/store.ts'
import { openDatabase } from '../engine/storage/workspace.ts'
import { forEachDatabase, type TestDatabase } from '../helpers/databases.ts'
import { bearer, openTestApp, type TestApp } from './test-app.ts'

forEachDatabase('authentication', ({ test, fresh }) => {
  let app: TestApp
  let location: TestDatabase
  test.before(async () => {
    location = await fresh()
    app = await openTestApp({
      database: location,
      settings: { rateLimit: false },
      tier: 'business',
    })
  })
  test.after(() => app.close())

  const get = (headers: Record<string, string>): supertest.Test =>
    supertest(app.app).get('/v1/gadgets').set(headers)

  test('a key works as bearer token and as X-API-Key, also as both at once', async () => {
    const { read } = app.keys
    for (const headers of [
      { Authorization: `Bearer ${read}` },
      { Authorization: `bearer  ${read}` },
      { 'X-API-Key': read },
      { 'X-API-Key': read, Authorization: `Bearer ${read}` },
    ]) {
      assert.is((await get(headers)).status, 200, JSON.stringify(Object.keys(headers)))
    }
  })

  test('missing, unknown, malformed, revoked, expired and other-environment keys get the very same 401', async () => {
    const revoked = await app.newKey()
    await supertest(app.app).delete(`/v1/api-keys/${revoked.id}`).set('X-API-Key', app.keys.admin)
    const expired = await app.newKey({ expires: new Date(app.clock.now() - 1).toISOString() })
    const test = await app.newKey({ env: 'test' })
    const unknown = `svc_live_${'x'.repeat(36)}`
    const answers = [
      await get({}),
      await get({ 'X-API-Key': unknown }),
      await get({ 'X-API-Key': 'nonsense' }),
      await get({ 'X-API-Key': '' }),
      await get({ 'X-API-Key': revoked.key }),
      await get({ 'X-API-Key': expired.key }),
      await get({ 'X-API-Key': test.key }),
      await get({ 'X-API-Key': `${app.keys.read}x` }),
      await get({ Authorization: `Basic ${app.keys.read}` }),
      await get({ Authorization: bearer(app.keys.read.toUpperCase()) }),
    ]
    for (const answer of answers) {
      assert.is(answer.status, 401)
      assert.is(answer.headers['www-authenticate'], 'Bearer')
      assert.is(answer.text, answers[0]!.text)
    }
  })

  test('a key that was just used has the tier of now, and is refused once it is revoked, whoever does that', async () => {
    const { key, id } = await app.newKey()
    const used = (): Promise<supertest.Response> =>
      supertest(app.app).get('/v1/turbines').set('X-API-Key', key)
    const beside = openDatabase(location)
    const statusAfter = async (work: (tx: Db) => Promise<unknown>): Promise<number> => {
      assert.is((await used()).status, 200)
      assert.is((await used()).status, 200)
      await beside.write(work)
      return (await used()).status
    }
    assert.is(await statusAfter((tx) => writeOverride(tx, 'free')), 403)
    await app.engine.setTier('business')
    assert.is(await statusAfter((tx) => markRevoked(tx, id, '2026-01-01T00:00:00.000Z')), 401)
    await beside.close()
  })

  test('two keys that differ are 401 even when both are valid', async () => {
    const answer = await get({ Authorization: bearer(app.keys.read), 'X-API-Key': app.keys.admin })
    assert.is(answer.status, 401)
    assert.match(answer.body.error.message, 'different keys')
  })

  test('a key in the query is no credential', async () => {
    assert.is((await supertest(app.app).get(`/v1/gadgets?api_key=${app.keys.read}`)).status, 401)
  })

  test('a key with an expiry works until that moment', async () => {
    const { key } = await app.newKey({ expires: new Date(app.clock.now() + 1000).toISOString() })
    assert.is((await get({ 'X-API-Key': key })).status, 200)
    app.clock.advance(1000)
    assert.is((await get({ 'X-API-Key': key })).status, 401)
  })

  test('the database holds no key that could be used', async () => {
    const rows = await app.engine.services.database.read
      .selectFrom('svc_api_keys')
      .selectAll()
      .execute()
    const dump = JSON.stringify(rows)
    for (const key of Object.values(app.keys)) {
      assert.not.match(dump, key)
      assert.not.match(dump, key.slice('svc_live_'.length + 3, -4))
    }
  })

  test('last_used is noted at most once a minute, beside the request', async () => {
    const { id, key } = await app.newKey({ scope: 'read' })
    const lastUsed = async (): Promise<unknown> => {
      // Behind the write of the request in the queue.
      await app.engine.services.database.write(async () => undefined)
      const { read } = app.engine.services.database
      await new Promise((resolve) => setTimeout(resolve, 20))
      return (
        await read
          .selectFrom('svc_api_keys')
          .select('last_used')
          .where('id', '=', id)
          .executeTakeFirst()
      )?.last_used
    }
    assert.is(await lastUsed(), null)
    await get({ 'X-API-Key': key })
    const first = new Date(app.clock.now()).toISOString()
    assert.is(await lastUsed(), first)
    app.clock.advance(59_999)
    await get({ 'X-API-Key': key })
    assert.is(await lastUsed(), first)
    app.clock.advance(1)
    await get({ 'X-API-Key': key })
    assert.is(await lastUsed(), new Date(app.clock.now()).toISOString())
  })

  test('a key with an allow list works from its addresses only, after a downgrade too', async () => {
    const here = await app.newKey({ allow_ips: ['127.0.0.0/8', '::1'] })
    const elsewhere = await app.newKey({ allow_ips: ['203.0.113.7'] })
    assert.is((await get({ 'X-API-Key': here.key })).status, 200)
    const refused = await get({ 'X-API-Key': elsewhere.key })
    assert.is(refused.status, 403)
    assert.is(refused.body.error.code, 'FORBIDDEN')
    const forged = await get({ 'X-API-Key': elsewhere.key, 'X-Forwarded-For': '203.0.113.7' })
    assert.is(forged.status, 403)
    await app.engine.setTier('pro')
    assert.is((await get({ 'X-API-Key': elsewhere.key })).status, 403)
    await app.engine.setTier('business')
  })
})

const proxied = suite('addresses behind a proxy')
let behind: TestApp
proxied.before(async () => {
  behind = await openTestApp({
    tier: 'business',
    settings: { trustProxy: ['127.0.0.1/32', '::1/128'] },
  })
})
proxied.after(() => behind.close())

proxied(
  'the forwarded address counts when the proxy is trusted, and only its nearest untrusted hop',
  async () => {
    const { key } = await behind.newKey({ allow_ips: ['203.0.113.0/24', '2001:db8::/32'] })
    const from = async (forwarded: string): Promise<number> =>
      (
        await supertest(behind.app)
          .get('/v1/gadgets')
          .set('X-API-Key', key)
          .set('X-Forwarded-For', forwarded)
      ).status
    assert.is(await from('203.0.113.9'), 200)
    assert.is(await from('::ffff:203.0.113.9'), 200)
    assert.is(await from('2001:db8::1'), 200)
    assert.is(await from('198.51.100.1'), 403)
    assert.is(await from('203.0.113.9, 198.51.100.1'), 403)
    assert.is(await from('not-an-address'), 403)
  },
)

proxied.run()

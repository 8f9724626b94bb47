import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reissuePair } from '../../server/auth/key-pairs.ts'
import { addressLimit } from '../../server/limits/address-limit.ts'
import { sharedWindows, type Taken } from '../../server/limits/rate-windows.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { addPerson, cookieOf } from './auth/people.ts'
import { openTestApp, type TestApp, testClock } from './test-app.ts'

/** Requests a minute of the free plan (plans.yaml). */
const FREE = 1200

forEachDatabase('rate limit', ({ kind, test, fresh }) => {
  let app: TestApp
  test.before(async () => {
    app = await openTestApp({ database: await fresh() })
  })
  test.after(() => app.close())
  test.before.each(() => app.clock.advance(60_000))

  const get = (from: TestApp = app, key = app.keys.read): supertest.Test =>
    supertest(from.app).get('/v1/gadgets/none').set('X-API-Key', key)

  /** Takes all of the window but `left`. */
  async function useUp(left: number): Promise<void> {
    const sent = FREE - left
    for (let done = 0; done < sent; done += 50) {
      await Promise.all(Array.from({ length: Math.min(50, sent - done) }, () => get()))
    }
  }

  test('every answer tells limit, remaining and reset, also a 401', async () => {
    const { headers } = await get()
    assert.is(headers['x-ratelimit-limit'], String(FREE))
    assert.is(headers['x-ratelimit-remaining'], String(FREE - 1))
    assert.is(Number(headers['x-ratelimit-reset']) % 60, 0)
    assert.ok(Number(headers['x-ratelimit-reset']) * 1000 > app.clock.now())
    const unknown = await get(app, 'none')
    assert.is(unknown.status, 401)
    assert.ok(unknown.headers['x-ratelimit-limit'])
  })

  test('all keys share the window: what is over the limit is 429 with Retry-After until it ends', async () => {
    await useUp(1)
    app.clock.advance(10_000)
    const last = await get(app, app.keys.admin)
    assert.is(last.status, 404)
    assert.is(last.headers['x-ratelimit-remaining'], '0')
    const fresh = await app.newKey()
    const refused = await get(app, fresh.key)
    assert.is(refused.status, 429)
    assert.is(refused.body.error.code, 'RATE_LIMITED')
    assert.is(refused.headers['x-ratelimit-remaining'], '0')
    assert.is(refused.headers['retry-after'], '50')
    app.clock.advance(50_000)
    assert.is((await get()).status, 404)
  })

  test('a pair counts like a key on /v1 and like its person on surface A, a session always like its person', async () => {
    const person = await addPerson(app.engine, 'pair@example.com', ['System Manager'])
    const { cookie } = await cookieOf(app.engine, person)
    const { database, plans } = app.engine.services
    const { api_key, api_secret } = await database.write((tx) =>
      reissuePair(tx, app.engine.services, person.login),
    )
    const limitOf = async (path: string, header: string, value: string) => {
      const { headers } = await supertest(app.app).get(path).set(header, value)
      return [headers['x-ratelimit-limit'], headers['x-ratelimit-remaining']].map(Number)
    }
    const pair = ['Authorization', `token ${api_key}:${api_secret}`] as const
    const own = plans.signed_in_user_per_minute
    await get()
    assert.equal(await limitOf('/v1/gadgets', ...pair), [FREE, FREE - 2])
    assert.equal(await limitOf('/api/resource/Gadget', ...pair), [own, own - 1])
    assert.equal(await limitOf('/v1/gadgets', 'Cookie', cookie), [own, own - 2])
  })

  if (kind === 'postgres') {
    test('several processes share the window and never grant more than the limit together', async () => {
      const { database } = app.engine.services
      const clock = testClock(app.clock.now() + 3_600_000)
      const processes = [1, 2, 3].map(() => sharedWindows(database, clock))
      let granted = 0
      for (let round = 0; round < 40; round += 1) {
        const taken = await Promise.all(
          processes.map((take) => take('shared', 100) as Promise<Taken>),
        )
        granted += taken.filter(({ allowed }) => allowed).length
      }
      assert.is(granted, 100)
    })

    test('a block saves writes: a hundred requests of a large limit are few', async () => {
      const { database } = app.engine.services
      let writes = 0
      const counted = {
        ...database,
        write: ((job) => {
          writes += 1
          return database.write(job)
        }) as typeof database.write,
      }
      const take = sharedWindows(counted, testClock(app.clock.now() + 7_200_000))
      for (let n = 0; n < 100; n += 1) assert.ok((await take('blocks', 6000)).allowed)
      assert.is(writes, 2)
    })

    test('a clock that was ahead for a while locks nobody out', async () => {
      const { database } = app.engine.services
      const ahead = sharedWindows(database, testClock(app.clock.now() + 20_000_000))
      for (let n = 0; n < 5; n += 1) await ahead('ahead', 5)
      assert.not.ok((await ahead('ahead', 5)).allowed)
      assert.ok((await sharedWindows(database, app.clock)('ahead', 5)).allowed)
    })

    test('requests at once wait for one block', async () => {
      const take = sharedWindows(
        app.engine.services.database,
        testClock(app.clock.now() + 9_000_000),
      )
      const taken = await Promise.all(
        Array.from({ length: 50 }, () => take('burst', 20) as Promise<Taken>),
      )
      assert.is(taken.filter(({ allowed }) => allowed).length, 20)
    })
  }
})

const settings = suite('rate limit switched off')
settings('SVC_RATE_LIMIT=off counts nothing and tells nothing', async () => {
  const app = await openTestApp({ settings: { rateLimit: false } })
  try {
    const answer = await supertest(app.app).get('/v1/gadgets').set('X-API-Key', app.keys.read)
    assert.is(answer.headers['x-ratelimit-limit'], undefined)
  } finally {
    await app.close()
  }
})
settings.run()

const failures = suite('limit of failed authentications')

failures(
  'an address that keeps failing is 429, its valid keys still work, and a minute later it starts anew',
  async () => {
    const app = await openTestApp()
    try {
      const guess = (): supertest.Test =>
        supertest(app.app).get('/v1/gadgets').set('X-API-Key', 'wrong')
      for (let n = 0; n < 60; n += 1) assert.is((await guess()).status, 401)
      const refused = await guess()
      assert.is(refused.status, 429)
      assert.ok(refused.headers['retry-after'])
      assert.is(
        (await supertest(app.app).get('/v1/gadgets').set('X-API-Key', app.keys.read)).status,
        200,
      )
      app.clock.advance(60_000)
      assert.is((await guess()).status, 401)
    } finally {
      await app.close()
    }
  },
)

failures(
  'IPv4 addresses count apart, mapped ones as IPv4, an IPv6 network of 64 bits as one',
  () => {
    const limit = addressLimit({ clock: testClock(), limit: 1 })
    assert.ok(limit.take('1.2.3.4').allowed)
    assert.not.ok(limit.take('::ffff:1.2.3.4').allowed)
    assert.ok(limit.take('1.2.3.5').allowed)
    assert.ok(limit.take('2001:db8:0:1::1').allowed)
    assert.not.ok(limit.take('2001:db8:0:1:ffff::2').allowed)
    assert.ok(limit.take('2001:db8:0:2::1').allowed)
  },
)

failures('memory is bounded: further addresses share one counter', () => {
  const limit = addressLimit({ clock: testClock(), limit: 2, maxAddresses: 3 })
  for (const address of ['1.1.1.1', '1.1.1.2', '1.1.1.3']) assert.ok(limit.take(address).allowed)
  assert.ok(limit.take('2.2.2.1').allowed)
  assert.ok(limit.take('2.2.2.2').allowed)
  assert.not.ok(limit.take('2.2.2.3').allowed)
  assert.ok(limit.take('1.1.1.1').allowed)
})

failures.run()

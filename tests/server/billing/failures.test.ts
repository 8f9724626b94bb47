import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSubscription } from '../../../engine/storage/workspace/subscription.ts'
import type { Mood } from '../../helpers/stripe-fake.ts'
import { bearer, openTestApp } from '../test-app.ts'
import { type BillingApp, openBillingApp } from './billing-app.ts'

const failures = suite('a purchase that meets trouble')

let app: BillingApp
failures.before.each(async () => {
  app = await openBillingApp()
})
failures.after.each(() => app.close())

const TABLES = ['svc_settings', 'svc_provider_events', 'svc_events', 'svc_idempotency']

/** All that a refused request must leave as it is. */
async function everything(): Promise<string> {
  const { read } = app.engine.services.database
  const rows = await Promise.all(
    TABLES.map((table) => read.selectFrom(table).selectAll().execute()),
  )
  const subscription = await readSubscription(read)
  const { version: _, reference: __, ...rest } = subscription ?? {}
  return JSON.stringify([rows, rest], (_key, value) =>
    typeof value === 'bigint' ? Number(value) : value,
  )
}

const TROUBLE: readonly (readonly [Mood, number, string])[] = [
  ['down', 503, 'UNAVAILABLE'],
  ['broken', 503, 'UNAVAILABLE'],
  ['refuses-key', 503, 'UNAVAILABLE'],
  ['declines', 409, 'CONFLICT'],
]

failures('changes nothing here, says so, and succeeds later with the same key', async () => {
  const first = await app.subscribe('pro')
  app.stripe.pay(first.body.checkout_url)
  await app.deliverAll()
  for (const [mood, status, code] of TROUBLE) {
    for (const tier of ['business', 'free']) {
      const before = await everything()
      app.stripe.mood = mood
      const { status: got, body, headers } = await app.subscribe(tier, {}, `${mood}-${tier}`)
      assert.equal([got, body.error.code], [status, code], `${mood} ${tier}`)
      assert.match(body.error.message, /nothing was changed/i)
      assert.is(headers['retry-after'], status === 503 ? '5' : undefined)
      assert.is(await everything(), before, `${mood} ${tier}`)
      assert.is(await app.tier(), 'pro')
    }
  }
  app.stripe.mood = 'up'
  const again = await app.subscribe('business', {}, 'declines-business')
  assert.is(again.body.applied, false, again.text)
  assert.equal((await app.subscribe('free', {}, 'down-free')).body, { tier: 'free', applied: true })
})

failures('is one purchase at the provider, however often the request is repeated', async () => {
  const first = await app.subscribe('pro', {}, 'once')
  const again = await app.subscribe('pro', {}, 'once')
  assert.is(again.text, first.text)
  assert.is(again.headers['idempotent-replayed'], 'true')
  assert.is(app.stripe.sessions.size, 1)
  const other = await app.subscribe('business', {}, 'once')
  assert.equal([other.status, other.body.error.details[0].field], [422, 'Idempotency-Key'])
  assert.not.equal((await app.subscribe('pro', {}, 'twice')).body, first.body)
})

failures(
  'gives the same page after the process died between the provider and the commit',
  async () => {
    const { database } = app.engine.services
    const page = await app.subscribe('pro', {}, 'crash')
    // As it was then: the provider has the purchase, the workspace only that the request began.
    const [answer] = await database.read.selectFrom('svc_idempotency').selectAll().execute()
    const [call] = [...app.stripe.sessions.keys()]
    await database.write(async (tx) => {
      await tx.deleteFrom('svc_idempotency').execute()
      await tx
        .insertInto('svc_idempotency_started')
        .values({
          key: answer!.key,
          fingerprint: answer!.fingerprint,
          call: keyOf(app.stripe.keys, call!),
          holder: 'a process that died',
          until: '2099-01-01T00:00:00.000Z',
          created: answer!.created,
        })
        .execute()
    })
    const repeated = await app.subscribe('pro', {}, 'crash')
    assert.is(repeated.body.checkout_url, page.body.checkout_url)
    assert.is(app.stripe.sessions.size, 1)
    const left = await database.read.selectFrom('svc_idempotency_started').selectAll().execute()
    assert.equal(left, [])
  },
)

failures('that is under way in another process is waited for', async () => {
  app.stripe.mood = 'hang'
  const first = app.subscribe('pro', {}, 'both').then((response) => response)
  while (app.stripe.calls.at(-1) !== 'POST customers')
    await new Promise((resolve) => setTimeout(resolve, 5))
  const here = await app.subscribe('pro', {}, 'both')
  assert.equal([here.status, here.headers['retry-after']], [409, '1'])
  app.stripe.mood = 'up'
  app.stripe.release()
  const { status, text } = await first
  assert.is(status, 200)
  assert.is((await app.subscribe('pro', {}, 'both')).text, text)
})

failures('has a clear answer before `svc billing setup` has run', async () => {
  app.stripe.prices.clear()
  const { status, body } = await app.subscribe('pro')
  assert.equal([status, body.error.code], [409, 'CONFLICT'])
  assert.match(body.error.message, 'svc billing setup')
})

failures('makes a new customer where the provider has lost the old one', async () => {
  await app.subscribe('pro')
  app.stripe.customers.clear()
  const { body } = await app.subscribe('pro')
  app.stripe.pay(body.checkout_url)
  await app.deliverAll()
  assert.is(await app.tier(), 'pro')
})

const alone = suite('without a provider')

alone(
  'a plan applies at once, over the override of the operator, and nothing is to be paid',
  async () => {
    const test = await openTestApp({ tier: 'business' })
    const subscribe = (tier: string, body: object = {}) =>
      request(test.app)
        .post(`/v1/tiers/${tier}/subscribe`)
        .set('Authorization', bearer(test.keys.admin))
        .set('Idempotency-Key', `${tier}${JSON.stringify(body)}`)
        .send(body)
    try {
      assert.equal((await subscribe('pro')).body, { tier: 'pro', applied: true })
      assert.is(await test.engine.tier(), 'pro')
      const again = await subscribe('pro')
      assert.is(again.headers['idempotent-replayed'], 'true')
      assert.equal((await subscribe('free', { seats: 5 })).body, { tier: 'free', applied: true })
      assert.is(await test.engine.tier(), 'free')
      const read = test.engine.services.database.read
      assert.is((await readSubscription(read))?.seats, null, 'the free plan has its own seats')
      assert.is((await subscribe('gold')).status, 404)
      await test.engine.setTier('business')
      assert.is(await test.engine.tier(), 'business')
      await test.engine.setTier(undefined)
      assert.is(await test.engine.tier(), 'free')
    } finally {
      await test.close()
    }
  },
)

failures.run()
alone.run()

/** The workspace's part of the idempotency key that a session was made with. */
function keyOf(keys: ReadonlyMap<string, string>, session: string): string {
  const [key = ''] = [...keys].find(([, json]) => JSON.parse(json).id === session) ?? []
  return key.replace(/:checkout$/, '')
}

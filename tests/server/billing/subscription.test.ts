import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readSubscription } from '../../../engine/storage/workspace/subscription.ts'
import { bearer } from '../test-app.ts'
import { type BillingApp, openBillingApp } from './billing-app.ts'

const life = suite('a subscription')

let app: BillingApp
life.before.each(async () => {
  app = await openBillingApp()
})
life.after.each(() => app.close())

async function buy(tier: string, seats: number): Promise<string> {
  const { body } = await app.subscribe(tier, { seats })
  const { id } = app.stripe.pay(body.checkout_url)
  await app.deliverAll()
  return id
}

function row() {
  return readSubscription(app.engine.services.database.read)
}

function get(path: string) {
  return request(app.app).get(path).set('Authorization', bearer(app.keys.admin))
}

life('is bought on the page of the provider, and counts once its signed event came', async () => {
  const { status, body } = await app.subscribe('pro', { seats: 3 })
  assert.is(status, 200)
  assert.match(body.checkout_url, /^https:\/\/pay\.test\//)
  assert.equal(body, { tier: 'free', applied: false, checkout_url: body.checkout_url })
  app.stripe.pay(body.checkout_url)
  assert.is(await app.tier(), 'free')
  await app.deliverAll()
  assert.is(await app.tier(), 'pro')
  const { seats, status: state, customer } = (await row())!
  assert.equal([seats, state], [3, 'active'])
  assert.ok(app.stripe.customers.has(customer!))

  const { body: tiers } = await get('/v1/tiers')
  assert.equal(tiers.current, 'pro')
  assert.equal(
    tiers.data.map(({ slug, current }: { slug: string; current: boolean }) => [slug, current]),
    [
      ['free', false],
      ['pro', true],
      ['business', false],
    ],
  )
  const { body: log } = await get('/v1/events?event=tiers.changed')
  assert.equal(
    log.data.map(({ data }: { data: object }) => data),
    [{ id: 'pro', tier: 'pro', previous_tier: 'free' }],
  )
})

life(
  'that shall cost more is confirmed in the portal; one that costs less changes at once',
  async () => {
    await buy('pro', 2)
    const up = await app.subscribe('business')
    assert.match(up.body.checkout_url, /^https:\/\/portal\.test\//)
    assert.equal([up.body.tier, up.body.applied, await app.tier()], ['pro', false, 'pro'])
    app.stripe.confirm(up.body.checkout_url)
    await app.deliverAll()
    assert.equal([await app.tier(), (await row())?.seats], ['business', 2])

    const down = await app.subscribe('pro')
    assert.equal(down.body, { tier: 'pro', applied: true })
    assert.is(await app.tier(), 'pro')
    await app.deliverAll()
    assert.equal([await app.tier(), app.stripe.subscriptions.size], ['pro', 1])

    const more = await app.subscribe('pro', { seats: 9 })
    assert.is(more.body.applied, false)
    assert.is((await row())?.seats, 2)
    app.stripe.confirm(more.body.checkout_url)
    await app.deliverAll()
    assert.is((await row())?.seats, 9)
    assert.equal((await app.subscribe('pro', { seats: 9 })).body, { tier: 'pro', applied: true })
  },
)

life('ends at once on the way to free, and can be bought again', async () => {
  const first = await buy('business', 1)
  assert.equal((await app.subscribe('free')).body, { tier: 'free', applied: true })
  assert.is(app.stripe.subscriptions.get(first).status, 'canceled')
  assert.is(await app.tier(), 'free')
  await app.deliverAll()
  assert.is(await app.tier(), 'free')
  await buy('pro', 1)
  assert.is(await app.tier(), 'pro')
})

life(
  'that was cancelled for the end of the period goes on when it is asked for again',
  async () => {
    const id = await buy('pro', 1)
    app.stripe.become(id, { cancel_at_period_end: true })
    await app.deliverAll()
    assert.equal([await app.tier(), (await row())?.cancel_at_period_end], ['pro', true])
    assert.equal((await app.subscribe('pro')).body, { tier: 'pro', applied: true })
    assert.is(app.stripe.subscriptions.get(id).cancel_at_period_end, false)
    assert.is((await row())?.cancel_at_period_end, false)
  },
)

life('gives its tier by its state', async () => {
  const id = await buy('pro', 1)
  const states: readonly (readonly [status: string, tier: string])[] = [
    ['past_due', 'pro'],
    ['unpaid', 'free'],
    ['active', 'pro'],
    ['paused', 'free'],
    ['trialing', 'pro'],
    ['some-state-of-tomorrow', 'pro'],
    ['canceled', 'free'],
  ]
  for (const [status, tier] of states) {
    app.stripe.become(id, { status })
    await app.deliverAll()
    assert.is(await app.tier(), tier, status)
  }
})

life('that waits for a payment leads to the portal, not to a second one', async () => {
  const id = await buy('pro', 1)
  app.stripe.become(id, { status: 'unpaid' })
  await app.deliverAll()
  const { body } = await app.subscribe('pro')
  assert.match(body.checkout_url, /^https:\/\/portal\.test\//)
})

life('whose first payment never came takes nothing away', async () => {
  const { body } = await app.subscribe('pro')
  const { id } = app.stripe.pay(body.checkout_url, 'incomplete')
  await app.deliverAll()
  assert.is(await app.tier(), 'free')
  app.stripe.become(id, { status: 'incomplete_expired' })
  await app.deliverAll()
  assert.equal([await app.tier(), (await row())?.subscription], ['free', null])
})

life('has a seat for each enabled user at least', async () => {
  for (const name of ['bo', 'cy']) {
    const made = await request(app.app)
      .post('/v1/users')
      .set('Authorization', bearer(app.keys.admin))
      .send({ email: `${name}@example.com`, full_name: name })
    assert.is(made.status, 201, made.text)
  }
  const few = await app.subscribe('pro', { seats: 1 })
  assert.equal([few.status, few.body.error.details[0].field], [422, 'seats'])
  const { body } = await app.subscribe('pro')
  app.stripe.pay(body.checkout_url)
  await app.deliverAll()
  assert.is((await row())?.seats, 2)
  const third = await request(app.app)
    .post('/v1/users')
    .set('Authorization', bearer(app.keys.admin))
    .send({ email: 'dee@example.com', full_name: 'dee' })
  assert.equal([third.status, third.body.error.code], [403, 'FORBIDDEN'])
})

life(
  'that ends leaves the records above the tier stored, and answers 403 naming the tier',
  async () => {
    await buy('business', 1)
    const post = () =>
      request(app.app).post('/v1/turbines').set('Authorization', bearer(app.keys.admin))
    assert.is((await post().send({ name: 'T-1', power: 7 })).status, 201)
    await app.subscribe('free')
    for (const denied of [
      await get('/v1/turbines'),
      await get('/v1/turbines/T-1'),
      await post().send({ name: 'T-2' }),
    ]) {
      assert.equal([denied.status, denied.body.error.code], [403, 'FORBIDDEN'])
      assert.match(denied.body.error.message, 'Business plan (tier business)')
    }
    await buy('business', 1)
    assert.is((await get('/v1/turbines/T-1')).body.power, 7)
  },
)

life('is for System Managers with a key of scope admin', async () => {
  for (const scope of ['read', 'write'] as const) {
    const { status } = await request(app.app)
      .post('/v1/tiers/pro/subscribe')
      .set('Authorization', bearer(app.keys[scope]))
      .send({})
    assert.is(status, 403, scope)
  }
  const guest = await request(app.app).post('/v1/tiers/pro/subscribe').send({})
  assert.is(guest.status, 401)
  assert.equal(
    app.stripe.calls.filter((call) => call.includes('checkout')),
    [],
  )
})

life('sends people back to this workspace only', async () => {
  const outside = [
    'https://evil.example/',
    '//evil.example/x',
    'https://ann.example.evil.example/',
    'https://ann.example@evil.example/',
    'javascript:alert(1)',
    '/\\evil.example',
    7,
    '',
  ]
  for (const success_url of outside.filter((one) => one !== '')) {
    const { status, body } = await app.subscribe('pro', { success_url })
    assert.equal([status, body.error?.details[0].field], [422, 'success_url'], String(success_url))
  }
  const ours = {
    success_url: 'https://ann.example/done?id={CHECKOUT_SESSION_ID}',
    cancel_url: '/no',
  }
  assert.is((await app.subscribe('pro', ours)).status, 200)
  const [session] = app.stripe.sessions.values()
  assert.equal(
    [session.success_url, session.cancel_url],
    ['https://ann.example/done?id={CHECKOUT_SESSION_ID}', 'https://ann.example/no'],
  )
})

life('is refused for what cannot be', async () => {
  const refused: readonly (readonly [tier: string, body: object, status: number])[] = [
    ['gold', {}, 404],
    ['pro', { seats: 0 }, 422],
    ['pro', { seats: 1.5 }, 422],
    ['pro', { seats: '3' }, 422],
    ['pro', { coupon: 'X' }, 422],
  ]
  for (const [tier, body, status] of refused)
    assert.is((await app.subscribe(tier, body)).status, status, JSON.stringify([tier, body]))
  await app.engine.setTier('business')
  const overridden = await app.subscribe('pro')
  assert.equal([overridden.status, overridden.body.error.code], [409, 'CONFLICT'])
  assert.match(overridden.body.error.message, 'svc tier clear')
  assert.is(app.stripe.sessions.size, 0)
})

life.run()

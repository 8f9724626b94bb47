import type { Request } from 'express'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Actor, GUEST_ACTOR, SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { METHOD_PREFIX } from '../../../engine/base/brand.ts'
import { AppError } from '../../../engine/base/errors.ts'
import { billingMethods } from '../../../server/api/methods/billing-methods.ts'
import type { Billing } from '../../../server/billing/billing.ts'
import { stripeProvider } from '../../../server/billing/stripe.ts'
import type { ApiResponse } from '../../../server/http/request-state.ts'
import { bearer, openTestApp } from '../test-app.ts'
import { type BillingApp, openBillingApp } from './billing-app.ts'

const methods = suite('methods of surface A about plans')

let app: BillingApp
let billing: Billing
methods.before(async () => {
  app = await openBillingApp()
  const { secretKey, webhookSecret, url: apiBase } = app.stripe
  billing = {
    provider: stripeProvider({ secretKey, webhookSecret, apiBase }),
    addresses: () => ['https://ann.example'],
  }
})
methods.after(() => app.close())

const NOBODY: Billing = { provider: undefined, addresses: () => ['https://ann.example'] }
const MANAGER: Actor = { ...SYSTEM_ACTOR, kind: 'user', id: 'ann', name: 'ann' }
const CLERK: Actor = { ...MANAGER, id: 'bo', roles: ['Sales User'] }
const DEMO: Actor = {
  ...MANAGER,
  id: 'demo',
  user: { login: 'demo', email: 'demo@example.com', demoTier: 'business' },
}

// biome-ignore lint/suspicious/noExplicitAny: answers of many shapes
async function run(name: string, actor: Actor, args = {}, using = billing): Promise<any> {
  const method = billingMethods(using)[`${METHOD_PREFIX}.billing.api.${name}`]!
  const tier = actor.user?.demoTier ?? (await app.tier())
  return method.run({
    request: {} as Request,
    response: {} as ApiResponse,
    context: app.engine.context(actor, tier),
    args,
  })
}

async function refused(...call: Parameters<typeof run>): Promise<AppError> {
  try {
    await run(...call)
  } catch (error) {
    if (error instanceof AppError) return error
    throw error
  }
  throw new Error('expected it to be refused')
}

methods('tell guests what each plan costs and has', async () => {
  const pricing = await run('get_public_pricing', GUEST_ACTOR)
  assert.equal(Object.keys(pricing), ['free', 'pro', 'business'])
  const { price_per_user_month, currency, seats, features } = pricing.free
  assert.equal([price_per_user_month, currency, seats], [0, 'USD', 2])
  assert.equal(
    [features.ip_allowlist.included, pricing.business.features.ip_allowlist.included],
    [false, true],
  )
  assert.ok(pricing.free.resources < pricing.pro.resources)
  assert.is(pricing.business.resources, app.engine.services.registry.all.length)
})

methods('tell everybody their plan, a demo account its own', async () => {
  const { tier, tier_label, seats, seats_used } = await run('get_my_plan', CLERK)
  assert.equal([tier, tier_label, seats, seats_used], ['free', 'Free', 2, 0])
  const demo = await run('get_my_plan', DEMO)
  assert.equal([demo.tier, demo.tier_label, demo.seats], ['business', 'Business', null])
})

methods(
  'tell the state of billing to System Managers and demo accounts, without a secret',
  async () => {
    const status = await run('get_billing_status', MANAGER)
    assert.equal([status.tier, status.source, status.subscription], ['free', 'default', null])
    assert.equal([status.stripe.configured, status.provider.configured], [true, true])
    assert.not.match(JSON.stringify(status), 'CANARY')
    const demo = await run('get_billing_status', DEMO)
    assert.equal([demo.tier, demo.source], ['business', 'demo'])
    const none = await run('get_billing_status', MANAGER, {}, NOBODY)
    assert.equal([none.stripe.configured, none.provider.configured], [false, false])
    assert.is((await refused('get_billing_status', CLERK)).status, 403)
  },
)

methods('open a checkout and the portal for System Managers alone', async () => {
  assert.is((await refused('create_portal_session', MANAGER)).status, 409)
  const { url, plan } = await run('create_checkout', MANAGER, { plan: 'pro', seats: '3', cmd: 'x' })
  assert.is(plan, 'pro')
  app.stripe.pay(url)
  await app.deliverAll()
  assert.is(await app.tier(), 'pro')
  assert.match((await run('create_portal_session', MANAGER)).url, /^https:\/\/portal\.test\//)
  const status = await run('get_billing_status', MANAGER)
  assert.equal([status.subscription.status, status.subscription.seats], ['active', 3])
  for (const actor of [CLERK, DEMO]) {
    assert.is((await refused('create_checkout', actor, { plan: 'pro' })).status, 403)
    assert.is((await refused('create_portal_session', actor)).status, 403)
  }
  assert.is((await refused('create_checkout', GUEST_ACTOR, { plan: 'pro' })).status, 401)
})

methods('change nothing by themselves where a checkout is asked for', async () => {
  const before = app.stripe.calls.length
  const same = await refused('create_checkout', MANAGER, { plan: 'pro' })
  assert.equal([same.status, app.stripe.calls.length], [409, before])
  const fewer = await run('create_checkout', MANAGER, { plan: 'pro', seats: 1 })
  assert.match(fewer.url, /^https:\/\/portal\.test\//)
  assert.is([...app.stripe.subscriptions.values()][0].items.data[0].quantity, 3)
})

methods('say clearly what is wrong with a request', async () => {
  for (const args of [{}, { plan: 'free' }, { plan: 'gold' }, { plan: 'pro', seats: 0 }])
    assert.is((await refused('create_checkout', MANAGER, args)).status, 422, JSON.stringify(args))
  for (const name of ['create_checkout', 'create_portal_session']) {
    const none = await refused(name, MANAGER, { plan: 'pro' }, NOBODY)
    assert.equal([none.status, none.code], [409, 'CONFLICT'])
    assert.match(none.message, 'no payment provider is configured')
  }
})

methods('answer at their addresses, each only by its verb', async () => {
  const at = (name: string) => `/api/method/${METHOD_PREFIX}.billing.api.${name}`
  const pricing = await request(app.app).get(at('get_public_pricing'))
  assert.equal([pricing.status, pricing.body.message.pro.label], [200, 'Pro'])
  for (const name of ['get_my_plan', 'get_billing_status'])
    assert.is((await request(app.app).get(at(name))).status, 403, name)
  const key = bearer(app.keys.admin)
  const status = await request(app.app).get(at('get_billing_status')).set('Authorization', key)
  assert.is(status.body.message.stripe.configured, true)
  for (const name of ['create_checkout', 'create_portal_session']) {
    const got = await request(app.app).get(at(name)).set('Authorization', key)
    assert.ok(got.status >= 400, `GET ${name} ${got.status}`)
  }
  const portal = await request(app.app).post(at('create_portal_session')).set('Authorization', key)
  assert.match(portal.body.message.url, /^https:\/\/portal\.test\//)
})

const addons = suite('/v1/addons')

addons('lists bundles with their price, and whether the tier has them', async () => {
  const test = await openTestApp()
  const read = async (tier: string) => {
    await test.engine.setTier(tier)
    const { body } = await request(test.app)
      .get('/v1/addons')
      .set('Authorization', bearer(test.keys.read))
    return body.data as {
      slug: string
      billing_state: string
      tier: string
      price: number
      resources: string[]
    }[]
  }
  try {
    const plans = test.engine.services.plans.plans
    const ranks = plans.map(({ slug }) => slug)
    for (const [rank, { slug }] of plans.entries()) {
      const all = await read(slug)
      assert.ok(all.length >= 8)
      for (const addon of all) {
        const has = ranks.indexOf(addon.tier) <= rank
        assert.is(addon.billing_state, has ? 'included' : 'requires_upgrade', addon.slug)
        assert.is(addon.price, plans[ranks.indexOf(addon.tier)]?.price_per_user_month)
        assert.ok(addon.resources.length > 0)
      }
    }
    assert.is((await request(test.app).get('/v1/addons')).status, 401)
  } finally {
    await test.close()
  }
})

methods.run()
addons.run()

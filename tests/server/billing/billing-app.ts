import request, { type Response, type Test } from 'supertest'
import { stripeProvider } from '../../../server/billing/stripe.ts'
import { type StripeFake, startStripeFake } from '../../helpers/stripe-fake.ts'
import { bearer, openTestApp, type TestApp, type TestAppOptions } from '../test-app.ts'

/** An app whose payment provider is the fake, set up as `svc billing setup` does. */
export interface BillingApp extends TestApp {
  readonly stripe: StripeFake
  subscribe(tier: string, body?: object, key?: string): Test
  tier(): Promise<string>
  /** Delivers an event; by itself signed now. */
  deliver(event: object, at?: number, secret?: string): Promise<Response>
  /** Delivers all events that came since the last time, in this order. */
  deliverAll(order?: (events: object[]) => object[]): Promise<void>
}

export async function openBillingApp(options: TestAppOptions = {}): Promise<BillingApp> {
  const stripe = await startStripeFake()
  const { secretKey, webhookSecret, url: apiBase } = stripe
  const provider = stripeProvider({ secretKey, webhookSecret, apiBase })
  const test = await openTestApp({
    ...options,
    provider,
    settings: { baseUrl: 'https://ann.example', rateLimit: false, ...options.settings },
  })
  await provider.setUp(test.engine.services.plans.plans, {
    dryRun: false,
    onStep: () => undefined,
  })
  let delivered = 0

  async function deliver(event: object, at = test.clock.now(), secret?: string): Promise<Response> {
    const { body, signature } = stripe.signed(event, at, secret)
    return request(test.app)
      .post('/hooks/stripe')
      .set('Content-Type', 'application/json')
      .set('Stripe-Signature', signature)
      .send(body)
  }

  return {
    ...test,
    stripe,
    subscribe(tier, body = {}, key) {
      const call = request(test.app)
        .post(`/v1/tiers/${tier}/subscribe`)
        .set('Authorization', bearer(test.keys.admin))
      return (key === undefined ? call : call.set('Idempotency-Key', key)).send(body)
    },
    tier: () => test.engine.tier(),
    deliver,
    async deliverAll(order = (events) => events) {
      const events = order(stripe.events.slice(delivered))
      delivered = stripe.events.length
      for (const event of events) {
        const { status, text } = await deliver(event)
        if (status !== 200) throw new Error(`an event was answered with ${status}: ${text}`)
      }
    },
    async close() {
      await test.close()
      await stripe.close()
    },
  }
}

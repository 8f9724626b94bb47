import request from 'supertest'
import * as assert from 'uvu/assert'
import { readSubscription } from '../../../engine/storage/workspace/subscription.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { randomOf, seedsOf } from '../../helpers/random.ts'
import { openTestApp } from '../test-app.ts'
import { type BillingApp, openBillingApp } from './billing-app.ts'

const MINUTE = 60_000
const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

forEachDatabaseWhenDeep('the receiver of the provider', ({ test, fresh }) => {
  let app: BillingApp
  test.before(async () => {
    app = await openBillingApp({ database: await fresh() })
  })
  test.after(() => app.close())

  async function bought(): Promise<string> {
    await app.subscribe('free')
    const { body } = await app.subscribe('pro')
    return app.stripe.pay(body.checkout_url).id
  }

  async function rows(table: string): Promise<number> {
    const found = await app.engine.services.database.read.selectFrom(table).selectAll().execute()
    return found.length
  }

  test('takes an event once, however often it comes, also a day later and to another process', async () => {
    const id = await bought()
    await app.deliverAll()
    const known = await rows('svc_provider_events')
    const logged = await rows('svc_events')
    const [event] = app.stripe.events.filter(({ data }) => data.object.id === id)
    const asked = app.stripe.calls.length
    for (const later of [0, 2 * MINUTE, 24 * 60 * MINUTE]) {
      app.clock.advance(later)
      assert.is((await app.deliver(event)).status, 200)
    }
    const { body, signature } = app.stripe.signed(event, app.clock.now())
    const other = await request(app.again().app)
      .post('/hooks/stripe')
      .set('Stripe-Signature', signature)
      .set('Content-Type', 'application/json')
      .send(body)
    assert.is(other.status, 200)
    assert.is(await rows('svc_provider_events'), known)
    assert.is(await rows('svc_events'), logged)
    assert.is(app.stripe.calls.length, asked, 'the provider was asked for an event that is known')
  })

  test('refuses what is not genuine, or not of now, with one answer and no effect', async () => {
    const id = await bought()
    await app.deliverAll()
    app.stripe.become(id, { status: 'canceled' })
    const event = app.stripe.events.at(-1)
    const now = app.clock.now()
    const { body, signature } = app.stripe.signed(event, now)
    const send = (text: string, header: string | undefined) => {
      const call = request(app.app).post('/hooks/stripe').set('Content-Type', 'application/json')
      return (header === undefined ? call : call.set('Stripe-Signature', header)).send(text)
    }
    const past = app.stripe.signed(event, now - 6 * MINUTE).signature
    const future = app.stripe.signed(event, now + 6 * MINUTE).signature
    const [moment] = signature.split(',')
    const refused: readonly (readonly [string, string | undefined])[] = [
      [body, undefined],
      [body, ''],
      [body, 'nonsense'],
      [body, app.stripe.signed(event, now, 'whsec_another').signature],
      [body, past],
      [body, future],
      [body, `${moment},${future}`],
      [body, `${future},${moment}`],
      [body.replace('canceled', 'active'), signature],
      [`${body} `, signature],
      ['', signature],
    ]
    const answers = new Set<string>()
    for (const [text, header] of refused) {
      const { status, body: answer } = await send(text, header)
      assert.is(status, 400, String(header))
      answers.add(JSON.stringify(answer))
    }
    assert.is(answers.size, 1)
    assert.is(await app.tier(), 'pro')
    assert.is((await send(body, signature)).status, 200)
    assert.is(await app.tier(), 'free')
  })

  test('ends where the provider is, whatever order events come in, and however many at once', async () => {
    const states = ['active', 'past_due', 'unpaid', 'canceled', 'trialing', 'paused']
    for (const seed of SEEDS) {
      const random = randomOf(seed)
      const id = await bought()
      await app.deliverAll()
      const from = app.stripe.events.length
      for (let change = 0; change < 5; change += 1)
        app.stripe.become(id, { status: random.one(states) })
      const last = app.stripe.subscriptions.get(id).status
      const events = app.stripe.events.slice(from)
      const mixed = [...events, ...events].sort(() => random.next() - 0.5)
      const answers = await Promise.all(mixed.map((event) => app.deliver(event)))
      assert.equal([...new Set(answers.map(({ status }) => status))], [200])
      const expected = ['active', 'past_due', 'trialing'].includes(last) ? 'pro' : 'free'
      assert.is(await app.tier(), expected, `${last}, seed ${seed}`)
      const { status } = (await readSubscription(app.engine.services.database.read))!
      assert.is(status, last, `seed ${seed}`)
    }
  })

  test('lets nothing old win over what came while the provider answered', async () => {
    const id = await bought()
    await app.deliverAll()
    app.stripe.become(id, { status: 'unpaid' })
    const stale = app.stripe.events.at(-1)
    const read = app.engine.services.database.read
    // The provider has answered "unpaid" to the first; before that commits, the second comes and goes.
    app.stripe.mood = 'hang'
    const calls = app.stripe.calls.length
    const first = app.deliver(stale)
    await until(() => app.stripe.calls.length > calls)
    const { version } = (await readSubscription(read))!
    app.stripe.mood = 'up'
    app.stripe.become(id, { status: 'active' })
    await app.deliver(app.stripe.events.at(-1))
    assert.is((await readSubscription(read))!.version, version + 1)
    const before = app.stripe.calls.length
    app.stripe.release()
    assert.is((await first).status, 200)
    assert.is(app.stripe.calls.length, before + 1, 'the provider was not asked again')
    assert.is(await app.tier(), 'pro')
  })

  test('notes nothing while the provider cannot be asked, and follows when it is sent again', async () => {
    const id = await bought()
    app.stripe.become(id, { status: 'active' })
    const event = app.stripe.events.at(-1)
    app.stripe.mood = 'down'
    const { status, body, headers } = await app.deliver(event)
    assert.equal([status, body.error.code, headers['retry-after']], [503, 'UNAVAILABLE', '5'])
    assert.is(await app.tier(), 'free')
    app.stripe.mood = 'up'
    assert.is((await app.deliver(event)).status, 200)
    assert.is(await app.tier(), 'pro')
    await app.deliverAll()
  })

  test('answers events about others, and of kinds it does not know, with 200 and does nothing', async () => {
    const known = await rows('svc_provider_events')
    const others = [
      {
        id: 'evt_x1',
        type: 'customer.subscription.updated',
        data: { object: { customer: 'cus_else' } },
      },
      { id: 'evt_x2', type: 'payout.paid', data: { object: {} } },
      { id: 'evt_x3', type: 'invoice.paid' },
      {
        id: 'evt_x4',
        type: 'customer.deleted',
        data: { object: { object: 'customer', id: 'cus_else' } },
      },
    ]
    for (const event of others) assert.is((await app.deliver(event)).status, 200, event.type)
    assert.is((await app.deliver({ object: 'v2.core.event' })).status, 400)
    assert.is(await rows('svc_provider_events'), known)
  })

  test('takes POST of at most 1 MB', async () => {
    assert.is((await request(app.app).get('/hooks/stripe')).status, 405)
    const huge = { id: 'evt_huge', type: 'invoice.paid', text: 'x'.repeat(1_048_576) }
    assert.is((await app.deliver(huge)).status, 413)
    assert.is((await request(app.app).post('/hooks/other').send('{}')).status, 404)
  })

  test('is there only where a secret to read events with is set', async () => {
    const bare = await openTestApp()
    try {
      const answer = await request(bare.app).post('/hooks/stripe').send({})
      assert.is(answer.status, 404)
    } finally {
      await bare.close()
    }
  })

  test('logs no secret, no body and no signature', async () => {
    const { body, signature } = app.stripe.signed({ id: 'evt_1', note: 'CANARY4body' }, 0)
    await request(app.app).post('/hooks/stripe').set('Stripe-Signature', signature).send(body)
    app.stripe.mood = 'refuses-key'
    const refused = await app.subscribe('business')
    app.stripe.mood = 'up'
    assert.equal([refused.status, refused.body.error.code], [503, 'UNAVAILABLE'])
    const v1 = signature.split('v1=')[1]!
    for (const text of [app.logged(), JSON.stringify(refused.body)]) {
      assert.not.match(text, 'CANARY4')
      assert.not.match(text, v1)
    }
    assert.match(app.logged(), 'StripeAuthenticationError')
  })
})

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}

import { readFileSync } from 'node:fs'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { prepareData } from '../helpers/prepared.ts'
import { type StripeFake, startStripeFake } from '../helpers/stripe-fake.ts'
import { runHere } from './in-process.ts'
import { type Folder, serve, svc, temporaryFolder } from './process.ts'

const setup = suite('svc billing setup')
let stripe: StripeFake
let folder: Folder
let env: Record<string, string>
const run = (...flags: string[]) =>
  runHere(['billing', 'setup', '--data', `${folder.path}/data`, ...flags], env)

setup.before.each(async () => {
  folder = temporaryFolder()
  await prepareData(`${folder.path}/data`)
  stripe = await startStripeFake()
  env = {
    SVC_STRIPE_SECRET_KEY: stripe.secretKey,
    SVC_STRIPE_WEBHOOK_SECRET: stripe.webhookSecret,
    SVC_STRIPE_API_BASE: stripe.url,
  }
})
setup.after.each(async () => {
  await stripe.close()
  folder.remove()
})

const results = (stdout: string): string[] =>
  (JSON.parse(stdout) as { steps: { what: string; id: string; result: string }[] }).steps.map(
    ({ what, id, result }) => `${what} ${id} ${result}`,
  )

setup('says what it would do, does it once, and keeps what is right', async () => {
  const dry = await run('--dry-run')
  assert.is(dry.code, 0, dry.stderr)
  assert.match(dry.stdout, 'Pro, 15 USD per user and month: would be created')
  assert.equal(
    stripe.calls.filter((call) => call.startsWith('POST')),
    [],
  )

  const first = await run('--json')
  assert.equal(results(first.stdout), [
    'product svc_pro created',
    'price svc_pro_monthly created',
    'product svc_business created',
    'price svc_business_monthly created',
    'portal svc_portal created',
  ])
  const amounts = [...stripe.prices.values()].map(({ lookup_key, unit_amount, currency }) => [
    lookup_key,
    unit_amount,
    currency,
  ])
  assert.equal(amounts, [
    ['svc_pro_monthly', 1500, 'usd'],
    ['svc_business_monthly', 2500, 'usd'],
  ])
  assert.ok(results((await run('--json')).stdout).every((line) => line.endsWith(' kept')))

  // A price of another amount gives way to a new one, which the same key finds.
  const [pro] = [...stripe.prices.values()]
  pro.unit_amount = 1200
  assert.equal(
    results((await run('--json')).stdout).filter((line) => !line.endsWith(' kept')),
    ['price svc_pro_monthly changed', 'portal svc_portal changed'],
  )
  const found = [...stripe.prices.values()].filter(
    ({ lookup_key }) => lookup_key === 'svc_pro_monthly',
  )
  assert.equal(
    found.map(({ unit_amount }) => unit_amount),
    [1500],
  )
})

setup('fails in one line that shows no key: without a provider, refused, or down', async () => {
  stripe.mood = 'refuses-key'
  const refused = await run()
  stripe.mood = 'down'
  const down = await run()
  env = {}
  const none = await run()
  for (const { code, stderr } of [refused, down, none]) {
    assert.is(code, 1)
    assert.match(stderr, /^svc: [^\n]+\n$/)
    assert.not.match(stderr, 'CANARY')
  }
  assert.match(refused.stderr, 'SVC_STRIPE_SECRET_KEY')
  assert.match(down.stderr, 'cannot be reached')
  assert.match(none.stderr, 'no payment provider is configured')
})

setup('makes what a server sells, which sends people back to where it listens', async () => {
  assert.is((await run()).code, 0)
  const data = `${folder.path}/data`
  const server = await serve(data, [], env)
  try {
    const { admin_key } = JSON.parse(readFileSync(`${data}/first-run.json`, 'utf8'))
    const answer = await fetch(`${server.url}/v1/tiers/pro/subscribe`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${admin_key}` },
    })
    const body = (await answer.json()) as { applied: boolean; checkout_url: string }
    assert.equal([answer.status, body.applied], [200, false], JSON.stringify(body))
    const [session] = [...stripe.sessions.values()]
    assert.is(session.success_url, `${server.url}/?checkout=success`)
    stripe.pay(body.checkout_url)
    for (const event of stripe.events) {
      const signed = stripe.signed(event, Date.now())
      const sent = await fetch(`${server.url}/hooks/stripe`, {
        method: 'POST',
        headers: { 'Stripe-Signature': signed.signature },
        body: signed.body,
      })
      assert.is(sent.status, 200)
    }
    const tiers = await fetch(`${server.url}/v1/tiers`, {
      headers: { 'X-API-Key': String(admin_key) },
    })
    assert.is(((await tiers.json()) as { current: string }).current, 'pro')
    const shown = await svc(['tier', 'show', '--data', data])
    assert.match(shown.stdout, 'pro comes from the subscription, which is active')
    assert.not.match(server.output().stderr, 'CANARY')
  } finally {
    await server.end()
  }
})

setup.run()

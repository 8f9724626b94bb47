import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addressLimit } from '../../server/limits/address-limit.ts'
import { createSender } from '../../webhooks/sending/send.ts'
import { ok, redirectsTo } from '../helpers/receivers.ts'
import { changedTables, dumpTables } from '../helpers/tables.ts'
import { openBillingApp } from '../server/billing/billing-app.ts'
import { openTestApp, testClock } from '../server/test-app.ts'
import { openWebhookApp } from '../webhooks/webhook-app.ts'
import { send } from './people.ts'
import { openScene, type Scene } from './scene.ts'

/* W of the security checklist: what others can make the server do. */

const test = suite('security checklist: outside')
let scene: Scene
test.before(async () => {
  scene = await openScene()
})
test.after(() => scene.close())

const admin = (verb: 'get' | 'post' | 'patch' | 'delete', path: string) =>
  scene.call(scene.keys.admin, verb, path)

test('W1 a webhook cannot be pointed at this machine or its network, and follows no redirect', async () => {
  // All forms, rebinding, and the real send path: tests/webhooks/hostile-targets.test.ts.
  const secret = await ok()
  const forms = [
    '127.0.0.1',
    '127.1',
    '0x7f.1',
    '2130706433',
    '0177.0.0.1',
    '[::ffff:7f00:1]',
    '[::1]',
    '①②⑦.⓪.⓪.①',
    'localhost',
    '0.0.0.0',
    '169.254.169.254',
    '10.0.0.1',
    '[fd00::1]',
  ]
  const urls = [
    ...forms.map((host) => `http://${host}:${secret.port}/hook`),
    'file:///etc/passwd',
    'gopher://127.0.0.1/x',
    'http://example.com:6379/',
  ]
  const policy = { loopback: false, private: false, ownPorts: [] }
  const strict = await openWebhookApp({
    isIdle: true,
    policy,
    resolve: async () => [{ address: '93.184.215.14', family: 4 }],
    settings: { rateLimit: false },
  })
  try {
    const { id } = await strict.subscribe('https://shop.example/hook', ['*'])
    for (const url of urls) {
      await strict.call('post', '/v1/webhooks', { url, events: ['*'] }, 422)
      await strict.call('patch', `/v1/webhooks/${id}`, { url }, 422)
    }
    const sender = createSender({
      policy,
      resolve: async () => [{ address: '127.0.0.1', family: 4 }],
    })
    const sent = await sender.send({
      url: `http://shop.example:${secret.port}/hook`,
      headers: {},
      body: '{}',
    })
    assert.is(sent.statusCode, null)
    await sender.close()
  } finally {
    await strict.close()
  }
  const open = await openWebhookApp()
  const redirecting = await redirectsTo(secret.url)
  try {
    await open.subscribe(redirecting.url, ['gadgets.created'])
    await open.makeGadget('W1')
    await open.worker.settled()
    assert.equal([redirecting.requests().length, secret.connections()], [1, 0])
  } finally {
    await open.close()
    await redirecting.close()
    await secret.close()
  }
})

test('W2 an id in a path stays an id: it leads to no other route', async () => {
  // The paths that calls of the tool server take; what it sends at all: tests/mcp/hostile-arguments.test.ts.
  for (const id of [
    '..%2fusers',
    '%2e%2e%2fapi-keys',
    'x%2fsubmit',
    'x%3fscope=admin',
    'x%23',
    'a%2factions%2frun',
    '..%5capi-keys',
  ]) {
    for (const path of [`/v1/gadgets/${id}`, `/api/resource/Gadget/${id}`]) {
      const { status, text } = await admin('get', path)
      assert.is(status, 404, `${path}: ${text}`)
      assert.not.match(text, /"(prefix|last4|roles)"/)
    }
  }
  assert.is((await admin('post', '/v1/parcels/x%2fsubmit')).status, 405)
})

test('W3 the limit is that of the plan whatever number of keys, guesses count by address, counters end somewhere', async () => {
  // Windows, plans and processes: tests/server/rate-limit.test.ts.
  const limited = await openTestApp()
  try {
    const remaining = async (key: string): Promise<number> =>
      Number(
        (await send(limited, 'get', '/v1/gadgets', { 'x-api-key': key })).headers[
          'x-ratelimit-remaining'
        ],
      )
    const first = await remaining(limited.keys.read)
    for (let n = 1; n <= 5; n += 1)
      assert.is(await remaining((await limited.newKey()).key), first - n)
    const guesses: number[] = []
    for (let n = 0; n < 70; n += 1)
      guesses.push((await send(limited, 'get', '/v1/gadgets', { 'x-api-key': `guess${n}` })).status)
    assert.equal([...new Set(guesses.slice(0, 60))], [401])
    assert.equal([...new Set(guesses.slice(60))], [429])
    const bounded = addressLimit({ clock: testClock(), limit: 5, maxAddresses: 10 })
    for (let n = 0; n < 10; n += 1) bounded.take(`10.0.0.${n}`)
    const rest = Array.from({ length: 20 }, (_, n) => bounded.take(`10.0.1.${n}`).allowed)
    assert.is(rest.filter(Boolean).length, 5, 'all further ones share a counter')
  } finally {
    await limited.close()
  }
})

test('W4 an event of the payment provider counts once, only when it is genuine, in any order', async () => {
  // Times, orders and processes: tests/server/billing/receiver.test.ts.
  const billing = await openBillingApp()
  try {
    await billing.subscribe('free')
    const { body } = await billing.subscribe('pro')
    const { id } = billing.stripe.pay(body.checkout_url)
    const event = billing.stripe.events.find(({ data }) => data.object.id === id)
    const tables = () => dumpTables(billing.engine.services.database)
    const before = await tables()
    assert.is((await billing.deliver(event, undefined, 'whsec_forged')).status, 400)
    assert.is((await billing.deliver(event, billing.clock.now() - 3_600_000)).status, 400)
    assert.is((await billing.deliver(event, billing.clock.now() + 3_500_000)).status, 400)
    assert.equal(changedTables(before, await tables()), [])
    assert.is((await billing.deliver(event)).status, 200)
    assert.is(await billing.tier(), 'pro')
    const after = await tables()
    billing.clock.advance(7_200_000)
    assert.is((await billing.deliver(event)).status, 200)
    assert.equal(changedTables(after, await tables()), [])
    billing.stripe.become(id, { status: 'canceled' })
    await billing.deliverAll((events) => events.toReversed())
    assert.is(await billing.tier(), 'free')
  } finally {
    await billing.close()
  }
})

test('W5 what people wrote is never a page: JSON with nosniff and a policy that runs nothing', async () => {
  // What somebody uploaded: tests/server/files/files.test.ts, and in a browser tests/browser/files.test.ts.
  const script = '<script>alert(1)</script><svg onload=alert(1)>'
  await admin('post', '/v1/gadgets').send({ code: 'W5', title: script, story: script })
  for (const path of [
    '/v1/gadgets/W5',
    '/v1/gadgets',
    '/api/resource/Gadget/W5',
    `/v1/${encodeURIComponent(script)}`,
    `/nothing/${encodeURIComponent(script)}`,
  ]) {
    const { headers } = await admin('get', path).set('Accept', 'text/html')
    assert.match(headers['content-type'] ?? '', 'application/json', path)
    assert.is(headers['x-content-type-options'], 'nosniff', path)
    assert.match(headers['content-security-policy'] ?? '', "default-src 'none'", path)
  }
  for (const path of ['/files/a.svg', '/private/files/a.html', '/uploads/a.svg'])
    assert.is((await admin('get', path)).status, 404, path)
  const page = await send(
    scene,
    'get',
    `/login?redirect-to=${encodeURIComponent(`/${script}`)}&done=${encodeURIComponent(script)}`,
  )
  assert.not.match(page.text, '<script>alert')
  const shown = await send(scene, 'post', '/login')
    .type('form')
    .send({ usr: `${script}"'`, pwd: 'x' })
  assert.not.match(shown.text, '<script>alert')
  assert.match(page.headers['content-security-policy'] ?? '', /default-src '(none|self)'/)
  assert.not.match(page.headers['content-security-policy'] ?? '', 'unsafe-inline')
})

test.run()

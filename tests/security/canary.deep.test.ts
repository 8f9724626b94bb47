import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { stripeProvider } from '../../server/billing/stripe.ts'
import { readFirstRun, serve, svc, temporaryFolder } from '../cli/process.ts'
import { prepareData } from '../helpers/prepared.ts'
import { answers, ok } from '../helpers/receivers.ts'
import { startStripeFake } from '../helpers/stripe-fake.ts'
import { dumpTables } from '../helpers/tables.ts'
import { linkIn, outbox } from '../server/pages/browser.ts'
import { TEST_DOCTYPES } from '../server/test-app.ts'
import { openWebhookApp } from '../webhooks/webhook-app.ts'
import { type Canary, escaped, formsOf, type Seen } from './canaries.ts'
import { addMember, send, sessionOf, type Verb } from './people.ts'

/*
 * A workspace with a secret in every place that can have one. Everything that comes out of it is read, and no
 * secret is in it but in the one answer that tells it (reliability.md H3, K2).
 */

const test = suite('secrets')

test('a form of a secret is found in the encodings a text can be in', () => {
  const value = 'Cänary "one" <x> & %41'
  const inside = Buffer.from(`before ${value} after`)
  for (const text of [
    value,
    JSON.stringify({ value }),
    encodeURIComponent(value),
    inside.toString('base64'),
    inside.toString('hex'),
    Buffer.from(`a${value}b`).toString('base64url'),
  ])
    assert.ok(
      [...formsOf(value)].some((form) => text.includes(form)),
      text,
    )
  const canary = { name: 'c', value, shownIn: ['here'] }
  assert.is(
    escaped(
      [canary],
      [
        { place: 'here', text: value },
        { place: 'there', text: value },
      ],
    ).length,
    1,
  )
})

test('are told once and kept nowhere in plain text: answers, logs, events, deliveries, metadata, tables', async () => {
  const stripe = await startStripeFake()
  const receiver = await ok()
  const failing = await answers(500, 'no')
  const { secretKey, webhookSecret, url: apiBase } = stripe
  const app = await openWebhookApp({
    tier: 'pro',
    provider: stripeProvider({ secretKey, webhookSecret, apiBase }),
    doctypes: TEST_DOCTYPES,
    settings: {
      rateLimit: false,
      baseUrl: 'https://ann.example',
      signup: true,
      smtpUrl: 'smtp://mail.invalid',
    },
    worker: { logger: { warn: () => undefined, error: () => undefined, info: () => undefined } },
  })
  const canaries: Canary[] = []
  const seen: Seen[] = []
  const add = (name: string, value: string, ...shownIn: string[]): string => {
    canaries.push({ name, value, shownIn })
    return value
  }
  /** A call whose whole answer is looked through. */
  async function call(
    place: string,
    verb: Verb,
    path: string,
    headers: Record<string, string>,
    body?: object | string,
  ) {
    const request = send(app, verb, path, headers)
    if (typeof body === 'string') request.type('form')
    const answer = await request.send(body)
    seen.push({ place, text: `${JSON.stringify(answer.headers)}\n${answer.text ?? ''}` })
    return answer
  }

  try {
    const password = add('password', 'Cänary "passwörd" <1> & %41 \\')
    const wrong = add('wrong password', 'Cänary "wröng" <2> & %42 \\')
    const newer = add('new password', 'Cänary "newer" <3> & %43 \\')
    add('workspace key', app.secretKey.toString('base64'))
    add('workspace key in hex', app.secretKey.toString('hex'))
    add('provider key', secretKey)
    add('provider webhook secret', webhookSecret)
    const boss = await addMember(app, 'boss@example.com', ['System Manager'], password)
    add('api_secret', boss.apiSecret)
    for (const [scope, key] of Object.entries(app.keys)) add(`${scope} key`, key)
    const admin = { 'x-api-key': app.keys.admin }
    const pair = { authorization: boss.authorization }
    const basic = {
      authorization: `Basic ${Buffer.from(`${boss.apiKey}:${boss.apiSecret}`).toString('base64')}`,
    }

    // Secrets that are told in an answer.
    const idempotent = { ...admin, 'idempotency-key': 'canary-1' }
    const made = await call('key made', 'post', '/v1/api-keys', idempotent, { scope: 'write' })
    const again = await call('key made', 'post', '/v1/api-keys', idempotent, { scope: 'write' })
    assert.is(again.headers['idempotent-replayed'], 'true')
    add('made key', made.body.key, 'key made')
    const hookBody = { url: receiver.url, events: ['*'] }
    const hook = await call(
      'webhook made',
      'post',
      '/v1/webhooks',
      { ...admin, 'idempotency-key': 'canary-2' },
      hookBody,
    )
    add('webhook secret', hook.body.secret, 'webhook made')
    const rotated = await call(
      'secret rotated',
      'post',
      `/v1/webhooks/${hook.body.id}/rotate`,
      { ...admin, 'idempotency-key': 'canary-3' },
      {},
    )
    add('rotated webhook secret', rotated.body.secret, 'secret rotated')
    await call('second webhook', 'post', '/v1/webhooks', admin, {
      url: failing.url,
      events: ['*'],
    }).then(({ body }) => add('second webhook secret', body.secret, 'second webhook'))
    const login = await call(
      'login',
      'post',
      '/api/method/login',
      {},
      { usr: boss.login, pwd: password },
    )
    const cookie = /sid=([^;]+)/.exec(String(login.headers['set-cookie']))?.[1] ?? ''
    add('session', cookie, 'login')
    const generated = await call(
      'keys generated',
      'post',
      '/api/method/frappe.core.doctype.user.user.generate_keys',
      pair,
      { user: boss.login },
    )
    if (generated.status === 200)
      add('generated api_secret', generated.body.message.api_secret, 'keys generated')
    const session = { cookie: await sessionOf(app, boss.login) }
    add('second session', session.cookie.slice('sid='.length))

    // A one-time link is in the mail alone.
    await call('forgot', 'post', '/forgot-password', {}, `usr=${boss.login}`)
    const { path } = linkIn((await outbox(app)).at(-1)!)
    add('one-time link', new URLSearchParams(path.split('?')[1]).get('token') ?? '', 'link opened')
    await call('link opened', 'get', path, {})
    await call(
      'password too short',
      'post',
      '/reset-password',
      {},
      new URLSearchParams({ token: 'x'.repeat(43), password: newer, again: newer }).toString(),
    )

    // Passwords and secrets where they do not belong.
    for (const usr of [boss.login, 'nobody@example.com']) {
      await call('login refused', 'post', '/api/method/login', {}, { usr, pwd: wrong })
      await call(
        'page login refused',
        'post',
        '/login',
        {},
        new URLSearchParams({ usr, pwd: wrong }).toString(),
      )
    }
    await call(
      'login of another type',
      'post',
      '/api/method/login',
      {},
      { usr: boss.login, pwd: { a: wrong } },
    )
    await call(
      'login by cmd',
      'post',
      '/',
      {},
      new URLSearchParams({ cmd: 'login', usr: boss.login, pwd: wrong }).toString(),
    )
    const asName = add('password typed as a name', 'canary-typed-as-a-name')
    await call('password as a name', 'post', '/api/method/login', {}, { usr: asName, pwd: 'x' })
    await call('password as a name on the page', 'post', '/forgot-password', {}, `usr=${asName}`)
    await call(
      'login by GET',
      'get',
      `/api/method/login?usr=x&pwd=${encodeURIComponent(wrong)}`,
      {},
    )

    // A field of type password.
    const pin = add('password field', 'Cänary-pin-<4>-&-%44')
    const gadget = await call(
      'gadget',
      'post',
      '/v1/gadgets',
      { ...admin, 'idempotency-key': 'canary-4' },
      { code: 'C', title: 'x', pin },
    )
    assert.is(gadget.status, 201, gadget.text)
    await call('gadget changed', 'patch', '/v1/gadgets/C', admin, { pin: `${pin}2`, title: 'y' })
    await call('gadget refused', 'post', '/v1/gadgets', admin, { code: 'D', title: 1, pin })
    await call('pin of another type', 'post', '/v1/gadgets', admin, {
      code: 'D',
      title: 'x',
      pin: [pin],
    })
    await call('pin too long', 'post', '/v1/gadgets', admin, {
      code: 'D',
      title: 'x',
      pin: pin.repeat(200),
    })
    await call('gadget by surface A', 'post', '/api/resource/Gadget', pair, {
      code: 'E',
      title: 'x',
      pin,
    })
    await call('pin too long by surface A', 'put', '/api/resource/Gadget/E', admin, {
      pin: pin.repeat(200),
    })

    for (const headers of [
      admin,
      pair,
      basic,
      session,
      {},
      { authorization: `Bearer ${app.keys.read}`, 'x-api-key': app.keys.admin },
      { 'x-api-key': `${app.keys.admin}x` },
    ])
      for (const path of READS)
        await call(`GET ${path}`, 'get', path, headers as Record<string, string>)
    await call('subscribe', 'post', '/v1/tiers/business/subscribe', admin, {})
    stripe.mood = 'refuses-key'
    await call('subscribe refused', 'post', '/v1/tiers/business/subscribe', admin, {})
    stripe.mood = 'up'
    await call(
      'hook forged',
      'post',
      '/hooks/stripe',
      { 'stripe-signature': 't=1,v1=00' },
      { id: 'evt', type: 'x' },
    )
    await app.worker.settled()
    await app.afterwards()
    for (const path of READS) await call(`GET ${path}`, 'get', path, admin)
    await call('logout', 'post', '/api/method/logout', { cookie: `sid=${cookie}` })

    const tables = await dumpTables(app.engine.services.database)
    // A failure of the database in the middle: its message could tell what was bound to the statement.
    const { table } = app.engine.services.registry.byDoctype('Gadget')!
    await app.engine.services.database.write((tx) =>
      sql`drop table ${sql.table(table)}`.execute(tx),
    )
    const broken = await call('broken', 'post', '/v1/gadgets', admin, {
      code: 'F',
      title: 'x',
      pin,
    })
    assert.is(broken.status, 500)
    await call('broken A', 'post', '/api/resource/Gadget', session, { code: 'F', title: 'x', pin })

    seen.push({ place: 'log', text: app.logged() })
    for (const [name, rows] of Object.entries(tables))
      seen.push({ place: `table ${name}`, text: rows.join('\n') })
    for (const { requests } of [receiver, failing])
      for (const { headers, body } of requests())
        seen.push({ place: 'delivery', text: `${JSON.stringify(headers)}\n${body}` })
    assert.ok(seen.some(({ place }) => place === 'delivery'))
    assert.ok(app.logged().includes('"level"'))
    assert.equal(escaped(canaries, seen), [])
  } finally {
    await app.close()
    await Promise.all([receiver.close(), failing.close(), stripe.close()])
  }
})

const READS = [
  '/v1/gadgets',
  '/v1/gadgets/C',
  '/v1/gadgets?fields=code,pin',
  '/v1/users',
  '/v1/users/boss@example.com',
  '/v1/api-keys',
  '/v1/webhooks',
  '/v1/events?limit=100',
  '/v1/resources',
  '/v1/resources/gadgets',
  '/v1/openapi.json',
  '/v1/tiers',
  '/v1/webhooks/events',
  '/metrics',
  '/api/resource/Gadget?fields=["*"]',
  '/api/resource/Gadget/C',
  '/api/resource/User/boss@example.com',
  '/api/method/frappe.client.get_password?doctype=Gadget&name=C&fieldname=pin',
  '/api/method/frappe.client.get_value?doctype=Gadget&filters=C&fieldname=pin',
  '/settings/developer',
  '/settings/sessions',
  '/nothing',
  '/readyz',
]

test('of the settings are in no log, no answer and no file of a real process', async () => {
  const folder = temporaryFolder()
  await prepareData(folder.path)
  const canary = (name: string, value: string, ...shownIn: string[]): Canary => ({
    name,
    value,
    shownIn,
  })
  const secret = Buffer.from('canary-of-the-workspace-key-0032').toString('base64')
  const env = {
    SVC_SECRET_KEY: secret,
    SVC_SMTP_URL: 'smtp://mailer:Canary-smtp-password@127.0.0.1:9',
    SVC_STRIPE_SECRET_KEY: 'sk_test_Canary0provider0key',
    SVC_STRIPE_WEBHOOK_SECRET: 'whsec_Canary0provider0webhook',
    SVC_LOG_LEVEL: 'trace',
  }
  const seen: Seen[] = []
  try {
    const server = await serve(folder.path, [], env)
    const { password, admin_key } = readFirstRun(folder.path)
    for (const [path, headers] of [
      ['/v1/users', { 'x-api-key': admin_key }],
      ['/v1/openapi.json', {}],
      ['/metrics', {}],
      ['/v1/users', { 'x-api-key': `${admin_key.slice(0, -1)}_` }],
    ] as const) {
      const answer = await fetch(server.url + path, { headers })
      seen.push({ place: path, text: await answer.text() })
    }
    const form = new URLSearchParams({ usr: 'Administrator', pwd: password })
    const login = await fetch(`${server.url}/api/method/login`, { method: 'POST', body: form })
    assert.is(login.status, 200)
    await fetch(`${server.url}/forgot-password`, { method: 'POST', body: form })
    const { stdout, stderr } = await server.end()
    seen.push({ place: 'stderr', text: stderr }, { place: 'stdout', text: stdout })
    const data = ['--data', folder.path]
    for (const args of [
      ['user', 'list', '--debug'],
      ['key', 'list', '--debug'],
      ['user', 'passwd', 'nobody@example.com', '--password', 'Canary-typed-password', '--debug'],
      ['migrate', '--debug'],
      ['tier', 'set', 'nonsense', '--debug'],
    ]) {
      const { stdout, stderr } = await svc([...args, ...data], env)
      seen.push({ place: `svc ${args.slice(0, 2).join(' ')}`, text: `${stdout}\n${stderr}` })
    }
    const broken = await svc(['user', 'list', '--debug', ...data], {
      ...env,
      SVC_SECRET_KEY: `${secret}Canary-broken`,
      SVC_SMTP_URL: 'Canary-smtp-password',
      SVC_STRIPE_SECRET_KEY: '',
    })
    seen.push({ place: 'svc with broken settings', text: `${broken.stdout}\n${broken.stderr}` })
    for (const name of readdirSync(folder.path, { recursive: true, encoding: 'utf8' })) {
      if (!/\.db(-wal|-shm)?$|\.log$/.test(name)) continue
      seen.push({ place: `file ${name}`, text: readFileSync(join(folder.path, name), 'latin1') })
    }
    assert.ok(seen.some(({ place }) => /\.db$/.test(place)))
    const canaries = [
      canary('workspace key', secret),
      canary('workspace key itself', 'canary-of-the-workspace-key-0032'),
      canary('smtp password', 'Canary-smtp-password'),
      canary('provider key', env.SVC_STRIPE_SECRET_KEY),
      canary('provider webhook secret', env.SVC_STRIPE_WEBHOOK_SECRET),
      canary('first password', password),
      canary('first key', admin_key),
      canary('typed password', 'Canary-typed-password'),
      canary('session', /sid=([^;]+)/.exec(login.headers.get('set-cookie') ?? '')?.[1] ?? ''),
    ]
    assert.equal(escaped(canaries, seen), [])
  } finally {
    folder.remove()
  }
})

test.run()

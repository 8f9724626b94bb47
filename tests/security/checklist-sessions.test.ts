import { hash } from 'node:crypto'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { hashPassword, passwordProblem } from '../../server/auth/passwords.ts'
import { countAttempt } from '../../server/auth/throttle.ts'
import { dumpTables } from '../helpers/tables.ts'
import { keepAsOlder } from '../server/auth/people.ts'
import { linkIn, outbox } from '../server/pages/browser.ts'
import { addMember, changeMember, personOf, send, sessionOf } from './people.ts'
import { openScene, PASSWORD, type Scene } from './scene.ts'

/* S of the security checklist: signing in, sessions, and what browsers can be made to do. */

const test = suite('security checklist: sessions')
const BASE = 'https://ann.example'
let scene: Scene

test.before(async () => {
  scene = await openScene({
    settings: { baseUrl: BASE, corsOrigins: ['https://desk.example'], signup: true },
  })
})
test.after(() => scene.close())
// Attempts to sign in are limited by the quarter of an hour, mails by the hour.
test.before.each(() => scene.clock.advance(60 * 60 * 1000))

const LOGIN = '/api/method/login'

function signIn(usr: unknown, pwd: unknown, path = LOGIN, more: object = {}) {
  return send(scene, 'post', path).send({ usr, pwd, ...more })
}

function cookiesOf({ headers }: { headers: Record<string, unknown> }): string[] {
  return (headers['set-cookie'] as string[] | undefined) ?? []
}

/** Status of a call with this cookie: 200 while its session lives. */
async function statusWith(cookie: string): Promise<number> {
  return (await send(scene, 'get', '/v1/resources', { cookie })).status
}

test('S1 a session is a random cookie that scripts and other sites do not get; only its hash is kept', async () => {
  const { login } = scene.worker
  const first = await signIn(login, PASSWORD)
  assert.is(first.status, 200, first.text)
  const cookie = cookiesOf(first).find((one) => one.startsWith('sid='))!
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Secure', 'Path=/', 'Max-Age='])
    assert.match(cookie, part)
  const token = /^sid=([^;]+)/.exec(cookie)![1]!
  assert.ok(Buffer.from(token, 'base64url').length >= 16)
  const tables = JSON.stringify(await dumpTables(scene.engine.services.database))
  assert.not.match(tables, token)
  assert.match(tables, hash('sha256', token))
  const second = await signIn(login, PASSWORD).set('Cookie', `sid=${token}`)
  const rotated = /^sid=([^;]+)/.exec(cookiesOf(second).find((one) => one.startsWith('sid='))!)![1]!
  assert.is.not(rotated, token)
  assert.equal([await statusWith(`sid=${token}`), await statusWith(`sid=${rotated}`)], [401, 200])
  scene.clock.advance(11 * 24 * 60 * 60 * 1000)
  assert.is(await statusWith(`sid=${rotated}`), 401, 'ten days without a request end it')
  const used = await sessionOf(scene, login)
  for (let day = 0; day < 30; day += 5) {
    assert.is(await statusWith(used), 200, `day ${day}`)
    scene.clock.advance(5 * 24 * 60 * 60 * 1000)
  }
  assert.is(await statusWith(used), 401, 'a month ends it')
})

test('S2 signing out, another password, other roles and being disabled end sessions at once and for good', async () => {
  const { login } = await addMember(scene, 'sue@example.com', ['Employee'], PASSWORD)
  const signedOut = await sessionOf(scene, login)
  await send(scene, 'post', '/api/method/logout', { cookie: signedOut })
  assert.is(await statusWith(signedOut), 401)
  const changes: [string, object, object][] = [
    [
      'other roles',
      { roles: [{ role: 'Employee' }, { role: 'Stock User' }] },
      { roles: [{ role: 'Employee' }] },
    ],
    ['disabled', { enabled: false }, { enabled: true }],
  ]
  for (const [what, change, back] of changes) {
    const cookie = await sessionOf(scene, login)
    assert.is(await statusWith(cookie), 200, what)
    await changeMember(scene, login, change)
    await changeMember(scene, login, back)
    assert.is(await statusWith(cookie), 401, `${what}, and back again without a request between`)
  }
  const cookie = await sessionOf(scene, login)
  const body = { old_password: PASSWORD, new_password: `${PASSWORD} 2` }
  await send(scene, 'post', '/change-password', { cookie }).type('form').send({})
  assert.is(await statusWith(cookie), 200)
  const { token } = await resetLink(login)
  const form = { token, password: body.new_password, again: body.new_password }
  const reset = await send(scene, 'post', '/reset-password').type('form').send(form)
  assert.is(reset.status, 303, reset.text)
  assert.is(await statusWith(cookie), 401)
})

test('S3 who comes after somebody of the same name inherits no session, key, password or link', async () => {
  const email = 'eve@example.com'
  const before = await addMember(scene, email, ['Employee'], PASSWORD)
  const cookie = await sessionOf(scene, email)
  const made = await scene.call(scene.boss, 'post', '/v1/api-keys').send({ scope: 'read' })
  assert.is(made.status, 201, made.text)
  const { token } = await resetLink(email)
  const gone = await scene.call(scene.boss, 'delete', `/v1/users/${email}`)
  assert.is(gone.status, 204, gone.text)
  await addMember(scene, email, ['Sales Manager'])
  assert.is(await statusWith(cookie), 401)
  assert.is((await scene.call(before, 'get', '/v1/resources')).status, 401)
  assert.is((await signIn(email, PASSWORD)).status, 401)
  assert.is((await send(scene, 'get', `/reset-password?token=${token}`)).status, 410)
})

test('S4 a page of another site changes nothing in a session; a key in a header is not asked; reading changes nothing', async () => {
  const { login } = scene.boss
  const cookie = await sessionOf(scene, login)
  const byPage = await sessionOf(scene, login, true)
  let posts = 0
  const post = (headers: Record<string, string>) => {
    posts += 1
    return send(scene, 'post', '/v1/gadgets', headers).send({ code: `S4-${posts}`, title: 'x' })
  }
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ]) {
    for (const path of ['/v1/gadgets', '/api/resource/Gadget', LOGIN]) {
      const { status } = await send(scene, 'post', path, { cookie, ...headers } as Record<
        string,
        string
      >).send({ code: 'x', title: 'x' })
      assert.ok([400, 403].includes(status), `${path} ${JSON.stringify(headers)}: ${status}`)
    }
  }
  assert.is((await post({ cookie, origin: BASE })).status, 201)
  assert.is((await post({ cookie: byPage, origin: BASE })).status, 403, 'without its token')
  const token = await send(scene, 'get', '/api/method/frappe.sessions.get_csrf_token', {
    cookie: byPage,
  })
  assert.is((await post({ cookie: byPage, 'x-csrf-token': token.body.message })).status, 201)
  assert.is((await post({ cookie: byPage, 'x-csrf-token': `${token.body.message}x` })).status, 403)
  const form = send(scene, 'post', '/v1/gadgets', { cookie })
    .type('form')
    .send({ code: 'F', title: 'x' })
  assert.is((await form).status, 415)
  const key = { 'x-api-key': scene.keys.write, cookie: byPage, origin: 'https://evil.example' }
  assert.is((await post(key)).status, 201)
  await scene.call(scene.boss, 'get', '/v1/tiers')
  await scene.engine.services.database.write(async () => undefined)
  for (const path of [
    '/v1/gadgets',
    '/v1/gadgets/none',
    '/v1/tiers',
    '/v1/events',
    '/api/resource/Gadget',
  ]) {
    const before = JSON.stringify(await dumpTables(scene.engine.services.database))
    await scene.call(scene.boss, 'get', path)
    assert.is(JSON.stringify(await dumpTables(scene.engine.services.database)), before, path)
  }
  for (const path of [
    '/api/method/frappe.client.insert',
    '/api/method/frappe.client.delete?doctype=Gadget&name=x',
    '/logout',
  ])
    assert.ok((await send(scene, 'get', path, { cookie })).status >= 400, `GET ${path}`)
})

test('S5 an origin that was not named gets no leave from CORS', async () => {
  for (const origin of [
    'https://evil.example',
    'https://desk.example.evil',
    'http://desk.example',
    'null',
    BASE,
  ]) {
    for (const verb of ['get', 'post'] as const) {
      const { headers } = await send(scene, verb, '/v1/gadgets', {
        origin,
        'x-api-key': scene.keys.read,
      })
      assert.is(headers['access-control-allow-origin'], undefined, origin)
      assert.is(headers['access-control-allow-credentials'], undefined, origin)
    }
  }
  const { headers } = await send(scene, 'get', '/v1/gadgets', { origin: 'https://desk.example' })
  assert.is(headers['access-control-allow-origin'], 'https://desk.example')
  assert.match(headers.vary ?? '', 'Origin')
})

test('S6 a password is kept as scrypt with its cost, made anew when the cost has changed, and has 8 characters to 1024 bytes', async () => {
  const { login } = scene.worker
  const kept = async (): Promise<string> => (await personOf(scene, login)).password ?? ''
  assert.match(await kept(), /^scrypt\$32768\$8\$3\$[A-Za-z0-9+/=]{24}\$[A-Za-z0-9+/=]{44}$/)
  assert.is.not(await hashPassword(PASSWORD), await hashPassword(PASSWORD))
  await keepAsOlder(scene.engine, login, PASSWORD)
  assert.match(await kept(), /^scrypt\$1024\$8\$1\$/)
  assert.is((await signIn(login, PASSWORD)).status, 200)
  assert.match(await kept(), /^scrypt\$32768\$8\$3\$/)
  assert.type(passwordProblem('1234567'), 'string')
  assert.type(passwordProblem('x'.repeat(1025)), 'string')
  assert.is(passwordProblem('x'.repeat(1024)), undefined)
  await addMember(scene, 'nfkc@example.com', [], 'ﬁne ①②③④⑤ pass')
  assert.is((await signIn('nfkc@example.com', 'fine 12345 pass')).status, 200)
  assert.is((await signIn('nfkc@example.com', 'x'.repeat(5000))).status, 401)
})

test('S7 nobody learns from an answer who has an account', async () => {
  await addMember(scene, 'off@example.com', [], PASSWORD)
  await changeMember(scene, 'off@example.com', { enabled: false })
  await addMember(scene, 'nopass@example.com', [])
  const answers = [
    await signIn(scene.worker.login, 'wrong password'),
    await signIn('nobody@example.com', 'wrong password'),
    await signIn('off@example.com', PASSWORD),
    await signIn('nopass@example.com', ''.padEnd(9, 'x')),
  ]
  for (const { status, text, headers } of answers) {
    assert.equal([status, text], [401, answers[0]!.text])
    assert.is(headers['set-cookie'], answers[0]!.headers['set-cookie'])
  }
  const forgotten = [scene.worker.login, 'nobody@example.com', 'off@example.com'].map((usr) =>
    send(scene, 'post', '/forgot-password').type('form').send({ usr }),
  )
  const pages = (await Promise.all(forgotten)).map(({ status, text }) => `${status} ${text}`)
  assert.is(new Set(pages).size, 1)
})

test('S8 attempts are counted by account and by network, however the request is written; a stranger keeps nobody out', async () => {
  const { login } = await addMember(scene, 'tess@example.com', [], PASSWORD)
  await keepAsOlder(scene.engine, login, PASSWORD)
  const before = cookiesOf(await signIn(login, PASSWORD))
  const device = before.find((one) => one.startsWith('known_device='))!
  for (const part of ['HttpOnly', 'SameSite=Lax', 'Secure']) assert.match(device, part)
  const known = device.split(';')[0]!
  await keepAsOlder(scene.engine, login, PASSWORD)
  const tries = [
    () => signIn(login, 'wrong 1 wrong'),
    () => signIn(login.toUpperCase(), 'wrong 2 wrong'),
    () => signIn(` ${login} `, 'wrong 3 wrong', `/api/v1/method/login`),
    () => signIn(login, 'wrong 4 wrong', LOGIN, { email: 'other@example.com', usr2: 'x' }),
    () => send(scene, 'post', '/login').type('form').send({ usr: login, pwd: 'wrong 5 wrong' }),
  ]
  for (const attempt of tries) assert.is((await attempt()).status, 401)
  const locked = await signIn(login, PASSWORD)
  assert.is(locked.status, 429, locked.text)
  assert.ok(Number(locked.headers['retry-after']) > 0)
  const forged = known.replace(/.$/, (last) => (last === 'A' ? 'B' : 'A'))
  for (const cookie of [forged, 'known_device=x.y', `known_device=${'a'.repeat(22)}`])
    assert.is((await signIn(login, PASSWORD).set('Cookie', cookie)).status, 429, cookie)
  const owner = await signIn(login, PASSWORD).set('Cookie', `a=b; ${known}`)
  assert.is(owner.status, 200, 'the owner comes in with a browser they used before')
  const other = await signIn(scene.worker.login, PASSWORD).set('Cookie', known)
  const both = cookiesOf(other)
    .find((one) => one.startsWith('known_device='))!
    .split(';')[0]!
  assert.is(both.split('.').length, 3, 'one browser of two people')
  assert.is((await signIn(login, PASSWORD).set('Cookie', both)).status, 200)
  for (const path of [
    `${LOGIN}/`,
    '//api/method/login',
    '/API/method/login',
    '/api/method/LOGIN',
  ]) {
    const { status } = await signIn(login, PASSWORD, path)
    assert.ok([404, 417, 429].includes(status), `${path}: ${status}`)
  }
  assert.is((await signIn(scene.worker.login, PASSWORD)).status, 200, 'others are not locked out')
  scene.clock.advance(60 * 60 * 1000)
  assert.is((await signIn(login, PASSWORD)).status, 200)
  // As many more as may pass are counted at once: each that is sent costs a hash.
  for (let n = 0; n < 28; n += 1)
    await countAttempt(scene.engine.services, {
      login: `many${n}@example.com`,
      address: '127.0.0.1',
    })
  let refused = 0
  for (let n = 0; n < 15; n += 1)
    refused += (await signIn(`guess${n}@example.com`, 'x'.repeat(8))).status === 429 ? 1 : 0
  assert.ok(refused >= 10 && refused < 15, 'an address that tries many accounts has to wait')
})

test('S9 links lead where the workspace says it is, and pages lead on to paths of it only', async () => {
  const { login } = scene.worker
  const evil = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' }
  for (const path of ['/login', '/v1/openapi.json', '/metrics', '/api/method/ping']) {
    const { status, text } = await send(scene, 'get', path, { host: 'evil.example' })
    assert.is(status, 400, path)
    if (path.startsWith('/v1')) assert.match(text, 'expected a Host this workspace is reached by')
    assert.is.not((await send(scene, 'get', path, { host: 'localhost:8000' })).status, 400, path)
    assert.is.not((await send(scene, 'get', path, { host: 'ann.example' })).status, 400, path)
  }
  assert.is((await send(scene, 'get', '/healthz', { host: '10.2.3.4:8000' })).status, 200)
  const { origin } = await resetLink(login, evil)
  assert.is(origin, BASE)
  for (const target of [
    '//evil.example',
    'https://evil.example',
    '/\\evil.example',
    '/.//evil.example',
    '/\t/evil.example',
    'javascript:alert(1)',
  ]) {
    const form = { usr: login, pwd: PASSWORD, 'redirect-to': target }
    const { status, headers } = await send(scene, 'post', '/login').type('form').send(form)
    assert.equal([status, headers.location], [303, '/'], target)
  }
  const good = { usr: login, pwd: PASSWORD, 'redirect-to': '/docs?x=1' }
  const { headers } = await send(scene, 'post', '/login').type('form').send(good)
  assert.is(headers.location, '/docs?x=1')
})

test('S10 an account belongs to who reads the mail of its address: signing up sets no password', async () => {
  const email = 'new@example.com'
  const body = {
    email,
    full_name: 'Squatter',
    pwd: PASSWORD,
    password: PASSWORD,
    roles: [{ role: 'System Manager' }],
    enabled: true,
  }
  const path = '/api/method/frappe.core.doctype.user.user.sign_up'
  const { status, text, headers } = await send(scene, 'post', path).send(body)
  assert.is(status, 200, text)
  assert.is(
    cookiesOf({ headers }).some((one) => /^sid=[^;]{20}/.test(one)),
    false,
  )
  assert.is((await signIn(email, PASSWORD)).status, 401)
  const person = await personOf(scene, email)
  assert.equal([person.password, person.roles.includes('System Manager')], [null, false])
  const again = await send(scene, 'post', path).send({ ...body, full_name: 'Another' })
  assert.is(again.status, 200, again.text)
  assert.is((await personOf(scene, email)).fullName, 'Squatter')
  assert.equal(
    (await outbox(scene)).filter(({ to }) => to === email).length > 0,
    true,
    'the link to choose a password goes to the address alone',
  )
})

/** Asks for a new password; what the link in the mail holds. */
async function resetLink(usr: string, headers: Record<string, string> = {}) {
  const asked = await send(scene, 'post', '/forgot-password', headers).type('form').send({ usr })
  assert.is(asked.status, 200, asked.text)
  const mail = (await outbox(scene)).findLast(({ to }) => to === usr)
  const { origin, path } = linkIn(mail!)
  return { origin, token: new URLSearchParams(path.split('?')[1]).get('token') ?? '' }
}

test.run()

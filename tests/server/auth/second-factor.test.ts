import { Secret, TOTP } from 'otpauth'
import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { newPassword } from '../../../server/auth/accounts.ts'
import { beginApp, finishEnrolment } from '../../../server/auth/factors/enrol.ts'
import { relyingParty } from '../../../server/auth/factors/passkeys.ts'
import {
  finishSignIn,
  type SecondStep,
  secondStep,
} from '../../../server/auth/factors/second-step.ts'
import type { FactorDeps } from '../../../server/auth/factors/tickets.ts'
import { reissuePair } from '../../../server/auth/key-pairs.ts'
import { findPerson } from '../../../server/auth/people.ts'
import { writeAccount } from '../../../server/auth/person-store.ts'
import { countAttempt } from '../../../server/auth/throttle.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { type Browser, openBrowser, outbox, type PageSeen } from '../pages/browser.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'
import { type Authenticator, openAuthenticator } from './authenticator.ts'
import { addPerson, cookieOf, PASSWORD } from './people.ts'

const BASE = 'https://svc.example'
const SETTINGS = '/settings/second-factor'
const METHOD = '/api/method/svc_brand.auth.second_factor'
const MINUTE = 60_000

interface Answer {
  readonly status: number
  // biome-ignore lint/suspicious/noExplicitAny: what a client reads of JSON
  readonly body: Record<string, any>
  readonly cookies: readonly string[]
}

forEachDatabaseWhenDeep('a second factor', ({ test, fresh }) => {
  let api: TestApp
  let people = 0
  /** Somebody new for each test, who has signed in at a page. */
  let ann = ''
  let browser: Browser

  test.before(async () => {
    const settings = { baseUrl: BASE, smtpUrl: 'smtp://mail.invalid' }
    api = await openTestApp({ database: await fresh(), tier: 'business', settings })
  })
  test.before.each(async () => {
    ann = `ann${++people}@example.com`
    await addPerson(api.engine, ann, ['Sales User'])
    browser = await signedIn(ann)
  })
  test.after(() => api.close())

  const codeOf = (secret: string): string =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: api.clock.now() })

  const secretIn = ({ text }: PageSeen): string =>
    /<code class="secret">([A-Z2-7 ]+)<\/code>/.exec(text)![1]!.replaceAll(' ', '')
  const codesIn = ({ text }: PageSeen): string[] =>
    [...text.matchAll(/<code class="secret">([a-z0-9]{4}(?:-[a-z0-9]{4}){3})<\/code>/g)].map(
      ([, code]) => code!,
    )

  const depsOf = (): FactorDeps => ({ services: api.engine.services, secretKey: api.secretKey })

  /** A browser with a session: to check a password costs more than all the rest of a sign-in. */
  async function signedIn(login: string): Promise<Browser> {
    const person = await findPerson(api.engine.services, login)
    const { cookie } = await cookieOf(api.engine, person!, { byPage: true })
    return openBrowser(api, { sid: cookie.slice('sid='.length) })
  }

  /** Cookie of a client of Ann's that is no page of ours. */
  async function session(): Promise<string> {
    const person = await findPerson(api.engine.services, ann)
    return (await cookieOf(api.engine, person!)).cookie
  }

  /** Sets an app up for Ann. */
  async function setUp(): Promise<{ secret: string; codes: readonly string[] }> {
    const deps = depsOf()
    const person = (await findPerson(api.engine.services, ann))!
    const { ticket, secret } = await beginApp(deps, person, 'Acme', 'add')
    const sent = { code: codeOf(secret), name: 'Phone' }
    const options = { purpose: 'add', party: undefined, address: '127.0.0.1' } as const
    const { codes = [] } = await finishEnrolment(deps, ticket, sent, options)
    api.clock.advance(MINUTE)
    return { secret, codes }
  }

  /** The same on the pages, as somebody does without scripts. */
  async function setUpByPage(): Promise<{ secret: string; codes: string[] }> {
    await browser.get(SETTINGS)
    const shown = await browser.submit(SETTINGS, { action: 'app', proof: PASSWORD })
    assert.is(shown.status, 200, shown.text)
    const secret = secretIn(shown)
    assert.match(shown.text, /<svg/)
    const done = await browser.submit(SETTINGS, { code: codeOf(secret), name: 'Phone' })
    const codes = codesIn(done)
    assert.is(codes.length, 10, done.text)
    api.clock.advance(MINUTE)
    return { secret, codes }
  }

  async function call(path: string, body: object, cookie = ''): Promise<Answer> {
    const sent = supertest(api.app).post(path).set('Cookie', cookie).send(body)
    const { status, body: answer, headers } = await sent
    return { status, body: answer, cookies: (headers['set-cookie'] as never) ?? [] }
  }
  const login = (body: object): Promise<Answer> => call('/api/method/login', body)
  const first = (): Promise<Answer> => login({ usr: ann, pwd: PASSWORD })
  /** What `security.*` events tell of Ann, without id and address; the oldest first. */
  async function told(...kinds: readonly string[]): Promise<Record<string, unknown>[]> {
    const { body } = await supertest(api.app)
      .get('/v1/events?limit=100&resource=security')
      .set('Authorization', bearer(api.keys.admin))
    return (body.data as { event: string; data: Record<string, unknown> }[])
      .filter(({ event, data }) => data.person === ann && kinds.includes(event.split('.')[1]!))
      .map(({ data: { id, address, until, ...rest } }) => rest)
      .reverse()
  }
  /** The second step of Ann, as it follows a right password, which costs a tenth of a second to check. */
  async function step(): Promise<SecondStep> {
    const person = (await findPerson(api.engine.services, ann))!
    return (await secondStep(depsOf(), person, relyingParty(BASE)))!
  }
  const sidOf = ({ cookies }: Answer): string =>
    cookies.find((one) => one.startsWith('sid='))?.split(';')[0] ?? ''

  test('is asked for after the password by the pages, which need no script for a code', async () => {
    const { secret, codes } = await setUpByPage()
    const next = openBrowser(api)
    await next.get('/login?redirect-to=/docs')
    const asked = await next.submit('/login', { usr: ann, pwd: PASSWORD })
    assert.is(asked.goTo, '/second-factor?redirect-to=%2Fdocs')
    assert.not.ok(next.cookies.has('sid'))
    const page = await next.get(asked.goTo!)
    assert.match(page.text, /name="code"[^>]*autocomplete="one-time-code"/)
    assert.match(page.headers['content-security-policy']!, /script-src 'self'/)
    assert.not.match(page.headers['content-security-policy']!, /unsafe/)
    // Nothing is open with a ticket alone.
    assert.is((await next.get('/')).goTo, '/login')
    const wrong = await next.submit('/second-factor', { code: '000000' })
    assert.equal([wrong.status, next.cookies.has('sid')], [401, false])
    const code = codeOf(secret)
    const done = await next.submit('/second-factor', {
      code: ` ${code.slice(0, 3)} ${code.slice(3)}`,
    })
    assert.equal(
      [done.goTo, next.cookies.has('sid'), next.cookies.has('sign_in')],
      ['/docs', true, false],
    )
    assert.match((await next.get('/')).text, /Signed in as/)

    // Known now: guesses from elsewhere do not keep this browser out, and the device was lost.
    for (let count = 0; count < 5; count += 1)
      await login({ tmp_id: (await step()).ticket, otp: '123456' })
    assert.is((await login({ tmp_id: (await step()).ticket, otp: codes[0] })).status, 429)
    await next.submit('/logout')
    await next.signIn(ann)
    await next.get('/second-factor')
    const [spare = ''] = codes
    assert.is((await next.submit('/second-factor', { code: spare.toUpperCase() })).goTo, '/')
    const list = await next.get(SETTINGS)
    assert.match(list.text, /Phone/)
    assert.match(list.text, /9 of them are left/)
  })

  test('is asked for by surface A with a ticket that is no session, and each code counts once', async () => {
    const { secret, codes } = await setUp()
    const asked = await first()
    assert.equal([asked.status, asked.body.message], [200, 'Second factor needed'])
    assert.equal(asked.body.verification, { methods: ['totp', 'recovery'] })
    assert.equal(asked.cookies, [])
    const ticket = asked.body.tmp_id as string
    const code = codeOf(secret)
    const tickets = [ticket, (await step()).ticket]
    const both = await Promise.all([
      login({ tmp_id: tickets[0], otp: code }),
      login({ tmp_id: tickets[1], otp: Number(code) }),
    ])
    assert.equal(both.map(({ status }) => status).sort(), [200, 401])
    const signedIn = both.find(({ status }) => status === 200)!
    assert.equal([signedIn.body.message, sidOf(signedIn) !== ''], ['Logged In', true])
    const taken = tickets[both.indexOf(signedIn)]
    for (const tmp_id of [taken, 'x', ''])
      assert.is((await login({ tmp_id, otp: codes[0] })).status, 401)
    api.clock.advance(MINUTE)
    const late = (await step()).ticket
    api.clock.advance(11 * MINUTE)
    assert.is((await login({ tmp_id: late, otp: codeOf(secret) })).status, 401)
    const again = (await step()).ticket
    assert.is((await login({ tmp_id: again, otp: codes[0] })).status, 200)
    const used = (await step()).ticket
    assert.is((await login({ tmp_id: used, otp: codes[0] })).status, 401)
  })

  test('cannot be guessed: five wrong codes, with whatever tickets, are five minutes of waiting', async () => {
    const { secret } = await setUp()
    for (let count = 0; count < 5; count += 1) {
      const { ticket } = await step()
      assert.is((await login({ tmp_id: ticket, otp: '123456' })).status, 401)
    }
    const { ticket } = await step()
    assert.is((await login({ tmp_id: ticket, otp: codeOf(secret) })).status, 429)
    // Nor does the right password forget the guesses, and who has guessed is told of, by name.
    const asked = await first()
    assert.is((await login({ tmp_id: asked.body.tmp_id, otp: codeOf(secret) })).status, 429)
    assert.equal(await told('locked_out'), [{ step: 'second_factor', of: 'account', person: ann }])
    api.clock.advance(5 * MINUTE + 1)
    assert.is((await login({ tmp_id: ticket, otp: codeOf(secret) })).status, 200)
  })

  test('is guessed at from ten networks at most, and nobody without the password uses these up', async () => {
    const { secret } = await setUp()
    const { services } = api.engine
    const party = relyingParty(BASE)
    const guess = async (network: number, code: string): Promise<string> => {
      const from = () => ({ address: `198.51.${network}.1` })
      const { ticket } = await step()
      return finishSignIn(depsOf(), ticket, { code }, { party, from }).then(
        () => 'in',
        ({ code }) => code,
      )
    }
    // Names that a stranger types at the password never meet the buckets of the second step.
    for (const usr of [`second factor of ${ann}`, `factor:${ann}`])
      for (let network = 0; network < 3; network += 1)
        await countAttempt(services, { login: usr, address: `203.0.${network}.1` })
    for (let network = 0; network < 9; network += 1)
      assert.is(await guess(network, '123456'), 'UNAUTHORIZED')
    assert.is(await guess(9, codeOf(secret)), 'in')
    api.clock.advance(MINUTE)
    for (let network = 10; network < 11; network += 1)
      assert.is(await guess(network, '123456'), 'UNAUTHORIZED')
    assert.is(await guess(12, codeOf(secret)), 'RATE_LIMITED')
    api.clock.advance(59 * MINUTE)
    assert.is(await guess(13, codeOf(secret)), 'RATE_LIMITED')
    api.clock.advance(2 * MINUTE)
    assert.is(await guess(14, codeOf(secret)), 'in')
  })

  test('takes a password for a password where it looks like a recovery code', async () => {
    await setUp()
    const password = 'correctharsebatt'
    const hashed = await newPassword(password)
    const { services } = api.engine
    await services.database.write((tx) => writeAccount(tx, ann, { password: hashed }))
    const cookie = await session()
    const renew = (proof: string): Promise<Answer> =>
      call(`${METHOD}.new_recovery_codes`, { proof }, cookie)
    const renewed = await renew(password)
    assert.is(renewed.status, 200, JSON.stringify(renewed.body))
    const [code] = renewed.body.message.new_recovery_codes
    assert.is((await renew(code)).status, 200)
    assert.is((await renew(code)).status, 417)
    assert.equal(
      (await told('recovery_codes_made', 'recovery_code_used')).map(({ left }) => left),
      [undefined, 9, undefined],
    )
  })

  test('leaves keys and pairs as they are, which do not get at it, and shows no secret anywhere', async () => {
    const { services } = api.engine
    const { database } = services
    const pair = await database.write((tx) => reissuePair(tx, services, ann))
    const { secret, codes } = await setUp()
    const authorization = `token ${pair.api_key}:${pair.api_secret}`
    const { status } = await supertest(api.app)
      .get('/api/method/frappe.auth.get_logged_user')
      .set('Authorization', authorization)
    assert.is(status, 200)
    for (const what of ['list', 'begin', 'confirm', 'remove', 'new_recovery_codes']) {
      const by = supertest(api.app).post(`${METHOD}.${what}`).set('Authorization', authorization)
      const { status } = await by.send({ kind: 'totp', proof: PASSWORD })
      assert.is(status, 403, what)
    }
    const events = await supertest(api.app)
      .get('/v1/events?limit=100')
      .set('Authorization', bearer(api.keys.admin))
    const user = await supertest(api.app)
      .get(`/v1/users/${ann}`)
      .set('Authorization', bearer(api.keys.admin))
    const rows = await Promise.all(
      ['svc_factors', 'svc_recovery_codes', 'svc_tickets'].map((table) =>
        database.read.selectFrom(table).selectAll().execute(),
      ),
    )
    const all = JSON.stringify([events.body, user.body, api.logged(), rows], (_key, value) =>
      typeof value === 'bigint' ? String(value) : value,
    )
    assert.ok(rows[0]!.length > 0)
    for (const one of [secret, ...codes]) assert.not.ok(all.includes(one))
  })

  test('is removed by who proves to be its owner, and with it the recovery codes', async () => {
    const { secret } = await setUp()
    await browser.get(SETTINGS)
    const id = /<option value="(fac_[^"]+)">/.exec((await browser.get(SETTINGS)).text)![1]!
    const token = { action: 'remove', id }
    const wrong = await browser.submit(SETTINGS, { ...token, proof: 'wrong' })
    assert.equal([wrong.status, /This is not your password/.test(wrong.text)], [422, true])
    await addPerson(api.engine, `other${ann}`)
    const other = await signedIn(`other${ann}`)
    await other.get(SETTINGS)
    const foreign = await other.submit(SETTINGS, { ...token, proof: PASSWORD })
    assert.is(foreign.status, 404)
    const gone = await browser.submit(SETTINGS, { ...token, proof: codeOf(secret) })
    assert.is(gone.goTo, `${SETTINGS}?done=removed`)
    assert.match((await browser.get(SETTINGS)).text, /You have none yet/)
    assert.is(await step(), undefined)
    assert.equal(await told('factor_added', 'factor_removed'), [
      { person: ann, kind: 'totp', name: 'Phone' },
      { person: ann, kind: 'totp', name: 'Phone' },
    ])
  })

  test('can be a passkey: made, asked for and counted, for this workspace alone', async () => {
    const sid = await session()
    const begun = await call(`${METHOD}.begin`, { kind: 'passkey', proof: PASSWORD }, sid)
    assert.is(begun.status, 200, JSON.stringify(begun.body))
    const { ticket, options } = begun.body.message
    assert.equal([options.rp.id, options.user.name], ['svc.example', ann])
    const device = openAuthenticator(BASE)
    const confirm = (passkey: object): Promise<Answer> =>
      call(`${METHOD}.confirm`, { ticket, passkey, name: 'Laptop' }, sid)
    const elsewhere = openAuthenticator('https://svc.example.evil.example')
    assert.is((await confirm(elsewhere.create(options))).status, 417)
    const made = await confirm(device.create(options))
    assert.is(made.status, 200, JSON.stringify(made.body))
    assert.is(made.body.message.new_recovery_codes.length, 10)
    const twice = await confirm(device.create(options))
    assert.equal([twice.status, /was done already/.test(twice.body.message)], [417, true])

    const sign = async (change: Parameters<Authenticator['get']>[1], by = device) => {
      const { ticket: tmp_id, methods, passkey: options } = await step()
      assert.equal(methods, ['passkey', 'recovery'])
      const passkey = by.get(options!, change)
      return { tmp_id, passkey, status: (await login({ tmp_id, passkey })).status }
    }
    const good = await sign({})
    assert.is(good.status, 200)
    assert.is((await login(good)).status, 401)
    const stolen = { tmp_id: (await step()).ticket, passkey: good.passkey }
    assert.is((await login(stolen)).status, 401)
    assert.is((await sign({ origin: 'https://evil.example' })).status, 401)
    assert.is((await sign({}, openAuthenticator(BASE))).status, 401)
    assert.is((await sign({ flags: 0 })).status, 401)
    // A copy of the device is behind the count.
    assert.is((await sign({ counter: 1 })).status, 401)
    assert.is((await sign({})).status, 429)
    api.clock.advance(6 * MINUTE)
    assert.is((await sign({})).status, 200)

    const listed = await call(`${METHOD}.list`, {}, sid)
    const { factors, recovery_codes, required } = listed.body.message
    assert.equal([factors.length, factors[0].kind, factors[0].name], [1, 'passkey', 'Laptop'])
    assert.equal([factors[0].last_used !== null, recovery_codes, required], [true, 10, false])

    const page = openBrowser(api)
    await page.signIn(ann)
    const { text } = await page.get('/second-factor')
    const [, shown = ''] = /data-passkey="get" data-options="([^"]*)"/.exec(text)!
    const passkey = JSON.stringify(device.get(JSON.parse(shown.replaceAll('&quot;', '"'))))
    assert.is((await page.submit('/second-factor', { passkey })).goTo, '/')
  })

  test('can be asked of a role: nobody of it has a session without one', async () => {
    const role = { second_factor: true }
    const patched = await supertest(api.app)
      .patch('/v1/roles/Sales User')
      .set('Authorization', bearer(api.keys.admin))
      .send(role)
    assert.is(patched.status, 200, patched.text)
    try {
      assert.is(
        (await browser.get(SETTINGS)).goTo,
        `/login?redirect-to=${encodeURIComponent(SETTINGS)}`,
      )
      const refused = await first()
      assert.equal([refused.status, refused.cookies], [403, []])
      browser = openBrowser(api)
      assert.is((await browser.signIn(ann)).goTo, '/second-factor')
      const shown = await browser.get('/second-factor')
      const secret = secretIn(shown)
      const slip = await browser.submit('/second-factor', { code: '000000' })
      assert.equal([slip.status, secretIn(slip), browser.cookies.has('sid')], [422, secret, false])
      const done = await browser.submit('/second-factor', { code: codeOf(secret) })
      assert.equal([done.status, codesIn(done).length, browser.cookies.has('sid')], [200, 10, true])
      api.clock.advance(MINUTE)
      const { text } = await browser.get(SETTINGS)
      const [, id = ''] = /<option value="(fac_[^"]+)">/.exec(text)!
      const kept = await browser.submit(SETTINGS, { action: 'remove', id, proof: codeOf(secret) })
      assert.equal([kept.status, /add another one before/.test(kept.text)], [409, true])
    } finally {
      await supertest(api.app)
        .patch('/v1/roles/Sales User')
        .set('Authorization', bearer(api.keys.admin))
        .send({ second_factor: false })
    }
  })

  test('is reset by a System Manager: sessions end, the person is told, the password is enough', async () => {
    const { secret, codes } = await setUp()
    const waiting = (await step()).ticket
    const reset = await supertest(api.app)
      .post(`/v1/users/${ann}/actions/reset_second_factor`)
      .set('Authorization', bearer(api.keys.admin))
      .send({})
    assert.is(reset.status, 200, reset.text)
    assert.is((await browser.get('/')).goTo, '/login')
    for (const otp of [codeOf(secret), codes[0]])
      assert.is((await login({ tmp_id: waiting, otp })).status, 401)
    assert.is((await first()).body.message, 'Logged In')
    const mails = (await outbox(api)).filter(({ to }) => to === ann)
    assert.equal(
      mails.map(({ kind }) => kind),
      ['second-factor-added', 'second-factor-reset'],
    )
    assert.match(mails[0]!.text, 'Your second factor “Phone” was set up')
    assert.match(mails[1]!.text, 'removed your second factors')
    const events = await supertest(api.app)
      .get(`/v1/events?event=users.second_factor_reset&record_id=${ann}`)
      .set('Authorization', bearer(api.keys.admin))
    assert.is(events.body.data.length, 1)
    assert.equal(await told('factors_reset'), [{ person: ann }])
    const refused = await supertest(api.app)
      .post(`/v1/users/${ann}/actions/reset_second_factor`)
      .set('Cookie', await session())
      .send({})
    assert.is(refused.status, 403)
  })
})

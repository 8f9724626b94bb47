import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addPerson, cookieOf, PASSWORD } from '../auth/people.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

const BROWSER = { Accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8' }

const errors = suite('an error in a browser')
let api: TestApp
let cookie: string

errors.before(async () => {
  api = await openTestApp({ tier: 'pro' })
  cookie = (
    await cookieOf(api.engine, await addPerson(api.engine, 'ann@example.com', ['Sales User']))
  ).cookie
})
errors.after(() => api.close())

const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  supertest(api.app).get(path).set(headers)

errors('is a page where nothing is, with what leads on, and JSON for a program', async () => {
  for (const path of ['/nowhere', '/app/nowhere', '/nowhere/<b>x', '/v1/customers/NOBODY']) {
    const { status, headers, text } = await get(path, { ...BROWSER, cookie })
    assert.is(status, 404, path)
    assert.match(headers['content-type'] ?? '', 'text/html')
    assert.match(headers['content-security-policy'] ?? '', "style-src 'self'")
    assert.is(headers['cache-control'], 'no-store')
    assert.match(text, 'Nothing is here')
    assert.match(text, '<a class="button" href="/">')
    assert.not.match(text, '<b>x')
    assert.not.match(text, 'openapi')
  }
  const page = await get('/nowhere', BROWSER)
  assert.match(page.text, 'There is nothing at /nowhere; look whether the address is right.')
  assert.match(page.text, `Request ${page.headers['x-request-id']}`)
  for (const headers of [{}, { Accept: '*/*' }, { Accept: 'application/json' }]) {
    const answer = await get('/nowhere', headers)
    assert.is(answer.status, 404)
    assert.is(answer.body.error.code, 'NOT_FOUND')
    assert.match(answer.body.error.message, 'GET /v1/openapi.json describes all routes')
    assert.match(answer.headers['content-security-policy'] ?? '', "default-src 'none'")
    assert.not.match(answer.headers['content-security-policy'] ?? '', 'style-src')
  }
})

errors('leads who is not signed in to sign in, and back', async () => {
  const path = '/v1/customers?limit=2&q=a%26b'
  const asked = await get(path, BROWSER)
  assert.equal(
    [asked.status, asked.headers.location],
    [303, `/login?redirect-to=${encodeURIComponent(path)}`],
  )
  const browser = openBrowser(api)
  await browser.get(asked.headers.location ?? '')
  const { goTo } = await browser.submit('/login', { usr: 'ann@example.com', pwd: PASSWORD })
  assert.is(goTo, path)
  const program = await get(path)
  assert.equal([program.status, program.body.error.code], [401, 'UNAUTHORIZED'])
  // A key that is refused is no reason to sign in, whatever the program accepts.
  const refused = await get(path, { ...BROWSER, authorization: bearer('svc_live_no') })
  assert.equal([refused.status, refused.body.error.code], [401, 'UNAUTHORIZED'])
})

errors('is a page for who may not see what is there', async () => {
  const bob = (await cookieOf(api.engine, await addPerson(api.engine, 'bob@example.com'))).cookie
  const { status, text } = await get('/v1/customers', { ...BROWSER, cookie: bob })
  assert.is(status, 403)
  assert.match(text, 'Not allowed')
  const program = await get('/v1/customers', { cookie: bob })
  assert.equal([program.status, program.body.error.code], [403, 'FORBIDDEN'])
})

errors('other than these is told in full, as JSON', async () => {
  const { status, body } = await get('/v1/customers?limit=x', { ...BROWSER, cookie })
  assert.is(status, 422)
  assert.is(body.error.details[0].field, 'limit')
})

errors('is none where surface A says home is, nor at the icons browsers ask for', async () => {
  assert.equal((await openBrowser(api).get('/app')).goTo, '/')
  const body = { usr: 'ann@example.com', pwd: PASSWORD }
  const signedIn = await supertest(api.app).post('/api/method/login').send(body)
  const home = await get(signedIn.body.home_page, { ...BROWSER, cookie })
  assert.equal([home.status, home.headers.location], [303, '/'])
  for (const [path, type, start] of [
    ['/favicon.ico', 'image/vnd.microsoft.icon', '\0\0\x01\0\x01\0'],
    ['/favicon.svg', 'image/svg+xml', '<svg '],
  ] as const) {
    const icon = await get(path).buffer(true).parse(bytesOf)
    assert.equal([icon.status, icon.headers['content-type']], [200, type])
    assert.is(String(icon.body.latin1Slice(0, start.length)), start)
    assert.is((await supertest(api.app).post(path)).status, 405)
  }
  assert.match((await openBrowser(api).get('/login')).text, '<link rel="icon" href="/favicon.svg"')
})

function bytesOf(response: supertest.Response, done: (error: null, body: Buffer) => void): void {
  const parts: Buffer[] = []
  response.on('data', (part: Buffer) => parts.push(part))
  response.on('end', () => done(null, Buffer.concat(parts)))
}

errors.run()

import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { createDocument } from '../../../engine/documents/operations/create.ts'
import { addPerson, PASSWORD } from '../auth/people.ts'
import { openTestApp, type TestApp } from '../test-app.ts'
import { openBrowser } from './browser.ts'

const login = suite('the page for signing in')
let api: TestApp

login.before(async () => {
  api = await openTestApp({ tier: 'pro' })
  await addPerson(api.engine, 'ann@example.com')
})
login.after(() => api.close())

login('asks for name and password, and names what it asks for', async () => {
  const { status, headers, text } = await openBrowser(api).get('/login')
  assert.is(status, 200)
  assert.match(headers['content-type'] ?? '', /^text\/html; charset=utf-8$/)
  assert.is(headers['cache-control'], 'no-store')
  for (const field of ['usr', 'pwd']) {
    assert.match(text, `<label for="${field}">`)
    assert.match(text, `id="${field}" name="${field}"`)
  }
  assert.match(text, /autocomplete="username"[^>]* autofocus/)
  assert.match(text, 'autocomplete="current-password"')
  assert.match(text, '<html lang="en">')
})

login('speaks the language of the browser, with what goes wrong too', async () => {
  const browser = openBrowser(api)
  for (const [language, title, wrong] of [
    ['de', 'Anmelden', 'Diese Anmeldedaten stimmen nicht.'],
    ['fr', 'Se connecter', 'Ces identifiants sont incorrects.'],
    ['es', 'Iniciar sesión', 'Los datos de acceso no son correctos.'],
    ['ja', 'Sign in', 'Invalid login credentials.'],
  ] as const) {
    const { text } = await supertest(api.app).get('/login').set('Accept-Language', language)
    assert.match(text, `<h1 id="title">${title}</h1>`)
    assert.match(text, `<html lang="${language === 'ja' ? 'en' : language}">`)
    const sent = { usr: 'nobody@example.com', pwd: 'not this one' }
    const refused = await browser.post('/login', sent, { 'Accept-Language': language })
    assert.match(refused.text, wrong)
  }
})

login('bears the name of the company, as text', async () => {
  const { engine } = api
  const definition = engine.services.registry.serving('companies')!
  const context = engine.context(SYSTEM_ACTOR, await engine.tier())
  assert.match((await openBrowser(api).get('/login')).text, '<title>Sign in · Svc</title>')
  await createDocument(context, definition, { company_name: 'Ann & <Co>' })
  const { text } = await openBrowser(api).get('/login')
  assert.match(text, '<title>Sign in · Ann &amp; &lt;Co&gt;</title>')
})

login('allows no script, no foreign form and no frame', async () => {
  const { headers, text } = await openBrowser(api).get('/login')
  const policy = headers['content-security-policy'] ?? ''
  for (const part of [
    "default-src 'none'",
    "style-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ])
    assert.match(policy, part)
  assert.not.match(policy, 'script-src')
  // Without it a browser hides the origin of a form where it knows of no Sec-Fetch-Site: plain http.
  assert.is(headers['referrer-policy'], 'same-origin')
  assert.not.match(text, /<script|<style| style=| on\w+=/)
  const style = await openBrowser(api).get('/assets/pages.css')
  assert.is(style.status, 200)
  assert.match(style.headers['content-type'] ?? '', 'text/css')
  // The font is the Desk's, and there is none beside this server.
  for (const [, path] of style.text.matchAll(/url\("([^"]+)"\)/g))
    assert.is((await openBrowser(api).get(path!)).status, 200, path)
})

login(
  'opens a session in a cookie scripts cannot read, and goes on where it was asked to',
  async () => {
    const browser = openBrowser(api)
    await browser.get('/login?redirect-to=/docs%3Fa=1')
    const { status, goTo, headers } = await browser.submit('/login', {
      usr: 'ANN@example.com',
      pwd: PASSWORD,
    })
    assert.equal([status, goTo], [303, '/docs?a=1'])
    const set = headers['set-cookie'] as unknown as string[]
    const sid = set.find((line) => line.startsWith('sid=')) ?? ''
    assert.match(sid, /HttpOnly/)
    assert.match(sid, /SameSite=Lax/)
    const home = await browser.get('/')
    assert.is(home.status, 200)
    assert.match(home.text, 'Welcome, ann@example.com')
    assert.equal((await browser.get('/login')).goTo, '/')
  },
)

login('goes nowhere else, whatever it was asked to', async () => {
  for (const target of [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:x',
  ]) {
    const browser = openBrowser(api)
    const { text } = await browser.get(`/login?redirect-to=${encodeURIComponent(target)}`)
    assert.not.match(text, 'evil')
    const fields = { usr: 'ann@example.com', pwd: PASSWORD, 'redirect-to': target }
    assert.is((await browser.post('/login', fields)).goTo, '/', target)
  }
})

login(
  'answers alike for a wrong password and for who is unknown, and keeps the name typed',
  async () => {
    const answers = []
    for (const usr of ['ann@example.com', '"><b>nobody']) {
      const browser = openBrowser(api)
      await browser.get('/login')
      const { status, text } = await browser.submit('/login', { usr, pwd: 'wrong password' })
      const shown = usr.replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
      assert.match(text, `value="${shown}"`)
      assert.match(text, '<p class="alert" role="alert">Invalid login credentials.</p>')
      assert.equal(browser.cookies.size, 0)
      answers.push([status, text.replaceAll(shown, '')])
    }
    assert.equal(answers[0], answers[1])
    assert.is(answers[0]?.[0], 401)
  },
)

login('says how long to wait after too many attempts', async () => {
  const browser = openBrowser(api)
  await browser.get('/login')
  const attempt = () => browser.submit('/login', { usr: 'throttled@example.com', pwd: 'wrong' })
  let last = await attempt()
  for (let i = 0; i < 9 && last.status !== 429; i += 1) last = await attempt()
  assert.is(last.status, 429)
  assert.match(last.headers['retry-after'] ?? '', /^\d+$/)
  assert.match(last.text, /role="alert">Too many attempts/)
  api.clock.advance(60 * 60 * 1000)
})

login('takes no form that another site sent', async () => {
  const fields = { usr: 'ann@example.com', pwd: PASSWORD }
  for (const headers of [
    { 'Sec-Fetch-Site': 'cross-site' },
    { Origin: 'https://evil.example' },
    { Origin: 'null' },
  ] as Record<string, string>[]) {
    const { status, text } = await openBrowser(api).post('/login', fields, headers)
    assert.is(status, 403, JSON.stringify(headers))
    assert.match(text, '<h1 id="title">Not allowed</h1>')
  }
})

login('takes forms for guests from who has signed in meanwhile', async () => {
  const browser = openBrowser(api)
  await browser.signIn('ann@example.com')
  const sid = browser.cookies.get('sid')
  const fields = { usr: 'ann@example.com', pwd: PASSWORD }
  assert.is((await browser.post('/login', fields)).status, 303)
  assert.is.not(browser.cookies.get('sid'), sid)
  assert.is((await browser.post('/forgot-password', { usr: 'nobody' })).status, 200)
  assert.is((await browser.post('/reset-password', { token: 'x' })).status, 410)
})

login('gives a new cookie each time and ends the session before', async () => {
  const browser = openBrowser(api)
  await browser.signIn('ann@example.com')
  const first = browser.cookies.get('sid')
  await browser.get('/change-password')
  const other = openBrowser(api)
  ;(other.cookies as Map<string, string>).set('sid', first ?? '')
  await browser.post('/logout', {}, { 'Sec-Fetch-Site': 'same-origin' })
  assert.is((await other.get('/')).status, 200, 'a form without the token signs nobody out')
  await browser.get('/')
  assert.is((await browser.submit('/logout')).goTo, '/login?done=out')
  assert.equal([...browser.cookies.keys()], ['known_device'], 'which opens nothing')
  assert.is((await other.get('/')).goTo, '/login')
  assert.match((await browser.get('/login?done=out')).text, 'You are signed out.')
})

login('leaves other methods and calls of surface A alone', async () => {
  const browser = openBrowser(api)
  assert.is((await browser.get('/logout')).status, 405)
  assert.is((await browser.get('/')).goTo, '/login')
  const call = await browser.get('/?cmd=frappe.auth.get_logged_user')
  assert.equal([call.status, call.goTo], [403, undefined])
  const json = await supertest(api.app)
    .post('/login')
    .send({ usr: 'ann@example.com', pwd: PASSWORD })
  assert.is(json.status, 415)
})

login.run()

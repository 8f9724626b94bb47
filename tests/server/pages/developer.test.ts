import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reissuePair } from '../../../server/auth/key-pairs.ts'
import { addPerson } from '../auth/people.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'
import { type Browser, openBrowser } from './browser.ts'

const PATH = '/settings/developer'
const SESSIONS = '/settings/sessions'
const developer = suite('developer settings')
let api: TestApp
let boss: Browser

developer.before(async () => {
  api = await openTestApp({ tier: 'business' })
  await addPerson(api.engine, 'boss@example.com', ['System Manager'])
  await addPerson(api.engine, 'sales@example.com', ['Sales User'])
  boss = openBrowser(api)
  await boss.signIn('boss@example.com')
})
developer.after(() => api.close())

function keyIn(text: string): string {
  return /<code class="secret">([^<]+)<\/code>/.exec(text)?.[1] ?? ''
}

developer('are for System Managers', async () => {
  assert.is((await openBrowser(api).get(PATH)).goTo, '/login?redirect-to=%2Fsettings%2Fdeveloper')
  const sales = openBrowser(api)
  await sales.signIn('sales@example.com')
  const { status, text } = await sales.get(PATH)
  assert.is(status, 403)
  assert.match(text, 'API keys are for System Managers')
  assert.not.match((await sales.get('/')).text, PATH)
  assert.match((await boss.get('/')).text, PATH)
})

developer('make a key that is shown once and works', async () => {
  await boss.get(PATH)
  const { status, text, headers } = await boss.submit(PATH, {
    action: 'create',
    label: 'Shop <b>"1"</b>',
    scope: 'write',
    env: 'live',
    allow_ips: '127.0.0.1\n::1, 2001:db8::/32',
  })
  assert.is(status, 200)
  assert.is(headers['cache-control'], 'no-store')
  const key = keyIn(text)
  assert.match(key, /^svc_live_\w{36}$/)
  assert.match(text, 'Shop &lt;b&gt;&quot;1&quot;&lt;/b&gt;')
  assert.match(text, '127.0.0.1, ::1, 2001:db8::/32')
  assert.match(text, `${key.slice(0, 12)}…${key.slice(-4)}`)
  assert.not.match((await boss.get(PATH)).text, key)
  const answer = await supertest(api.app).get('/v1/gadgets').set('Authorization', bearer(key))
  assert.is(answer.status, 200)
})

developer('ask before they revoke a key, and revoke it then', async () => {
  await boss.get(PATH)
  const made = await boss.submit(PATH, { action: 'create', scope: 'read', env: 'test', label: '' })
  assert.match(keyIn(made.text), /^svc_test_/)
  const { key, id } = await api.newKey()
  const ask = () => supertest(api.app).get('/v1/gadgets').set('Authorization', bearer(key))
  await boss.get(PATH)
  const asked = await boss.submit(PATH, { action: 'revoke', id })
  assert.is(asked.status, 200)
  const [, question = ''] =
    /<section class="question"[^>]*>(.*?)<\/section>/s.exec(asked.text) ?? []
  assert.match(question, `${key.slice(0, 12)}…${key.slice(-4)}`)
  assert.match(question, '<button class="danger">Revoke</button>')
  assert.match(question, `href="${PATH}" autofocus>Keep</a>`)
  assert.is((await ask()).status, 200)
  // The first form of the page is that of the question.
  const done = await boss.submit(PATH)
  assert.is(done.goTo, `${PATH}?revoked=1`)
  assert.match((await boss.get(done.goTo!)).text, 'The key is revoked')
  assert.is((await ask()).status, 401)
  // Nothing is left to be asked about.
  for (const gone of [id, 'x'])
    assert.is((await boss.submit(PATH, { action: 'revoke', id: gone })).goTo, `${PATH}?revoked=1`)
})

developer('say what is wrong and keep what was typed', async () => {
  await boss.get(PATH)
  const fields = {
    action: 'create',
    scope: 'read',
    env: 'live',
    label: 'Mine',
    allow_ips: 'nowhere',
  }
  const wrong = await boss.submit(PATH, fields)
  assert.is(wrong.status, 422)
  assert.match(wrong.text, /role="alert">No key was made/)
  assert.match(wrong.text, /id="allow_ips-error">Expected an IPv4 or IPv6 address/)
  assert.match(wrong.text, /aria-describedby="allow_ips-error allow_ips-hint" aria-invalid="true"/)
  assert.match(wrong.text, /value="Mine"/)
  assert.match(wrong.text, />nowhere<\/textarea>/)
  const unknown = await boss.submit(PATH, { ...fields, scope: 'root', allow_ips: '' })
  assert.is(unknown.status, 422)
  assert.match(unknown.text, /id="scope-error">/)
})

developer('offer allow lists only on a plan that has them', async () => {
  await api.engine.setTier('pro')
  const { text } = await boss.get(PATH)
  assert.not.match(text, 'name="allow_ips"')
  const fields = { action: 'create', scope: 'read', env: 'live', allow_ips: '127.0.0.1' }
  const refused = await boss.submit(PATH, fields)
  assert.is(refused.status, 403)
  assert.match(refused.text, 'IP allow lists need the plan Business')
  await api.engine.setTier('business')
})

developer('give oneself a key and a secret, shown once; the pair before ends', async () => {
  const pairs = []
  for (let i = 0; i < 2; i += 1) {
    await boss.get(PATH)
    const { text } = await boss.submit(PATH, { action: 'pair' })
    pairs.push([...text.matchAll(/<code class="secret">([^<]+)</g)].map(([, secret]) => secret))
  }
  const statuses = await Promise.all(
    pairs.map(async ([key, secret]) => {
      const asked = supertest(api.app).get('/v1/gadgets')
      return (await asked.set('Authorization', `token ${key}:${secret}`)).status
    }),
  )
  assert.equal(statuses, [401, 200])
  const { text } = await boss.get(PATH)
  for (const [, secret] of pairs) assert.not.match(text, secret!)
})

developer('do nothing for a form without the token of the session', async () => {
  const { length } = (await boss.get(PATH)).text.split('<tr>')
  const fields = { action: 'create', scope: 'admin', env: 'live' }
  assert.is((await boss.post(PATH, fields)).status, 403)
  const foreign = { 'Sec-Fetch-Site': 'cross-site' }
  assert.is((await boss.post(PATH, fields, foreign)).status, 403)
  assert.is((await boss.get(PATH)).text.split('<tr>').length, length)
})

developer(
  'have beside them a page for everybody, of where one is signed in: it ends what one does not know',
  async () => {
    assert.is(
      (await openBrowser(api).get(SESSIONS)).goTo,
      '/login?redirect-to=%2Fsettings%2Fsessions',
    )
    await addPerson(api.engine, 'last@example.com')
    const there = openBrowser(api)
    await there.signIn('last@example.com')
    api.clock.advance(1000)
    const here = openBrowser(api)
    await here.signIn('last@example.com')
    const { services } = api.engine
    const pair = await services.database.write((tx) =>
      reissuePair(tx, services, 'last@example.com'),
    )
    assert.match((await here.get('/')).text, SESSIONS)
    const { text } = await here.get(SESSIONS)
    const ids = [...text.matchAll(/name="id" value="([^"]+)"/g)].map(([, id]) => id)
    assert.is(ids.length, 3)
    assert.is(text.split('This one').length, 2)
    assert.match(text, pair.api_key)
    assert.not.match(text, pair.api_secret)
    const ended = await here.submit(SESSIONS, { what: 'session', id: ids[1]! })
    assert.is(ended.goTo, `${SESSIONS}?ended=1`)
    assert.is((await there.get('/')).goTo, '/login')
    await here.get(SESSIONS)
    await here.submit(SESSIONS, { what: 'pair', id: pair.id })
    await here.get(SESSIONS)
    await here.submit(SESSIONS, { what: 'pair', id: 'key_none' })
    const after = (await here.get(`${SESSIONS}?ended=1`)).text
    assert.match(after, 'It has ended.')
    assert.match(after, 'There are none.')
    await here.submit(SESSIONS, { what: 'session', id: ids[0]! })
    assert.is((await here.get('/')).goTo, '/login')
  },
)

developer.run()

import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { reissuePair } from '../../../server/auth/key-pairs.ts'
import { addPerson, changePerson, cookieOf, PASSWORD } from '../auth/people.ts'
import { openTestApp, type TestApp } from '../test-app.ts'
import { linkIn, openBrowser, outbox } from './browser.ts'

const ASKED = 'If there is an account for that name'
const NEW = 'a new long password'
const HOUR = 60 * 60 * 1000

const passwords = suite('a forgotten password')
let api: TestApp

/** Somebody new for each test. */
let ann = ''
let people = 0

passwords.before(async () => {
  api = await openTestApp({ tier: 'pro', settings: { smtpUrl: 'smtp://mail.invalid' } })
})
passwords.before.each(async () => {
  people += 1
  ann = `ann${people}@example.com`
  await addPerson(api.engine, ann)
  // What the test before has asked for counts no more.
  api.clock.advance(2 * HOUR)
})
passwords.after(() => api.close())

async function ask(usr: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = await openBrowser(api).post('/forgot-password', { usr }, headers)
  await api.afterwards()
  // Mail of one moment is in no order.
  api.clock.advance(1)
  return answer
}

async function mailsTo(login: string) {
  return (await outbox(api)).filter(({ to }) => to === login)
}

passwords('is set anew by a link that comes by mail and works once', async () => {
  const browser = openBrowser(api)
  await browser.get('/forgot-password?redirect-to=/docs')
  const { status, text } = await browser.submit('/forgot-password', { usr: ann })
  assert.is(status, 200)
  assert.match(text, ASKED)
  const [mail] = await mailsTo(ann)
  assert.equal([mail?.to, mail?.kind], [ann, 'password-reset'])
  const { path } = linkIn(mail!)
  // Programs that look at links in mail do not use them up.
  assert.is((await browser.get(path)).status, 200)
  assert.match((await browser.get(path)).text, `For ${ann}.`)
  const done = await browser.submit('/reset-password', { password: NEW, again: NEW })
  assert.equal([done.status, done.goTo], [303, '/login?done=password&redirect-to=%2Fdocs'])
  assert.is((await openBrowser(api).signIn(ann)).status, 401)
  assert.is((await openBrowser(api).signIn(ann, NEW)).status, 303)
  const again = await browser.get(path)
  assert.is(again.status, 410)
  assert.match(again.text, 'This link works no more')
})

passwords(
  'is answered alike whoever it is asked for, and nothing goes to who is unknown',
  async () => {
    const [known, unknown, evil] = [
      await ask(ann),
      await ask('nobody@example.com'),
      await ask(`${ann}\r\nBcc: eve@example.com`),
    ]
    assert.equal([known.status, known.text], [unknown.status, unknown.text])
    assert.equal([known.status, known.text], [evil.status, evil.text])
    assert.is((await mailsTo(ann)).length, 1)
    assert.not.ok((await outbox(api)).some(({ to }) => /nobody|eve/.test(to)))
  },
)

passwords('links to the address that was set, not to the one a request names', async () => {
  await ask(ann, { Host: 'evil.example', 'X-Forwarded-Host': 'evil.example' })
  const [mail] = await mailsTo(ann)
  assert.is(linkIn(mail!).origin, 'http://svc.test')
  assert.not.match(JSON.stringify(mail), 'evil')
})

passwords('is told in no log and in no table', async () => {
  await ask(ann)
  const [mail] = await mailsTo(ann)
  const token = new URLSearchParams(linkIn(mail!).path.split('?')[1]).get('token') ?? ''
  assert.ok(token.length > 40)
  assert.not.match(api.logged(), token)
  const { read } = api.engine.services.database
  for (const table of ['svc_mails', 'svc_one_time_links', 'svc_events']) {
    const rows = await read.selectFrom(table).selectAll().execute()
    assert.not.match(String(rows.map((row) => Object.values(row).join(' '))), token, table)
  }
  const browser = openBrowser(api)
  await browser.get(linkIn(mail!).path)
  assert.not.match(api.logged(), token, 'the access log')
})

passwords('is not set by a link that is over, replaced or used elsewhere meanwhile', async () => {
  await ask(ann)
  await ask(ann)
  const [first, second] = (await mailsTo(ann)).map((mail) => linkIn(mail).path)
  assert.is((await openBrowser(api).get(first!)).status, 410)
  const [one, two] = [openBrowser(api), openBrowser(api)]
  await Promise.all([one.get(second!), two.get(second!)])
  const both = await Promise.all(
    [one, two].map((browser) => browser.submit('/reset-password', { password: NEW, again: NEW })),
  )
  assert.equal(both.map(({ status }) => status).sort(), [303, 410])
  await ask(ann)
  api.clock.advance(HOUR + 1)
  const third = linkIn((await mailsTo(ann))[2]!).path
  assert.is((await openBrowser(api).get(third)).status, 410)
  for (const token of ['', 'x', '%00', 'a'.repeat(5_000)])
    assert.is(
      (await openBrowser(api).get(`/reset-password?token=${token}`)).status,
      token === '%00' ? 422 : 410,
    )
})

passwords('is not set by a link that went to an address which is not theirs any more', async () => {
  const typo = await addPerson(api.engine, 'typo@example.com')
  const session = (await cookieOf(api.engine, typo)).cookie
  await ask('typo@example.com')
  await changePerson(api.engine, 'typo@example.com', { email: 'right@example.com' })
  const { path } = linkIn((await mailsTo('typo@example.com'))[0]!)
  assert.is((await openBrowser(api).get(path)).status, 410)
  const me = await supertest(api.app).get('/v1/currencies').set('Cookie', session)
  assert.is(me.status, 401, 'and sessions of before have ended')
  await ask('right@example.com')
  const browser = openBrowser(api)
  const newer = linkIn((await mailsTo('right@example.com'))[0]!)
  await browser.get(newer.path)
  await changePerson(api.engine, 'typo@example.com', { enabled: false })
  await changePerson(api.engine, 'typo@example.com', { enabled: true })
  const late = await browser.submit('/reset-password', { password: NEW, again: NEW })
  assert.is(late.status, 410, 'a link of before somebody was disabled does not come back')
})

passwords('ends the pair of key and secret', async () => {
  await addPerson(api.engine, 'pair@example.com')
  const { database } = api.engine.services
  const { api_key, api_secret } = await database.write((tx) =>
    reissuePair(tx, api.engine.services, 'pair@example.com'),
  )
  const status = async () =>
    (
      await supertest(api.app)
        .get('/v1/currencies')
        .set('Authorization', `token ${api_key}:${api_secret}`)
    ).status
  assert.is(await status(), 200)
  await ask('pair@example.com')
  const browser = openBrowser(api)
  await browser.get(linkIn((await mailsTo('pair@example.com'))[0]!).path)
  await browser.submit('/reset-password', { password: NEW, again: NEW })
  assert.is(await status(), 401)
})

passwords('may not be short or typed differently; the link is not used up by that', async () => {
  await ask(ann)
  const browser = openBrowser(api)
  await browser.get(linkIn((await mailsTo(ann))[0]!).path)
  const short = await browser.submit('/reset-password', { password: 'short', again: 'short' })
  assert.is(short.status, 422)
  assert.match(short.text, /aria-describedby="password-error password-hint" aria-invalid="true"/)
  assert.match(short.text, /id="password-error">Expected at least 8 characters/)
  const typo = await browser.submit('/reset-password', { password: NEW, again: `${NEW}x` })
  assert.match(typo.text, /id="again-error">/)
  assert.not.match(typo.text, NEW)
  assert.is((await browser.submit('/reset-password', { password: NEW, again: NEW })).status, 303)
})

passwords('is mailed a few times an hour only, and one address asks so often only', async () => {
  for (let i = 0; i < 8; i += 1) await ask(ann)
  assert.is((await mailsTo(ann)).length, 5)
  let last = await ask('other@example.com')
  for (let i = 0; i < 30 && last.status === 200; i += 1) last = await ask('other@example.com')
  assert.is(last.status, 429)
  assert.match(last.headers['retry-after'] ?? '', /^\d+$/)
  api.clock.advance(HOUR)
  assert.is((await ask(ann)).status, 200)
  assert.is((await mailsTo(ann)).length, 6)
})

const mailless = suite('a forgotten password where no mail goes out')

mailless('is said to be so, of nobody, and nothing is made', async () => {
  const quiet = await openTestApp({ tier: 'pro' })
  try {
    await addPerson(quiet.engine, 'ann@example.com')
    const browser = openBrowser(quiet)
    const asked = await browser.get('/forgot-password?redirect-to=/docs')
    assert.is(asked.status, 200)
    assert.match(asked.text, 'This workspace cannot send mail')
    assert.match(asked.text, 'svc user passwd')
    assert.match(asked.text, 'href="/login?redirect-to=%2Fdocs"')
    assert.not.match(asked.text, '<form')
    const sent = await Promise.all(
      ['ann@example.com', 'nobody@example.com'].map((usr) =>
        browser.post('/forgot-password', { usr }),
      ),
    )
    await quiet.afterwards()
    assert.equal(
      sent.map(({ status, text }) => [status, text.includes('cannot send mail')]),
      [
        [200, true],
        [200, true],
      ],
    )
    assert.is(sent[0]?.text, sent[1]?.text)
    assert.equal(await outbox(quiet), [])
  } finally {
    await quiet.close()
  }
})

const changes = suite('a changed password')

changes.before(async () => {
  api = await openTestApp({ tier: 'pro' })
  await addPerson(api.engine, 'ann@example.com')
})
changes.after(() => api.close())

changes('needs the old one, and ends every other session', async () => {
  const [here, there] = [openBrowser(api), openBrowser(api)]
  assert.is((await here.get('/change-password')).goTo, '/login?redirect-to=%2Fchange-password')
  await here.signIn('ann@example.com')
  await there.signIn('ann@example.com')
  await here.get('/change-password')
  const fields = { old_password: 'wrong one', password: NEW, again: NEW }
  const wrong = await here.submit('/change-password', fields)
  assert.is(wrong.status, 422)
  assert.match(wrong.text, /id="old_password-error">This is not your password/)
  const sid = here.cookies.get('sid')
  const done = await here.submit('/change-password', { ...fields, old_password: PASSWORD })
  assert.is(done.goTo, '/change-password?done=1')
  assert.is.not(here.cookies.get('sid'), sid)
  assert.match((await here.get('/change-password?done=1')).text, 'Your password is changed.')
  assert.is((await there.get('/')).goTo, '/login')
  assert.is((await openBrowser(api).signIn('ann@example.com')).status, 401)
})

changes('is not made by a form without the token of the session', async () => {
  const browser = openBrowser(api)
  await browser.signIn('ann@example.com', NEW)
  const fields = { old_password: NEW, password: PASSWORD, again: PASSWORD }
  for (const csrf_token of ['', 'x'])
    assert.is((await browser.post('/change-password', { ...fields, csrf_token })).status, 403)
  assert.is((await openBrowser(api).signIn('ann@example.com', NEW)).status, 303)
})

passwords.run()
mailless.run()
changes.run()

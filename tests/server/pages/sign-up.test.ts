import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addPerson, changePerson } from '../auth/people.ts'
import { openTestApp, type TestApp } from '../test-app.ts'
import { openBrowser, outbox } from './browser.ts'

const signUp = suite('the page for signing up')
let api: TestApp

signUp.before(async () => {
  api = await openTestApp({ tier: 'pro' })
  await addPerson(api.engine, 'ann@example.com')
  await addPerson(api.engine, 'gone@example.com')
  await changePerson(api.engine, 'gone@example.com', { enabled: false })
})
signUp.after(() => api.close())

signUp('makes an account and says where to look', async () => {
  const browser = openBrowser(api)
  const { text } = await browser.get('/signup?redirect-to=/docs')
  assert.match(text, '<option value="eu" selected>European Union</option>')
  const fields = { full_name: 'Nia <i>', email: 'nia@example.com', svc_datacenter: 'india' }
  const done = await browser.submit('/signup', fields)
  assert.is(done.status, 200)
  assert.match(done.text, 'We have written to nia@example.com')
  const [mail] = await outbox(api)
  assert.not.match(JSON.stringify(mail), 'docs', 'a mail holds nothing a stranger wrote')
  await supertest(api.app)
    .post('/api/method/frappe.core.doctype.user.user.reset_password')
    .send({ user: 'nia@example.com' })
  const mails = (await outbox(api)).filter(({ to }) => to === 'nia@example.com')
  assert.is(mails.length, 2)
  // Whoever types a name here must not write to whom they like.
  for (const { text, html, subject } of mails)
    assert.not.match(`${text} ${html} ${subject}`, 'Nia', 'nothing of what a stranger typed')
})

signUp(
  'says the same for an address that has an account, or a disabled one, and tells by mail',
  async () => {
    const texts = []
    for (const email of ['ann@example.com', 'bob@example.com', 'gone@example.com']) {
      const browser = openBrowser(api)
      await browser.get('/signup')
      const { status, text } = await browser.submit('/signup', {
        full_name: 'Somebody',
        email,
        svc_datacenter: 'eu',
      })
      assert.is(status, 200)
      texts.push(text.replace(email, ''))
    }
    assert.equal(new Set(texts).size, 1)
    const mail = (await outbox(api)).find(({ to }) => to === 'ann@example.com')
    assert.match(mail?.text ?? '', 'has an account already')
  },
)

signUp('says what is wrong beside the field, and keeps what was typed, as text', async () => {
  const browser = openBrowser(api)
  await browser.get('/signup')
  const fields = { full_name: '"><script>x</script>', email: 'nowhere', svc_datacenter: 'us' }
  const { status, text } = await browser.submit('/signup', fields)
  assert.is(status, 422)
  assert.match(text, /id="email-error">Expected an e-mail address/)
  assert.match(text, /aria-describedby="email-error" aria-invalid="true"/)
  assert.match(text, 'value="&quot;&gt;&lt;script&gt;x&lt;/script&gt;"')
  assert.match(text, '<option value="us" selected>')
  assert.not.match(text, '<script')
})

signUp.run()

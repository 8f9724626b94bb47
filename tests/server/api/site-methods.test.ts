import * as assert from 'uvu/assert'
import { pruningJobs } from '../../../server/jobs/pruning-jobs.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { changePerson } from '../auth/people.ts'
import { linkIn, openBrowser, outbox } from '../pages/browser.ts'
import { type Answered, openSite, PASSWORD, type Site } from './site.ts'

const SUBMIT = '/api/method/svc_brand.analytics.contact.submit_contact'
const SEND = '/api/method/svc_brand.marketing.api.send_contact_message'
const SIGN_UP = '/api/method/svc_brand.auth.signup.sign_up'
const FRAPPE_SIGN_UP = '/api/method/frappe.core.doctype.user.user.sign_up'
const RESET = '/api/method/frappe.core.doctype.user.user.reset_password'
const KEYS = '/api/method/frappe.core.doctype.user.user.generate_keys'
const HOUR = 60 * 60 * 1000

const MESSAGE = { full_name: 'Zoë <b>', email: 'zoe@example.com', message: 'Hello?\n<script>' }

forEachDatabaseWhenDeep('forms of who is not signed in', ({ kind, test, fresh }) => {
  let site: Site

  /** Somebody new for each test, with capitals in the address. */
  let NEW = { email: '', full_name: 'Nia New', svc_datacenter: 'eu' }
  let login = ''
  let tests = 0
  /** What there was before the test. */
  let earlier = { mails: 0, messages: 0, users: 0 }

  test.before(async () => {
    site = await openSite({
      tier: 'pro',
      database: await fresh(),
      settings: { smtpUrl: 'smtp://mail.invalid' },
    })
  })
  test.before.each(async () => {
    // What the test before has asked for counts no more.
    site.test.clock.advance(2 * HOUR)
    tests += 1
    NEW = { ...NEW, email: `New${tests}@Example.com` }
    login = NEW.email.toLowerCase()
    const [mails, messages, users] = await Promise.all([
      outbox(site.test),
      allRows('contact_messages'),
      allRows('users'),
    ])
    earlier = { mails: mails.length, messages: messages.length, users: users.length }
  })
  test.after(() => site.close())

  const guest = (path: string, json: object): Promise<Answered> =>
    site.call('POST', path, { as: null, json })

  const newMails = async () => (await outbox(site.test)).slice(earlier.mails)
  const newMessages = async () => (await allRows('contact_messages')).slice(earlier.messages)
  const newUsers = async () => (await allRows('users')).slice(earlier.users)

  const allRows = (serves: 'contact_messages' | 'users'): Promise<Record<string, unknown>[]> => {
    const { registry, database } = site.test.engine.services
    const { table } = registry.serving(serves)!
    return database.read.selectFrom(table).selectAll().orderBy('rid').execute()
  }

  test('keep a contact message and tell the System Managers of it', async () => {
    const answer = await guest(SUBMIT, MESSAGE)
    assert.equal([answer.status, answer.body], [200, { message: { ok: true } }])
    const form = await site.call('POST', SEND, { as: null, form: MESSAGE })
    assert.equal(form.body, { message: { ok: true } })
    const rows = await newMessages()
    assert.equal(
      rows.map(({ full_name, email, message, status, source, owner }) => ({
        full_name,
        email,
        message,
        status,
        source,
        owner,
      })),
      ['submit_contact', 'send_contact_message'].map((source) => ({
        ...MESSAGE,
        status: 'Open',
        source,
        owner: 'Guest',
      })),
    )
    const mails = await newMails()
    assert.equal(
      mails.map(({ to, kind }) => [to, kind]),
      [
        ['ada@example.com', 'contact'],
        ['ada@example.com', 'contact'],
      ],
    )
    assert.match(mails[0]?.text ?? '', 'Zoë <b> <zoe@example.com> wrote')
    assert.match(mails[0]?.html ?? '', 'Hello?\n&lt;script&gt;')
  })

  test('refuse what is no message, with all that is wrong, and keep nothing', async () => {
    const { status, body } = await guest(SUBMIT, { email: 'nowhere', message: ['x'] })
    assert.is(status, 417)
    for (const field of ['full_name', 'email', 'message'])
      assert.match(JSON.stringify(body), field, field)
    const long = { ...MESSAGE, message: 'x'.repeat(10_001) }
    assert.is((await guest(SUBMIT, long)).status, 417)
    assert.is((await guest(SUBMIT, { ...MESSAGE, full_name: 'a\0b' })).status, 417)
    assert.equal(await newMessages(), [])
    assert.equal(await newMails(), [])
  })

  test('accept ten messages an hour and address, whichever process takes them, and each form its own', async () => {
    const statuses: number[] = []
    // What is refused does not count.
    assert.is((await guest(SUBMIT, {})).status, 417)
    for (let i = 0; i < 4; i += 1) {
      const three = [0, 1, 2].map(() => guest(SUBMIT, MESSAGE))
      statuses.push(...(await Promise.all(three)).map(({ status }) => status))
    }
    assert.equal(statuses.sort(), [...Array(10).fill(200), 429, 429])
    const refused = await guest(SUBMIT, MESSAGE)
    assert.is(refused.headers.get('retry-after'), '3600')
    assert.is((await newMessages()).length, 10)
    assert.is((await guest(SEND, MESSAGE)).status, 200)
    site.test.clock.advance(HOUR)
    assert.is((await guest(SUBMIT, MESSAGE)).status, 200)
  })

  test('make an account whose address is proven by a link before anybody can use it', async () => {
    const answer = await guest(SIGN_UP, { ...NEW, redirect_to: '/docs?x=1' })
    assert.equal(
      [answer.status, answer.body],
      [200, [1, 'Please check your email for verification']],
    )
    const [row] = await newUsers()
    assert.equal(
      [row?.name, row?.email, row?.full_name, row?.data_residency, Number(row?.enabled)],
      [login, login, 'Nia New', 'eu', 1],
    )
    const browser = openBrowser(site.test)
    assert.is((await browser.signIn(login, '')).status, 401)
    const [mail] = await newMails()
    assert.equal([mail?.to, mail?.kind], [login, 'sign-up'])
    assert.is(linkIn(mail!).origin, 'http://svc.test')
    await browser.get(linkIn(mail!).path)
    const set = await browser.submit('/reset-password', { password: PASSWORD, again: PASSWORD })
    assert.is(set.goTo, '/login?done=password&redirect-to=%2Fdocs%3Fx%3D1')
    assert.is((await browser.signIn(login, PASSWORD)).status, 303)
  })

  test('give a new account the role of strangers: it reads nothing of the staff', async () => {
    await guest(SIGN_UP, NEW)
    const browser = openBrowser(site.test)
    await browser.get(linkIn((await newMails())[0]!).path)
    await browser.submit('/reset-password', { password: PASSWORD, again: PASSWORD })
    await browser.signIn(login, PASSWORD)
    for (const slug of ['currencies', 'gadgets', 'customers', 'users', 'contact-messages'])
      assert.is((await browser.get(`/v1/${slug}`)).status, 403, slug)
    assert.is((await browser.get('/settings/developer')).status, 403)
  })

  test('know who has an account, and tell only them more', async () => {
    const [first, second] = await Promise.all([guest(SIGN_UP, NEW), guest(SIGN_UP, NEW)])
    assert.equal([first?.body[0], second?.body[0]].sort(), [0, 1])
    assert.equal((await guest(SIGN_UP, { ...NEW, email: ` ${login} ` })).body, [
      0,
      'Already Registered',
    ])
    await changePerson(site.test.engine, login, { enabled: false })
    assert.equal((await guest(FRAPPE_SIGN_UP, NEW)).body, {
      message: [0, 'Registered but disabled'],
    })
    assert.is((await newMails()).length, 3, 'who has not confirmed gets another link')
    site.test.clock.advance(HOUR)
    await changePerson(site.test.engine, login, { enabled: true })
    await guest(SIGN_UP, NEW)
    assert.match((await newMails()).at(-1)?.text ?? '', 'has an account already')
    assert.is((await newUsers()).length, 1)
  })

  test('sign up nobody when something is missing or leads elsewhere', async () => {
    const wrong: readonly object[] = [
      { ...NEW, email: 'nowhere' },
      { ...NEW, email: ['a@example.com'] },
      { ...NEW, full_name: ' ' },
      { ...NEW, svc_datacenter: 'mars' },
      { ...NEW, svc_datacenter: undefined },
      { ...NEW, redirect_to: 'https://evil.example' },
      { ...NEW, redirect_to: '//evil.example' },
    ]
    for (const body of wrong) {
      const { status } = await guest(SIGN_UP, body)
      assert.is(status, 417, JSON.stringify(body))
    }
    // Frappe's own form knows of no data centre.
    const { svc_datacenter: _, ...plain } = NEW
    assert.is((await guest(FRAPPE_SIGN_UP, plain)).body.message[0], 1)
    assert.is((await newMails()).length, 1)
  })

  test('sign up ten an hour and address', async () => {
    const statuses = []
    for (let i = 0; i < 12; i += 1)
      statuses.push((await guest(SIGN_UP, { ...NEW, email: `${i}.${login}` })).status)
    assert.equal(statuses, [...Array(10).fill(200), 429, 429])
  })

  test('mail a link for a forgotten password, and say the same to everybody', async () => {
    const answers = await Promise.all(
      ['ada@example.com', 'nobody@example.com', 'x'.repeat(10_000)].map((user) =>
        guest(RESET, { user }),
      ),
    )
    for (const { status, body } of answers) assert.equal([status, body], [200, answers[0]?.body])
    assert.equal(
      (await newMails()).map(({ to }) => to),
      ['ada@example.com'],
    )
    // frappe-js-sdk sends it so.
    const sdk = await guest('/', {
      cmd: 'frappe.core.doctype.user.user.reset_password',
      user: 'ada@example.com',
    })
    assert.equal(sdk.body, answers[0]?.body)
    assert.is((await newMails()).length, 2)
  })

  test('make keys for oneself, and for others by System Managers alone', async () => {
    const sales = await site.addPerson('sal@example.com', ['Sales User'])
    assert.is((await guest(KEYS, { user: 'sal@example.com' })).status, 403)
    const other = await site.call('POST', KEYS, { as: sales, json: { user: 'ada@example.com' } })
    assert.is(other.status, 403)
    const own = await site.call('POST', KEYS, { as: sales, json: { user: 'sal@example.com' } })
    assert.is(own.status, 200)
    const { api_key, api_secret } = own.body.message
    const whoami = (as: string) =>
      site.call('GET', '/api/method/frappe.auth.get_logged_user', { as })
    assert.is((await whoami(sales)).status, 401, 'the pair before has ended')
    assert.equal((await whoami(`token ${api_key}:${api_secret}`)).body.message, 'sal@example.com')
    const made = await site.call('POST', KEYS, { json: { user: 'sal@example.com' } })
    assert.is(made.status, 200)
    assert.is((await site.call('POST', KEYS, { json: { user: 'nobody' } })).status, 404)
    const { key } = await site.test.newKey({ scope: 'write' })
    const byKey = { as: `Bearer ${key}`, json: { user: 'ada@example.com' } }
    assert.is((await site.call('POST', KEYS, byKey)).status, 403)
    assert.is((await site.call('GET', `${KEYS}?user=ada@example.com`)).status, 403)
  })

  test('leave no counters behind when their hour is long over', async () => {
    await guest(SUBMIT, MESSAGE)
    const { engine, clock } = site.test
    const counters = () =>
      engine.services.database.read.selectFrom('svc_rate_windows').select('key').execute()
    const prune = async (): Promise<void> => {
      const job = pruningJobs(engine, 0).find(({ name }) => name === 'sign-ins')
      await job?.run('', new AbortController().signal)
    }
    await prune()
    assert.ok((await counters()).some(({ key }) => String(key).startsWith('hour:')))
    clock.advance(25 * HOUR)
    await prune()
    assert.equal(await counters(), [])
  })

  if (kind === 'sqlite')
    test('are closed where sign-up is off', async () => {
      const closed = await openSite({ tier: 'pro', settings: { signup: false } })
      const answer = await closed.call('POST', SIGN_UP, { as: null, json: NEW })
      assert.is(answer.status, 403)
      assert.match(answer.body.message, 'sign-up is closed on this workspace')
      const browser = openBrowser(closed.test)
      assert.is((await browser.get('/signup')).status, 403)
      assert.is((await browser.post('/signup', NEW)).status, 403)
      assert.not.match((await browser.get('/login')).text, '/signup')
      // Without a mail server nobody waits for a mail about a message.
      await closed.call('POST', SUBMIT, { as: null, json: MESSAGE })
      assert.equal(await outbox(closed.test), [])
      await closed.close()
    })
})

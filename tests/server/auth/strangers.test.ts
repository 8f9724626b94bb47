import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { claimWorkspace } from '../../../cli/setup/administrator.ts'
import { createRoles } from '../../../cli/setup/roles.ts'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { pruningJobs } from '../../../server/jobs/pruning-jobs.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { linkIn, openBrowser, outbox } from '../pages/browser.ts'
import { openTestApp, type TestApp } from '../test-app.ts'
import { changePerson, PASSWORD } from './people.ts'

const SIGN_UP = '/api/method/svc_brand.auth.signup.sign_up'
const HOUR = 60 * 60 * 1000

forEachDatabaseWhenDeep('strangers who sign up', ({ test, fresh }) => {
  let api: TestApp

  test.before(async () => {
    api = await openTestApp({
      database: await fresh(),
      settings: { smtpUrl: 'smtp://mail.invalid' },
    })
  })
  test.before.each(() => api.clock.advance(2 * HOUR))
  test.after(() => api.close())

  const signUp = async (email: string) =>
    (
      await supertest(api.app)
        .post(SIGN_UP)
        .send({ email, full_name: 'Some Body', svc_datacenter: 'eu' })
    ).body
  const admin = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
    supertest(api.app)[method](path).set('X-API-Key', api.keys.admin).send(body)
  const mailsTo = async (email: string) => (await outbox(api)).filter(({ to }) => to === email)
  const confirm = async (email: string) => {
    const browser = openBrowser(api)
    await browser.get(linkIn((await mailsTo(email)).at(-1)!).path)
    await browser.submit('/reset-password', { password: PASSWORD, again: PASSWORD })
    await browser.signIn(email, PASSWORD)
    return browser
  }
  const expire = () =>
    pruningJobs(api.engine, 0)
      .find(({ name }) => name === 'unconfirmed-sign-ups')!
      .run('', new AbortController().signal)

  test('take no seat of the plan, before and after they confirm, until somebody makes them staff', async () => {
    // The free plan has two seats.
    for (const n of [1, 2, 3]) assert.is((await signUp(`squat${n}@example.com`))[0], 1)
    await confirm('squat3@example.com')
    for (const n of [1, 2]) {
      const { status } = await admin('post', '/v1/users', {
        email: `staff${n}@example.com`,
        full_name: 'Staff',
      })
      assert.is(status, 201)
    }
    const raised = await admin('patch', '/v1/users/squat3@example.com', { roles: [] })
    assert.is(raised.status, 403)
    assert.match(raised.body.error.message, 'all 2 seats of the Free plan are taken')
    for (const n of [1, 2]) await admin('delete', `/v1/users/staff${n}@example.com`)
  })

  test('see nothing of the staff, who confirmed as little as who did not', async () => {
    await admin('post', '/v1/notes', { title: 'All hands', public: true })
    await signUp('nosy@example.com')
    const browser = await confirm('nosy@example.com')
    for (const slug of ['notes', 'currencies', 'companies', 'users', 'files', 'todos', 'tags'])
      assert.is((await browser.get(`/v1/${slug}`)).status, 403, slug)
    await admin('patch', '/v1/users/nosy@example.com', { roles: [] })
    await browser.signIn('nosy@example.com', PASSWORD)
    assert.is(
      (await browser.get('/v1/notes')).status,
      200,
      'staff without a role sees what All may',
    )
    await admin('delete', '/v1/users/nosy@example.com')
  })

  test('go with their link, unless they have used it or the workspace knows them', async () => {
    for (const who of ['gone', 'proven', 'known']) await signUp(`${who}@example.com`)
    await confirm('proven@example.com')
    await changePerson(api.engine, 'known@example.com', { phone: '+49 30 1234567' })
    api.clock.advance(71 * HOUR)
    await expire()
    assert.is((await admin('get', '/v1/users/gone@example.com')).status, 200)
    api.clock.advance(2 * HOUR)
    assert.is((await admin('get', '/v1/users/gone@example.com')).status, 200)
    await expire()
    const statuses = []
    for (const who of ['gone', 'proven', 'known'])
      statuses.push((await admin('get', `/v1/users/${who}@example.com`)).status)
    assert.equal(statuses, [404, 200, 200])
  })

  test('cannot keep an address from who owns it', async () => {
    await signUp('owner@example.com')
    api.clock.advance(2 * HOUR)
    assert.equal(await signUp('owner@example.com'), [0, 'Already Registered'])
    const mails = await mailsTo('owner@example.com')
    assert.is(mails.length, 2, 'and its owner gets a link of their own')
    assert.is((await openBrowser(api).get(linkIn(mails[0]!).path)).status, 410)
    const made = await admin('post', '/v1/users', {
      email: 'owner@example.com',
      full_name: 'The Owner',
    })
    assert.is(made.status, 201, JSON.stringify(made.body))
    assert.is((await openBrowser(api).get(linkIn(mails[1]!).path)).status, 410)
    api.clock.advance(100 * HOUR)
    await expire()
    const { body } = await admin('get', '/v1/users/owner@example.com')
    assert.equal([body.full_name, body.roles], ['The Owner', []])
    await signUp('second@example.com')
    const moved = await admin('patch', '/v1/users/owner@example.com', {
      email: 'second@example.com',
    })
    assert.is(moved.status, 200, JSON.stringify(moved.body))
    assert.is((await admin('get', '/v1/users/second@example.com')).status, 404)
    await admin('delete', '/v1/users/owner@example.com')
  })

  test('are no hindrance to the first person of a workspace', async () => {
    await signUp('first@example.com')
    const email = 'first@example.com'
    const administrator = { user: email, email, password: PASSWORD }
    const context = api.engine.context(SYSTEM_ACTOR, await api.engine.tier())
    await createRoles(api.engine)
    assert.ok(await claimWorkspace(context, administrator))
    const browser = openBrowser(api)
    assert.is((await browser.signIn(email, PASSWORD)).status, 303)
    assert.is((await browser.get('/settings/developer')).status, 200)
    api.clock.advance(100 * HOUR)
    await expire()
    assert.is((await admin('get', `/v1/users/${email}`)).status, 200)
    assert.is((await openBrowser(api).get(linkIn((await mailsTo(email))[0]!).path)).status, 410)
  })
})

import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newPassword, setPassword } from '../../server/auth/accounts.ts'
import { makeLink } from '../../server/auth/one-time-links.ts'
import { TEST_DOCTYPES } from '../server/test-app.ts'
import { send, sessionOf } from './people.ts'
import { GUARDED_DOCTYPES, openScene, type Scene } from './scene.ts'

/* Attacks that once worked. */

const test = suite('attacks')
let scene: Scene

/** Nearly all that a body may hold. */
const LONG = 900_000

/** An action whose input names a record: what it makes shows something of it. */
const ASKED_DOCTYPES: Readonly<Record<string, string>> = {
  favour: `
doctype: Favour
module: crm
tier: free
naming: "FAV-{###}"
fields:
  label: {type: data}
actions:
  note:
    input: {errand: {type: link, options: Errand, required: true}}
    steps:
      - create: Note
        set: {errand: input.errand}
permissions:
  roles:
    Employee: [all]
`,
  note: `
doctype: Note
module: crm
tier: free
naming: "NOTE-{###}"
fields:
  errand: {type: link, options: Errand}
  title: {type: data, fetch: errand.title}
permissions:
  roles:
    Employee: [all]
`,
}

test.before(async () => {
  scene = await openScene({
    doctypes: { ...TEST_DOCTYPES, ...GUARDED_DOCTYPES, ...ASKED_DOCTYPES },
  })
})
test.after(() => scene.close())

test('a list of nothing but commas is read in one pass', async () => {
  const list = (body: object) =>
    scene.call(scene.manager, 'post', '/api/method/frappe.client.get_list').send(body)
  const commas = ','.repeat(LONG)
  for (const parameter of ['fields', 'order_by', 'group_by']) {
    const answer = await list({ doctype: 'Currency', [parameter]: commas })
    assert.is(answer.status, 200, `${parameter}: ${answer.text.slice(0, 200)}`)
  }
  const many = await list({ doctype: 'Currency', fields: 'name,'.repeat(LONG / 5) })
  assert.is(many.status, 417, many.text.slice(0, 200))
})

test('a number of a million digits is refused, not worked on', async () => {
  const digits = `1${'0'.repeat(LONG)}1`
  for (const price of [digits, `-${digits}.5`]) {
    const answer = await scene
      .call(scene.boss, 'post', '/api/resource/Gadget')
      .send({ code: 'long', title: 'x', price })
    assert.is(answer.status, 417, answer.text.slice(0, 200))
    assert.match(answer.text, 'expected a number')
  }
})

test('what holds a record back is named to those alone who may read it', async () => {
  const made = await scene.call(scene.boss, 'post', '/v1/dossiers').send({ subject: 'Merger' })
  const gift = await scene
    .call(scene.boss, 'post', '/v1/gifts')
    .send({ label: 'Watch', dossier: made.body.id })
  const path = `/v1/dossiers/${made.body.id}`
  const refused = await scene.call(scene.manager, 'delete', path)
  assert.is(refused.status, 409, refused.text)
  assert.equal(refused.body.error.linked, [])
  assert.not.match(refused.text, gift.body.id)
  assert.not.match(refused.text, 'Gift')
  const told = await scene.call(scene.boss, 'delete', path)
  assert.is(told.status, 409)
  assert.equal(
    told.body.error.linked.map(({ id }: { id: string }) => id),
    [gift.body.id],
  )
})

test('the input of an action names no record that the caller may not read', async () => {
  const { boss, worker } = scene
  const errandOf = async (assignee: string) =>
    (await scene.call(boss, 'post', '/v1/errands').send({ title: `of ${assignee}`, assignee })).body
      .id
  const favour = await scene.call(worker, 'post', '/v1/favours').send({ label: 'x' })
  const note = (errand: string) =>
    scene.call(worker, 'post', `/v1/favours/${favour.body.id}/actions/note`).send({ errand })
  const refused = await note(await errandOf('somebody@example.com'))
  assert.is(refused.status, 422, refused.text)
  const unknown = await note('ERR-999')
  assert.is(unknown.status, 422)
  assert.is(
    refused.text.replaceAll(/ERR-\d+/g, ''),
    unknown.text.replaceAll(/ERR-\d+/g, ''),
    'the same words as for none',
  )
  assert.is((await note(await errandOf(worker.login))).status, 200)
  const notes = await scene.call(worker, 'get', '/v1/notes')
  assert.is(notes.body.meta.total, 1)
})

test('another site cannot sign anybody out', async () => {
  const cookie = await sessionOf(scene, scene.worker.login)
  const whoAmI = () => send(scene, 'get', '/api/method/frappe.auth.get_logged_user', { cookie })
  for (const path of ['/api/method/logout', '/?cmd=logout']) {
    for (const from of ['cross-site', 'same-site']) {
      const answer = await send(scene, 'get', path, { cookie, 'sec-fetch-site': from })
      assert.is(answer.status, 400, `${path}: ${answer.text}`)
      assert.is(answer.headers['set-cookie'], undefined)
    }
  }
  assert.is((await whoAmI()).status, 200)
  assert.is((await send(scene, 'get', '/api/method/logout', { cookie })).status, 200)
  assert.is((await whoAmI()).status, 403)
})

test('a page takes no name of every object for one of its own', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty'])
    assert.is((await supertest(scene.app).get(`/login?done=${name}`)).status, 200, name)
})

test('a link for a new password ends with the next password, however that came about', async () => {
  const { services } = scene.engine
  const { login } = scene.worker
  const token = await services.database.write((tx) =>
    makeLink(tx, services.clock, { login, address: login, go_on_to: null }, 'password', 60_000),
  )
  const page = () => supertest(scene.app).get(`/reset-password?token=${token}`)
  assert.is((await page()).status, 200)
  const hashed = await newPassword('another long password of mine')
  await services.database.write((tx) => setPassword(tx, services, login, hashed))
  assert.is((await page()).status, 410)
})

test.run()

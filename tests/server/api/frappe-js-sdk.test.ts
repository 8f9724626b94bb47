import { FrappeApp } from 'frappe-js-sdk'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Anything, openSite, PASSWORD, type Site } from './site.ts'

/** The public client, as it is published: what it makes of our answers is what its users see. */
const sdk = suite('frappe-js-sdk')

let site: Site
let frappe: FrappeApp
sdk.before(async () => {
  site = await openSite({ settings: { rateLimit: false } })
  frappe = new FrappeApp(site.url, {
    useToken: true,
    token: () => site.token.slice('token '.length),
    type: 'token',
  })
})
sdk.after(() => site?.close())

async function failure(run: Promise<unknown>): Promise<Anything> {
  try {
    await run
  } catch (error) {
    return error
  }
  throw new Error('expected a refusal')
}

sdk('says who is signed in by token', async () => {
  assert.is(await frappe.auth().getLoggedInUser(), 'ada@example.com')
})

sdk('signs in by password, works with the cookies, and signs out', async () => {
  const plain = new FrappeApp(site.url)
  const wrong = await failure(
    plain.auth().loginWithUsernamePassword({ username: 'ada@example.com', password: 'no' }),
  )
  assert.equal([wrong.httpStatus, wrong.message], [401, 'Invalid login credentials'])
  let cookies = ''
  plain.axios.interceptors.response.use((answer) => {
    cookies = (answer.headers['set-cookie'] ?? []).map((one) => one.split(';')[0]).join('; ')
    return answer
  })
  const told: Anything = await plain
    .auth()
    .loginWithUsernamePassword({ username: 'ada@example.com', password: PASSWORD })
  assert.is(told.message, 'Logged In')
  assert.is(told.full_name, 'ada@example.com')
  const signedIn = new FrappeApp(site.url, undefined, undefined, { Cookie: cookies })
  assert.is(await signedIn.auth().getLoggedInUser(), 'ada@example.com')
  const made: Anything = await signedIn.db().createDoc('Gadget', { code: 'by-cookie', title: 'C' })
  assert.is(made.owner, 'ada@example.com')
  await signedIn.auth().logout()
  assert.is((await failure(signedIn.auth().getLoggedInUser())).httpStatus, 403)
})

sdk('creates, reads, changes, counts, lists and deletes', async () => {
  const db = frappe.db()
  for (const n of [1, 2, 3, 4, 5]) {
    const made: Anything = await db.createDoc('Gadget', {
      code: `S ${n}/x`,
      title: `Sdk ${n}`,
      price: n,
    })
    assert.is(made.name, `S ${n}/x`)
  }
  const read: Anything = await db.getDoc('Gadget', 'S 2/x')
  assert.is(read.title, 'Sdk 2')
  const changed: Anything = await db.updateDoc('Gadget', 'S 2/x', { price: 20 })
  assert.is(changed.price, 20)
  assert.is(await db.getCount('Gadget', [['title', 'like', 'Sdk%']]), 5)
  const page = await db.getDocList('Gadget', {
    fields: ['name', 'price'],
    filters: [['title', 'like', 'Sdk %']],
    orderBy: { field: 'price', order: 'desc' },
    limit_start: 1,
    limit: 2,
  })
  assert.equal(page, [
    { name: 'S 5/x', price: 5 },
    { name: 'S 4/x', price: 4 },
  ] as Anything)
  const arrays = await db.getDocList('Gadget', {
    fields: ['name'],
    filters: [['price', '=', 20]],
    asDict: false,
  } as Anything)
  assert.equal(arrays, [['S 2/x']] as Anything)
  const last: Anything = await db.getLastDoc('Gadget', { filters: [['title', 'like', 'Sdk%']] })
  assert.match(last.title, /^Sdk/)
  assert.is(((await db.deleteDoc('Gadget', 'S 1/x')) as Anything).message, 'ok')
  const gone = await failure(db.getDoc('Gadget', 'S 1/x'))
  assert.equal(
    [gone.httpStatus, gone.exception.split(':')[0]],
    [404, 'frappe.exceptions.DoesNotExistError'],
  )
})

sdk('reads and sets single values', async () => {
  const db = frappe.db()
  const filters: Anything = [['title', '=', 'Sdk 3']]
  assert.equal(await db.getValue('Gadget', 'price', filters), { message: { price: 3 } } as Anything)
  assert.equal(await db.getValue('Gadget', ['name', 'price'], filters), {
    message: { name: 'S 3/x', price: 3 },
  } as Anything)
  const set: Anything = await db.setValue('Gadget', 'S 3/x', 'price', 33)
  assert.is(set.message.price, 33)
  const both: Anything = await db.setValue('Gadget', 'S 3/x', { price: 34, stock: 1 })
  assert.equal([both.message.price, both.message.stock], [34, 1])
  assert.match((await failure(db.renameDoc('Gadget', 'S 3/x', 'new'))).message, 'cannot be renamed')
  assert.match((await failure(db.getSingleValue('Gadget', 'title'))).message, 'not a single')
})

sdk('submits and cancels', async () => {
  const db = frappe.db()
  const draft: Anything = await db.createDoc('Errand', { title: 'Sdk', lines: [{ qty: 1 }] })
  const submitted: Anything = await db.submit(draft)
  assert.is(submitted.docstatus, 1)
  assert.is(submitted.lines.length, 1)
  const cancelled: Anything = await db.cancel('Errand', draft.name)
  assert.is(cancelled.message.docstatus, 2)
  const stub: Anything = await db.createDoc('Errand', { title: 'Stub', size: 3 })
  const whole: Anything = await db.submit({ doctype: 'Errand', name: stub.name })
  assert.equal([whole.docstatus, whole.title, whole.size], [1, 'Stub', 3])
})

sdk('calls methods with every verb', async () => {
  const call = frappe.call()
  assert.equal(await call.get('ping'), { message: 'pong' })
  const found = await call.get('frappe.desk.search.search_link', {
    doctype: 'Gadget',
    txt: 'Sdk 4',
    filters: { price: ['>', 1] },
  })
  assert.equal(found.message, [{ value: 'S 4/x', description: 'Sdk 4' }])
  const listed = await call.post('frappe.client.get_list', {
    doctype: 'Gadget',
    filters: { price: 4 },
    fields: ['name'],
  })
  assert.equal(listed.message, [{ name: 'S 4/x' }])
  const inserted = await call.put('frappe.client.insert', {
    doc: { doctype: 'Gadget', code: 'put', title: 'Put' },
  })
  assert.is(inserted.message.name, 'put')
  await call.delete('frappe.client.delete', { doctype: 'Gadget', name: 'put' })
  assert.is((await failure(frappe.db().getDoc('Gadget', 'put'))).httpStatus, 404)
})

sdk('shows people what is wrong, not only that something is', async () => {
  const refused = await failure(frappe.db().createDoc('Gadget', { code: 'x' }))
  assert.is(refused.httpStatus, 417)
  assert.is(refused.message, 'Error: Value missing for Gadget: Title')
  const gated = await failure(frappe.db().getDocList('Turbine'))
  assert.is(gated.httpStatus, 403)
  assert.match(gated.message, 'Business plan')
})

sdk.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type Answered, type Anything, openSite, PASSWORD, type Site } from './site.ts'

/** Requests as other public clients write them, byte by byte (erp-semantics.md §1.2). */
const clients = suite('clients of Frappe')

let site: Site
clients.before(async () => {
  site = await openSite({ settings: { rateLimit: false } })
})
clients.after(() => site?.close())

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' }

clients("n8n's ERPNext node: credentials, menus, and a document's life in texts", async () => {
  const json = { Accept: 'application/json', 'Content-Type': 'application/json' }
  const n8n = (method: string, path: string, body?: string): Promise<Answered> =>
    site.call(method, path, { headers: json, ...(body === undefined ? {} : { body }) })
  const test = await n8n('GET', '/api/method/frappe.auth.get_logged_user')
  assert.equal(test.body, { message: 'ada@example.com' })
  const types = await n8n('GET', '/api/resource/DocType?limit_start=0&limit_page_length=1000')
  assert.ok(types.body.data.some(({ name }: Anything) => name === 'Blue Gadget'))
  const meta = await n8n('GET', '/api/resource/DocType/Blue%20Gadget')
  assert.equal(
    meta.body.data.fields.map(({ label, fieldname }: Anything) => [label, fieldname]),
    [
      ['Code', 'code'],
      ['Price', 'price'],
    ],
  )
  const made = await n8n('POST', '/api/resource/Blue%20Gadget', '{"code":"n 1","price":"12.50"}')
  assert.equal([made.status, made.body.data.price], [200, 12.5])
  const changed = await n8n('PUT', '/api/resource/Blue%20Gadget/n%201', '{"price":"13"}')
  assert.is(changed.body.data.price, 13)
  const list = await n8n(
    'GET',
    '/api/resource/Blue%20Gadget?fields=%5B%22*%22%5D&filters=%5B%5B%22Blue%2520Gadget%22%2C%22price%22%2C%22%3E%3D%22%2C%2213%22%5D%5D&limit_page_length=1000&limit_start=0',
  )
  assert.equal(
    list.body.data.map(({ name, price }: Anything) => [name, price]),
    [['n 1', 13]],
  )
  const one = await n8n('GET', '/api/resource/Blue%20Gadget/n%201')
  assert.is(one.body.data.code, 'n 1')
  const gone = await n8n('DELETE', '/api/resource/Blue%20Gadget/n%201')
  assert.is(gone.status, 202)
})

clients("python's frappe-client: forms, cmd, exc, and Basic", async () => {
  /** What its post_process makes of an answer. */
  const processed = ({ body }: Answered): Anything => {
    if (body.exc) throw new Error(body.exc)
    return 'message' in body ? body.message : (body.data ?? null)
  }
  const form = (text: string, as: string | null = site.token): Promise<Answered> =>
    site.call('POST', '/', { body: text, headers: FORM, as })
  const login = await form(
    `cmd=login&usr=ada%40example.com&pwd=${encodeURIComponent(PASSWORD)}`,
    null,
  )
  assert.is(login.body.message, 'Logged In')
  const cookies = login.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
  const inserted = await site.call('POST', '/api/resource/Gadget', {
    body: `data=${encodeURIComponent('{"doctype": "Gadget", "code": "py", "title": "Py"}')}`,
    headers: { ...FORM, Cookie: cookies },
    as: null,
  })
  assert.is(processed(inserted).name, 'py')
  const many = await form(
    `cmd=frappe.client.insert_many&docs=${encodeURIComponent('[{"doctype": "Gadget", "code": "py2", "title": "Py"}]')}`,
  )
  assert.equal(processed(many), ['py2'])
  const list = await site.call(
    'GET',
    '/api/resource/Gadget?fields=%5B%22name%22%5D&filters=%7B%22title%22%3A+%22Py%22%7D&limit_start=0&limit_page_length=0&order_by=name+asc',
  )
  assert.equal(processed(list), [{ name: 'py' }, { name: 'py2' }])
  const updated = await site.call('PUT', '/api/resource/Gadget/py', {
    body: `data=${encodeURIComponent('{"doctype": "Gadget", "name": "py", "title": "Other"}')}`,
    headers: FORM,
  })
  assert.is(processed(updated).title, 'Other')
  const value = await site.call(
    'GET',
    '/?cmd=frappe.client.get_value&doctype=Gadget&fieldname=title&filters=%7B%22name%22%3A+%22py%22%7D',
  )
  assert.equal(processed(value), { title: 'Other' })
  processed(
    await form('cmd=frappe.client.set_value&doctype=Gadget&name=py&fieldname=stock&value=4'),
  )
  const errand = processed(
    await form(
      `cmd=frappe.client.insert&doc=${encodeURIComponent('{"doctype": "Errand", "title": "E"}')}`,
    ),
  )
  const submit = `cmd=frappe.client.submit&doclist=${encodeURIComponent(JSON.stringify(errand))}`
  assert.is(processed(await form(submit)).docstatus, 1)
  const cancel = `cmd=frappe.client.cancel&doctype=Errand&name=${errand.name}`
  assert.is(processed(await form(cancel)).docstatus, 2)
  processed(await form('cmd=frappe.client.delete&doctype=Gadget&name=py2'))
  const missing = await site.call('GET', '/api/resource/Gadget/py2')
  assert.throws(() => processed(missing), /DoesNotExistError/)
  const api = await site.call('GET', '/api/method/frappe.client.get_count/?doctype=Gadget')
  assert.is(processed(api), 1)
  const basic = `Basic ${Buffer.from(site.token.slice('token '.length)).toString('base64')}`
  const who = await site.call('GET', '/api/method/frappe.auth.get_logged_user', { as: basic })
  assert.is(processed(who), 'ada@example.com')
  assert.is(
    (await site.call('GET', '/?cmd=logout', { headers: { Cookie: cookies }, as: null })).status,
    200,
  )
  const after = await site.call('GET', '/api/resource/Gadget', {
    headers: { Cookie: cookies },
    as: null,
  })
  assert.is(after.status, 403)
})

clients('a token beside the cookie of another session is what counts', async () => {
  const answer = await site.call('POST', '/api/resource/Gadget', {
    json: { code: 'both', title: 'B' },
    headers: { Cookie: 'sid=stray; user_id=Guest' },
  })
  assert.is(answer.status, 200, answer.text)
})

clients('an empty JSON body leaves the query as it is', async () => {
  const { body } = await site.call(
    'GET',
    '/api/resource/Gadget?fields=["title"]&filters={"name":"both"}',
    {
      headers: { 'Content-Type': 'application/json; charset=utf-8' },
    },
  )
  assert.equal(body.data, [{ title: 'B' }])
  const called = await site.call('POST', '/api/method/frappe.client.get_count?doctype=Gadget', {
    headers: { 'Content-Type': 'application/json' },
  })
  assert.is(called.status, 200, called.text)
})

clients.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addPerson, cookieOf } from '../server/auth/people.ts'
import { openWatched, type Reply, type Watched } from './workspace.ts'

const DOCTYPES = {
  memo: `
doctype: Memo
module: crm
tier: free
submittable: true
naming: MEMO-{#####}
title: text
search: [text]
fields:
  text: {type: data, required: true, filterable: true}
  team: {type: data, filterable: true}
  about: {type: link, options: Memo, filterable: true}
  about_text: {type: data, fetch: about.text}
  lines:
    type: table
    options: Memo Line
    fields:
      what: {type: data}
actions:
  shout:
    steps:
      - set: {text: upper(text)}
permissions:
  roles:
    Writer: [all]
    Opener: [all]
    Editor: [all]
    Viewer: [read]
  rows:
    Writer: owner == user.name
    Opener: team == "open"
`,
  sketch: `
doctype: Memo Sketch
module: crm
tier: free
naming: MS-{#####}
title: label
fields:
  label: {type: data, required: true}
permissions:
  roles:
    Editor: [all]
`,
  folder: `
doctype: Memo Folder
module: crm
tier: free
naming: MF-{#####}
title: label
fields:
  label: {type: data, required: true}
  memo: {type: link, options: Memo}
  sketch: {type: link, options: Memo Sketch}
permissions:
  roles:
    Writer: [all]
    Reader: [read]
`,
}

const test = suite('records that a role is limited to')

let watched: Watched
const cookies = new Map<string, string>()
/** Memos by who wrote them. */
let mine: string
let theirs: string
let theirLine: string

test.before(async () => {
  watched = await openWatched({ doctypes: DOCTYPES })
  const { engine } = watched.app
  for (const role of ['Writer', 'Opener', 'Editor', 'Reader']) {
    const person = await addPerson(engine, `${role.toLowerCase()}@example.com`, [role])
    cookies.set(role, (await cookieOf(engine, person)).cookie)
  }
  const both = await addPerson(engine, 'both@example.com', ['Writer', 'Viewer'])
  cookies.set('Both', (await cookieOf(engine, both)).cookie)
  mine = await made('Writer', '/v1/memos', { text: 'mine alone', team: 'open' })
  theirs = await made('Editor', '/v1/memos', { text: 'theirs alone', lines: [{ what: 'hidden' }] })
  theirLine = parsed(await as('Editor', 'GET', `/v1/memos/${theirs}`)).lines[0].row_id
})
test.after(() => watched?.close())

const as = (role: string, method: string, path: string, body?: object): Promise<Reply> =>
  watched.send(method, path, { headers: { cookie: cookies.get(role)! }, body })

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
const parsed = ({ text }: Reply): any => JSON.parse(text)

async function made(role: string, path: string, body: object): Promise<string> {
  const reply = await as(role, 'POST', path, body)
  assert.is(reply.status, 201, reply.text)
  return parsed(reply).id
}

/** Calls a method of surface A; its message. */
async function called(role: string, name: string, values: object) {
  const reply = await as(role, 'POST', `/api/method/${name}`, values)
  assert.is(reply.status, 200, reply.text)
  return parsed(reply).message
}

test('are all that lists, counts and searches of /v1 tell of', async () => {
  for (const query of ['', '?q=alone', '?text__like=alone', '?limit=1', '?sort=text&order=asc']) {
    const { data, meta } = parsed(await as('Writer', 'GET', `/v1/memos${query}`))
    assert.equal(
      data.map(({ id }: { id: string }) => id),
      [mine],
      query,
    )
    assert.is(meta.total, 1, query)
  }
  const page = parsed(await as('Writer', 'GET', '/v1/memos?cursor='))
  assert.is(page.data.length, 1)
  for (const query of ['?q=theirs', '?text=theirs%20alone', `?id=${theirs}`])
    assert.is(parsed(await as('Writer', 'GET', `/v1/memos${query}`)).meta.total, 0, query)
  assert.is(parsed(await as('Editor', 'GET', '/v1/memos')).meta.total, 2)
})

test('are all that surface A tells of', async () => {
  const names = async (name: string, values: object): Promise<unknown> => {
    const rows = await called('Writer', name, values)
    return rows.map((row: { name?: string; value?: string }) => row.name ?? row.value)
  }
  assert.equal(await names('frappe.client.get_list', { doctype: 'Memo' }), [mine])
  assert.equal(await names('frappe.desk.search.search_link', { doctype: 'Memo', txt: 'alone' }), [
    mine,
  ])
  assert.is(await called('Writer', 'frappe.client.get_count', { doctype: 'Memo' }), 1)
  const grouped = await called('Writer', 'frappe.client.get_list', {
    doctype: 'Memo',
    fields: ['count(name) as how_many'],
  })
  assert.equal(grouped, [{ how_many: 1 }])
  const value = { doctype: 'Memo', filters: theirs, fieldname: 'text' }
  assert.equal(await called('Writer', 'frappe.client.get_value', value), {})
  const link = { doctype: 'Memo', docname: theirs, fields: ['text'] }
  assert.equal(await called('Writer', 'frappe.client.validate_link', link), {})
  const { data } = parsed(await as('Writer', 'GET', '/api/resource/Memo?limit_page_length=0'))
  assert.equal(data, [{ name: mine }])
})

test('are all whose rows are told of', async () => {
  const rows = { doctype: 'Memo Line', parent: 'Memo', fields: ['what'] }
  assert.equal(await called('Editor', 'frappe.client.get_list', rows), [{ what: 'hidden' }])
  assert.equal(await called('Writer', 'frappe.client.get_list', rows), [])
  assert.is(await called('Writer', 'frappe.client.get_count', rows), 0)
  const value = { doctype: 'Memo Line', name: theirLine, fieldname: 'what', value: 'x' }
  const { status } = await as('Writer', 'POST', '/api/method/frappe.client.set_value', value)
  assert.is(status, 404)
  const refused = await as('Reader', 'POST', '/api/method/frappe.client.get_list', rows)
  assert.is(refused.status, 403)
})

test('are all that can be read, changed and acted on: of the others there is none', async () => {
  const before = watched.contents()
  const requests: readonly (readonly [string, string, object?])[] = [
    ['GET', `/v1/memos/${theirs}`],
    ['PATCH', `/v1/memos/${theirs}`, { text: 'x' }],
    ['DELETE', `/v1/memos/${theirs}`],
    ['POST', `/v1/memos/${theirs}/submit`],
    ['POST', `/v1/memos/${theirs}/cancel`],
    ['POST', `/v1/memos/${theirs}/amend`],
    ['POST', `/v1/memos/${theirs}/actions/shout`],
    ['GET', `/api/resource/Memo/${theirs}`],
    ['PUT', `/api/resource/Memo/${theirs}`, { text: 'x' }],
    ['PUT', `/api/resource/Memo/${theirs}`, { docstatus: 1 }],
    ['DELETE', `/api/resource/Memo/${theirs}`],
    ['POST', `/api/resource/Memo/${theirs}?run_method=shout`],
    ['POST', `/api/resource/Memo/${theirs}?run_method=submit`],
    ['POST', '/api/method/frappe.client.delete', { doctype: 'Memo', name: theirs }],
    ['POST', '/api/method/frappe.client.cancel', { doctype: 'Memo', name: theirs }],
  ]
  for (const [method, path, body] of requests)
    assert.is((await as('Writer', method, path, body)).status, 404, `${method} ${path}`)
  const asked = { doctype: 'Memo', docname: theirs, perm_type: 'read' }
  assert.equal(await called('Writer', 'frappe.client.has_permission', asked), {
    has_permission: false,
  })
  const own = { ...asked, docname: mine }
  assert.equal(await called('Writer', 'frappe.client.has_permission', own), {
    has_permission: true,
  })
  assert.is(watched.contents(), before)
})

test('are all that can be changed where another role lets one read the rest', async () => {
  const before = watched.contents()
  assert.is((await as('Both', 'GET', `/v1/memos/${theirs}`)).status, 200)
  const requests: readonly (readonly [string, string, object?])[] = [
    ['PATCH', `/v1/memos/${theirs}`, { text: 'x' }],
    ['DELETE', `/v1/memos/${theirs}`],
    ['POST', `/v1/memos/${theirs}/submit`],
    ['POST', `/v1/memos/${theirs}/actions/shout`],
    ['PUT', `/api/resource/Memo/${theirs}`, { text: 'x' }],
  ]
  for (const [method, path, body] of requests)
    assert.is((await as('Both', method, path, body)).status, 403, `${method} ${path}`)
  assert.is(watched.contents(), before)
})

test('cannot be left, nor made outside: what comes out is asked too', async () => {
  const open = await made('Opener', '/v1/memos', { text: 'seen', team: 'open' })
  const before = watched.contents()
  const left = await as('Opener', 'PATCH', `/v1/memos/${open}`, { team: 'closed' })
  assert.is(left.status, 403, left.text)
  const outside = await as('Opener', 'POST', '/v1/memos', { text: 'x', team: 'closed' })
  assert.is(outside.status, 403, outside.text)
  const site = await as('Opener', 'PUT', `/api/resource/Memo/${open}`, { team: 'closed' })
  assert.is(site.status, 403, site.text)
  assert.is(watched.contents(), before)
  assert.is((await as('Opener', 'DELETE', `/v1/memos/${open}`)).status, 204)
})

test('are all that an answer names of what holds a record back', async () => {
  const own = await made('Writer', '/v1/memos', { text: 'spoken of' })
  const about = await made('Editor', '/v1/memos', { text: 'about it', about: own })
  const refused = await as('Writer', 'DELETE', `/v1/memos/${own}`)
  assert.is(refused.status, 409, refused.text)
  assert.equal(parsed(refused).error.linked, [])
  assert.not(refused.text.includes(about))
  for (const [role, id] of [
    ['Editor', about],
    ['Writer', own],
  ] as const)
    assert.is((await as(role, 'DELETE', `/v1/memos/${id}`)).status, 204)
})

test('are all that may be linked to, fetched from and titled', async () => {
  const linked = await as('Writer', 'POST', '/v1/memos', { text: 'about', about: theirs })
  assert.is(linked.status, 422)
  assert.not(linked.text.includes('theirs alone'))
  const folder = await as('Writer', 'POST', '/v1/memo-folders', { label: 'f', memo: theirs })
  assert.is(folder.status, 422, folder.text)
  const sketch = await made('Editor', '/v1/memo-sketches', { label: 'a secret sketch' })
  const admin = { 'x-api-key': watched.app.keys.admin }
  const filed = await watched.send('POST', '/v1/memo-folders', {
    headers: admin,
    body: { label: 'filed', memo: theirs, sketch },
  })
  assert.is(filed.status, 201, filed.text)
  const titles = async (role: string): Promise<unknown> =>
    parsed(await as(role, 'GET', '/v1/memo-folders?_titles=1')).data[0]._titles
  assert.equal(await titles('Writer'), {}, 'limited to others')
  assert.equal(await titles('Reader'), {}, 'may read neither at all')
  const all = await watched.send('GET', '/v1/memo-folders?_titles=1', { headers: admin })
  const named = { memo: 'theirs alone', sketch: 'a secret sketch' }
  assert.equal(parsed(all).data[0]._titles, named)
  const { id } = parsed(filed)
  const expand = async (role: string): Promise<unknown> =>
    parsed(await as(role, 'GET', `/api/resource/Memo%20Folder/${id}?expand_links=1`)).data.memo
  assert.is(await expand('Writer'), theirs)
  assert.is(await expand('Reader'), theirs)
  const dotted = { doctype: 'Memo Folder', fields: ['name', 'memo.text as told'] }
  const [row] = await called('Writer', 'frappe.client.get_list', dotted)
  assert.is(row.told ?? null, null)
  const { status } = await as('Reader', 'POST', '/api/method/frappe.client.get_list', dotted)
  assert.is(status, 403)
  const filtered = await called('Writer', 'frappe.client.get_count', {
    doctype: 'Memo Folder',
    filters: [['memo.text', '=', 'theirs alone']],
  })
  assert.is(filtered, 0)
})

test('are all whose events are told of: none, since an event may be of any record', async () => {
  const events = async (role: string): Promise<readonly { readonly id: string }[]> =>
    parsed(await as(role, 'GET', '/v1/events?resource=memos')).data
  const [event] = await events('Editor')
  assert.ok(event)
  for (const role of ['Writer', 'Reader']) {
    assert.equal(await events(role), [], role)
    assert.is((await as(role, 'GET', `/v1/events/${event.id}`)).status, 404, role)
  }
})

test.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { STRANGER_ROLE } from '../../engine/access/roles.ts'
import { findPerson } from '../../server/auth/people.ts'
import { writeAccount } from '../../server/auth/person-store.ts'
import { addPerson, changePerson, cookieOf } from '../server/auth/people.ts'
import { DEMO_TIERS, linesOf, RIGHTS, ROLE_OF, readGrid, TIERS } from './matrix.ts'
import { maker, openWatched, type Reply, type Watched } from './workspace.ts'

const test = suite('what each role and tier may')

const RIGHT_ROWS = readGrid(RIGHTS)
const ALL = 'crudsxatpe'
const SHORT: Readonly<Record<string, string>> = { all: ALL, day: 'rcusatpe', '-': '' }

/** How each right shows on /v1: a request that gets as far as its guards let it. */
const REQUESTS: Readonly<Record<string, readonly [method: string, path: string, body?: object]>> = {
  c: ['POST', '', { nonsense: 1 }],
  r: ['GET', '/nothing'],
  u: ['PATCH', '/nothing', { nonsense: 1 }],
  d: ['DELETE', '/nothing'],
  s: ['POST', '/nothing/submit'],
  x: ['POST', '/nothing/cancel'],
  a: ['POST', '/nothing/amend'],
  t: ['POST', '/nothing/actions/nothing'],
}

/** The names of rights on surface A. */
const SITE_RIGHTS: Readonly<Record<string, string>> = {
  c: 'create',
  r: 'read',
  u: 'write',
  d: 'delete',
  s: 'submit',
  x: 'cancel',
  a: 'amend',
  p: 'report',
  e: 'export',
}

/** Kinds of DocTypes whose routes of surface A are asked as well; for the others it is enough what it says. */
const ASKED_TWICE = new Set(['sales-orders', 'timesheets', 'gl-entries', 'users'])

/** A document with everything that can be done, so that each right is once used to the end. */
const DOCTYPES = {
  crate: `
doctype: Crate
module: stock
tier: free
submittable: true
naming: CR-{#####}
fields:
  label: {type: data, required: true}
  size: {type: int}
actions:
  enlarge:
    steps:
      - set: {size: '2'}
  settle:
    system: true
    steps:
      - set: {size: '3'}
`,
  form: `
doctype: Form
module: stock
tier: free
submittable: true
naming: FORM-{#####}
fields:
  label: {type: data, required: true}
permissions:
  roles:
    Filler: [read, create, update]
    Closer: [read, submit]
`,
}

let watched: Watched
const cookies = new Map<string, string>()

test.before(async () => {
  watched = await openWatched({ doctypes: DOCTYPES })
  for (const column of RIGHT_ROWS.columns) {
    const role = ROLE_OF[column]
    const { engine } = watched.app
    const person = await addPerson(
      engine,
      `${column.toLowerCase()}@example.com`,
      role ? [role] : [],
    )
    cookies.set(column, (await cookieOf(engine, person)).cookie)
  }
})
test.after(() => watched?.close())

const as = (column: string, method: string, path: string, body?: object): Promise<Reply> =>
  watched.send(method, path, { headers: { cookie: cookies.get(column)! }, body })

function rightsIn(cell: string): string {
  return SHORT[cell] ?? cell
}

test('the table names resources that are there', () => {
  const { registry } = watched.app.engine.services
  const slugs = [...RIGHT_ROWS.rows.keys(), ...readGrid(TIERS).rows.keys()]
  assert.equal(
    slugs.filter((slug) => registry.bySlug(slug)?.slug !== slug),
    [],
  )
  const roles = Object.keys(watched.app.engine.services.roles.roles).filter(
    (role) => role !== 'All' && role !== STRANGER_ROLE,
  )
  assert.equal(Object.values(ROLE_OF).filter(Boolean).toSorted(), roles.toSorted())
})

test('a stranger, who signed up, reads none of them', async () => {
  await watched.app.engine.setTier('business')
  const person = await addPerson(watched.app.engine, 'stranger@example.com', [STRANGER_ROLE])
  cookies.set('stranger', (await cookieOf(watched.app.engine, person)).cookie)
  const open: string[] = []
  for (const slug of RIGHT_ROWS.rows.keys())
    if ((await as('stranger', 'GET', `/v1/${slug}`)).status !== 403) open.push(slug)
  assert.equal(open, [])
})

test('every role has the rights of the table on /v1, and what it lacks changes nothing', async () => {
  await watched.app.engine.setTier('business')
  for (const [slug, cells] of RIGHT_ROWS.rows) {
    const wrong: string[] = []
    for (const [column, cell] of Object.entries(cells)) {
      for (const [right, [method, path, body]] of Object.entries(REQUESTS)) {
        const before = watched.version()
        const { status, text } = await as(column, method, `/v1/${slug}${path}`, body)
        const isAllowed = rightsIn(cell).includes(right)
        if (isAllowed ? status !== 404 && status !== 422 : status !== 403)
          wrong.push(`${column} ${right} ${slug}: ${status} ${text.slice(0, 150)}`)
        if (watched.version() !== before)
          wrong.push(`${column} ${right} ${slug}: changed something`)
      }
      const { status } = await as(column, 'GET', `/v1/${slug}`)
      if (status !== (rightsIn(cell).includes('r') ? 200 : 403))
        wrong.push(`${column} list ${slug}: ${status}`)
    }
    assert.equal(wrong, [])
  }
})

test('surface A says and does the same', async () => {
  for (const [slug, cells] of RIGHT_ROWS.rows) {
    const wrong: string[] = []
    const { doctype } = watched.app.engine.services.registry.bySlug(slug)!
    const named = encodeURIComponent(doctype)
    for (const [column, cell] of Object.entries(cells)) {
      const rights = rightsIn(cell)
      const path = `/api/method/frappe.client.get_doc_permissions?doctype=${named}`
      const { permissions } = JSON.parse((await as(column, 'GET', path)).text).message
      for (const [right, name] of Object.entries(SITE_RIGHTS))
        if (permissions[name] !== (rights.includes(right) ? 1 : 0))
          wrong.push(`${column} ${name} ${doctype}: ${permissions[name]}`)
      if (!ASKED_TWICE.has(slug)) continue
      const requests = [
        ['GET', '', 'r', 200],
        ['POST', '', 'c', 417],
        ['GET', '/nothing', 'r', 404],
        ['DELETE', '/nothing', 'd', 404],
        ['POST', '/nothing?run_method=cancel', 'x', 404],
      ] as const
      for (const [method, tail, right, allowed] of requests) {
        const body = method === 'POST' ? {} : undefined
        const { status } = await as(column, method, `/api/resource/${named}${tail}`, body)
        // Users are in no state, so nobody cancels them.
        const isBehind = status === allowed || (right === 'x' && status === 417)
        if (rights.includes(right) ? !isBehind : status !== 403)
          wrong.push(`${column} ${method} ${doctype}${tail}: ${status}`)
      }
      const meta = await as(column, 'GET', `/api/resource/DocType/${named}`)
      if (meta.status !== (rights.includes('r') ? 200 : 403))
        wrong.push(`${column} meta of ${doctype}: ${meta.status}`)
    }
    assert.equal(wrong, [])
  }
})

test('the catalogue, the list of DocTypes and the events are of what somebody may read', async () => {
  const wrong: string[] = []
  const { registry } = watched.app.engine.services
  for (const column of RIGHT_ROWS.columns) {
    const listed = JSON.parse((await as(column, 'GET', '/v1/resources')).text).data
    const slugs = new Set(listed.map(({ slug }: { slug: string }) => slug))
    const doctypes = await as(column, 'GET', '/api/resource/DocType?limit_page_length=0')
    const names = new Set(JSON.parse(doctypes.text).data.map(({ name }: { name: string }) => name))
    for (const [slug, cells] of RIGHT_ROWS.rows) {
      const isReadable = rightsIn(cells[column]!).includes('r')
      if (slugs.has(slug) !== isReadable) wrong.push(`${column}: ${slug} in the catalogue`)
      if (names.has(registry.bySlug(slug)!.doctype) !== isReadable)
        wrong.push(`${column}: ${slug} in the list of DocTypes`)
    }
  }
  assert.equal(wrong, [])
  const events = async (column: string): Promise<{ readonly id: string; resource: string }[]> =>
    JSON.parse((await as(column, 'GET', '/v1/events?limit=100')).text).data
  const ofUsers = (await events('boss')).find(({ resource }) => resource === 'users')!
  assert.ok(ofUsers)
  assert.not((await events('ST')).some(({ resource }) => resource === 'users'))
  assert.is((await as('ST', 'GET', `/v1/events/${ofUsers.id}`)).status, 404)
  assert.is((await as('boss', 'GET', `/v1/events/${ofUsers.id}`)).status, 200)
})

test('each right of a role is used to the end, by a person and by a key', async () => {
  const { key } = await watched.keyOf(maker('km@example.com'))
  const ways = [{ cookie: cookies.get('KM')! }, { authorization: `Bearer ${key}` }] as Readonly<
    Record<string, string>
  >[]
  for (const headers of ways) {
    const send = (method: string, path: string, body?: object): Promise<Reply> =>
      watched.send(method, `/v1/crates${path}`, { headers, body })
    const made = await send('POST', '', { label: 'a' })
    const { id } = JSON.parse(made.text)
    const statuses = [
      made.status,
      (await send('GET', `/${id}`)).status,
      (await send('PATCH', `/${id}`, { label: 'b' })).status,
      (await send('POST', `/${id}/actions/enlarge`)).status,
      (await send('POST', `/${id}/submit`)).status,
      (await send('POST', `/${id}/cancel`)).status,
    ]
    const amended = await send('POST', `/${id}/amend`)
    const draft = JSON.parse(amended.text).id
    assert.equal(
      [...statuses, amended.status, (await send('DELETE', `/${draft}`)).status],
      [201, 200, 200, 200, 200, 200, 201, 204],
    )
  }
})

test('one who lacks a right does not get it over a record that is there', async () => {
  const made = await as('KM', 'POST', '/v1/crates', { label: 'kept' })
  const { id } = JSON.parse(made.text)
  const before = watched.version()
  const expected: readonly (readonly [string, string, string, object?])[] = [
    ['SU', 'PATCH', `/v1/crates/${id}`, { label: 'x' }],
    ['SU', 'DELETE', `/v1/crates/${id}`],
    ['SU', 'POST', `/v1/crates/${id}/submit`],
    ['SU', 'POST', `/v1/crates/${id}/actions/enlarge`],
    ['KU', 'DELETE', `/v1/crates/${id}`],
    ['SU', 'PUT', `/api/resource/Crate/${id}`, { label: 'x' }],
    ['SU', 'PUT', `/api/resource/Crate/${id}`, { docstatus: 1 }],
    ['SU', 'PUT', `/api/resource/Crate/${id}`, { label: 'x', docstatus: 1 }],
    ['SU', 'POST', '/api/resource/Crate', { label: 'x', docstatus: 1 }],
    ['SU', 'DELETE', `/api/resource/Crate/${id}`],
    ['SU', 'POST', `/api/resource/Crate/${id}?run_method=enlarge`],
    ['SU', 'POST', `/api/resource/Crate/${id}?run_method=submit`],
    ['SU', 'POST', `/api/resource/Crate/${id}?run_method=amend`],
    ['boss', 'POST', `/v1/crates/${id}/actions/settle`],
    ['boss', 'POST', `/api/resource/Crate/${id}?run_method=settle`],
    ['none', 'GET', `/v1/crates/${id}`],
    ['none', 'GET', `/api/resource/Crate/${id}`],
  ]
  for (const [column, method, path, body] of expected)
    assert.is((await as(column, method, path, body)).status, 403, `${column} ${method} ${path}`)
  const bulk = await as('SU', 'POST', '/api/method/frappe.client.bulk_update', {
    docs: [{ doctype: 'Crate', docname: id, label: 'x' }],
  })
  assert.is(JSON.parse(bulk.text).message.failed_docs.length, 1)
  assert.is(watched.version(), before)
})

test('two things at once need both rights', async () => {
  const { engine } = watched.app
  for (const role of ['Filler', 'Closer']) {
    const person = await addPerson(engine, `${role.toLowerCase()}@example.com`, [role])
    cookies.set(role, (await cookieOf(engine, person)).cookie)
  }
  const made = await as('Filler', 'POST', '/api/resource/Form', { label: 'a' })
  assert.is(made.status, 200, made.text)
  const { name } = JSON.parse(made.text).data
  const before = watched.contents()
  const both = { label: 'b', docstatus: 1 }
  for (const role of ['Filler', 'Closer']) {
    assert.is((await as(role, 'POST', '/api/resource/Form', both)).status, 403, `${role} creates`)
    const changed = await as(role, 'PUT', `/api/resource/Form/${name}`, both)
    assert.is(changed.status, 403, `${role} changes`)
  }
  assert.is(watched.contents(), before)
  const closed = await as('Closer', 'PUT', `/api/resource/Form/${name}`, { docstatus: 1 })
  assert.is(closed.status, 200, closed.text)
})

test('people and roles need scope admin, also of a System Manager', async () => {
  const { keys } = watched.app
  for (const path of ['/v1/users', '/v1/roles', '/v1/users/boss@example.com', '/api/resource/User'])
    for (const [scope, key] of Object.entries(keys)) {
      const { status } = await watched.send('GET', path, { headers: { 'x-api-key': key } })
      assert.is(status, scope === 'admin' ? 200 : 403, `${scope} ${path}`)
    }
})

test('what is said of a DocType in other places is not said to who may not read it', async () => {
  const slugsOf = async (column: string): Promise<string[]> => {
    const { data } = JSON.parse((await as(column, 'GET', '/v1/addons')).text)
    return data.flatMap(({ resources }: { resources: string[] }) => resources)
  }
  const own = await slugsOf('boss')
  assert.ok(own.length > 0)
  const readable = (await slugsOf('none')).filter((slug) => RIGHT_ROWS.rows.get(slug)?.none === '-')
  assert.equal(readable, [])
  assert.ok(own.length > (await slugsOf('none')).length)
  const rows = '/api/resource/DocType/Sales%20Order%20Item'
  assert.is((await as('SU', 'GET', rows)).status, 200)
  assert.is((await as('HU', 'GET', rows)).status, 403)
  const slip = '/v1/sales-order'
  assert.match((await as('SU', 'GET', slip)).text, 'did you mean \\"sales-orders\\"?')
  assert.not.match((await as('HU', 'GET', slip)).text, 'sales-orders')
})

test('an answer that was kept is given to who may still have it, and to nobody else', async () => {
  const { engine } = watched.app
  await addPerson(engine, 'former@example.com', ['Stock User'])
  const { key } = await watched.keyOf(maker('former@example.com'))
  const other = await watched.keyOf(maker('km@example.com'))
  const send = (text: string): Promise<Reply> =>
    watched.send('POST', '/v1/crates', {
      headers: { 'x-api-key': text, 'idempotency-key': 'once' },
      body: { label: 'kept' },
    })
  const first = await send(key)
  assert.is(first.status, 201)
  assert.is((await send(key)).text, first.text)
  const own = await send(other.key)
  assert.is(own.status, 201)
  assert.is.not(JSON.parse(own.text).id, JSON.parse(first.text).id)
  await changePerson(engine, 'former@example.com', { roles: [] })
  assert.is((await send(key)).status, 403)
})

test('a pair for surface A is made for oneself, or by a System Manager', async () => {
  const path = '/api/method/frappe.core.doctype.user.user.generate_keys'
  const { key } = await watched.keyOf(maker('su@example.com'))
  const make = async (headers: Readonly<Record<string, string>>, user: string): Promise<number> =>
    (await watched.send('POST', path, { headers, body: { user } })).status
  const su = { cookie: cookies.get('SU')! }
  assert.is(await make(su, 'su@example.com'), 200)
  assert.is(await make(su, 'boss@example.com'), 403)
  assert.is(await make({ 'x-api-key': key }, 'su@example.com'), 403, 'a key is not the person')
  assert.is(await make({ cookie: cookies.get('boss')! }, 'su@example.com'), 200)
})

test('nobody makes a key of more than they have', async () => {
  const write = await watched.keyOf(maker(), { scope: 'write' })
  const send = (headers: Readonly<Record<string, string>>): Promise<Reply> =>
    watched.send('POST', '/v1/api-keys', { headers, body: { scope: 'admin' } })
  assert.is((await send({ 'x-api-key': write.key })).status, 403)
  assert.is((await send({ cookie: cookies.get('SM')! })).status, 403)
  await watched.app.engine.setTier('pro')
  const listed = await watched.send('POST', '/v1/api-keys', {
    headers: { cookie: cookies.get('boss')! },
    body: { scope: 'read', allow_ips: ['192.0.2.1'] },
  })
  assert.is(listed.status, 403, 'allow lists are of the highest plan')
})

test('a tier opens its resources and no other, for keys and people of all scopes', async () => {
  const { keys, engine } = watched.app
  const wrong: string[] = []
  const callers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
    read: { 'x-api-key': keys.read },
    write: { 'x-api-key': keys.write },
    admin: { 'x-api-key': keys.admin },
    boss: { cookie: cookies.get('boss')! },
    role: { cookie: cookies.get('AM')! },
  }
  const tiers = readGrid(TIERS)
  for (const tier of tiers.columns) {
    await engine.setTier(tier)
    for (const [slug, cells] of tiers.rows) {
      const named = encodeURIComponent(engine.services.registry.bySlug(slug)!.doctype)
      for (const [caller, headers] of Object.entries(callers)) {
        const isWriter = caller !== 'read' && (caller !== 'role' || slug !== 'customers')
        const isOpen = cells[tier] === 'ok'
        const requests = [
          ['GET', `/v1/${slug}`, isOpen ? 200 : 403, undefined],
          ['GET', `/api/resource/${named}`, isOpen ? 200 : 403, undefined],
          ['POST', `/v1/${slug}`, isOpen && isWriter ? 422 : 403, { nonsense: 1 }],
          ['POST', `/api/resource/${named}`, isOpen && isWriter ? 417 : 403, {}],
        ] as const
        for (const [method, path, status, body] of requests) {
          const reply = await watched.send(method, path, { headers, body })
          if (reply.status !== status)
            wrong.push(`${caller} ${method} ${path} on ${tier}: ${reply.status}, not ${status}`)
        }
      }
    }
  }
  assert.equal(wrong, [])
})

test('a demo account sees its own tier, by session and by key, unless the operator set one', async () => {
  const { engine } = watched.app
  const { database } = engine.services
  const admin = { 'x-api-key': watched.app.keys.admin }
  const login = 'demo@example.com'
  const person = await addPerson(engine, login, ['System Manager'])
  const { cookie } = await cookieOf(engine, person)
  const { key } = await watched.keyOf(maker(login))
  const [names = [], ...lines] = linesOf(DEMO_TIERS)
  for (const [workspace = '', override, demo = '', ...cells] of lines) {
    await engine.setTier(undefined)
    if ((await engine.tier()) !== workspace) {
      const change = await watched.send('POST', `/v1/tiers/${workspace}/subscribe`, {
        headers: admin,
        body: {},
      })
      assert.is(change.status, 200, change.text)
    }
    if (override !== '-') await engine.setTier(override)
    await database.write((tx) => writeAccount(tx, login, { demo_tier: demo }))
    assert.is((await findPerson(engine.services, login))!.demoTier, demo)
    for (const [at, cell] of cells.entries()) {
      for (const headers of [{ cookie }, { 'x-api-key': key }] as Record<string, string>[]) {
        const { status } = await watched.send('GET', `/v1/${names[at + 3]}`, { headers })
        const what = `${names[at + 3]} for ${demo} in ${workspace}, ${override}`
        assert.is(status, cell === 'ok' ? 200 : 403, what)
      }
    }
  }
})

test.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { csrfToken } from '../../server/auth/forgery.ts'
import { providerFor } from '../../server/billing/configured.ts'
import { addPerson, changePerson, cookieOf, PASSWORD } from '../server/auth/people.ts'
import { KINDS, linesOf, METHODS, ROUTES, readGrid } from './matrix.ts'
import { type AppRoutes, routesOf } from './matrix-routes.ts'
import { addPeople, type Principal, principals, sentBy } from './principals.ts'
import { argumentsOf, CUSTOMER, queryOf, sampleOf } from './samples.ts'
import { openWatched, type Reply, type Watched } from './workspace.ts'

const KIND_ROWS = readGrid(KINDS)
const ROUTE_LINES = linesOf(ROUTES) as [method: string, path: string, kind: string][]
const METHOD_LINES = linesOf(METHODS) as [name: string, byGet: string, byPost: string][]

/** Where surface A stands, and once more (contract §4). */
const SITE_MOUNTS = ['/api/', '/api/v1/']

/** What dispatches every method itself; all other paths refuse methods they have no route for. */
const DISPATCHERS = ['/api/method/:method', '/api/v1/method/:method', '/']

/** The method that is called with every credential; the others with one of each column. */
const ASKED_BY_ALL = 'frappe.client.set_value'

/** What is called with a session may end it. */
const ENDS_SESSIONS = /logout|\/login/

const test = suite('every route')

let watched: Watched
let routes: AppRoutes
let callers: readonly Principal[]

test.before(async () => {
  watched = await openWatched({
    provider: providerFor({ stripeSecretKey: 'sk_test_x', stripeWebhookSecret: 'whsec_x' })!,
  })
  routes = routesOf(watched.app.app)
  await addPeople(watched)
  const made = await watched.send('POST', '/v1/customers', {
    headers: { 'x-api-key': watched.app.keys.admin },
    body: { customer_name: 'Blue Bikes' },
  })
  assert.is(made.status, 201, made.text)
  assert.is(JSON.parse(made.text).id, CUSTOMER)
  callers = await principals(watched)
})
test.after(() => watched.close())

test('has a line in the table, and every line a route', () => {
  const listed = ROUTE_LINES.flatMap(([method, path]) =>
    mounted(path).map((at) => `${method} ${at}`),
  )
  assert.equal(listed.toSorted(), routes.routes.toSorted())
  assert.equal(
    METHOD_LINES.map(([name]) => name).toSorted(),
    routes.methods.toSorted(),
    'methods of surface A',
  )
  const paths = new Set(ROUTE_LINES.flatMap(([, path]) => mounted(path)))
  assert.equal(routes.anyMethod.toSorted(), [...paths, ...DISPATCHERS.slice(0, 2)].toSorted())
  for (const kind of [...ROUTE_LINES, ...METHOD_LINES].flatMap((line) => line.slice(-1)))
    assert.ok(KIND_ROWS.rows.has(kind), kind)
  const groups = new Set(callers.map(({ group }) => group))
  assert.equal([...groups].toSorted(), KIND_ROWS.columns.toSorted())
})

test('answers each principal as the table says, and what is refused changes nothing', async () => {
  for (const [method, path, kind] of ROUTE_LINES) {
    for (const at of mounted(path)) {
      const wrong: string[] = []
      const route = `${method} ${at}`
      const sample = sampleOf(route)
      const isForm = method === 'POST' && kind.startsWith('page-')
      for (const caller of callers)
        wrong.push(...(await problems({ ...sample, method, kind, caller, isForm, name: route })))
      if (ENDS_SESSIONS.test(route)) callers = await principals(watched)
      assert.equal(wrong, [])
    }
  }
})

test('of surface A that is a method does so too', async () => {
  for (const [name, byGet, byPost] of METHOD_LINES) {
    const values = argumentsOf(name)
    const path = `/api/method/${name}`
    // All of them come in by one door, which is asked here with every credential there is.
    const isForAll = name === ASKED_BY_ALL
    const get = { method: 'GET', path: path + queryOf(values), kind: byGet }
    const post = { method: 'POST', path, kind: byPost, body: values }
    for (const call of [get, post]) assert.equal(await asked(call, name, isForAll), [])
  }
})

test('of surface A has the same guards at its other addresses', async () => {
  const ofEachKind = new Map(METHOD_LINES.map((line) => [line.slice(1).join(), line]))
  for (const [name, byGet, byPost] of ofEachKind.values()) {
    const values = argumentsOf(name)
    const command = { cmd: name, ...values }
    const calls = [
      { method: 'GET', path: `/api/v1/method/${name}${queryOf(values)}`, kind: byGet },
      { method: 'POST', path: `/api/v1/method/${name}`, kind: byPost, body: values },
      { method: 'GET', path: `/${queryOf(command)}`, kind: byGet },
      { method: 'POST', path: '/', kind: byPost, body: command },
    ]
    for (const call of calls) assert.equal(await asked(call, name, false), [])
  }
})

test('signs in who has the right password, and nobody from another site', async () => {
  const { engine } = watched.app
  await addPerson(engine, 'ann@example.com')
  await addPerson(engine, 'off@example.com')
  await changePerson(engine, 'off@example.com', { enabled: false })
  const signIn = async (path: string, usr: string, pwd: string, headers = {}): Promise<number> => {
    const values = { usr, pwd }
    const body = path === '/login' ? new URLSearchParams(values).toString() : values
    return (await watched.send('POST', path, { body, headers })).status
  }
  for (const [path, forged, done] of [
    ['/api/method/login', 400, 200],
    ['/login', 403, 303],
  ] as const) {
    const elsewhere = { 'sec-fetch-site': 'cross-site' }
    assert.is(await signIn(path, 'ann@example.com', PASSWORD, elsewhere), forged, path)
    assert.is(await signIn(path, 'ann@example.com', `${PASSWORD}!`), 401, path)
    assert.is(await signIn(path, 'off@example.com', PASSWORD), 401, path)
    assert.is(await signIn(path, 'nobody@example.com', PASSWORD), 401, path)
    assert.is(await signIn(path, 'ann@example.com', PASSWORD), done, path)
  }
})

test('to sign out ends the session itself', async () => {
  const person = await addPerson(watched.app.engine, 'out@example.com')
  for (const path of ['/api/method/logout', '/logout']) {
    const { cookie, id } = await cookieOf(watched.app.engine, person)
    const token = new URLSearchParams({ csrf_token: csrfToken(watched.app.secretKey, id) })
    const ask = (): Promise<Reply> => watched.send('GET', '/v1/tiers', { headers: { cookie } })
    assert.is((await ask()).status, 200)
    await watched.send('POST', path, { headers: { cookie }, body: token.toString() })
    assert.is((await ask()).status, 401, path)
  }
})

test('refuses methods it has no route for, and nothing happens', async () => {
  const headers = { 'x-api-key': watched.app.keys.admin }
  const wrong: string[] = []
  for (const path of routes.anyMethod) {
    if (DISPATCHERS.includes(path)) continue
    const before = watched.version()
    const sample = sampleOf(`LINK ${path}`)
    const { status } = await watched.send('LINK', sample.path, { headers })
    // Surface A knows no 405 (erp-semantics.md §1.5).
    const expected = /^\/api\/(v1\/)?resource/.test(path) ? 403 : 405
    if (status !== expected) wrong.push(`LINK ${path}: expected ${expected}, got ${status}`)
    if (watched.version() !== before) wrong.push(`LINK ${path}: changed the database`)
    const guest = await watched.send('LINK', sample.path)
    const isKnownOnly = path.startsWith('/v1/') && path !== '/v1/openapi.json'
    if (guest.status !== (isKnownOnly ? 401 : expected))
      wrong.push(`LINK ${path}: a guest got ${guest.status}`)
  }
  assert.equal(wrong, [])
})

interface Call {
  readonly method: string
  readonly path: string
  readonly body?: object
  readonly kind: string
  readonly caller: Principal
  readonly isForm?: boolean
  /** Of the route, for the message. */
  readonly name: string
}

/** What is wrong with the answer to one request. */
async function problems(call: Call): Promise<string[]> {
  const { method, path, body, caller, isForm = false, name } = call
  const expected = expectedOf(call)
  const isSent = method !== 'GET' && method !== 'DELETE'
  const before = watched.version()
  const reply = await watched.send(method, path, sentBy(caller, isForm, isSent ? body : undefined))
  const found: string[] = []
  if (!fits(expected, reply)) {
    const got = `${reply.status} ${reply.location ?? reply.text.slice(0, 120)}`
    found.push(`${name}: ${caller.group} ${caller.name}: expected ${expected}, got ${got}`)
  }
  const isRefused = /^(4\d\d|in)$/.test(expected)
  if (isRefused && watched.version() !== before)
    found.push(`${name}: ${caller.group} ${caller.name}: changed the database`)
  return found
}

function expectedOf({ method, kind, caller, name }: Call): string {
  const row = KIND_ROWS.rows.get(kind)
  if (!row) throw new Error(`${name}: there is no kind ${kind}`)
  // What reads needs no token of a session, wherever the request comes from.
  const isForgedRead =
    method === 'GET' &&
    (caller.group === 'forged' || (caller.group === 'foreign' && kind !== 'a-leave'))
  const cell = isForgedRead || row[caller.group] === '.' ? row.paged! : row[caller.group]!
  if (cell === 'own') return caller.name.endsWith('of a System Manager') ? 'ok' : '403'
  return cell
}

/** Answers that come from behind the guards: done, or a complaint about what was sent. */
const BEHIND = new Set([200, 201, 202, 204, 304, 404, 409, 412, 417, 422])

function fits(expected: string, { status, location }: Reply): boolean {
  const isRedirect = status === 302 || status === 303
  const isToSignIn =
    location !== undefined && /^\/login(\?(redirect-to=.*|done=late))?$/.test(location)
  if (expected === 'in') return isRedirect && isToSignIn
  if (expected === 'go') return isRedirect && !isToSignIn
  return expected === 'ok' ? BEHIND.has(status) : status === Number(expected)
}

/** What is wrong with the answers to one of each column, or to everybody. */
async function asked(
  call: Pick<Call, 'method' | 'path' | 'body' | 'kind'>,
  name: string,
  isForAll: boolean,
): Promise<string[]> {
  const wrong: string[] = []
  for (const caller of isForAll ? callers : oneOfEach(callers))
    wrong.push(...(await problems({ ...call, caller, name: `${call.method} ${name}` })))
  if (ENDS_SESSIONS.test(name)) callers = await principals(watched)
  return wrong
}

function oneOfEach(all: readonly Principal[]): Principal[] {
  return [...Map.groupBy(all, ({ group }) => group).values()].map(([first]) => first!)
}

function mounted(path: string): string[] {
  if (!path.startsWith('/api/resource')) return [path]
  return SITE_MOUNTS.map((mount) => path.replace('/api/', mount))
}

test.run()

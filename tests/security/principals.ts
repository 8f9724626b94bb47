import { csrfToken } from '../../server/auth/forgery.ts'
import { reissuePair } from '../../server/auth/key-pairs.ts'
import { findPerson } from '../../server/auth/people.ts'
import { writeAccount } from '../../server/auth/person-store.ts'
import { addPerson, changePerson, cookieOf } from '../server/auth/people.ts'
import { maker, type Sent, type Watched } from './workspace.ts'

/** Who sends a request: headers of theirs, and what their forms carry. */
export interface Principal {
  /** In what column of the table. */
  readonly group: string
  /** What is told apart within a group. */
  readonly name: string
  readonly headers: Readonly<Record<string, string>>
  /** Token in the forms of pages, where the session has one. */
  readonly formToken?: string
  readonly address?: string
}

/** Logins by the groups that people stand in. */
const PEOPLE: Readonly<Record<string, readonly string[]>> = {
  plain: [],
  role: ['Sales User'],
  boss: ['System Manager'],
  demo: ['System Manager'],
}

const loginOf = (group: string): string => `${group}@example.com`

/** The one address that the key of `away` may be used from. */
const HOME = '192.0.2.1'

/** Makes the people, once for a workspace. */
export async function addPeople({ app: { engine } }: Watched): Promise<void> {
  for (const [group, roles] of Object.entries(PEOPLE))
    await addPerson(engine, loginOf(group), roles)
  await engine.services.database.write((tx) =>
    writeAccount(tx, loginOf('demo'), { demo_tier: 'business' }),
  )
}

/**
 * Principals of every group, with new sessions: some routes end them. Their keys have been used once, so that
 * a note of their use changes the database no more.
 */
export async function principals(watched: Watched): Promise<readonly Principal[]> {
  const all = [
    ...(await guests(watched)),
    ...(await wrongCredentials(watched)),
    ...(await sessions(watched)),
    ...(await keys(watched)),
  ]
  for (const { headers, address = HOME } of all)
    await watched.send('GET', '/v1/tiers', { headers, address })
  await watched.app.engine.services.database.write(async () => undefined)
  return all
}

/** What a request of theirs looks like; `path` says whether it is a form of a page. */
export function sentBy(principal: Principal, isForm: boolean, body?: object): Sent {
  const { headers, address, formToken } = principal
  const token = formToken === undefined ? {} : { csrf_token: formToken }
  return {
    headers,
    ...(address === undefined ? {} : { address }),
    body: isForm ? new URLSearchParams({ ...body, ...token }).toString() : body,
  }
}

/** Nobody, and cookies that are worth nothing: sessions that ended, idled, or whose person was changed. */
async function guests(watched: Watched): Promise<Principal[]> {
  const { database, app } = watched
  const made: Principal[] = [{ group: 'guest', name: 'nobody', headers: {} }]
  const boss = (await findPerson(app.engine.services, loginOf('boss')))!
  const changes: Readonly<Record<string, string>> = {
    expired: `expires = '2026-03-01T12:00:00.000Z'`,
    idle: `last_seen = '2026-02-19T11:59:59.000Z'`,
    'of other rights': `grants = 'x'`,
  }
  for (const [name, change] of Object.entries(changes)) {
    const { cookie, id } = await cookieOf(app.engine, boss)
    database.prepare(`update svc_sessions set ${change} where id = ?`).run(id)
    made.push({ group: 'guest', name: `a session ${name}`, headers: { cookie } })
  }
  const disabled = (await findPerson(app.engine.services, await disabledPerson(watched)))!
  const { cookie } = await cookieOf(app.engine, disabled)
  return [...made, { group: 'guest', name: 'a session of somebody disabled', headers: { cookie } }]
}

async function wrongCredentials(watched: Watched): Promise<Principal[]> {
  const { app, database } = watched
  const made: Principal[] = []
  const add = (name: string, headers: Principal['headers']): void => {
    made.push({ group: 'bad', name, headers })
  }
  const bearer = (key: string): Principal['headers'] => ({ authorization: `Bearer ${key}` })
  const { id, key: revoked } = await watched.keyOf(maker())
  database.prepare(`update svc_api_keys set revoked = '2026-01-01' where id = ?`).run(id)
  const expires = new Date(app.clock.now()).toISOString()
  const disabled = await disabledPerson(watched)
  const { services } = app.engine
  const revokedPair = await services.database.write((tx) =>
    reissuePair(tx, services, loginOf('plain')),
  )
  const pairs = await Promise.all(
    [disabled, loginOf('plain')].map((login) =>
      app.engine.services.database.write((tx) => reissuePair(tx, app.engine.services, login)),
    ),
  )
  add('an unknown key', bearer(`svc_live_${'a'.repeat(43)}`))
  add('a revoked key', bearer(revoked))
  add('an expired key', bearer((await watched.keyOf(maker(), { expires })).key))
  add('a key of the other environment', bearer((await watched.keyOf(maker(), { env: 'test' })).key))
  add('a key of somebody disabled', bearer((await watched.keyOf(maker(disabled))).key))
  add('a key of nobody', bearer((await watched.keyOf(maker('gone@example.com'))).key))
  add('a pair of somebody disabled', tokenOf(pairs[0]!))
  add('a revoked pair', tokenOf(revokedPair))
  add('a wrong secret', tokenOf({ ...pairs[1]!, api_secret: '0'.repeat(48) }))
  add('no kind of credential', { authorization: 'Negotiate abc' })
  add('two keys', { ...bearer(app.keys.admin), 'x-api-key': app.keys.read })
  return made
}

async function sessions({ app }: Watched): Promise<Principal[]> {
  const { engine, secretKey } = app
  const { services } = engine
  const made: Principal[] = []
  for (const group of Object.keys(PEOPLE)) {
    const person = (await findPerson(services, loginOf(group)))!
    const { cookie, id } = await cookieOf(engine, person)
    const formToken = csrfToken(secretKey, id)
    made.push({ group, name: 'a session', headers: { cookie }, formToken })
  }
  const boss = (await findPerson(services, loginOf('boss')))!
  const { cookie, id } = await cookieOf(engine, boss, { byPage: true })
  const formToken = csrfToken(secretKey, id)
  const withToken = { cookie, 'x-csrf-token': formToken }
  return [
    ...made,
    { group: 'forged', name: 'without a token', headers: { cookie } },
    {
      group: 'forged',
      name: 'with the token of another session',
      headers: { cookie, 'x-csrf-token': csrfToken(secretKey, 'ses_other') },
    },
    {
      group: 'foreign',
      name: 'from another site',
      headers: { ...withToken, 'sec-fetch-site': 'cross-site' },
      formToken,
    },
    {
      group: 'foreign',
      name: 'from another origin',
      headers: { ...withToken, origin: 'https://evil.example' },
      formToken,
    },
    { group: 'paged', name: 'with its token', headers: withToken, formToken },
  ]
}

async function keys(watched: Watched): Promise<Principal[]> {
  const made: Principal[] = []
  for (const scope of ['read', 'write', 'admin'] as const) {
    const key = watched.app.keys[scope]
    made.push({ group: scope, name: 'of the workspace', headers: { 'x-api-key': key } })
    const own = await watched.keyOf(maker(loginOf('boss')), { scope })
    made.push({ group: scope, name: 'of a System Manager', headers: { 'x-api-key': own.key } })
  }
  const pair = await watched.app.engine.services.database.write((tx) =>
    reissuePair(tx, watched.app.engine.services, loginOf('boss')),
  )
  made.push({ group: 'admin', name: 'a pair of a System Manager', headers: tokenOf(pair) })
  const { key } = await watched.keyOf(maker(loginOf('role')))
  const away = await watched.keyOf(maker(), { allow_ips: [HOME] })
  return [
    ...made,
    { group: 'rkey', name: 'of a Sales User', headers: { authorization: `Bearer ${key}` } },
    { group: 'away', name: 'elsewhere', headers: { authorization: `Bearer ${away.key}` } },
    {
      group: 'admin',
      name: 'from the address of its list',
      headers: { authorization: `Bearer ${away.key}` },
      address: HOME,
    },
  ]
}

/** Somebody with all rights who may not sign in. */
async function disabledPerson({ app: { engine } }: Watched): Promise<string> {
  const login = loginOf('disabled')
  if (await findPerson(engine.services, login)) return login
  await addPerson(engine, login, ['System Manager'])
  await changePerson(engine, login, { enabled: false })
  return login
}

function tokenOf({ api_key, api_secret }: { api_key: string; api_secret: string }): {
  readonly authorization: string
} {
  return { authorization: `token ${api_key}:${api_secret}` }
}

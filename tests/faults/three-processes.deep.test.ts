import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { readFirstRun, type Served } from '../cli/process.ts'
import { createFaultWorkspace, type FaultWorkspace } from './workspace.ts'

/* Three processes on one PostgreSQL are one workspace to who uses it: who is signed in, and how often they may ask. */

const test = suite('three processes on postgres')

let workspace: FaultWorkspace
let servers: readonly [Served, Served, Served]

test.before(async () => {
  workspace = await createFaultWorkspace('postgres', { SVC_RATE_LIMIT: 'on' })
  await workspace.prepare()
  await workspace.command('tier', 'set', 'free')
  servers = [await workspace.start(), await workspace.start(), await workspace.start()]
})
test.after(() => workspace.remove())

function whoAmI({ url }: Served, cookie: string): Promise<Response> {
  return fetch(`${url}/api/method/frappe.auth.get_logged_user`, { headers: { cookie } })
}

test('who signs in at one is known at the next; signed out there, the first knows nobody', async () => {
  const [first, second, third] = servers
  const { user, password } = readFirstRun(workspace.dataFolder)
  const signedIn = await fetch(`${first.url}/api/method/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ usr: user, pwd: password }),
  })
  assert.is(signedIn.status, 200, await signedIn.clone().text())
  const cookie = signedIn.headers
    .getSetCookie()
    .map((one) => one.split(';')[0])
    .join('; ')
  const known = await whoAmI(second, cookie)
  const { message } = (await known.json()) as { message: string }
  assert.equal([known.status, message], [200, user])
  const token = /csrf_token=([^;]+)/.exec(cookie)?.[1]
  const signedOut = await fetch(`${third.url}/api/method/logout`, {
    method: 'POST',
    headers: { cookie, ...(token === undefined ? {} : { 'x-frappe-csrf-token': token }) },
  })
  assert.is(signedOut.status, 200, await signedOut.text())
  const gone = await whoAmI(first, cookie)
  assert.is.not(gone.status, 200)
})

/** Requests under way at once, at all three together. */
const AT_ONCE = 24

test('together they grant what the plan says, to the request', async () => {
  const key = workspace.key()
  const ask = async ({ url }: Served): Promise<Response> => {
    const answer = await fetch(`${url}/v1/items?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    await answer.arrayBuffer()
    return answer
  }
  // The window of a minute begins anew, so that none ends in between.
  const { headers } = await ask(servers[0])
  const reset = Number(headers.get('x-ratelimit-reset')) * 1000
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, reset - Date.now()) + 500))
  const limit = Number(headers.get('x-ratelimit-limit'))
  const granted = { count: 0, reset: new Set<string | null>() }
  let asked = 0
  const client = async (): Promise<void> => {
    while (asked < limit * 1.5) {
      const server = servers[asked % 3] as Served
      asked += 1
      const answer = await ask(server)
      if (answer.status === 200) {
        granted.count += 1
        granted.reset.add(answer.headers.get('x-ratelimit-reset'))
      } else assert.is(answer.status, 429)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  assert.is(granted.reset.size, 1, 'this machine is too slow for a window of a minute')
  assert.is(granted.count, limit, `of ${asked} requests`)
})

test.run()

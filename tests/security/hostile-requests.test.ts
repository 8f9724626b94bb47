import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTestApp, type TestApp } from '../server/test-app.ts'
import { type Asked, type Clients, startClients } from './hostile.ts'
import { addMember, type Member } from './people.ts'

/*
 * The hostile requests of the security test, at the most that is allowed now, while others are served: what they take from
 * everybody is measured as a multiple of what a light request takes (docs/decisions/0050, 0051, 0066). Over more data
 * in hostile-requests.deep.test.ts, in absolute figures in `npm run bench -- --stall`.
 */

const hostile = suite('a hostile request')

/**
 * Times as much as a light request takes for which nobody else may be let in: 250 ms where that takes 1.25 ms. It is 10 to 80
 * now, also on a machine with ten times more to do than it can; with writes in one piece it is 290, with searches in the server
 * it was a hundred thousand.
 */
const MOST_TIMES = 200

const NOTES = 6
const LONG = 'a'.repeat(100_000)

let folder: string
let app: TestApp
let server: Server
let stranger: Member
let clients: Clients

hostile.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-hostile-'))
  const database = { kind: 'sqlite' as const, file: join(folder, 'svc.db'), readers: {} }
  app = await openTestApp({ database, settings: { rateLimit: false } })
  stranger = await addMember(app, 'none@x.example', [])
  server = createServer(app.app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const light = {
    method: 'GET',
    path: '/v1/gadgets/G',
    authorization: `Bearer ${app.keys.read}`,
  } as const
  const gadget = { code: 'G', title: 'G' }
  const first = await startClients(`http://127.0.0.1:${port}`, { ...light, path: '/healthz' })
  const [made] = await first.ask(post('/v1/gadgets', `Bearer ${app.keys.admin}`, gadget))
  assert.is(made!.status, 201)
  await first.end()
  clients = await startClients(`http://127.0.0.1:${port}`, light)
})

hostile.after(async () => {
  await clients.end()
  server.closeAllConnections()
  await new Promise((resolve) => server.close(resolve))
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

function get(path: string): Asked {
  return { method: 'GET', path, authorization: stranger.authorization }
}

function post(path: string, authorization: string, body: object): Asked {
  return { method: 'POST', path, authorization, body: JSON.stringify(body) }
}

const parcel = (rows: number): object => ({
  receiver: 'me',
  items: Array.from({ length: rows }, () => ({ gadget: 'G', qty: 1 })),
})

/** Sends them at once and asks that all are answered so, and that others were served meanwhile. */
async function holdNobodyUp(status: number, asked: readonly Asked[]): Promise<void> {
  const { answers, times } = await clients.beside(...asked)
  for (const answer of answers) assert.is(answer.status, status, answer.text.slice(0, 500))

  assert.ok(times < MOST_TIMES, `others waited for ${times} times as much work`)
}

hostile('D17: notes as long as they may be hold nobody up', () =>
  holdNobodyUp(
    201,
    Array.from({ length: NOTES }, (_, at) =>
      post('/v1/notes', stranger.authorization, {
        title: `note ${at}`,
        public: true,
        content: LONG,
      }),
    ),
  ),
)

hostile('D17: documents of all the rows they may have hold nobody up', () =>
  holdNobodyUp(
    201,
    Array.from({ length: 30 }, () => post('/v1/parcels', `Bearer ${app.keys.admin}`, parcel(500))),
  ),
)

hostile('D17: as many documents and rows as come at once hold nobody up', async () => {
  const docs = Array.from({ length: 200 }, () => ({ doctype: 'Parcel', ...parcel(5) }))
  const many = post('/api/method/frappe.client.insert_many', `Bearer ${app.keys.admin}`, { docs })
  await holdNobodyUp(200, [many, many])
})

hostile('D16: bodies of nothing but mistakes hold nobody up', async () => {
  const items = Array.from({ length: 40_000 }, () => ({ a: 1 }))
  const wrong = post('/v1/parcels', `Bearer ${app.keys.admin}`, { receiver: 'x', items })
  await holdNobodyUp(422, [wrong, wrong, wrong])
})

hostile('D1: searches of equal letters hold nobody up', () => {
  const search = get(`/v1/notes?q=${'a'.repeat(60)}`)
  return holdNobodyUp(200, [search, search])
})

hostile('D2: patterns on long texts hold nobody up', () => {
  const or_filters = Array.from({ length: 3 }, () => ['content', 'like', `%${'a'.repeat(138)}b%`])
  const count = { doctype: 'Note', or_filters }
  return holdNobodyUp(200, [
    post('/api/method/frappe.client.get_count', stranger.authorization, count),
  ])
})

hostile('D3: a list of everything holds nobody up', () => {
  const fields = ['name', 'items.row_id as row', 'items.gadget as gadget', 'items.qty as qty']
  const query = `limit_page_length=0&fields=${encodeURIComponent(JSON.stringify(fields))}`
  const list: Asked = {
    method: 'GET',
    path: `/api/resource/Parcel?${query}`,
    authorization: `Bearer ${app.keys.admin}`,
  }
  return holdNobodyUp(200, [list, list])
})

hostile.run()

import { once } from 'node:events'
import { Agent, createServer, type IncomingHttpHeaders, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { brotliDecompressSync } from 'node:zlib'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { STATUS_OF_CODE } from '../../engine/base/errors.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { rounds, seedsOf } from '../helpers/random.ts'
import { openTestApp, TEST_DOCTYPES, type TestApp } from '../server/test-app.ts'
import { EVERYTHING } from './everything.ts'
import { HOSTILE_TEXTS } from './hostile.ts'
import { hostileRequests, type Sent } from './requests.ts'

const SEEDS = seedsOf(import.meta.filename, [433_594_175])
const REQUESTS = rounds(1000)
/** Resources of this test and of the test app, which get most of the requests. */
const OWN = ['everythings', 'gadgets', 'gizmos', 'parcels', 'turbines']
const NAMES = ['one', 'two %', "it's"]
const IDS = NAMES.map(encodeURIComponent)

interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
}

forEachDatabaseWhenDeep('no request', ({ test, create }) => {
  let app: TestApp
  let server: Server
  const agent = new Agent({ keepAlive: true })
  test.before(async () => {
    app = await openTestApp({
      database: await create(),
      doctypes: { ...TEST_DOCTYPES, everything: EVERYTHING },
      settings: { rateLimit: false },
      // In a lower one every third request ends at its plan.
      tier: 'business',
    })
    server = createServer(app.app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    for (const name of NAMES) {
      const body = JSON.stringify({ name, data: name, rows: [{ text: name }] })
      const made = await send({ ...asAdmin('POST', '/v1/everythings'), body })
      assert.is(made.status, 201, made.text)
    }
  })
  test.after(async () => {
    agent.destroy()
    server.close()
    await app.close()
  })

  function asAdmin(method: string, path: string): Sent {
    const headers = {
      authorization: `Bearer ${app.keys.admin}`,
      'content-type': 'application/json',
    }
    return { method, path, headers, body: undefined }
  }

  function send({ method, path, headers, body }: Sent): Promise<Answer> {
    // Failed keys are limited by the minute.
    app.clock.advance(2000)
    return new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo
      // Node gives the body of a DELETE no length of its own.
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }
      const options = { port, agent, method, path, headers: { ...headers, ...length } }
      const sent = request(options, (response) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => {
          const bytes = Buffer.concat(chunks)
          // Who accepts any encoding gets one.
          const isBrotli = response.headers['content-encoding'] === 'br'
          const text = (isBrotli ? brotliDecompressSync(bytes) : bytes).toString('utf8')
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text })
        })
      })
      sent.on('error', (cause) => {
        const what = JSON.stringify({ ...options, agent: undefined })
        reject(new Error(`${cause.message}: ${what} ${body?.slice(0, 200)}`, { cause }))
      })
      sent.end(body)
    })
  }

  /** Names of all records there are, page by page. */
  async function idsOf(slug: string): Promise<string[]> {
    const ids: string[] = []
    let cursor = ''
    do {
      const { status, text } = await send(
        asAdmin('GET', `/v1/${slug}?limit=50&_titles=1&cursor=${encodeURIComponent(cursor)}`),
      )
      assert.is(status, 200, text)
      const page = JSON.parse(text) as { data: { id: string }[]; next_cursor: string | null }
      ids.push(...page.data.map(({ id }) => id))
      cursor = page.next_cursor ?? ''
    } while (cursor !== '')
    return ids
  }

  async function requests(): Promise<fc.Arbitrary<Sent>> {
    const { text } = await send(asAdmin('GET', '/v1/openapi.json'))
    const { paths } = JSON.parse(text) as { paths: Record<string, Record<string, unknown>> }
    // An answer without an end; together.test.ts and the tests of security ask for it.
    const { '/v1/stream': _, ...ended } = paths
    const { registry } = app.engine.services
    return hostileRequests({ paths: ended, registry, keys: app.keys, own: OWN, ids: IDS })
  }

  for (const seed of SEEDS)
    test(`of ${REQUESTS} hostile ones is answered 500 or in another shape than the API's (seed ${seed})`, async () => {
      const statuses = new Map<number, number>()
      const failures: string[] = []
      const all = fc.sample(await requests(), { seed, numRuns: REQUESTS })
      async function sendAll(): Promise<void> {
        for (let sent = all.pop(); sent; sent = all.pop()) {
          const answer = await send(sent)
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
          try {
            assertShape(sent, answer)
          } catch (error) {
            const { message } = error as Error
            const what = JSON.stringify({ ...sent, body: sent.body?.slice(0, 500) })
            failures.push(`${message} ${what}`)
          }
        }
      }
      await Promise.all([sendAll(), sendAll(), sendAll()])
      assert.equal(failures.slice(0, 5), [], `${failures.length} failures`)
      // Not 204 and 409: that chance finds a record to delete or makes a conflict is likely, not sure.
      for (const status of [200, 201, 400, 401, 403, 404, 405, 415, 422])
        assert.ok(statuses.has(status), `no ${status} among ${JSON.stringify([...statuses])}`)
    })

  test('left something behind that cannot be read again', async () => {
    // What chance leaves is read; that there is enough of it is not left to chance.
    const made: string[] = []
    for (const text of HOSTILE_TEXTS) {
      const body = JSON.stringify({ code: text, title: `a${text}`, story: text })
      const { status, text: answer } = await send({ ...asAdmin('POST', '/v1/gadgets'), body })
      assert.ok([201, 409, 422].includes(status), `${body} → ${status} ${answer}`)
      if (status === 201) made.push((JSON.parse(answer) as { id: string }).id)
    }
    const read: string[] = []
    for (const slug of ['everythings', 'gadgets', 'parcels']) {
      for (const id of await idsOf(slug)) {
        const one = await send(asAdmin('GET', `/v1/${slug}/${encodeURIComponent(id)}`))
        assert.is(one.status, 200, one.text)
        read.push(id)
      }
    }
    assert.equal(
      made.filter((id) => !read.includes(id)),
      [],
    )
    assert.ok(read.length > HOSTILE_TEXTS.length / 2, `${read.length} records`)
    assert.not.match(app.logged(), new RegExp(Object.values(app.keys).join('|')))
    assert.is(({} as Record<string, unknown>).a, undefined, 'the prototype of objects was changed')
  })
})

/** Every answer: below 500, with an id; every error: the one shape of spec §7. */
function assertShape({ method, path }: Sent, { status, headers, text }: Answer): void {
  const label = `${method} ${path} → ${status} ${text.slice(0, 500)}`
  assert.ok(status < 500, label)
  assert.match(String(headers['x-request-id']), /^[\w-]{1,64}$/, label)
  if (method === 'HEAD' || status === 204 || status === 304) {
    assert.is(text, '', label)
    return
  }
  if (status < 400 && !String(headers['content-type']).startsWith('application/json')) return
  assert.match(String(headers['content-type']), /^application\/json; charset=utf-8$/, label)
  const body = JSON.parse(text) as { error?: Record<string, unknown> }
  if (status < 400) {
    assert.is(body.error, undefined, label)
    return
  }
  const { code, message, details = [], ...rest } = body.error ?? {}
  assert.is((STATUS_OF_CODE as Readonly<Record<string, number>>)[String(code)], status, label)
  assert.is(rest.status, status, label)
  assert.ok(typeof message === 'string' && message !== '' && message.isWellFormed(), label)
  for (const detail of details as Record<string, unknown>[]) {
    assert.equal(Object.keys(detail).toSorted(), ['code', 'field', 'message'], label)
    assert.type(detail.field, 'string', label)
    assert.type(detail.message, 'string', label)
  }
  assert.not.match(text, /\n\s+at |node_modules|\.ts:\d|SQLITE|select .* from|insert into/i, label)
}

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createHeldBytes } from '../../server/http/held-bytes.ts'
import { bearer, openTestApp, type TestApp } from '../server/test-app.ts'
import { addMember, type Member } from './people.ts'

/* What a request may weigh before anybody knows who sent it, and what long reads and writes may cost a person a minute. */

const test = suite('a request')

let folder: string
let app: TestApp
let server: Server
let port: number
let anna: Member
let bert: Member
let cleo: Member
let dora: Member

test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-bounded-'))
  // A millisecond a minute: the first search uses it up, and a write or two.
  const work = { readers: {}, workPerMinuteMs: 1 }
  const database = { kind: 'sqlite' as const, file: join(folder, 'svc.db'), ...work }
  app = await openTestApp({ database, settings: { trustProxy: ['loopback'] } })
  anna = await addMember(app, 'anna@x.example', ['System Manager'])
  bert = await addMember(app, 'bert@x.example', ['System Manager'])
  cleo = await addMember(app, 'cleo@x.example', ['System Manager'])
  dora = await addMember(app, 'dora@x.example', ['System Manager'])
  server = createServer({ requireHostHeader: false }, app.app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})

test.after(async () => {
  await new Promise((resolve) => server.close(resolve))
  await app.close()
  rmSync(folder, { recursive: true, force: true })
})

/** First bytes of the answer to what is sent as it is. */
function raw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.once('data', (data) => {
      resolve(String(data))
      socket.destroy()
    })
    socket.once('error', reject)
  })
}

test('of HTTP/1.1 without Host is a 400, of HTTP/1.0 it is not', async () => {
  const answer = await raw('GET /v1/gadgets HTTP/1.1\r\nConnection: close\r\n\r\n')
  assert.match(answer, /^HTTP\/1\.1 400 /)
  assert.match(answer, /expected a Host header/)
  assert.match(answer, /X-Request-Id: req_/)
  assert.match(await raw('GET /healthz HTTP/1.0\r\n\r\n'), /^HTTP\/1\.1 200 /)
})

test('that two servers could read in two ways is refused', async () => {
  const head = 'POST /v1/gadgets HTTP/1.1\r\nHost: svc\r\nConnection: close\r\n'
  const chunked = '0\r\n\r\nGET /healthz HTTP/1.1\r\nHost: svc\r\n\r\n'
  for (const headers of [
    'Content-Length: 4\r\nTransfer-Encoding: chunked\r\n',
    'Content-Length: 4\r\nContent-Length: 5\r\n',
    'Transfer-Encoding: xchunked\r\n',
    'Transfer-Encoding: chunked, identity\r\n',
    'Content-Length: +4\r\n',
    'Content-Length : 4\r\n',
    'X-A: a\rX-B: b\r\n',
    'X A: b\r\n',
  ])
    assert.match(await raw(`${head}${headers}\r\n${chunked}`), /^HTTP\/1\.1 400 /, headers)
  const long = `X-Long: ${'x'.repeat(17_000)}\r\n`
  assert.match(await raw(`${head}${long}\r\n`), /^HTTP\/1\.1 431 /)
})

test('leaves the paths and the methods that there are', async () => {
  for (const path of [
    '/../../../etc/passwd',
    '/assets/../../package.json',
    '/assets/%2e%2e/%2e%2e/package.json',
    '/assets/..%2f..%2fpackage.json',
    '/docs/..%5c..%5cpackage.json',
    '/v1/../svc.db',
    '//etc/passwd',
    '/v1/reports/..%2f..%2fpackage',
    '/v1/gadgets/%00',
    'http://evil.example/etc/passwd',
  ]) {
    const answer = await raw(
      `GET ${path} HTTP/1.1\r\nHost: svc\r\nAuthorization: ${anna.authorization}\r\nConnection: close\r\n\r\n`,
    )
    assert.match(answer, /^HTTP\/1\.1 4\d\d /, path)
    assert.not.match(answer, /"dependencies"|root:|SQLite format/, path)
  }
  const trace = await raw(
    'TRACE / HTTP/1.1\r\nHost: svc\r\nX-Seen: canary\r\nConnection: close\r\n\r\n',
  )
  assert.match(trace, /^HTTP\/1\.1 4\d\d /)
  assert.not.match(trace, /canary/)
  const told = {
    'X-HTTP-Method-Override': 'DELETE',
    'X-HTTP-Method': 'DELETE',
    'X-Method-Override': 'DELETE',
  }
  const made = await supertest(app.app)
    .post('/v1/gadgets?_method=DELETE')
    .set({ ...told, Authorization: anna.authorization })
    .send({ code: 'KEPT', title: 'Kept' })
  assert.is(made.status, 422, 'a parameter that there is not')
  const kept = await supertest(app.app)
    .post('/v1/gadgets')
    .set({ ...told, Authorization: anna.authorization })
    .send({ code: 'KEPT', title: 'Kept' })
  assert.is(kept.status, 201)
})

test('to sign in with what is no text is a wrong password, and no failure', async () => {
  for (const wrong of [
    ['a'],
    { $ne: '' },
    7,
    true,
    null,
    'a\u0000b',
    '\ud800',
    'x'.repeat(9_000),
  ]) {
    const body = { usr: wrong, pwd: wrong }
    const { status, headers } = await supertest(app.app).post('/api/method/login').send(body)
    assert.match(headers['strict-transport-security'] ?? '', /^max-age=\d{8}/)
    assert.ok([400, 401, 417, 422].includes(status), `${JSON.stringify(wrong)}: ${status}`)
  }
})

test('D10: with a form is at most 16 KB', async () => {
  const send = (bytes: number): Promise<supertest.Response> =>
    supertest(app.app)
      .post('/login')
      .type('form')
      .set('Origin', 'http://127.0.0.1')
      .set('X-Forwarded-For', '198.51.100.1')
      .send(`usr=${'x'.repeat(bytes - 4)}`) as unknown as Promise<supertest.Response>
  assert.is((await send(16 * 1024 + 1)).status, 413)
  assert.is.not((await send(16 * 1024)).status, 413)
})

test('D10: of a guest is at most 64 KB, and one of a person a megabyte', async () => {
  const body = { usr: 'x'.repeat(64 * 1024) }
  const guest = await supertest(app.app).post('/api/method/login').send(body)
  assert.is(guest.status, 413)
  const person = await supertest(app.app)
    .post('/api/resource/Note')
    .set('Authorization', cleo.authorization)
    .send({ title: 'x', content: 'x'.repeat(80_000) })
  assert.is(person.status, 200)
})

test('D10: of somebody unknown counts from its first form on', async () => {
  const send = (): Promise<supertest.Response> =>
    supertest(app.app)
      .post('/login')
      .type('form')
      .set('Origin', 'http://127.0.0.1')
      .set('X-Forwarded-For', '198.51.100.77')
      .send('usr=a&pwd=b') as unknown as Promise<supertest.Response>
  const statuses: number[] = []
  for (let sent = 0; sent < 121; sent += 1) statuses.push((await send()).status)
  assert.is(statuses.at(-1), 429)
  assert.not(statuses.slice(0, 4).includes(429))
})

test('D10: bytes that are waited for are bounded all together', () => {
  const held = createHeldBytes(100, 'forms')
  held.take(60)
  assert.throws(() => held.take(41), /too many forms are on their way/)
  held.take(40)
  held.give(60)
  held.take(60)
})

test('with a large body waits for its turn, and keeps none when its client is gone', async () => {
  const body = JSON.stringify({ x: Array.from({ length: 20_000 }, () => ({ a: 1 })) })
  const head = [
    'POST /v1/nothing HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    `Content-Length: ${body.length}`,
    `Authorization: ${bearer(app.keys.admin)}`,
  ].join('\r\n')
  const sockets = await Promise.all(
    Array.from(
      { length: 12 },
      () =>
        new Promise<Socket>((resolve) => {
          const socket = connect(port, '127.0.0.1', () =>
            socket.write(`${head}\r\n\r\n${body}`, () => resolve(socket)),
          )
        }),
    ),
  )
  for (const socket of sockets) socket.destroy()
  const answers = await Promise.all(
    Array.from({ length: 8 }, () => raw(`${head}\r\nConnection: close\r\n\r\n${body}`)),
  )
  for (const answer of answers) assert.match(answer, /^HTTP\/1\.1 404 /, answer)
})

test('tells what the person has left of the minute, and is refused when that is nothing', async () => {
  // A filter beside: what is searched alone in a small index takes no other process.
  const search = (authorization: string): Promise<supertest.Response> =>
    supertest(app.app)
      .get('/v1/gadgets?q=abc&owner__ne=nobody')
      .set('Authorization', authorization) as unknown as Promise<supertest.Response>
  const light = await supertest(app.app).get('/v1/gadgets').set('Authorization', dora.authorization)
  assert.is(light.status, 200)
  assert.is(light.headers['x-work-limit'], undefined, 'nothing was used')
  let last = await search(dora.authorization)
  for (let more = 0; more < 50 && last.status === 200; more += 1)
    last = await search(dora.authorization)
  assert.is(last.status, 429)
  assert.is(last.headers['x-work-limit'], '1')
  assert.is(last.headers['x-work-remaining'], '0')
  assert.ok(Number(last.headers['retry-after']) >= 1)
  assert.ok(Number(last.headers['x-work-reset']) * 1000 > Date.now() - 1000)
  assert.match(last.body.error.message, /seconds of database time a minute/)
  const still = await supertest(app.app).get('/v1/gadgets').set('Authorization', dora.authorization)
  assert.is(still.status, 200, 'what is light goes on')
  assert.is((await search(bert.authorization)).status, 200, 'others have their own')
  assert.is((await search(bearer(app.keys.read))).status, 200, 'a key without a person too')
})

test('that writes counts for its person too, on both surfaces', async () => {
  const write = (path: string): Promise<supertest.Response> =>
    supertest(app.app)
      .post(path)
      .set('Authorization', cleo.authorization)
      .send({ title: 'x' }) as unknown as Promise<supertest.Response>
  let last = await write('/v1/notes')
  for (let more = 0; more < 50 && last.status === 201; more += 1) {
    assert.is(last.headers['x-work-limit'], '1', 'told on the answer of the write itself')
    last = await write('/v1/notes')
  }
  assert.is(last.status, 429)
  assert.is(last.body.error.code, 'RATE_LIMITED')
  assert.ok(Number(last.headers['retry-after']) >= 1)
  const other = await write('/api/resource/Note')
  assert.is(other.status, 429)
  assert.is(other.body.exc_type, 'RateLimitExceededError')
  const read = await supertest(app.app).get('/v1/notes').set('Authorization', cleo.authorization)
  assert.is(read.status, 200, 'what is read lightly goes on')
  assert.is(read.headers['x-work-remaining'], '0')
})

test.run()

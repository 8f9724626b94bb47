import { createServer, request as httpRequest, type Server } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bearer, openTestApp, type TestApp } from './test-app.ts'

const test = suite('requests and errors')
let app: TestApp
let server: Server
let port = 0
test.before(async () => {
  app = await openTestApp({ settings: { rateLimit: false, corsOrigins: ['https://desk.example'] } })
  server = createServer(app.app)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  port = (server.address() as AddressInfo).port
})
test.after(async () => {
  server.closeAllConnections()
  server.close()
  await app.close()
})

const post = (path = '/v1/gadgets'): supertest.Test =>
  supertest(app.app).post(path).set('Authorization', bearer(app.keys.write))
const json = (text: string | Buffer): supertest.Test =>
  post()
    .set('Content-Type', 'application/json')
    .serialize(String)
    .send(text as string)
const get = (path: string): supertest.Test =>
  supertest(app.app).get(path).set('Authorization', bearer(app.keys.read))

/** Raw bytes as body: supertest would turn a buffer into JSON. */
function raw(
  bytes: Buffer,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(
      {
        port,
        method: 'POST',
        path: '/v1/gadgets',
        headers: {
          authorization: bearer(app.keys.write),
          'content-type': 'application/json',
          ...headers,
        },
      },
      (answer) => {
        let body = ''
        answer.on('data', (chunk) => {
          body += chunk
        })
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }))
      },
    )
    sent.on('error', reject)
    sent.end(bytes)
  })
}

test('every answer has an X-Request-Id, and every error the error shape with the status of the answer', async () => {
  const { app: express } = app
  const answers = [
    await get('/v1/gadgets'),
    await get('/v1/gadgets/none'),
    await get('/v1/nonsense'),
    await get('/nonsense'),
    await get('/v1/gadgets?limit=0'),
    await get('/v1/gadgets?title=%zz'),
    await get('/v1/gadgets/%E0%A4%A'),
    await supertest(express).get('/v1/gadgets'),
    await supertest(express).options('/v1/gadgets'),
    await supertest(express).get('/healthz'),
    await json('{'),
    await json('x'.repeat(1_048_577)),
    await post().set('Content-Type', 'text/plain').send('x'),
    await supertest(express).put('/v1/gadgets').set('Authorization', bearer(app.keys.write)),
    await post('/v1/gadgets').send({}),
  ]
  const ids = new Set<string>()
  for (const answer of answers) {
    const id = answer.headers['x-request-id'] as string
    assert.match(id, /^req_[0-9a-f]{32}$/)
    ids.add(id)
    if (answer.status < 400) continue
    const { error } = answer.body as { error: Record<string, unknown> }
    assert.is(error.status, answer.status, answer.text)
    assert.type(error.code, 'string')
    assert.type(error.message, 'string')
  }
  assert.is(ids.size, answers.length)
})

test("a client's X-Request-Id is kept when it is plain, else replaced", async () => {
  for (const id of ['abc-DEF_123', 'x'.repeat(64)]) {
    assert.is((await get('/v1/gadgets').set('X-Request-Id', id)).headers['x-request-id'], id)
  }
  for (const id of ['x'.repeat(65), 'a b', 'a;b', 'é']) {
    const answer = await get('/v1/gadgets').set('X-Request-Id', id)
    assert.match(String(answer.headers['x-request-id']), /^req_/)
  }
})

test('a body that is not a JSON object in UTF-8 is 400, saying what came', async () => {
  const bad: [text: string, message: string][] = [
    ['{', 'not JSON'],
    ['{"a":}', 'not JSON'],
    ['[]', 'an empty list'],
    ['[1]', 'a list'],
    ['null', 'null'],
    ['"x"', 'got "x"'],
    ['1', 'got 1'],
    [`${'['.repeat(45_000)}`, 'not JSON'],
  ]
  for (const [text, message] of bad) {
    const answer = await json(text)
    assert.is(answer.status, 400, `${text.slice(0, 20)}: ${answer.text}`)
    assert.is(answer.body.error.code, 'BAD_REQUEST')
    assert.match(answer.body.error.message, message)
  }
  const broken = await raw(Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]))
  assert.is(broken.status, 400)
  assert.match(broken.body, 'UTF-8')
  assert.is((await post()).status, 400)
})

test('JSON that cannot be kept as it came is 422 with the place', async () => {
  const unsafe: [text: string, field: string][] = [
    ['{"title":"a\\u0000b"}', 'title'],
    ['{"title":"\\ud800"}', 'title'],
    ['{"stock":9007199254740993}', 'stock'],
    ['{"price":1e400}', 'price'],
    [`{"extra":${'['.repeat(40)}${']'.repeat(40)}}`, 'extra'],
  ]
  for (const [text, field] of unsafe) {
    const answer = await json(text)
    assert.is(answer.status, 422, `${text}: ${answer.text}`)
    assert.ok(answer.body.error.details[0].field.startsWith(field), answer.text)
  }
  const deep = await json(`{"extra":${'['.repeat(45_000)}${']'.repeat(45_000)}}`)
  assert.is(deep.status, 422)
})

test('a byte order mark before the JSON is ignored', async () => {
  const bytes = Buffer.concat([
    Buffer.from([0xef, 0xbb, 0xbf]),
    Buffer.from('{"code":"BOM","title":"x"}'),
  ])
  assert.is((await raw(bytes)).status, 201)
})

test('more than 1 MB is 413 whether announced or not, exactly 1 MB is read', async () => {
  const text = (size: number): string => `{"story":"${'x'.repeat(size - 12)}"}`
  assert.is((await json(text(1_048_576))).status, 422)
  assert.is((await json(text(1_048_577))).status, 413)
  const chunked = await raw(Buffer.from(text(1_048_577)), { 'transfer-encoding': 'chunked' })
  assert.is(chunked.status, 413)
  assert.match(chunked.body, 'PAYLOAD_TOO_LARGE')
})

test('a type other than JSON in UTF-8 is 415', async () => {
  const types: [type: string, status: number][] = [
    ['application/json; charset=utf-8', 201],
    ['Application/JSON;charset=UTF-8', 201],
    ['text/json', 415],
    ['application/x-www-form-urlencoded', 415],
    ['application/json; charset=utf-16', 415],
    ['application/jsonp', 415],
    ['multipart/form-data; boundary=x', 415],
  ]
  for (const [n, [type, status]] of types.entries()) {
    const answer = await raw(Buffer.from(`{"code":"T-${n}","title":"x"}`), { 'content-type': type })
    assert.is(answer.status, status, `${type}: ${answer.body}`)
  }
  assert.is((await raw(Buffer.from('{}'), { 'content-encoding': 'gzip' })).status, 415)
})

test('an error that is not ours is 500 without a word of it, and logged with the request id', async () => {
  const failing = await openTestApp({
    sinks: [
      async () => {
        throw new Error('select * from /secret/path')
      },
    ],
  })
  try {
    const answer = await supertest(failing.app)
      .post('/v1/gadgets')
      .set('X-API-Key', failing.keys.write)
      .send({ code: 'X', title: 'X' })
    assert.is(answer.status, 500)
    assert.is(answer.body.error.code, 'INTERNAL_ERROR')
    assert.not.match(answer.text, 'secret')
    assert.match(failing.logged(), `"request_id":"${answer.headers['x-request-id']}"`)
    assert.match(failing.logged(), '/secret/path')
  } finally {
    await failing.close()
  }
})

test('a database that cannot answer is 503 with Retry-After', async () => {
  for (const code of ['SQLITE_BUSY', 'SQLITE_BUSY_SNAPSHOT', '57P01', '08006', 'ECONNREFUSED']) {
    const failing = await openTestApp({
      sinks: [
        async () => {
          throw Object.assign(new Error('x'), { code })
        },
      ],
    })
    const answer = await supertest(failing.app)
      .post('/v1/gadgets')
      .set('X-API-Key', failing.keys.write)
      .send({ code: 'X', title: 'X' })
    await failing.close()
    assert.is(answer.status, 503, code)
    assert.is(answer.body.error.code, 'UNAVAILABLE')
    assert.is(answer.headers['retry-after'], '1')
  }
})

test('CORS lets in configured origins only and never sends an origin back', async () => {
  const own = await get('/v1/gadgets').set('Origin', 'https://desk.example')
  assert.is(own.headers['access-control-allow-origin'], 'https://desk.example')
  assert.is(own.headers['access-control-allow-credentials'], 'true')
  assert.match(String(own.headers['access-control-expose-headers']), 'X-Request-Id')
  for (const origin of [
    'https://evil.example',
    'https://desk.example.evil',
    'null',
    'http://desk.example',
  ]) {
    const answer = await get('/v1/gadgets').set('Origin', origin)
    assert.is(answer.headers['access-control-allow-origin'], undefined, origin)
    assert.match(String(answer.headers.vary), 'Origin')
  }
  const preflight = await supertest(app.app)
    .options('/v1/gadgets')
    .set('Origin', 'https://desk.example')
    .set('Access-Control-Request-Method', 'PATCH')
  assert.is(preflight.status, 204)
  assert.match(String(preflight.headers['access-control-allow-methods']), 'PATCH')
  assert.match(String(preflight.headers['access-control-allow-headers']), 'Idempotency-Key')
})

test('answers carry security headers and say nothing of Express', async () => {
  const { headers } = await get('/v1/gadgets')
  assert.is(headers['x-powered-by'], undefined)
  assert.is(headers['x-content-type-options'], 'nosniff')
  assert.match(String(headers['content-security-policy']), "default-src 'none'")
})

test('long answers are compressed for those who ask, short ones never', async () => {
  for (let n = 0; n < 10; n += 1) await post().send({ code: `Z-${n}`, title: 'compress me' })
  const long = await get('/v1/gadgets?fields=code,title,price,stock,created').set(
    'Accept-Encoding',
    'gzip',
  )
  assert.is(long.headers['content-encoding'], 'gzip')
  assert.ok(long.body.data.length > 0)
  assert.is(
    (await get('/v1/gadgets/none').set('Accept-Encoding', 'gzip')).headers['content-encoding'],
    undefined,
  )
  assert.is(
    (await get('/v1/gadgets').set('Accept-Encoding', 'identity')).headers['content-encoding'],
    undefined,
  )
})

test('hostile parameters never answer 500', async () => {
  const values = [
    "'",
    '"',
    '--',
    '%',
    '_',
    '\\',
    ';drop table x',
    '1e400',
    '9007199254740993',
    '\u{1f600}',
    '-0',
    '[]',
    '$' + '{x}',
  ]
  const names = [
    'q',
    'title',
    'title__like',
    'title__in',
    'stock',
    'stock__gt',
    'price',
    'made_on',
    'sort',
    'fields',
    'cursor',
    'limit',
  ]
  for (const name of names) {
    for (const value of values) {
      const answer = await get(`/v1/gadgets?${name}=${encodeURIComponent(value)}`)
      assert.ok(
        answer.status === 200 || answer.status === 422,
        `${name}=${value}: ${answer.status} ${answer.text}`,
      )
      assert.not.match(answer.text, /sqlite|syntax error/i)
    }
  }
})

test('a client that leaves in the middle of its body harms nobody', async () => {
  await new Promise<void>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.write(
        `POST /v1/gadgets HTTP/1.1\r\nHost: x\r\nX-API-Key: ${app.keys.write}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"code"`,
        () => socket.destroy(),
      )
    })
    socket.on('close', () => resolve())
  })
  assert.is((await get('/v1/gadgets')).status, 200)
})

test('one log line a request: id, method, route pattern, status, principal; never a key, a body or a path', async () => {
  const canary = 'canary-4711'
  await post()
    .set('X-Request-Id', 'logged-1')
    .set('Cookie', `sid=${canary}`)
    .send({ code: canary, title: canary })
  await get(`/v1/gadgets/${canary}?title=${canary}`)
  await supertest(app.app)
    .get('/v1/gadgets')
    .set('Authorization', `Bearer ${canary}`)
    .set('X-API-Key', canary)
  const logged = app.logged()
  const lines = logged
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>)
  const line = lines.find(({ request_id }) => request_id === 'logged-1')
  assert.ok(line)
  assert.is(line.method, 'POST')
  assert.is(line.route, '/v1/:resource')
  assert.is(line.resource, 'gadgets')
  assert.is(line.status, 201)
  assert.match(String(line.principal), /^key_/)
  assert.type(line.ms, 'number')
  assert.match(String(line.address), /^(::ffff:)?127\.0\.0\.1$|^::1$/)
  for (const secret of [canary, ...Object.values(app.keys)]) assert.not.match(logged, secret)
})

test.run()

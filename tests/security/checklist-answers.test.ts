import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTestApp } from '../server/test-app.ts'
import { send, sessionOf } from './people.ts'
import { openScene, type Scene } from './scene.ts'

/* H of the security checklist: what answers tell. */

const test = suite('security checklist: answers')
let scene: Scene
test.before(async () => {
  scene = await openScene()
})
test.after(() => scene.close())

const admin = (verb: 'get' | 'post' | 'patch' | 'delete', path: string) =>
  scene.call(scene.keys.admin, verb, path)

test('H1 a secret of any length is compared without a fault: it is wrong, and that is all', async () => {
  const { worker } = scene
  const cookie = await sessionOf(scene, worker.login, true)
  for (const length of [0, 1, 31, 32, 33, 43, 45, 47, 49, 64, 200, 3000]) {
    // The clock moves: addresses that fail often have to wait.
    scene.clock.advance(60_000)
    const text = 'x'.repeat(length)
    const pair = await send(scene, 'get', '/v1/resources', {
      authorization: `token ${worker.apiKey}:${text}`,
    })
    assert.is(pair.status, 401, `secret of ${length}`)
    const unknown = await send(scene, 'get', '/v1/resources', {
      authorization: `token ${text}:${worker.apiSecret}`,
    })
    assert.is(unknown.status, 401, `key of ${length}`)
    assert.is((await send(scene, 'get', '/v1/resources', { 'x-api-key': text })).status, 401)
    assert.is((await send(scene, 'get', '/v1/resources', { cookie: `sid=${text}` })).status, 401)
    const forged = await send(scene, 'post', '/v1/errands', { cookie, 'x-csrf-token': text }).send({
      title: 'x',
    })
    assert.is(forged.status, 403, `token of ${length}`)
    const cursor = await admin('get', `/v1/gadgets?cursor=${text}x`)
    assert.is(cursor.status, 422, `cursor of ${length}`)
  }
})

test('H2 nothing a client sends becomes a header line of its own', async () => {
  for (const id of ['a b', 'x'.repeat(65), 'a;b', '<b>', 'a%0d%0aX-Evil: 1']) {
    const { headers } = await admin('get', '/v1/gadgets').set('X-Request-Id', id)
    assert.match(String(headers['x-request-id']), /^req_[0-9a-f]{32}$/)
  }
  await scene.engine.setTier('business')
  for (const name of ['a\r\nX-Evil: 1', 'a\nX-Evil: 1', 'ü€', 'a"b', 'a b']) {
    const made = await admin('post', '/v1/turbines').send({ name })
    assert.ok([201, 422].includes(made.status), made.text)
    assert.is(made.headers['x-evil'], undefined)
    if (made.status === 201) assert.match(made.headers.location ?? '', /^[\x21-\x7e]+$/)
  }
  await scene.engine.setTier('pro')
  const target = '/docs%0d%0aX-Evil:1'
  const moved = await send(scene, 'post', '/login')
    .type('form')
    .send({ usr: 'x', pwd: 'y', 'redirect-to': target })
  assert.is(moved.headers['x-evil'], undefined)
  const hook = await admin('post', '/v1/webhooks').send({
    url: 'http://127.0.0.1:9/a\r\nX-Evil: 1',
    events: ['*'],
    secret: 'a\r\nb',
  })
  assert.is(hook.status, 422, hook.text)
})

test('H3 a key in the query or a session as a parameter is no credential, and no log has either', async () => {
  // All places a secret could get to: tests/security/canary.deep.test.ts.
  const { admin: key } = scene.keys
  const sid = (await sessionOf(scene, scene.boss.login)).slice('sid='.length)
  for (const query of [
    `api_key=${key}`,
    `key=${key}`,
    `token=${key}`,
    `access_token=${key}`,
    `sid=${sid}`,
  ]) {
    assert.is((await send(scene, 'get', `/v1/gadgets?${query}`)).status, 401, query.split('=')[0])
    assert.is(
      (await send(scene, 'get', `/api/resource/Gadget?${query}`)).status,
      403,
      query.split('=')[0],
    )
  }
  assert.not.match(scene.logged(), key)
  assert.not.match(scene.logged(), sid)
})

test('H4 a failure tells nothing of the inside, and every answer has its X-Request-Id', async () => {
  const broken = await openTestApp()
  const key = broken.keys.admin
  await broken.engine.services.database.close()
  for (const [verb, path] of [
    ['get', '/v1/gadgets'],
    ['post', '/v1/gadgets'],
    ['get', '/v1/events'],
    ['get', '/readyz'],
    ['get', '/api/resource/Gadget'],
    ['post', '/api/method/login'],
    ['get', '/login'],
  ] as const) {
    const { status, text, headers } = await send(broken, verb, path, { 'x-api-key': key }).send(
      verb === 'post' ? { usr: 'a', pwd: 'b' } : undefined,
    )
    assert.ok(status >= 500 || path === '/login', `${path}: ${status}`)
    assert.not.match(
      text,
      /node_modules|\.ts\b|at \w+ \(|select |sqlite|database connection is not open|SqliteError|\/work\//i,
      path,
    )
    assert.ok(headers['x-request-id'], path)
  }
  const server = createServer(scene.app).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const headersOf = (path: string, method = 'GET', body = ''): Promise<unknown> =>
    new Promise((resolve, reject) => {
      const sent = request(
        {
          port,
          path,
          method,
          headers: { 'x-api-key': scene.keys.admin, 'content-type': 'application/json' },
        },
        (answer) => {
          answer.resume()
          resolve(answer.headers['x-request-id'])
        },
      )
      sent.on('error', reject).end(body)
    })
  for (const [path, method, body] of [
    ['/nothing', 'GET', ''],
    ['/v1/gadgets', 'POST', '{'],
    ['/v1/gadgets', 'POST', 'x'.repeat(1_100_000)],
    ['/v1/%zz', 'GET', ''],
    ['/v1/gadgets', 'PUT', ''],
    ['/', 'TRACE', ''],
    ['/api/x', 'GET', ''],
    ['/login', 'GET', ''],
  ] as const)
    assert.ok(await headersOf(path, method, body), `${method} ${path}`)
  server.close()
  server.closeAllConnections()
})

test.run()

import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventSink } from '../../engine/documents/work/context.ts'
import type { Engine } from '../../engine/index.ts'
import { createKey } from '../../server/auth/api-keys.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { type RunningServer, startServer } from '../../server/start.ts'
import { openPrepared } from '../helpers/prepared.ts'

const test = suite('a running server')
const secretKey = Buffer.alloc(32, 3)

interface Running {
  readonly engine: Engine
  readonly server: RunningServer
  readonly key: string
  readonly remove: () => Promise<void>
}

async function start(sinks: readonly EventSink[] = [], drainTimeout = 10_000): Promise<Running> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-start-'))
  const engine = await openPrepared({
    database: { kind: 'sqlite', file: join(folder, 'svc.db'), durability: 'normal' },
    doctypes: [join(import.meta.dirname, '../../doctypes')],
    secretKey,
    sinks,
  })
  const { database, clock } = engine.services
  const wanted = { scope: 'admin', env: 'live', label: null, allow_ips: [], expires: null } as const
  const { key } = await database.write((tx) => createKey(tx, clock, { name: 'test' }, wanted))
  const server = await startServer({
    engine,
    secretKey,
    drainTimeout,
    logger: createLogger({ level: 'silent' }),
    settings: {
      port: 0,
      host: '127.0.0.1',
      env: 'live',
      corsOrigins: [],
      trustProxy: [],
      rateLimit: true,
    },
  })
  return {
    engine,
    server,
    key,
    remove: async () => {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

interface Answered {
  readonly status: number
  readonly connection: string | undefined
  readonly body: string
}

function post(server: RunningServer, key: string, agent: Agent): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const asked = { 'x-api-key': key, 'content-type': 'application/json' }
    const sent = request(
      `${server.url}/v1/item-groups`,
      { method: 'POST', agent, headers: asked },
      (answer) => {
        let body = ''
        answer.on('data', (chunk) => {
          body += chunk
        })
        const { statusCode = 0, headers } = answer
        answer.on('end', () =>
          resolve({ status: statusCode, connection: headers.connection, body }),
        )
      },
    )
    sent.on('error', reject)
    sent.end('{"item_group_name":"Tools"}')
  })
}

test('port 0 picks a free one and the url leads to it', async () => {
  const { server, remove } = await start()
  assert.ok(server.port > 0)
  assert.is(server.url, `http://127.0.0.1:${server.port}`)
  assert.equal(await (await fetch(`${server.url}/healthz`)).json(), { status: 'ok' })
  assert.equal(await (await fetch(`${server.url}/readyz`)).json(), { status: 'ready' })
  await remove()
})

test('close answers what is in flight, closes kept-alive connections, and takes nothing new', async () => {
  let entered = (): void => undefined
  let release = (): void => undefined
  const inFlight = new Promise<void>((resolve) => {
    entered = resolve
  })
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  const { server, key, remove } = await start([
    async () => {
      entered()
      await released
    },
  ])
  const agent = new Agent({ keepAlive: true })
  await fetch(`${server.url}/healthz`)
  const answer = post(server, key, agent)
  await inFlight
  const closed = server.close()
  assert.is(server.close(), closed)
  await assertRefused(server.port)
  release()
  const { status, connection } = await answer
  assert.equal([status, connection], [201, 'close'])
  await closed
  agent.destroy()
  await remove()
})

test('what has arrived when it closes is answered, read or not, as the last of its connection', async () => {
  const { server, remove } = await start()
  const request = 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n'
  const socket = connect(server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  const heard = { text: '' }
  const ended = new Promise((resolve) => socket.on('close', resolve))
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk) => {
      heard.text += chunk
      resolve()
    })
    socket.write(request)
  })
  assert.match(heard.text, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(heard.text, /\r\nConnection: keep-alive\r\n/)
  heard.text = ''
  // It is written at once, and read in the next turn of the loop at the earliest.
  socket.write(request)
  const closed = server.close()
  await ended
  assert.match(heard.text, /^HTTP\/1\.1 200 OK\r\n/)
  assert.match(heard.text, /\r\nConnection: close\r\n/)
  await closed
  await remove()
})

test('a connection that never ends its request is cut at the drain timeout', async () => {
  const { server, remove } = await start([], 100)
  const socket = connect(server.port, '127.0.0.1').resume()
  socket.on('error', () => undefined)
  await new Promise<void>((resolve) => socket.on('connect', () => resolve()))
  await new Promise<void>((resolve) => {
    socket.write('POST /v1/items HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n', () =>
      resolve(),
    )
  })
  const cut = new Promise((resolve) => socket.on('close', resolve))
  await remove()
  await cut
})

test('what is not HTTP is answered in the shape of all errors, with a request id', async () => {
  const { server, remove } = await start()
  for (const text of [
    'NONSENSE\r\n\r\n',
    `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
  ]) {
    const answer = await exchange(server.port, text)
    assert.match(answer, /^HTTP\/1\.1 400 Bad Request\r\n/)
    assert.match(answer, /X-Request-Id: req_[0-9a-f]{32}\r\n/)
    const { error } = JSON.parse(answer.slice(answer.indexOf('\r\n\r\n') + 4)) as {
      error: { status: number }
    }
    assert.is(error.status, 400)
  }
  await remove()
})

test('requests Node would answer by itself get a request id too', async () => {
  const { server, remove } = await start()
  for (const [headers, status] of [
    ['', 400],
    ['Host: x\r\nExpect: tea\r\n', 404],
  ] as const) {
    const answer = await exchange(
      server.port,
      `GET /nowhere HTTP/1.1\r\n${headers}Connection: close\r\n\r\n`,
    )
    assert.ok(answer.startsWith(`HTTP/1.1 ${status} `), answer)
    assert.match(answer, /X-Request-Id: req_/)
  }
  await remove()
})

test('an address that is taken is an error, not a crash', async () => {
  const { engine, server, remove } = await start()
  try {
    await startServer({
      engine,
      secretKey,
      logger: createLogger({ level: 'silent' }),
      settings: {
        port: server.port,
        host: '127.0.0.1',
        env: 'live',
        corsOrigins: [],
        trustProxy: [],
        rateLimit: true,
      },
    })
    assert.unreachable()
  } catch (error) {
    assert.is((error as NodeJS.ErrnoException).code, 'EADDRINUSE')
  }
  await remove()
})

async function assertRefused(port: number): Promise<void> {
  const error = await new Promise<NodeJS.ErrnoException>((resolve) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', resolve)
    socket.on('connect', () => resolve(new Error('connected')))
  })
  assert.is(error.code, 'ECONNREFUSED')
}

function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1', () => socket.write(text))
    socket.on('data', (chunk) => {
      answer += chunk
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
  })
}

test.run()

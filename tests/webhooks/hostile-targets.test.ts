import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKey } from '../../server/auth/api-keys.ts'
import { createLogger } from '../../server/observe/logger.ts'
import { type RunningServer, type StartOptions, startServer } from '../../server/start.ts'
import type { ResolvedAddress } from '../../webhooks/sending/resolve.ts'
import { createSender } from '../../webhooks/sending/send.ts'
import type { TargetPolicy } from '../../webhooks/sending/target.ts'
import { updateWebhook } from '../../webhooks/store.ts'
import { subscriptionsChanged } from '../../webhooks/version.ts'
import { eventually, readFirstRun, type Served, serve, temporaryFolder } from '../cli/process.ts'
import { openPrepared } from '../helpers/prepared.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'
import { ok, redirectsTo } from '../helpers/receivers.ts'
import { openWebhookApp } from './webhook-app.ts'

const PUBLIC_ONLY: TargetPolicy = { loopback: false, private: false, ownPorts: [] }
const PUBLIC: ResolvedAddress = { address: '93.184.215.14', family: 4 }
type Found = readonly ResolvedAddress[]

const LOOPBACK: ResolvedAddress = { address: '127.0.0.1', family: 4 }

/** W1 of reliability.md: ways to write an address that only looks harmless; `P` is the port of a receiver there. */
const HOSTILE =
  `http://127.0.0.1:P http://127.1:P http://127.0.1:P http://127.0.0.2:P http://0x7f.1:P
  http://0x7f000001:P http://0x7f.0x0.0x0.0x1:P http://2130706433:P http://017700000001:P http://0177.0.0.1:P
  http://[::1]:P http://[0:0:0:0:0:0:0:1]:P http://[::ffff:127.0.0.1]:P http://[::ffff:7f00:1]:P
  http://[::127.0.0.1]:P http://[64:ff9b::7f00:1]:P http://[2002:7f00:1::]:P http://①②⑦.⓪.⓪.①:P
  http://127。0。0。1:P http://%31%32%37.0.0.1:P http://127.0.0.1.:P http://localhost:P http://LOCALHOST.:P
  http://any.localhost:P http://loc%61lhost:P http://0.0.0.0:P http://0:P http://[::]:P http:\\\\127.0.0.1:P
  http:127.0.0.1:P http:///127.0.0.1:P http://example.com@127.0.0.1:P http://127.0.0.1:P#@example.com
  http://user:word@example.com http://169.254.169.254/latest/meta-data http://[fd00:ec2::254]
  http://[fe80::1] http://10.0.0.1 http://172.16.0.1 http://192.168.1.1 http://100.64.0.1 http://168.63.129.16
  http://255.255.255.255 http://224.0.0.1 http://example.com:22 http://example.com:25 http://example.com:6379
  file:///etc/passwd gopher://127.0.0.1:P/_x ftp://example.com javascript:alert(1) data:,x ws://example.com
  unix:/var/run/docker.sock //example.com example.com http:// http://exa%00mple.com http://[::1`.split(
    /\s+/,
  )

const toClose: { close(): Promise<void> }[] = []

async function opened<T extends { close(): Promise<void> }>(one: Promise<T>): Promise<T> {
  const open = await one
  toClose.push(open)
  return open
}

async function closeAll(): Promise<void> {
  for (const one of toClose.splice(0).reverse()) await one.close()
}

const registering = suite('a hostile address')
registering.after.each(closeAll)

registering(
  'is refused when it is registered and when it is changed to, and nothing changes',
  async () => {
    const api = await opened(
      openWebhookApp({
        isIdle: true,
        policy: PUBLIC_ONLY,
        settings: { rateLimit: false },
        resolve: async () => [PUBLIC],
      }),
    )
    const { id } = await api.subscribe('https://shop.example/hook', ['*'])
    const before = await api.call('get', '/v1/webhooks')
    for (const form of hostile(9999)) {
      for (const [method, path, body] of [
        ['post', '/v1/webhooks', { url: form, events: ['*'] }],
        ['patch', `/v1/webhooks/${id}`, { url: form }],
      ] as const) {
        const { error } = (await api.call(method, path, body, 422)) as { error: Refusal }
        assert.equal(
          error.details.map(({ field }) => field),
          ['url'],
          form,
        )
        assert.not.match(JSON.stringify(error), 'user:word')
      }
    }
    for (const form of [
      'http://shop.example/\u0009x',
      'http://shop.example/\nx',
      ' https://shop.example',
    ])
      await api.call('patch', `/v1/webhooks/${id}`, { url: form }, 422)
    assert.equal(await api.call('get', '/v1/webhooks'), before)
  },
)

registering('is not called though a row of the database has it', async () => {
  const receiver = await opened(ok())
  const api = await opened(
    openWebhookApp({
      isIdle: true,
      policy: PUBLIC_ONLY,
      resolve: async () => [PUBLIC],
      settings: { rateLimit: false },
    }),
  )
  const { database } = api.engine.services
  const subscribed: (readonly [id: string, form: string])[] = []
  for (const form of hostile(receiver.port)) {
    const { id } = await api.subscribe('https://shop.example/hook', ['gadgets.created'])
    await database.write(async (tx) => {
      await updateWebhook(tx, id, { url: form })
      await subscriptionsChanged(tx)
    })
    subscribed.push([id, form])
  }
  await api.makeGadget('G1')
  // Whatever a name may resolve to: nothing is resolved here but to the receiver.
  const sender = createSender({ policy: PUBLIC_ONLY, resolve: async () => [LOOPBACK] })
  await api.startWorker({ sender }).settled()
  for (const [id, form] of subscribed) {
    const [attempt, ...more] = await api.attempts(id)
    assert.is(more.length, 0)
    assert.is(attempt!.status_code, null, form)
    assert.is(attempt!.response_preview, null, form)
    assert.match(attempt!.error as string, 'expected ', form)
    assert.ok(attempt!.next_attempt_at, form)
  }
  assert.is(receiver.connections(), 0)
})

registering('is not called when the policy became stricter after it was registered', async () => {
  const receiver = await opened(ok())
  const api = await opened(openWebhookApp({ isIdle: true }))
  const { id } = await api.subscribe(receiver.url, ['gadgets.*'])
  const named = await api.subscribe(`http://localhost:${receiver.port}/hook`, ['gadgets.*'])
  await api.makeGadget('G1')
  const strict = api.startWorker({ sender: createSender({ policy: PUBLIC_ONLY }) })
  await strict.settled()
  for (const one of [id, named.id]) {
    const [attempt] = await api.attempts(one)
    assert.is(attempt!.response_preview, null)
    assert.is(attempt!.status_code, null)
    assert.match(attempt!.error as string, 'allowed only while svc listens on loopback')
  }
  const { delivery_id } = await api.call('post', `/v1/webhooks/${id}/test`, {}, 202)
  await api.call('post', `/v1/webhooks/${id}/deliveries/${delivery_id}/resend`, {}, 202)
  await strict.settled()
  assert.is(receiver.connections(), 0)
  // The delivery is not lost by that: a policy that allows it again delivers it.
  await strict.stop()
  api.clock.advance(5000)
  await api.startWorker().settled()
  assert.is(receiver.requests().length, 2)
})

registering('is not called by a name that was public when it was registered', async () => {
  const receiver = await opened(ok())
  const api = await opened(
    openWebhookApp({ isIdle: true, policy: PUBLIC_ONLY, resolve: async () => [PUBLIC] }),
  )
  const { id } = await api.subscribe(`http://rebind.example:${receiver.port}/hook`, ['gadgets.*'])
  await api.makeGadget('G1')
  const rounds: readonly Found[] = [
    [LOOPBACK],
    [PUBLIC, LOOPBACK],
    [PUBLIC, { address: '::1', family: 6 }],
    [{ address: '::ffff:127.0.0.1', family: 6 }],
    [{ address: '169.254.169.254', family: 4 }],
    [{ address: '0.0.0.0', family: 4 }],
  ]
  for (const [index, found] of rounds.entries()) {
    const sender = createSender({ policy: PUBLIC_ONLY, resolve: async () => found })
    const worker = api.startWorker({ sender })
    await worker.settled()
    await worker.stop()
    const attempt = (await api.attempts(id))[index]
    assert.match(attempt!.error as string, 'expected a public address, got a host name of')
    assert.is(attempt!.response_preview, null)
    assert.not.match(attempt!.error as string, /\d+\.\d+\.\d+|::/)
    api.clock.advance(60 * 60 * 1000)
  }
  assert.is(receiver.connections(), 0)
})

registering(
  'is refused when its name resolves to it already, beside public addresses too',
  async () => {
    let found: Found = []
    const api = await opened(
      openWebhookApp({ isIdle: true, policy: PUBLIC_ONLY, resolve: async () => found }),
    )
    const body = { url: 'https://shop.example/', events: ['*'] }
    const forbidden: Found[] = [[LOOPBACK], [PUBLIC, { address: 'fd00::1', family: 6 }]]
    for (const one of forbidden) {
      found = one
      await api.call('post', '/v1/webhooks', body, 422)
    }
    const allowed: Found[] = [[PUBLIC], []]
    for (const one of allowed) {
      found = one
      await api.call('post', '/v1/webhooks', body, 201)
    }
  },
)

registering('is not followed to by a redirect', async () => {
  const secret = await opened(ok())
  const api = await opened(openWebhookApp())
  for (const status of [301, 302, 303, 307, 308]) {
    const receiver = await opened(redirectsTo(secret.url, status))
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    await api.makeGadget(`G${status}`)
    await api.worker.settled()
    const [attempt] = await api.attempts(id)
    assert.is(attempt!.status_code, status)
    assert.match(attempt!.error as string, 'redirects are not followed')
    assert.is(attempt!.response_preview, 'see there')
    assert.ok(attempt!.next_attempt_at)
    await api.call('delete', `/v1/webhooks/${id}`)
  }
  assert.is(secret.connections(), 0)
})

const settings = suite('the settings of a server')
settings.after.each(closeAll)

settings('refuse its own port on loopback and allow the others', async () => {
  const receiver = await opened(ok())
  const { server, call } = await startedServer({})
  const { id } = (await call('POST', '/v1/webhooks', hook(receiver.url), 201)) as { id: string }
  for (const host of ['127.0.0.1', 'localhost', '[::1]', '127.9.9.9', '[::ffff:127.0.0.1]']) {
    const url = `http://${host}:${server.port}/v1/webhooks`
    const refused = await call('POST', '/v1/webhooks', hook(url), 422)
    assert.match(JSON.stringify(refused), 'does not call itself')
    await call('PATCH', `/v1/webhooks/${id}`, { url }, 422)
  }
  await call('POST', `/v1/webhooks/${id}/test`, {}, 202)
  await eventually(() => receiver.requests().length === 1)
})

const PUBLIC_SERVERS: Readonly<Record<string, Partial<StartOptions['settings']>>> = {
  SVC_TRUST_PROXY: { trustProxy: ['10.0.0.1'] },
  SVC_BASE_URL: { baseUrl: 'https://svc.example' },
  SVC_API_URL: { apiUrl: 'https://api.example' },
  SVC_INTEGRATE_URL: { integrateUrl: 'https://integrate.example' },
  SVC_HOST: { host: '0.0.0.0' },
}

for (const [name, more] of Object.entries(PUBLIC_SERVERS))
  settings(`refuse loopback once ${name} says that others may come`, async () => {
    const { call } = await startedServer(more)
    for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
      const refused = await call('POST', '/v1/webhooks', hook(`http://${host}:9000/`), 422)
      assert.match(JSON.stringify(refused), 'SVC_TRUST_PROXY')
    }
  })

settings(
  'allow loopback while the base URL is loopback too, private addresses only when told',
  async () => {
    const { call } = await startedServer({ baseUrl: 'http://localhost:8000' })
    await call('POST', '/v1/webhooks', hook('http://127.0.0.1:9000/'), 201)
    const refused = await call('POST', '/v1/webhooks', hook('http://10.0.0.1/'), 422)
    assert.match(JSON.stringify(refused), 'SVC_WEBHOOK_ALLOW_PRIVATE=1')
    const { call: callOther } = await startedServer({ webhookAllowPrivate: true, host: '0.0.0.0' })
    for (const url of ['http://10.0.0.1/', 'http://[fd00::1]/', 'http://169.254.169.254/'])
      await callOther('POST', '/v1/webhooks', hook(url), 201)
    // That is no leave for loopback, nor for what is never an address of a receiver.
    for (const url of ['http://127.0.0.1:9000/', 'http://0.0.0.0:9000/', 'http://224.0.0.1/'])
      await callOther('POST', '/v1/webhooks', hook(url), 422)
  },
)

settings('count at the next start for what was registered before', async () => {
  const receiver = await opened(ok())
  const folder = temporaryFolder()
  toClose.push({ close: async () => folder.remove() })
  await prepareStarted(folder.path)
  const first = await served(folder.path, {})
  const { id } = (await first.call('POST', '/v1/webhooks', hook(receiver.url), 201)) as {
    id: string
  }
  await first.call('POST', `/v1/webhooks/${id}/test`, {}, 202)
  await eventually(() => receiver.requests().length === 1)
  await first.end()
  const connections = receiver.connections()

  const strict = await served(folder.path, { SVC_BASE_URL: 'https://svc.example' })
  await strict.call('POST', '/v1/webhooks', hook(receiver.url), 422)
  await strict.call('POST', `/v1/webhooks/${id}/test`, {}, 202)
  const log = async () =>
    (await strict.call('GET', `/v1/webhooks/${id}/deliveries`, undefined, 200)) as {
      data: readonly { error: string | null; response_preview: string | null }[]
    }
  await eventually(async () => (await log()).data.length === 2)
  const [attempt] = (await log()).data
  assert.match(attempt!.error!, 'allowed only while svc listens on loopback')
  assert.is(attempt!.response_preview, null)
  assert.is(receiver.connections(), connections)
  await strict.call('POST', '/v1/webhooks', hook('http://192.168.0.9/'), 422)
  await strict.end()

  const open = await served(folder.path, { SVC_WEBHOOK_ALLOW_PRIVATE: '1' })
  await open.call('POST', '/v1/webhooks', hook('http://192.168.0.9/'), 201)
  await open.call('POST', '/v1/webhooks', hook(`${open.url}/v1/webhooks`), 422)
  await open.end()
})

registering.run()
settings.run()

interface Refusal {
  readonly details: readonly { readonly field: string }[]
}

type Call = (
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body: object | undefined,
  status: number,
) => Promise<object>

function hostile(port: number): string[] {
  return HOSTILE.map((form) => form.replace(':P', `:${port}`))
}

function hook(url: string): object {
  return { url, events: ['*'] }
}

function caller(url: string, key: string): Call {
  return async (method, path, body, status) => {
    const answer = await fetch(url + path, {
      method,
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
    const text = await answer.text()
    assert.is(answer.status, status, `${path}: ${text}`)
    return JSON.parse(text) as object
  }
}

/** A server of this process with these settings beside those of a developer's machine. */
async function startedServer(
  more: Partial<StartOptions['settings']>,
): Promise<{ server: RunningServer; call: Call }> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-targets-'))
  const secretKey = Buffer.alloc(32, 3)
  const engine = await openPrepared({
    database: { kind: 'sqlite', file: join(folder, 'svc.db'), durability: 'normal' },
    doctypes: [join(import.meta.dirname, '../../doctypes')],
    secretKey,
  })
  const { database, clock } = engine.services
  const wanted = { scope: 'admin', env: 'live', label: null, allow_ips: [], expires: null } as const
  const { key } = await database.write((tx) => createKey(tx, clock, { name: 'test' }, wanted))
  const server = await startServer({
    engine,
    secretKey,
    logger: createLogger({ level: 'silent' }),
    settings: {
      port: 0,
      host: '127.0.0.1',
      env: 'live',
      corsOrigins: [],
      trustProxy: [],
      rateLimit: false,
      ...more,
    },
  })
  toClose.push({
    async close() {
      await server.close()
      rmSync(folder, { recursive: true, force: true })
    },
  })
  return { server, call: caller(`http://127.0.0.1:${server.port}`, key) }
}

/** `svc serve` in a process of its own on this data folder. */
async function served(
  data: string,
  env: Readonly<Record<string, string>>,
): Promise<Served & { readonly call: Call }> {
  const running = await serve(data, [], env)
  toClose.push({ close: async () => void (await running.end('SIGKILL')) })
  return { ...running, call: caller(running.url, readFirstRun(data).admin_key) }
}

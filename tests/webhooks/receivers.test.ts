import { execFile } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Database } from '../../engine/storage/database/database.ts'
import type { DispatcherOptions } from '../../webhooks/dispatcher.ts'
import { sealSecrets } from '../../webhooks/signing/secrets.ts'
import { updateWebhook } from '../../webhooks/store.ts'
import { subscriptionsChanged } from '../../webhooks/version.ts'
import { eventually } from '../cli/process.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import {
  answers,
  answersEarly,
  behaves,
  breaksOff,
  dripsBody,
  dripsHeaders,
  endlessBody,
  endsKeptConnections,
  gzipBomb,
  hangs,
  hugeBody,
  hugeHeaders,
  invalidHttp,
  keepsOnHinting,
  neverReads,
  ok,
  type Receiver,
  redirectsTo,
  resets,
  selfSigned,
  switchesProtocols,
  tooMany,
} from '../helpers/receivers.ts'
import { openWebhookApp, type WebhookApp, type WebhookAppOptions } from './webhook-app.ts'

const SECOND = 1000

/** As long as an attempt to one who never ends may take; all others end by themselves. */
const CUT_OFF = { timeoutMs: 3 * SECOND }
/** Longer than any test: what hangs, hangs until the test is over. */
const FOR_EVER = { timeoutMs: 600 * SECOND }

const unhandled: unknown[] = []
process.on('unhandledRejection', (reason) => unhandled.push(reason))

const toClose: { close(): Promise<void> }[] = []

async function opened<T extends { close(): Promise<void> }>(one: Promise<T>): Promise<T> {
  const open = await one
  toClose.push(open)
  return open
}

/** What was opened last is closed first: the workers before their receivers. */
async function closeAll(): Promise<void> {
  for (const one of toClose.splice(0).reverse()) await one.close()
  assert.equal(unhandled.splice(0), [])
}

interface Expected {
  readonly status: number | null
  /** null: it was delivered. */
  readonly error: RegExp | null
  readonly preview: string | RegExp | null
}

const CLOSED = /connection was closed before the answer was complete/
const BAD_HTTP = /not valid HTTP/

/** Every way of tests/helpers/receivers.ts to behave, and what the log of deliveries says about it. */
const BEHAVIOURS: Readonly<Record<string, readonly [() => Promise<Receiver>, Expected]>> = {
  'takes it': [ok, { status: 200, error: null, preview: 'ok' }],
  'takes it without a word': [() => answers(204), { status: 204, error: null, preview: '' }],
  fails: [() => answers(500, 'oops'), { status: 500, error: /answered 500/, preview: 'oops' }],
  'is gone': [() => answers(410), { status: 410, error: /answered 410/, preview: '' }],
  redirects: [
    () => redirectsTo('http://127.0.0.1:1/'),
    { status: 302, error: /redirects are not followed/, preview: 'see there' },
  ],
  'wants less': [() => tooMany('60'), { status: 429, error: /answered 429/, preview: 'slow down' }],
  hangs: [hangs, { status: null, error: /no answer came within 3 s/, preview: null }],
  'never reads': [neverReads, { status: null, error: /no answer came within 3 s/, preview: null }],
  'drips headers': [
    dripsHeaders,
    { status: null, error: /no answer came within 3 s/, preview: null },
  ],
  'drips its body': [
    dripsBody,
    { status: 200, error: /the answer did not end within 3 s/, preview: /^drip\.+$/ },
  ],
  'keeps on hinting': [
    keepsOnHinting,
    { status: null, error: /no answer came within 3 s/, preview: null },
  ],
  'switches protocols': [switchesProtocols, { status: null, error: BAD_HTTP, preview: null }],
  'has a body without end': [endlessBody, { status: 200, error: null, preview: /^x{4096}$/ }],
  'has a huge body': [() => hugeBody(), { status: 200, error: null, preview: /^x{4096}$/ }],
  'sends a gzip bomb': [gzipBomb, { status: 200, error: null, preview: '(gzip, not shown)' }],
  'resets the connection': [resets, { status: null, error: CLOSED, preview: null }],
  'breaks off': [breaksOff, { status: 200, error: CLOSED, preview: 'half' }],
  'resets in its answer': [
    () =>
      behaves((response, socket) => {
        const head = response.writeHead(200, { 'content-length': 100 })
        head.write('half', () => setImmediate(() => socket.resetAndDestroy()))
      }),
    { status: 200, error: CLOSED, preview: /^(half)?$/ },
  ],
  'speaks no HTTP': [invalidHttp, { status: null, error: BAD_HTTP, preview: null }],
  'has huge headers': [
    () => hugeHeaders(),
    { status: null, error: /more than 16 KB of headers/, preview: null },
  ],
  'has a certificate of its own': [
    selfSigned,
    { status: null, error: /certificate of the receiver is not trusted/, preview: null },
  ],
  'answers with NUL': [
    () => answers(500, 'a\0b\u0001c\u001b[31m\u0085d'),
    { status: 500, error: /answered 500/, preview: 'abc[31md' },
  ],
  'answers with what is no UTF-8': [
    () => behaves((response) => response.end(Buffer.alloc(5000, 0xff))),
    { status: 200, error: null, preview: /^\ufffd+$/ },
  ],
  'answers with characters across the limit': [
    () => behaves((response) => response.end(`x${'é'.repeat(5000)}`)),
    { status: 200, error: null, preview: /^xé+$/ },
  ],
  'answers with half a surrogate': [
    () => behaves((response) => response.end(Buffer.from('a\xed\xa0\x80b', 'latin1'))),
    { status: 200, error: null, preview: /^a\ufffd+b$/ },
  ],
}

forEachDatabaseWhenDeep('receivers', ({ kind, test, fresh }) => {
  test.after.each(closeAll)
  const open = async (more: WebhookAppOptions = {}): Promise<WebhookApp> =>
    opened(openWebhookApp({ database: await fresh(), settings: { rateLimit: false }, ...more }))

  test('of every kind are told in the log as they were, and tried again unless they took it', async () => {
    const subscribed = new Map<string, { id: string; expected: Expected }>()
    const receivers = new Map<string, Receiver>()
    for (const [name, [start]] of Object.entries(BEHAVIOURS))
      receivers.set(name, await opened(start()))
    const dead = await ok()
    await dead.close()
    const early = await opened(answersEarly())
    const api = await open({ sender: CUT_OFF })
    for (const [name, { url }] of receivers) {
      const { id } = await api.subscribe(url, ['gadgets.created'], { label: name })
      subscribed.set(name, { id, expected: BEHAVIOURS[name]![1] })
    }
    const refused = await api.subscribe(dead.url, ['gadgets.created'])
    const overtaken = await api.subscribe(early.url, ['gadgets.created'])
    await api.makeGadget('G1')
    await api.worker.settled()
    for (const [name, { id, expected }] of subscribed) {
      const [attempt, ...more] = await api.attempts(id)
      assert.is(more.length, 0, name)
      const { status_code, error, response_preview, next_attempt_at } = attempt as {
        [key: string]: string | null
      }
      assert.is(status_code, expected.status, `${name}: ${error}`)
      if (expected.error === null) assert.is(error, null, name)
      else assert.match(error!, expected.error, name)
      if (expected.preview instanceof RegExp)
        assert.match(response_preview!, expected.preview, name)
      else assert.is(response_preview, expected.preview, name)
      const text = response_preview ?? ''
      assert.ok(Buffer.byteLength(text) <= 4096, name)
      assert.ok(text.isWellFormed() && !text.includes('\0'), name)
      const [delivery, ...others] = await api.deliveries(id)
      assert.is(others.length, 0)
      assert.is(delivery!.leased_by, null)
      assert.is(delivery!.state, error === null ? 'delivered' : 'pending', name)
      const wait = name === 'wants less' ? 60 : 5
      const due = error === null ? null : new Date(api.clock.now() + wait * SECOND).toISOString()
      assert.is(next_attempt_at, due, name)
    }
    assert.match((await api.attempts(refused.id))[0]!.error as string, 'connection was refused')
    // Its reset may overtake its answer.
    assert.match((await api.attempts(overtaken.id))[0]!.error as string, /answered 413|was closed/)
  })

  test('that end kept connections get everything all the same', async () => {
    const [ending, resetting] = [
      await opened(endsKeptConnections('end')),
      await opened(endsKeptConnections('reset')),
    ]
    const api = await open()
    for (const { url } of [ending, resetting]) await api.subscribe(url, ['gadgets.created'])
    for (let n = 0; n < 15; n += 1) {
      await api.makeGadget(`G${n}`)
      await api.worker.settled()
    }
    for (const receiver of [ending, resetting]) {
      const ids = receiver.requests().map(({ headers }) => headers['x-svc-delivery'])
      assert.is(new Set(ids).size, 15)
    }
    assert.ok((await api.deliveries()).every(({ state }) => state === 'delivered'))
  })

  for (const hanging of [1, 10])
    test(`that answer get everything while ${hanging} hang with all that is theirs`, async () => {
      const healthy = await several(5, ok)
      const dead = await several(hanging, hangs)
      const api = await open({ isIdle: true, sender: FOR_EVER })
      const ids: string[] = []
      for (const { url } of dead) ids.push((await api.subscribe(url, ['gadgets.created'])).id)
      for (const { url } of healthy) await api.subscribe(url, ['gadgets.created'])
      for (let n = 0; n < 40; n += 1) await api.makeGadget(`G${n}`)
      const worker = api.startWorker()
      const isToldAll = async (count: number): Promise<boolean> => {
        const rows = await api.deliveries()
        return (
          healthy.every((receiver) => receiver.requests().length === count) &&
          rows.filter(({ state }) => state === 'delivered').length === count * healthy.length
        )
      }
      await eventually(() => isToldAll(40))
      // What comes later is not held up either.
      for (let n = 40; n < 60; n += 1) await api.makeGadget(`G${n}`)
      await eventually(() => isToldAll(60))
      const connections = dead.map((receiver) => receiver.connections())
      assert.ok(
        connections.every((count) => count >= 1 && count <= 10),
        `connections of each: ${connections}`,
      )
      assert.is(
        worker.stats().underWay,
        connections.reduce((sum, count) => sum + count, 0),
      )
      for (const id of ids) assert.equal(await api.attempts(id), [])
    })

  test('that have failed hold no more than two connections, though what waited came too late', async () => {
    const held: ServerResponse[] = []
    const dead = await opened(behaves((response) => held.push(response)))
    const healthy = await opened(ok())
    const api = await open({ isIdle: true, sender: FOR_EVER })
    await api.subscribe(dead.url, ['gadgets.created'])
    await api.subscribe(healthy.url, ['gadgets.created'])
    for (let n = 0; n < 40; n += 1) await api.makeGadget(`G${n}`)
    api.startWorker()
    await eventually(() => held.length === 10 && healthy.requests().length === 40)
    // Those that waited behind these ten are given back: their leases could end before their attempts.
    api.clock.advance(21 * SECOND)
    for (const response of held.splice(1)) response.socket?.destroy()
    await eventually(() => held.length === 2)
    for (let n = 40; n < 80; n += 1) await api.makeGadget(`G${n}`)
    await eventually(() => healthy.requests().length === 80)
    assert.is(held.length, 2)
    // One that answers again is a healthy one.
    for (const response of held.splice(0)) response.end()
    await eventually(() => held.length === 10)
  })

  test('may be removed or paused while their attempt is under way', async () => {
    const held: ServerResponse[] = []
    const hold = (): Promise<Receiver> => behaves((response) => held.push(response))
    const [removed, paused, changed] = await several(3, hold)
    const other = await opened(ok())
    const api = await open({ sender: FOR_EVER })
    const ids: string[] = []
    for (const { url } of [removed!, paused!, changed!])
      ids.push((await api.subscribe(url, ['gadgets.created'])).id)
    const [removedId = '', pausedId = '', changedId = ''] = ids
    await api.makeGadget('G1')
    await eventually(() => held.length === 3)
    await api.call('delete', `/v1/webhooks/${removedId}`)
    await api.call('patch', `/v1/webhooks/${pausedId}`, { status: 'paused' })
    await api.call('patch', `/v1/webhooks/${changedId}`, { url: other.url })
    for (const response of held.splice(0)) response.writeHead(500).end()
    await api.worker.settled()
    api.clock.advance(60 * 60 * SECOND)
    await api.makeGadget('G2')
    await api.worker.settled()
    assert.is(removed!.requests().length, 1)
    assert.is(paused!.requests().length, 1)
    assert.is(changed!.requests().length, 1)
    assert.is(other.requests().length, 2)
    assert.is((await api.attempts(pausedId)).length, 1)
    assert.equal(
      (await api.attempts(changedId)).map(({ url }) => url),
      [changed!.url, other.url, other.url],
    )
    await api.call('patch', `/v1/webhooks/${pausedId}`, { status: 'active' })
    await eventually(() => held.length === 2)
    for (const response of held.splice(0)) response.end()
    await api.worker.settled()
    assert.ok((await api.deliveries(pausedId)).every(({ state }) => state === 'delivered'))
    assert.ok((await api.deliveries(removedId)).every(({ leased_by }) => leased_by === null))
  })

  test('are delivered to again after the database refused the worker for a while', async () => {
    const receiver = await opened(ok())
    const held: ServerResponse[] = []
    let isHolding = true
    const slow = await opened(
      behaves((response) => {
        if (isHolding) held.push(response)
        else response.end()
      }),
    )
    const { logger, errors } = collecting()
    const api = await open({ isIdle: true, sender: FOR_EVER })
    await api.subscribe(receiver.url, ['gadgets.created'])
    await api.subscribe(slow.url, ['gadgets.created'])
    for (let n = 0; n < 5; n += 1) await api.makeGadget(`G${n}`)
    const worker = api.startWorker({ logger, pollMs: 20 })
    await eventually(() => held.length === 5 && receiver.requests().length === 5)
    const { database } = api.engine.services
    await database.write((tx) =>
      sql`alter table svc_deliveries rename to svc_deliveries_away`.execute(tx),
    )
    // These outcomes cannot be written now, and must not be forgotten.
    for (const response of held.splice(0)) response.writeHead(500).end('full')
    await eventually(() => errors.length >= 3)
    await database.write((tx) =>
      sql`alter table svc_deliveries_away rename to svc_deliveries`.execute(tx),
    )
    await worker.settled()
    assert.match(JSON.stringify(errors), 'svc_deliveries')
    assert.is(receiver.requests().length, 5)
    isHolding = false
    api.clock.advance(5 * SECOND)
    await api.makeGadget('later')
    await worker.settled()
    const rows = await api.deliveries()
    assert.is(rows.length, 12)
    assert.ok(rows.every(({ state, leased_by }) => state === 'delivered' && leased_by === null))
    const counts = new Map<string, number>()
    for (const { headers } of slow.requests()) {
      const id = headers['x-svc-delivery'] as string
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    assert.equal([...counts.values()].sort(), [1, 2, 2, 2, 2, 2])
  })

  test('get everything once though answers of the database to commits get lost', async () => {
    const receiver = await opened(ok())
    const failing = await opened(answers(500))
    const { logger, errors } = collecting()
    const api = await open({ isIdle: true })
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    const { id: failingId } = await api.subscribe(failing.url, ['gadgets.created'])
    for (let n = 0; n < 50; n += 1) await api.makeGadget(`G${n}`)
    const { engine } = api
    const { database } = engine.services
    let commits = 0
    let isLost = (commit: number): boolean => commit % 2 === 0
    const losing: Database = {
      ...database,
      async write(job) {
        const result = await database.write(job)
        commits += 1
        if (isLost(commits)) throw new Error('the answer got lost')
        return result
      },
    }
    const worker = api.startWorker({
      logger,
      pollMs: 10,
      engine: { ...engine, services: { ...engine.services, database: losing } },
    })
    await worker.settled()
    assert.ok(errors.length >= 3 && errors.every((text) => text === 'the answer got lost'))
    for (const [webhook, state] of [
      [id, 'delivered'],
      [failingId, 'pending'],
    ] as const) {
      const lines = await api.attempts(webhook)
      assert.is(lines.length, 50)
      assert.is(new Set(lines.map(({ delivery_id }) => delivery_id)).size, 50)
      for (const row of await api.deliveries(webhook)) {
        assert.is(row.state, state)
        assert.is(row.attempts, 1n)
        assert.is(row.leased_by, null)
      }
    }
    assert.is(receiver.requests().length, 50)
    assert.is(failing.requests().length, 50)
    // Also when it is the last that was to be done for now.
    const next = commits + 1
    isLost = (commit) => commit === next
    await api.makeGadget('last')
    await eventually(() => commits >= next)
    await worker.settled()
    assert.is(receiver.requests().length, 51)
  })

  test('are told why when the secret cannot be read, and a rotation mends it', async () => {
    const receiver = await opened(ok())
    const api = await open()
    const { id } = await api.subscribe(receiver.url, ['gadgets.created'])
    const { database } = api.engine.services
    const secret = 'canary-of-another-key-1234567890'
    await database.write(async (tx) => {
      const secrets = sealSecrets(Buffer.alloc(32, 8), id, [{ secret, expires: null }])
      await updateWebhook(tx, id, { secrets })
      await subscriptionsChanged(tx)
    })
    await api.makeGadget('G1')
    await api.worker.settled()
    const [attempt] = await api.attempts(id)
    assert.match(attempt!.error as string, 'could not be signed')
    assert.match(attempt!.error as string, 'rotate')
    assert.is(attempt!.status_code, null)
    assert.is(receiver.connections(), 0)
    await api.call('post', `/v1/webhooks/${id}/rotate`)
    // A turn that began before the rotation would try the old secret once more.
    await api.worker.settled()
    api.clock.advance(5 * SECOND)
    await api.worker.settled()
    assert.is(receiver.requests().length, 1)
    assert.not.match(JSON.stringify(await api.attempts(id)), secret)
  })

  if (kind === 'postgres')
    test('get everything though all connections to the database are cut again and again', async () => {
      const database = await fresh()
      const healthy = await several(4, ok)
      const failing = await opened(answers(500))
      const { logger, errors } = collecting()
      const api = await opened(
        openWebhookApp({ database, isIdle: true, settings: { rateLimit: false } }),
      )
      const ids: string[] = []
      for (const { url } of [...healthy, failing])
        ids.push((await api.subscribe(url, ['gadgets.created'])).id)
      for (let n = 0; n < 60; n += 1) await api.makeGadget(`G${n}`)
      const client = new pg.Client({
        connectionString: database.kind === 'postgres' ? database.url : '',
        application_name: 'the test',
      })
      await client.connect()
      const cut = (): Promise<unknown> =>
        client.query(`select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and application_name = 'svc'`)
      const worker = api.startWorker({ logger, pollMs: 10 })
      const isDone = (): boolean =>
        [...healthy, failing].every((receiver) => receiver.requests().length >= 60)
      for (let n = 0; n < 200 && !(isDone() && errors.length > 0); n += 1) {
        await cut()
        await new Promise((resolve) => setTimeout(resolve, n % 10))
      }
      await client.end()
      assert.ok(errors.length > 0, 'nothing was cut in the middle of anything')
      await eventually(() => isDone())
      await worker.settled()
      const rows = await api.deliveries()
      assert.is(rows.length, 300)
      assert.ok(rows.every(({ leased_by }) => leased_by === null))
      const deadId = ids.at(-1)
      for (const { webhook_id, state, due } of rows) {
        assert.is(state, webhook_id === deadId ? 'pending' : 'delivered')
        assert.is(due === null, webhook_id !== deadId)
      }
      const lines = await api.engine.services.database.read
        .selectFrom('svc_delivery_attempts')
        .select(['delivery_id', 'attempt'])
        .execute()
      assert.ok(lines.length >= 300)
    })

  async function several(count: number, start: () => Promise<Receiver>): Promise<Receiver[]> {
    return Promise.all(Array.from({ length: count }, () => opened(start())))
  }
})

const memory = suite('receivers of a process')
memory.after.each(closeAll)

memory('whose answers are huge do not make it grow', async () => {
  const urls: string[] = []
  for (const start of [ok, endlessBody, hugeBody, gzipBomb, hugeHeaders])
    urls.push((await opened(start())).url)
  const program = fileURLToPath(new URL('memory-process.ts', import.meta.url))
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...urls])
  const { grown, delivered, failed } = JSON.parse(stdout) as Record<string, number>
  assert.equal([delivered, failed], [30 + 3 * 30, 30])
  assert.ok(grown! < 50 * 1024 * 1024, `grew by ${grown} bytes`)
})

memory.run()

/** A log that keeps what is said, for tests in which something goes wrong. */
function collecting(): { logger: DispatcherOptions['logger']; errors: string[] } {
  const errors: string[] = []
  const keep = (details: unknown): void => {
    const { err } = details as { err?: Error }
    errors.push(String(err?.message ?? JSON.stringify(details)))
  }
  return { errors, logger: { error: keep, warn: keep, info: () => {} } }
}

import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { ownersOf } from '../../server/auth/people.ts'
import { type Backoff, createBackoff } from '../../webhooks/backoff.ts'
import { Dispatcher, type DispatcherOptions } from '../../webhooks/dispatcher.ts'
import { createSender, type SenderOptions } from '../../webhooks/sending/send.ts'
import { openTestApp, type TestApp, type TestAppOptions } from '../server/test-app.ts'

type Json = Record<string, unknown>

export interface WebhookAppOptions extends TestAppOptions {
  /** The test starts its workers itself. */
  readonly isIdle?: boolean
  readonly worker?: Partial<DispatcherOptions>
  readonly sender?: Partial<SenderOptions>
}

/** The real app with a real worker over a real engine; time stands still until the test moves it. */
export interface WebhookApp extends TestApp {
  readonly worker: Dispatcher
  /** One more worker over the same engine, as another process would be. */
  startWorker(options?: Partial<DispatcherOptions>): Dispatcher
  call(
    method: 'get' | 'post' | 'patch' | 'delete',
    path: string,
    body?: object,
    status?: number,
  ): Promise<Json>
  subscribe(
    url: string,
    events: readonly string[],
    more?: object,
  ): Promise<{ id: string; secret: string }>
  /** Attempts of a subscription, the oldest first. */
  attempts(id: string): Promise<Json[]>
  /** Rows of `svc_deliveries`. */
  deliveries(id?: string): Promise<Json[]>
  /** A new gadget: a change that causes `gadgets.created`. */
  makeGadget(code: string): Promise<Json>
}

export async function openWebhookApp(options: WebhookAppOptions = {}): Promise<WebhookApp> {
  const api = await openTestApp(options)
  const policy = options.policy ?? { loopback: true, private: false, ownPorts: [] }
  const workers: Dispatcher[] = []

  function start(more: Partial<DispatcherOptions> = {}): Dispatcher {
    const worker = new Dispatcher({
      engine: api.engine,
      secretKey: api.secretKey,
      sender: createSender({ policy, ...options.sender }),
      findOwner: ownersOf(api.engine.services),
      backoff: steadyBackoff(),
      logger: { warn: fail, error: fail, info: () => {} },
      ...options.worker,
      ...more,
    })
    workers.push(worker)
    return worker
  }

  const call: WebhookApp['call'] = async (method, path, body, status) => {
    const response = await supertest(api.app)
      [method](path)
      .set('X-API-Key', api.keys.admin)
      .send(body)
    const expected = status ?? (method === 'delete' ? 204 : undefined)
    if (expected === undefined) assert.ok(response.status < 300, `${path}: ${response.text}`)
    else assert.is(response.status, expected, `${path}: ${response.text}`)
    return response.body as Json
  }

  const worker = options.isIdle ? undefined : start()
  return {
    ...api,
    get worker() {
      return worker!
    },
    startWorker: start,
    call,
    async subscribe(url, events, more = {}) {
      const made = await call('post', '/v1/webhooks', { url, events, ...more }, 201)
      return made as unknown as { id: string; secret: string }
    },
    async attempts(id) {
      const { data } = await call('get', `/v1/webhooks/${id}/deliveries?limit=100`)
      return (data as Json[]).toReversed()
    },
    async deliveries(id) {
      let query = api.engine.services.database.read.selectFrom('svc_deliveries').selectAll()
      if (id !== undefined) query = query.where('webhook_id', '=', id)
      return query.orderBy('id').execute()
    },
    makeGadget: (code) => call('post', '/v1/gadgets', { code, title: code }, 201),
    async close() {
      await Promise.all(workers.map((one) => one.stop(1000)))
      await api.close()
    },
  }
}

/** The real schedule without jitter. */
export function steadyBackoff(): Backoff {
  return createBackoff({ random: () => 0.5 })
}

function fail(...details: unknown[]): never {
  console.error(...details)
  throw new Error(`a worker complained: ${JSON.stringify(details)}`)
}

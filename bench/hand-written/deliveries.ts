import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'
import { Agent } from 'undici'
import type { Write } from './commit.ts'
import type { Database } from './database.ts'
import { newPrefixedId } from './ids.ts'

/** Endpoint that is told of every event. */
export interface Endpoint {
  readonly id: string
  readonly url: string
  readonly secret: string
}

/** An event as the log has it. */
export interface WrittenEvent {
  readonly id: string
  readonly event: string
  readonly at: string
  readonly data: string
}

/** Delivery to one endpoint, as its row has it. */
export interface Delivery {
  readonly id: string
  readonly endpoint: number
  readonly event: WrittenEvent
  attempts: number
}

export interface Outbox {
  /** Adds a row for each endpoint, in the transaction of the event. */
  insert(event: WrittenEvent): Delivery[]
  /** Sends them; to be called after the commit. */
  send(deliveries: readonly Delivery[]): void
}

const PER_ENDPOINT = 10
const IN_ALL = 256
const TIMEOUT = 10_000
const MOST_PREVIEW = 4096
const RETRIES = [5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 27_000]

interface Line {
  readonly endpoint: Endpoint
  readonly key: KeyObject
  readonly standardKey: KeyObject
  readonly origin: string
  readonly path: string
  readonly waiting: Delivery[]
  underWay: number
}

/**
 * The loop that signs, posts and logs, as one writes it by hand: one process, rows for what is due, queues in
 * memory, ten requests at once to an endpoint and 256 in all, 10 s for each, every attempt a row of the log
 * that shares its commit with whatever is written at the time.
 */
export function createOutbox(
  database: Database,
  write: Write,
  endpoints: readonly Endpoint[],
): Outbox {
  const agent = new Agent({ connections: PER_ENDPOINT, pipelining: 1 })
  const lines = endpoints.map((endpoint): Line => {
    const { origin, pathname } = new URL(endpoint.url)
    const secret = Buffer.from(endpoint.secret)
    return {
      endpoint,
      key: createSecretKey(secret),
      standardKey: createSecretKey(Buffer.from(endpoint.secret.slice('whsec_'.length), 'base64')),
      origin,
      path: pathname,
      waiting: [],
      underWay: 0,
    }
  })
  let underWay = 0
  /** Lines that have something and may send it, in turn. */
  const ready: Line[] = []
  const insertDelivery = database.prepare(
    `insert into svc_deliveries (id, webhook_id, event_id, event, state, attempts, tries, manual, due, created)
     values (?, ?, ?, ?, 'pending', 0, 0, 0, ?, ?)`,
  )
  const updateDelivery = database.prepare(
    'update svc_deliveries set state = ?, attempts = ?, tries = ?, due = ?, first_try = coalesce(first_try, ?) where id = ?',
  )
  const insertAttempt = database.prepare(
    `insert into svc_delivery_attempts (id, delivery_id, webhook_id, event, attempt, trigger, url, status_code,
       latency_ms, response_preview, error, attempted_at, next_attempt_at)
     values (?, ?, ?, ?, ?, 'auto', ?, ?, ?, ?, ?, ?, ?)`,
  )

  function queue(delivery: Delivery): void {
    const line = lines[delivery.endpoint]!
    line.waiting.push(delivery)
    ready.push(line)
  }

  function pump(): void {
    for (let left = ready.length; left > 0 && underWay < IN_ALL; left -= 1) {
      const line = ready.shift()!
      if (line.underWay >= PER_ENDPOINT) continue
      const delivery = line.waiting.shift()
      if (delivery) void post(line, delivery)
    }
  }

  async function post(line: Line, delivery: Delivery): Promise<void> {
    line.underWay += 1
    underWay += 1
    const startedAt = Date.now()
    let status: number | null = null
    let preview: string | null = null
    let error: string | null = null
    try {
      const { origin, path } = line
      const body = bodyOf(delivery)
      const headers = signedHeaders(line, delivery, body, startedAt)
      const signal = AbortSignal.timeout(TIMEOUT)
      const response = await agent.request({ origin, path, method: 'POST', headers, body, signal })
      status = response.statusCode
      preview = (await response.body.text()).slice(0, MOST_PREVIEW)
      if (status < 200 || status > 299) error = `the receiver answered ${status}`
    } catch (reason) {
      error = (reason as Error).message
    }
    line.underWay -= 1
    underWay -= 1
    if (line.waiting.length > 0) ready.push(line)
    pump()
    await write(() => log(line.endpoint, delivery, { startedAt, status, preview, error }))
  }

  function log(
    { id: webhookId, url }: Endpoint,
    delivery: Delivery,
    made: {
      startedAt: number
      status: number | null
      preview: string | null
      error: string | null
    },
  ): void {
    const { startedAt, status, preview, error } = made
    delivery.attempts += 1
    const { id, event, attempts } = delivery
    const wait = error === null ? undefined : RETRIES[attempts - 1]
    const due = wait === undefined ? null : Date.now() + wait * 1000
    const at = new Date(startedAt).toISOString()
    const next = due === null ? null : new Date(due).toISOString()
    insertAttempt.run(
      newPrefixedId('att'),
      id,
      webhookId,
      event.event,
      attempts,
      url,
      status,
      Date.now() - startedAt,
      preview,
      error,
      at,
      next,
    )
    const state = error === null ? 'delivered' : due === null ? 'exhausted' : 'pending'
    updateDelivery.run(state, attempts, attempts, due, startedAt, id)
    if (due !== null) setTimeout(again, due - Date.now(), delivery).unref()
  }

  function again(delivery: Delivery): void {
    queue(delivery)
    pump()
  }

  /** Queues what an earlier process has left. */
  function resume(): void {
    const left = database
      .prepare(
        `select d.id, d.webhook_id, d.attempts, e.id as event_id, e.event, e.at, e.data
         from svc_deliveries d join svc_events e on e.id = d.event_id where d.state = 'pending'`,
      )
      .all() as (Omit<WrittenEvent, 'id'> & {
      id: string
      webhook_id: string
      event_id: string
      attempts: number
    })[]
    for (const { id, webhook_id, event_id, attempts, ...event } of left) {
      const endpoint = endpoints.findIndex((each) => each.id === webhook_id)
      queue({ id, endpoint, attempts, event: { id: event_id, ...event } })
    }
    pump()
  }

  resume()
  return {
    insert: (event) =>
      lines.map(({ endpoint }, index) => {
        const id = newPrefixedId('dlv')
        const due = Date.parse(event.at)
        insertDelivery.run(id, endpoint.id, event.id, event.event, due, event.at)
        return { id, endpoint: index, event, attempts: 0 }
      }),
    send(deliveries) {
      for (const delivery of deliveries) queue(delivery)
      pump()
    },
  }
}

function bodyOf({ id, event: { event, at, data } }: Delivery): string {
  return `{"event":"${event}","resource":"items","delivery_id":"${id}","timestamp":"${at}","data":${data}}`
}

function signedHeaders(
  { key, standardKey }: Line,
  { id, event }: Delivery,
  body: string,
  now: number,
): Record<string, string> {
  const timestamp = Math.floor(now / 1000).toString()
  const ours = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')
  const standard = createHmac('sha256', standardKey)
    .update(`${id}.${timestamp}.${body}`)
    .digest('base64')
  return {
    'Content-Type': 'application/json',
    'User-Agent': 'Svc-Webhooks/1.0',
    'X-Svc-Event': event.event,
    'X-Svc-Delivery': id,
    'X-Svc-Timestamp': timestamp,
    'X-Svc-Signature': `t=${timestamp}, v1=${ours}`,
    'X-Svc-Signature-256': `sha256=${ours}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${standard}`,
  }
}

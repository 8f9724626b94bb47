import { setTimeout as sleep } from 'node:timers/promises'
import { type Random, randomOf } from '../helpers/random.ts'
import { type Answer, type KeyedRequest, send } from './exchange.ts'

/** What a client was told of one of its documents. */
export interface KnownDocument {
  readonly resource: 'items' | 'sales-invoices'
  /** Its item_code or po_no: by it a document is found whose creation was never answered. */
  readonly marker: string
  /** The record of the last answer; undefined until there was one. */
  record: Readonly<Record<string, unknown>> | undefined
  /** The event each answered change causes, in their order. */
  readonly changes: ('created' | 'updated' | 'submitted' | 'cancelled')[]
  /** A request nobody knows the outcome of; the document is left alone until somebody asks again. */
  open: { readonly request: KeyedRequest; readonly change: Change } | undefined
}

type Change = KnownDocument['changes'][number]

/** A request that was answered with success, to be asked again. */
export interface Acknowledged {
  readonly request: KeyedRequest
  readonly answer: Answer
}

export interface CrewOptions {
  readonly apiKey: string
  readonly seed: number
  /** Customers and item the invoices are made of. */
  readonly customers: readonly string[]
  readonly item: string
  /** An address that is served, as soon as there is one; undefined when there will be none any more. */
  readonly url: (random: Random) => Promise<string | undefined>
}

/** Clients that write at the same time, each its own documents, and remember what they were answered. */
export interface Crew {
  readonly documents: readonly KnownDocument[]
  readonly acknowledged: readonly Acknowledged[]
  /** Answers that should not have come. */
  readonly refused: readonly string[]
  /** How many requests had no answer so far. */
  readonly unknown: number
  /** What those were told that were put off with 503 so far; they are sent again, as a client does. */
  readonly putOff: readonly string[]
  /** Requests that wait for their answer now. */
  readonly underWay: number
  start(): void
  /** Resolves when no request is under way and none follows. */
  stop(): Promise<void>
  /** They go away without a word: nothing of them is left to wait for. */
  leave(): void
  /** Asks again for every outcome that is not known, with its key, until all are. */
  settle(): Promise<void>
}

const CLIENTS = 8
/** Documents a client still comes back to. */
const RECENT = 6

/** 8 clients that create, change, submit and cancel until they are stopped. */
export function createCrew(options: CrewOptions): Crew {
  const { apiKey, seed, customers, item } = options
  const documents: KnownDocument[] = []
  const acknowledged: Acknowledged[] = []
  const refused: string[] = []
  const clients = Array.from({ length: CLIENTS }, (_, n) => ({
    name: `c${n}`,
    random: randomOf(seed + n),
    own: [] as KnownDocument[],
    made: 0,
  }))
  type Client = (typeof clients)[number]
  let unknown = 0
  const putOff: string[] = []
  let underWay = 0
  let keys = 0
  let isStopping = true
  let working: Promise<unknown> = Promise.resolve()

  function request(method: KeyedRequest['method'], path: string, body?: object): KeyedRequest {
    keys += 1
    const key = `fault-${seed}-${keys}`
    return { method, path, key, ...(body === undefined ? {} : { body }) }
  }

  function create(client: Client): [KnownDocument, KeyedRequest, Change] {
    client.made += 1
    const marker = `${client.name}-${client.made}`
    const { random } = client
    const resource = random.chance(0.4) ? 'items' : 'sales-invoices'
    const document: KnownDocument = {
      resource,
      marker,
      record: undefined,
      changes: [],
      open: undefined,
    }
    documents.push(document)
    client.own.push(document)
    const body =
      resource === 'items'
        ? { item_code: marker, item_name: `Item ${marker}`, is_stock_item: false }
        : {
            customer: random.one(customers),
            po_no: marker,
            items: [{ item_code: item, qty: 1 + random.below(9), rate: 1 + random.below(500) / 4 }],
          }
    return [document, request('POST', `/v1/${resource}`, body), 'created']
  }

  function next(client: Client): [KnownDocument, KeyedRequest, Change] {
    const { random, own } = client
    const recent = own.slice(-RECENT).filter(({ open, record }) => !open && record)
    if (recent.length === 0 || random.chance(0.4)) return create(client)
    const document = random.one(recent)
    const { id, docstatus } = document.record as { id: string; docstatus?: number }
    const path = `/v1/${document.resource}/${id}`
    const value = `${keys}`
    if (document.resource === 'items')
      return [document, request('PATCH', path, { item_name: `Item ${value}` }), 'updated']
    if (docstatus === 0)
      return random.chance(0.3)
        ? [document, request('PATCH', path, { remarks: value }), 'updated']
        : [document, request('POST', `${path}/submit`), 'submitted']
    if (docstatus === 1 && random.chance(0.3))
      return [document, request('POST', `${path}/cancel`), 'cancelled']
    return create(client)
  }

  /** Asks until there is an answer, or leaves the document with its question. */
  async function perform(
    { random }: Client,
    document: KnownDocument,
    sent: KeyedRequest,
    change: Change,
    givesUp: () => boolean,
  ): Promise<void> {
    for (;;) {
      const url = await options.url(random)
      if (url === undefined) return
      underWay += 1
      const answer = await send(url, apiKey, sent)
      underWay -= 1
      if (answer === 'unknown') {
        unknown += 1
        document.open = { request: sent, change }
        if (givesUp()) return
      } else if (answer === 'refused' || answer.isTooEarly) await sleep(20)
      else if (answer.status === 503) {
        putOff.push(answer.text)
        await sleep(100)
      } else {
        document.open = undefined
        note(document, sent, change, answer)
        return
      }
    }
  }

  function note(document: KnownDocument, sent: KeyedRequest, change: Change, answer: Answer): void {
    const { status, text } = answer
    if (status !== (change === 'created' ? 201 : 200)) {
      refused.push(`${sent.method} ${sent.path}: ${status} ${text}`)
      return
    }
    document.record = JSON.parse(text) as Record<string, unknown>
    document.changes.push(change)
    acknowledged.push({ request: sent, answer })
  }

  async function work(client: Client): Promise<void> {
    while (!isStopping) {
      const [document, sent, change] = next(client)
      // Some clients insist at once, others come back when all is over.
      await perform(client, document, sent, change, () => isStopping || client.random.chance(0.5))
    }
  }

  return {
    documents,
    acknowledged,
    refused,
    putOff,
    get unknown() {
      return unknown
    },
    get underWay() {
      return underWay
    },
    start() {
      isStopping = false
      working = Promise.all(clients.map(work))
    },
    async stop() {
      isStopping = true
      await working
    },
    leave() {
      isStopping = true
    },
    async settle() {
      for (const client of clients)
        for (const document of client.own)
          if (document.open)
            await perform(
              client,
              document,
              document.open.request,
              document.open.change,
              () => false,
            )
    },
  }
}

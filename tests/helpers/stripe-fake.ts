import { createHmac } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An object of the API; what the tests read of it is checked by them. */
// biome-ignore lint/suspicious/noExplicitAny: objects of somebody else's API, of many shapes
type Thing = any

/** How the fake behaves; `hang` holds answers back until `release()`. */
export type Mood = 'up' | 'down' | 'broken' | 'declines' | 'refuses-key' | 'hang'

export interface StripeFake {
  readonly url: string
  readonly secretKey: string
  readonly webhookSecret: string
  mood: Mood
  /** `POST /v1/checkout/sessions`, … in the order they came. */
  readonly calls: string[]
  readonly subscriptions: Map<string, Thing>
  readonly customers: Map<string, Thing>
  readonly prices: Map<string, Thing>
  readonly sessions: Map<string, Thing>
  /** Idempotency keys that were answered, with the JSON of the answer. */
  readonly keys: Map<string, string>
  /** Signed events so far, oldest first; a test delivers them in whatever order it likes. */
  readonly events: Thing[]
  /** The customer pays on the page of a checkout. Returns the subscription. */
  pay(url: string, status?: string): Thing
  /** The customer confirms the change on a page of the portal. */
  confirm(url: string): Thing
  /** The provider itself changes a subscription, with its event. */
  become(id: string, change: Readonly<Record<string, unknown>>): Thing
  /** Body and signature of an event, as they are sent. */
  signed(
    event: Thing,
    at: number,
    secret?: string,
  ): { readonly body: string; readonly signature: string }
  release(): void
  close(): Promise<void>
}

type Route = readonly [
  method: string,
  path: RegExp,
  answer: (parts: string[], form: Thing) => Thing,
]

class Refusal extends Error {
  readonly status: number
  readonly error: object

  constructor(status: number, error: object) {
    super('refused')
    this.status = status
    this.error = error
  }
}

/** Stripe's HTTP API as far as the product uses it, with its idempotency, on 127.0.0.1; the real library speaks to it. */
export async function startStripeFake(): Promise<StripeFake> {
  const products = new Map<string, Thing>()
  const prices = new Map<string, Thing>()
  const customers = new Map<string, Thing>()
  const sessions = new Map<string, Thing>()
  const configurations = new Map<string, Thing>()
  const portals = new Map<string, Thing>()
  const subscriptions = new Map<string, Thing>()
  const events: Thing[] = []
  const answered = new Map<string, { readonly params: string; readonly json: string }>()
  const calls: string[] = []
  const keys = new Map<string, string>()
  const held: (() => void)[] = []
  let count = 0

  const id = (prefix: string): string => `${prefix}_${String(++count).padStart(6, '0')}`
  const missing = (what: string): Refusal =>
    new Refusal(404, {
      type: 'invalid_request_error',
      code: 'resource_missing',
      message: `No such ${what}`,
    })
  const found = (map: Map<string, Thing>, key: string | undefined): Thing => {
    const thing = map.get(key ?? '')
    if (!thing) throw missing(key ?? '')
    return thing
  }
  const list = (data: Thing[]): Thing => ({ object: 'list', data, has_more: false })
  const put = (map: Map<string, Thing>, thing: Thing): Thing => {
    map.set(thing.id, thing)
    return thing
  }

  function emit(type: string, object: Thing): void {
    const event = { id: id('evt'), object: 'event', type, created: 1_700_000_000 + count }
    events.push({ ...event, data: { object: structuredClone(object) } })
  }

  function subscribe(customer: string, price: string, quantity: number, status: string): Thing {
    const subscription = put(subscriptions, {
      id: id('sub'),
      object: 'subscription',
      customer,
      status,
      created: 1_700_000_000 + count,
      cancel_at_period_end: false,
      items: list([
        { id: id('si'), price: found(prices, price), quantity, current_period_end: 1_800_000_000 },
      ]),
    })
    emit('customer.subscription.created', subscription)
    return subscription
  }

  function change(subscription: Thing, form: Thing): Thing {
    const item = subscription.items.data[0]
    for (const wanted of form.items ?? []) {
      if (wanted.id !== item.id) throw missing(wanted.id)
      if (wanted.price) item.price = found(prices, wanted.price)
      if (wanted.quantity) item.quantity = Number(wanted.quantity)
    }
    if (form.cancel_at_period_end !== undefined)
      subscription.cancel_at_period_end = String(form.cancel_at_period_end) === 'true'
    emit('customer.subscription.updated', subscription)
    return subscription
  }

  const routes: readonly Route[] = [
    ['GET', /^products\/(\w+)$/, ([one]) => found(products, one)],
    [
      'POST',
      /^products$/,
      (_, form) =>
        put(products, {
          object: 'product',
          metadata: {},
          ...form,
          active: form.active !== 'false',
        }),
    ],
    [
      'POST',
      /^products\/(\w+)$/,
      ([one], form) => Object.assign(found(products, one), form, { active: true }),
    ],
    [
      'GET',
      /^prices$/,
      (_, form) =>
        list(
          [...prices.values()].filter(({ lookup_key }) => form.lookup_keys?.includes(lookup_key)),
        ),
    ],
    [
      'POST',
      /^prices$/,
      (_, form) => {
        for (const price of prices.values())
          if (price.lookup_key === form.lookup_key) price.lookup_key = null
        return put(prices, {
          id: id('price'),
          object: 'price',
          ...form,
          unit_amount: Number(form.unit_amount),
          metadata: form.metadata ?? {},
        })
      },
    ],
    ['GET', /^customers\/(\w+)$/, ([one]) => found(customers, one)],
    [
      'POST',
      /^customers$/,
      (_, form) => put(customers, { id: id('cus'), object: 'customer', ...form }),
    ],
    [
      'POST',
      /^checkout\/sessions$/,
      (_, form) => {
        found(customers, form.customer)
        found(prices, form.line_items[0].price)
        const one = id('cs')
        return put(sessions, {
          id: one,
          object: 'checkout.session',
          url: `https://pay.test/${one}`,
          ...form,
        })
      },
    ],
    ['GET', /^billing_portal\/configurations$/, () => list([...configurations.values()])],
    [
      'POST',
      /^billing_portal\/configurations$/,
      (_, form) =>
        put(configurations, {
          id: id('bpc'),
          object: 'billing_portal.configuration',
          active: true,
          ...form,
        }),
    ],
    [
      'POST',
      /^billing_portal\/configurations\/(\w+)$/,
      ([one], form) => Object.assign(found(configurations, one), form),
    ],
    [
      'POST',
      /^billing_portal\/sessions$/,
      (_, form) => {
        found(customers, form.customer)
        found(configurations, form.configuration)
        const one = id('bps')
        return put(portals, {
          id: one,
          object: 'billing_portal.session',
          url: `https://portal.test/${one}`,
          ...form,
        })
      },
    ],
    [
      'GET',
      /^subscriptions$/,
      (_, form) => {
        found(customers, form.customer)
        return list(
          [...subscriptions.values()]
            .filter(({ customer }) => customer === form.customer)
            .reverse(),
        )
      },
    ],
    ['GET', /^subscriptions\/(\w+)$/, ([one]) => found(subscriptions, one)],
    ['POST', /^subscriptions\/(\w+)$/, ([one], form) => change(found(subscriptions, one), form)],
    [
      'DELETE',
      /^subscriptions\/(\w+)$/,
      ([one]) => {
        const subscription = found(subscriptions, one)
        if (subscription.status === 'canceled') throw missing(one ?? '')
        subscription.status = 'canceled'
        emit('customer.subscription.deleted', subscription)
        return subscription
      },
    ],
  ]

  /** A repeat of a key gets the first answer, whatever happened since; with other parameters it is refused. */
  function answer(method: string, path: string, query: string, key: string | undefined): string {
    const form = readForm(query)
    const before = key === undefined ? undefined : answered.get(key)
    if (before && before.params !== `${method} ${path}?${query}`)
      throw new Refusal(400, { type: 'idempotency_error', message: 'Keys can only be used once' })
    if (before) return before.json
    for (const [verb, pattern, run] of routes) {
      const match = verb === method ? pattern.exec(path) : null
      if (!match) continue
      const json = JSON.stringify(run(match.slice(1), form))
      if (key !== undefined) keys.set(key, json)
      if (key !== undefined) answered.set(key, { params: `${method} ${path}?${query}`, json })
      return json
    }
    throw missing(`route ${method} ${path}`)
  }

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '' } = request
    const body = (await request.toArray()).join('')
    const [path = '', query = ''] = url.replace(/^\/v1\//, '').split('?')
    calls.push(`${method} ${path}`)
    const isHeld = fake.mood === 'hang'
    const refuse = (status: number, error: object): void => {
      response.writeHead(status, {
        'Content-Type': 'application/json',
        'Stripe-Should-Retry': 'false',
      })
      response.end(JSON.stringify({ error }))
    }
    if (fake.mood === 'down') return void request.socket.destroy()
    if (fake.mood === 'broken') return refuse(500, { type: 'api_error', message: 'Oops' })
    if (fake.mood === 'declines')
      return refuse(402, { type: 'card_error', code: 'card_declined', message: 'Declined' })
    if (fake.mood === 'refuses-key' || request.headers.authorization !== `Bearer ${fake.secretKey}`)
      return refuse(401, {
        type: 'invalid_request_error',
        message: `Invalid API Key: ${request.headers.authorization}`,
      })
    try {
      const key = request.headers['idempotency-key']
      const json = answer(
        method,
        path,
        method === 'POST' ? body : query,
        key === undefined ? undefined : String(key),
      )
      // What it says is of the moment it was asked, however late it arrives.
      if (isHeld) await new Promise<void>((resolve) => held.push(resolve))
      response.writeHead(200, { 'Content-Type': 'application/json' })
      response.end(json)
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      refuse(error.status, error.error)
    }
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      response.destroy(error as Error)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))

  const fake: StripeFake = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    secretKey: 'sk_test_CANARY4secretkey',
    webhookSecret: 'whsec_CANARY4signingsecret',
    mood: 'up',
    calls,
    subscriptions,
    customers,
    prices,
    sessions,
    keys,
    events,
    pay(url, status = 'active') {
      const session = found(sessions, url.split('/').at(-1))
      const [{ price, quantity }] = session.line_items
      const subscription = subscribe(session.customer, price, Number(quantity), status)
      emit('checkout.session.completed', session)
      return subscription
    },
    confirm(url) {
      const portal = found(portals, url.split('/').at(-1))
      const wanted = portal.flow_data.subscription_update_confirm
      return change(found(subscriptions, wanted.subscription), { items: wanted.items })
    },
    become(one, values) {
      const subscription = Object.assign(found(subscriptions, one), values)
      const type = values.status === 'canceled' ? 'deleted' : 'updated'
      emit(`customer.subscription.${type}`, subscription)
      return subscription
    },
    signed(event, at, secret = fake.webhookSecret) {
      const body = JSON.stringify(event)
      const t = Math.floor(at / 1000)
      const v1 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
      return { body, signature: `t=${t},v1=${v1}` }
    },
    release() {
      for (const go of held.splice(0)) go()
    },
    async close() {
      fake.release()
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
  return fake
}

/** `items[0][price]=x&a=1` → `{items: [{price: 'x'}], a: '1'}`. */
function readForm(text: string): Thing {
  const form: Thing = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.replaceAll(']', '').split('[')
    let at = form
    for (const [index, key] of path.entries()) {
      const next = path[index + 1]
      if (next === undefined) at[key] = value
      else at = at[key] ??= /^\d*$/.test(next) ? [] : {}
    }
  }
  return form
}

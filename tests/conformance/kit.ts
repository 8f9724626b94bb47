import type { AddressInfo } from 'node:net'
import * as assert from 'uvu/assert'
import { isObject } from '../../engine/base/json-text.ts'
import type { TestDatabase } from '../helpers/databases.ts'
import { bearer, openTestApp } from '../server/test-app.ts'
import { FURNITURE } from '../stories/story.ts'
import type { NamedCase, Step } from './case.ts'
import { MASTERS } from './masters.ts'

// biome-ignore lint/suspicious/noExplicitAny: cases say what answers hold
type Anything = any
type Answers = Map<string, Anything>

interface Answered {
  readonly status: number
  readonly body: Anything
}

/** A workspace whose customers and suppliers go by their names, as ERPNext's do, with what cases speak of. */
export interface Kit {
  /** Runs a case; throws where what comes of it is not what ERPNext gives. */
  run(one: NamedCase): Promise<void>
  close(): Promise<void>
}

const REFERENCE = /^\$(\w+)((?:\.\w+)*)$/

export async function openKit(database: TestDatabase): Promise<Kit> {
  const clock = {
    time: Date.parse('2026-03-09T12:00:00.000Z'),
    now: () => clock.time,
    advance(milliseconds: number) {
      clock.time += milliseconds
    },
  }
  const settings = { rateLimit: false }
  const app = { database, furniture: FURNITURE, doctypes: {}, tier: 'business', clock, settings }
  const test = await openTestApp(app)
  const server = test.app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`
  const headers = {
    authorization: bearer(test.keys.admin),
    'content-type': 'application/json',
    // To pack answers costs more than to send them.
    'accept-encoding': 'identity',
  }

  async function send(method: string, path: string, body?: unknown): Promise<Answered> {
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }
    const answer = await fetch(`${origin}/${path}`, { method, headers, ...sent })
    return { status: answer.status, body: await answer.json() }
  }

  async function rows(doctype: string, voucher: string, fields: readonly string[]) {
    const query = new URLSearchParams({
      fields: JSON.stringify(fields),
      filters: JSON.stringify({ voucher_no: voucher }),
      limit_page_length: '0',
    })
    const { body } = await send('GET', `resource/${encodeURIComponent(doctype)}?${query}`)
    return body.data as readonly Anything[]
  }

  async function ledgerOf(voucher: string): Promise<Record<string, number>> {
    const sums: Record<string, number> = {}
    for (const { account, debit, credit } of await rows('GL Entry', voucher, [
      'account',
      'debit',
      'credit',
    ]))
      sums[account] = (sums[account] ?? 0) + debit - credit
    return withoutZeros(sums)
  }

  async function stockOf(voucher: string): Promise<Record<string, readonly [number, number]>> {
    const sums: Record<string, [number, number]> = {}
    const fields = ['item_code', 'actual_qty', 'stock_value_difference']
    for (const row of await rows('Stock Ledger Entry', voucher, fields)) {
      const [qty, value] = sums[row.item_code] ?? [0, 0]
      sums[row.item_code] = [qty + row.actual_qty, rounded(value + row.stock_value_difference)]
    }
    return sums
  }

  async function take(step: Step, known: Answers): Promise<void> {
    const { refused, ledger, stock } = step
    const { status, body } = await asked(step, known)
    if (refused !== undefined) {
      assert.is(status, 417, `it is refused: ${JSON.stringify(body).slice(0, 300)}`)
      assert.ok(JSON.stringify(body).includes(refused), `${body.message} names ${refused}`)
      return
    }
    assert.is(status, 200, `${body.message ?? ''} ${JSON.stringify(body.errors ?? '')}`)
    const answer = body.data ?? body.message
    if (step.as !== undefined) known.set(step.as, answer)
    if (step.gives !== undefined) assertGives(answer, filledIn(step.gives, known), '')
    if (ledger) assert.equal(await ledgerOf(answer.name), ledger)
    if (stock) assert.equal(await stockOf(answer.name), stock)
  }

  function asked(step: Step, known: Answers): Promise<Answered> {
    const { post, put, get, run, call } = step
    const body = filledIn(step.send ?? {}, known)
    const path = (place: string): string => {
      const [doctype, ...name] = place.split('/')
      const id = encodeURIComponent(String(filledIn(name.join('/'), known)))
      return `resource/${encodeURIComponent(doctype!)}/${id}`
    }
    if (post !== undefined) return send('POST', `resource/${encodeURIComponent(post)}`, body)
    if (put !== undefined) return send('PUT', path(put), body)
    if (get !== undefined) return send('GET', path(get))
    if (run !== undefined) return send('POST', path(run), body)
    return send('POST', `method/${call}`, body)
  }

  const masters: Answers = new Map()
  for (const [doctype, documents] of MASTERS)
    for (const document of documents) {
      const put = 'put' in document
      const path = `resource/${encodeURIComponent(doctype)}`
      const { status, body } = put
        ? await send('PUT', `${path}/${encodeURIComponent(String(document.put))}`, document.send)
        : await send('POST', path, document)
      assert.is(
        status,
        200,
        `${doctype} ${JSON.stringify(document)}: ${JSON.stringify(body.message)}`,
      )
      masters.set(doctype.toLowerCase(), body.data)
    }

  return {
    async run({ steps }) {
      const known: Answers = new Map(masters)
      for (const step of steps) await take(step, known)
    },
    async close() {
      const closed = new Promise((resolve) => server.close(resolve))
      server.closeAllConnections()
      await closed
      await test.close()
    },
  }
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100
}

function withoutZeros(sums: Readonly<Record<string, number>>): Record<string, number> {
  return Object.fromEntries(
    Object.entries(sums).flatMap(([account, sum]) =>
      rounded(sum) === 0 ? [] : [[account, rounded(sum)]],
    ),
  )
}

/** The value with what stands for an earlier answer filled in; `{…: $made}` under `…` spreads a document. */
function filledIn(value: unknown, known: Answers): unknown {
  if (typeof value === 'string') {
    const [, name, path = ''] = REFERENCE.exec(value) ?? []
    if (name === undefined || !known.has(name)) return value
    return path
      .split('.')
      .filter(Boolean)
      .reduce((at, key) => at?.[key], known.get(name))
  }
  if (Array.isArray(value)) return value.map((one) => filledIn(one, known))
  if (!isObject(value)) return value
  const { '…': spread, ...rest } = value
  const own = Object.entries(rest).map(([key, one]) => [key, filledIn(one, known)])
  return {
    ...(spread === undefined ? {} : (filledIn(spread, known) as object)),
    ...Object.fromEntries(own),
  }
}

function assertGives(answer: Anything, wanted: unknown, place: string): void {
  if (Array.isArray(wanted)) {
    assert.is(answer?.length, wanted.length, `${place} has as many rows`)
    for (const [index, one] of wanted.entries())
      assertGives(answer[index], one, `${place}[${index}]`)
  } else if (isObject(wanted)) {
    for (const [key, one] of Object.entries(wanted))
      assertGives(answer?.[key], one, `${place}.${key}`)
  } else assert.equal(answer ?? null, wanted, place)
}

import { deepStrictEqual, ok } from 'node:assert/strict'
import { GROUPS, sampleItem } from '../sample-items.ts'
import { changesOf, newItem, SEARCHED } from '../workloads.ts'
import type { Dialect, PeerRecord } from './dialect.ts'

/** Whom to ask, and how. */
export interface Side {
  readonly dialect: Dialect
  readonly port: number
  readonly key: string
}

const FIELDS = Object.keys(newItem(0))

/** Numbers of items that no workload reaches. */
const UNUSED = 900_000_000

/**
 * Two servers are only comparable when they find and keep the same: compares numbers of hits, pages in their order,
 * values of records, what becomes of a create and a patch, and that nobody is let in without a key. Throws
 * AssertionError where they differ.
 */
export async function assertSamePeerAnswers(one: Side, other: Side): Promise<void> {
  deepStrictEqual(await answersOf(one), await answersOf(other))
}

async function answersOf(side: Side): Promise<object> {
  const { dialect } = side
  const pages = []
  for (const group of [GROUPS[3]!, GROUPS[11]!, 'None such'])
    pages.push(await page(side, dialect.listPath(group)))
  for (const words of SEARCHED) pages.push(await page(side, dialect.searchPath(words)))
  const record = valuesOf(await ask(side, dialect.pathOf(123)))
  deepStrictEqual(record.item_code, sampleItem(123).code)
  const item = newItem(UNUSED)
  const created = await ask(side, dialect.path, 'POST', item)
  const ownPath = `${dialect.path}/${dialect.keyOf(created)}`
  const changed = await ask(side, ownPath, 'PATCH', changesOf(12_345))
  await assertRefuses(side, item)
  const writes = [valuesOf(created), valuesOf(changed), valuesOf(await ask(side, ownPath))]
  return { pages, record, writes }
}

async function page(side: Side, path: string): Promise<object> {
  const { records, total } = side.dialect.pageOf(await ask(side, path))
  return { total, records: records.map((record) => valuesOf(record)) }
}

/** A code that is taken, a rate below 0, a name that is missing, and a caller without a key. */
async function assertRefuses(side: Side, item: object): Promise<void> {
  const { dialect, port } = side
  const free = { ...item, item_code: `NEW-${UNUSED}` }
  for (const body of [item, { ...free, standard_rate: -1 }, { ...free, item_name: '' }]) {
    const { status } = await send(side, dialect.path, 'POST', body)
    ok(status >= 400 && status < 500, `${JSON.stringify(body)} was answered ${status}`)
  }
  for (const path of [dialect.path, dialect.pathOf(123)]) {
    const { status } = await fetch(`http://127.0.0.1:${port}${path}`)
    ok([401, 403, 404].includes(status), `${path} was answered ${status} without a key`)
  }
}

function valuesOf(record: PeerRecord): PeerRecord {
  return Object.fromEntries(FIELDS.map((field) => [field, record[field]]))
}

async function ask(side: Side, path: string, method = 'GET', body?: object): Promise<PeerRecord> {
  const response = await send(side, path, method, body)
  const text = await response.text()
  ok(response.ok, `${method} ${path} was answered ${response.status}: ${text}`)
  return JSON.parse(text) as PeerRecord
}

function send({ port, key }: Side, path: string, method: string, body?: object): Promise<Response> {
  return fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
}

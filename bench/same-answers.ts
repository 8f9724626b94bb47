import { deepStrictEqual } from 'node:assert/strict'
import { BRANDS, GROUPS, sampleItem } from './sample-items.ts'
import { newItem } from './workloads.ts'

interface Answer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Record<string, unknown>
}

const PATHS = [
  `/v1/items/${sampleItem(123).code}`,
  `/v1/items?item_group=${encodeURIComponent(GROUPS[3]!)}&sort=modified&order=desc&limit=20`,
  '/v1/items?q=steel%2012',
  '/v1/items?disabled=true&standard_rate__gte=10.5&limit=5&offset=40',
]

/** Number of an item that no workload reaches. */
const UNUSED = 900_000_000

/** Values that name the moment, the chance or the server that made them. */
const OWN_VALUES = ['created', 'modified', 'next_cursor']

/** Headers that tell what a person has left for long reads: by hand nobody counts that. */
const OF_LONG_READS = 'x-work-'

/**
 * Two servers are only comparable when they do the same: asks both and compares status, names of headers and
 * bodies, reads and writes. Throws AssertionError where they differ.
 */
export async function assertSameAnswers(one: number, other: number, key: string): Promise<void> {
  for (const path of PATHS) deepStrictEqual(await ask(one, key, path), await ask(other, key, path))
  const item = newItem(UNUSED) as { readonly item_code: string }
  const changes = { standard_rate: 12.34, brand: BRANDS[0], uoms: [] }
  for (const [method, path, body] of [
    ['POST', '/v1/items', item],
    ['PATCH', `/v1/items/${item.item_code}`, changes],
  ] as const) {
    deepStrictEqual(
      await ask(one, key, path, method, body),
      await ask(other, key, path, method, body),
    )
  }
  for (const body of [{ item_code: 'X' }, { ...item, item_code: 'X', item_group: 'None such' }]) {
    const [mine, theirs] = [
      await ask(one, key, '/v1/items', 'POST', body),
      await ask(other, key, '/v1/items', 'POST', body),
    ]
    deepStrictEqual(mine.status, theirs.status)
  }
}

async function ask(
  port: number,
  key: string,
  path: string,
  method = 'GET',
  body?: object,
): Promise<Answer> {
  const response = await fetch(`http://127.0.0.1:${port}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      'accept-encoding': 'identity',
      ...(body ? { 'content-type': 'application/json' } : {}),
    },
    ...(body ? { body: JSON.stringify(body) } : {}),
  })
  const answer = (await response.json()) as Record<string, unknown>
  for (const name of OWN_VALUES) if (name in answer) answer[name] = 'its own'
  const headers = [...response.headers.keys()].filter((name) => !name.startsWith(OF_LONG_READS))
  return { status: response.status, headers: headers.sort(), body: answer }
}

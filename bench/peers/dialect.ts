import { sampleItem } from '../sample-items.ts'

/** How a server is asked for the items, and how it answers. */
export interface Dialect {
  /** Path of the collection, where items are created. */
  readonly path: string
  readonly createdStatus: number
  /** Path of the n-th sample item by its key. */
  readonly pathOf: (n: number) => string
  /** The first 20 of a group, last changed first, with the number of all. */
  readonly listPath: (group: string) => string
  /** The same of those that have each word in their code, name or description. */
  readonly searchPath: (words: string) => string
  readonly keyOf: (record: PeerRecord) => string
  /** Records of an answer to a list, and the number of all. */
  readonly pageOf: (answer: Readonly<Record<string, unknown>>) => PeerPage
}

export type PeerRecord = Readonly<Record<string, unknown>>

export interface PeerPage {
  readonly records: readonly PeerRecord[]
  readonly total: number
}

const FIRST_20 = 'sort=modified&order=desc&limit=20'

export const SVC: Dialect = {
  path: '/v1/bench-items',
  createdStatus: 201,
  pathOf: (n) => `/v1/bench-items/${sampleItem(n).code}`,
  listPath: (group) => `/v1/bench-items?item_group=${encodeURIComponent(group)}&${FIRST_20}`,
  searchPath: (words) => `/v1/bench-items?q=${encodeURIComponent(words)}&${FIRST_20}`,
  keyOf: ({ name }) => String(name),
  pageOf: ({ data, meta }) => ({
    records: data as PeerRecord[],
    total: (meta as { readonly total: number }).total,
  }),
}

const RECORDS = '/api/collections/items/records'

export const POCKETBASE: Dialect = {
  path: RECORDS,
  createdStatus: 200,
  pathOf: (n) => `${RECORDS}/${pocketBaseId(n)}`,
  listPath: (group) => pocketBaseList(`item_group='${group}'`),
  searchPath: (words) => pocketBaseList(words.split(' ').map(anywhere).join('&&')),
  keyOf: ({ id }) => String(id),
  pageOf: ({ items, totalItems }) => ({
    records: items as PeerRecord[],
    total: Number(totalItems),
  }),
}

/** Id of the n-th sample item: fifteen characters, as PocketBase makes them. */
export function pocketBaseId(n: number): string {
  return `item${String(n).padStart(11, '0')}`
}

function pocketBaseList(filter: string): string {
  return `${RECORDS}?filter=${encodeURIComponent(filter)}&sort=-modified&perPage=20`
}

function anywhere(word: string): string {
  return `(item_code~'${word}'||item_name~'${word}'||description~'${word}')`
}

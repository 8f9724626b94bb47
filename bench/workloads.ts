import { BRANDS, GROUP_OF_NEW, GROUPS, sampleItem } from './sample-items.ts'

/** One kind of request, over and over with other values. */
export interface Workload {
  readonly name: string
  readonly isWrite: boolean
  readonly expectedStatus: number
  /** Least share of the hand-written server's requests/s; undefined where none is asked. */
  readonly leastRatio: number | undefined
  /** The same of the floor's at 16 at once: of writes at FULL durability. */
  readonly leastOfFloor: number | undefined
  /** Makes the source of requests for one server; each request differs from those before it. */
  requests(host: string, key: string): () => Buffer
}

/** Records of both servers before the first request. */
export const SEEDED_ROWS = 10_000

/** Step through the records: prime to their number, so that a walk meets all before it repeats. */
const STRIDE = 7919

/** Texts that a search looks for: a word that is in many names, and digits that few of those have. */
export const SEARCHED = ['steel 12', 'pump 77', 'copper 345', 'motor 9', 'window 81']

export const WORKLOADS: readonly Workload[] = [
  read('get-one', [0.85, 0.45], (n) => `/v1/items/${codeOf(n)}`),
  read('list', [0.85, 0.6], (n) => {
    const group = encodeURIComponent(GROUPS[n % GROUPS.length]!)
    return `/v1/items?item_group=${group}&sort=modified&order=desc&limit=20`
  }),
  read(
    'search',
    [undefined, undefined],
    (n) => `/v1/items?q=${encodeURIComponent(SEARCHED[n % SEARCHED.length]!)}`,
  ),
  write('create', 'POST', 201, newItem, () => '/v1/items'),
  write('patch', 'PATCH', 200, changesOf, (n) => `/v1/items/${codeOf(n)}`),
]

/** Body of a create as a client would send it, no two alike. */
export function newItem(n: number): object {
  const { name, brand, description } = sampleItem(n)
  return {
    item_code: `NEW-${process.pid}-${n}`,
    item_name: name,
    item_group: GROUP_OF_NEW,
    stock_uom: 'Nos',
    brand,
    description,
    standard_rate: (n % 100_000) / 100,
    is_stock_item: n % 3 !== 0,
  }
}

/** Body of a patch, each unlike the one before it. */
export function changesOf(n: number): object {
  return { standard_rate: (n % 100_000) / 100, brand: BRANDS[n % BRANDS.length] }
}

/** Number of the sample item that the n-th request is about. */
export function walked(n: number): number {
  return (n * STRIDE) % SEEDED_ROWS
}

function codeOf(n: number): string {
  return sampleItem(walked(n)).code
}

function read(
  name: string,
  [leastRatio, leastOfFloor]: readonly [number | undefined, number | undefined],
  path: (n: number) => string,
): Workload {
  return {
    name,
    isWrite: false,
    expectedStatus: 200,
    leastRatio,
    leastOfFloor,
    requests: (host, key) => readsOf(host, key, path),
  }
}

function write(
  name: string,
  method: string,
  expectedStatus: number,
  body: (n: number) => object,
  path: (n: number) => string,
): Workload {
  return {
    name,
    isWrite: true,
    expectedStatus,
    leastRatio: 0.7,
    leastOfFloor: 0.75,
    requests: (host, key) => writesOf(host, key, method, body, path),
  }
}

/** Source of GETs, each of the next path. */
export function readsOf(host: string, key: string, path: (n: number) => string): () => Buffer {
  const head = headOf(host, key)
  let n = 0
  return () => Buffer.from(`GET ${path(n++)} HTTP/1.1\r\n${head}\r\n`)
}

/** Source of requests that send the next body to the next path. */
export function writesOf(
  host: string,
  key: string,
  method: string,
  body: (n: number) => object,
  path: (n: number) => string,
): () => Buffer {
  const head = `${headOf(host, key)}Content-Type: application/json\r\n`
  let n = 0
  return () => {
    const json = JSON.stringify(body(n))
    const length = Buffer.byteLength(json)
    const request = `${method} ${path(n)} HTTP/1.1\r\n${head}Content-Length: ${length}\r\n\r\n${json}`
    n += 1
    return Buffer.from(request)
  }
}

function headOf(host: string, key: string): string {
  return `Host: ${host}\r\nAuthorization: Bearer ${key}\r\nAccept: application/json\r\n`
}

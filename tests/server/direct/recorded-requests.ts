import type { RawRequest } from './raw-answers.ts'

/** Who sends the requests: the headers of each credential. */
export type Callers = Readonly<Record<string, readonly string[]>>

const HOST = 'Host: svc.test'
const JSON_TYPE = 'Content-Type: application/json'

/** Lists, right and wrong; what stands behind `/v1/gadgets`. */
const LISTS = [
  '',
  '/',
  '?',
  '?limit=2',
  '?limit=0',
  '?limit=201',
  '?limit=2&offset=1',
  '?limit=2&offset=-1',
  '?limit=2&cursor=',
  '?limit=2&cursor=none',
  '?sort=price&order=desc',
  '?sort=-price',
  '?sort=secret',
  '?order=up',
  '?kind=Tool',
  '?kind=Tool&kind=Toy',
  '?kind__in=Tool,Toy',
  '?price__gte=2&price__lt=9',
  '?price=x',
  '?price__between=2,9',
  '?title__contains=blue',
  '?title__nothing=blue',
  '?active=true',
  '?made_on__gte=2026-01-01',
  '?made_on=31.12.2026',
  '?parent_gadget=',
  '?parent_gadget__ne=',
  '?q=blue',
  '?q=b',
  '?q=',
  '?q=%22blue',
  '?q=blue%20gadget',
  '?fields=code,title',
  '?fields=nothing',
  '?fields=',
  '?_titles=1&limit=3',
  '?_titles=2',
  '?title=%zz',
  '?title=%00',
  '?titel=x',
  '?limit=1&limit=2',
  '?suffixed[price__gt]=3',
  '?group_by=kind',
  '?group_by=kind&sum=price',
  '?group_by=nothing',
  '?pin=x',
  '?total=0',
]

/** What is asked of one record, as it stands behind `/v1/gadgets/`. */
const RECORDS = [
  'g1',
  'g1/',
  'g1?',
  'g1?_titles=1',
  'g1?_can=1',
  'g1?_can=2',
  'g1?_titles=1&_titles=1',
  'g1?fields=code',
  'none',
  '%67%31',
  'g%201',
  'caf%C3%A9',
  'caf%E0%A4%A',
  'a%2Fb',
  'a%00b',
  '_bulk',
  '_export',
  '.',
  '..',
  '%2e%2e',
  'x'.repeat(300),
  "g1';drop",
  'g1;v=1',
  'g1/submit',
  'g1/cancel',
  'g1/amend',
  'g1/update-submitted',
  'g1/actions/none',
  'g1/timeline',
  'g1/explain/price',
  'g1/nothing',
  'g1//submit',
]

/** Paths beside those of records that must not be taken for one. */
const OTHERS = [
  '/v1',
  '/v1/',
  '/v1//gadgets',
  '//v1/gadgets',
  '/V1/gadgets',
  '/v1/Gadgets',
  '/v1/gadget',
  '/v1/gizmos',
  '/v1/nonsense',
  '/v1/nonsense/1',
  '/v1/nonsense/1/submit',
  '/v1/parcel-items',
  '/v1/turbines',
  '/v1/turbines/none',
  '/v1/resources/gadgets',
  '/v1/search?q=blue',
  '/v1/me/sessions',
  '/v1/webhooks',
  '/v1/files',
  '/v1/jobs',
  '/v1/users',
  '/v1/users/Administrator',
  '/v1/gadgets#part',
  '/v1/gadgets?limit=1#part',
  '/v1/gadgets\\g1',
  '/v1/gadgets/g1%',
  '/v1/../v1/gadgets/g1',
  'http://svc.test/v1/gadgets/g1',
  '*',
]

/** Headers of a read beside its credential. */
const READ_HEADERS: readonly (readonly string[])[] = [
  ['Accept: text/html'],
  ['Accept: text/html', 'Sec-Fetch-Mode: navigate'],
  ['Accept: text/csv'],
  ['Accept: application/json'],
  ['Accept: application/json, text/plain, */*'],
  ['Accept: image/png'],
  ['Accept-Language: de'],
  ['Accept-Language: xx, de;q=0.5'],
  ['Accept-Encoding: gzip'],
  ['Accept-Encoding: gzip, deflate, br'],
  ['Accept-Encoding: br;q=1, gzip;q=0.1'],
  ['Accept-Encoding: identity'],
  ['Accept-Encoding: *'],
  ['Accept-Encoding: identity;q=0'],
  ['If-None-Match: *'],
  ['If-None-Match: W/"1"'],
  ['If-None-Match: "nothing"'],
  ['If-Match: "nothing"'],
  ['Origin: https://desk.example'],
  ['Origin: https://evil.example'],
  ['X-Request-Id: my-own-id_1'],
  ['X-Request-Id: not ok'],
  ['X-Request-Id: '],
  ['X-HTTP-Method-Override: DELETE'],
  ['X-Forwarded-For: 10.0.0.1', 'X-Forwarded-Proto: https'],
  ['Idempotency-Key: k-read'],
  ['Range: bytes=0-10'],
  ['TE: trailers'],
  ['Expect: 100-continue'],
  ['Upgrade: websocket'],
  ['Content-Length: 0'],
]

/** Bodies of a create that are not taken, and what is said of them. */
const WRONG_BODIES: readonly (readonly [type: readonly string[], body: string | Buffer])[] = [
  [[], '{"code":"n1","title":"x"}'],
  [['Content-Type: text/plain'], '{}'],
  [['Content-Type: application/json; charset=latin1'], '{}'],
  [['Content-Type: application/json; charset=utf-8'], '{"code":"n1"}'],
  [['Content-Type: Application/JSON'], '{"title":"no code"}'],
  [['Content-Type: multipart/form-data; boundary=x'], '--x--'],
  [['Content-Type: application/x-www-form-urlencoded'], 'code=1'],
  [[JSON_TYPE, 'Content-Encoding: gzip'], '{}'],
  [[JSON_TYPE], ''],
  [[JSON_TYPE], '{'],
  [[JSON_TYPE], 'null'],
  [[JSON_TYPE], '[]'],
  [[JSON_TYPE], '"text"'],
  [[JSON_TYPE], '{"code":"n1","title":"x","__proto__":{"a":1}}'],
  [[JSON_TYPE], '{"code":"n1","title":"x\\u0000"}'],
  [[JSON_TYPE], '{"code":"n1","titel":"x"}'],
  [[JSON_TYPE], '{"code":"n1","title":"x","kind":"Other","price":-1,"contact":"no"}'],
  [[JSON_TYPE], '{"code":"n1","title":"x","parent_gadget":"none"}'],
  [[JSON_TYPE], '{"code":"g1","title":"taken"}'],
  [[JSON_TYPE], '\uFEFF{"title":"mark"}'],
  [[JSON_TYPE], Buffer.from([0x7b, 0xff, 0x7d])],
  [[JSON_TYPE], `{"story":"${'x'.repeat(1_048_576)}"}`],
  [[JSON_TYPE, 'Transfer-Encoding: chunked'], '5\r\n{"cod\r\n0\r\n\r\n'],
]

/**
 * Requests of every kind to record routes and beside them, in an order in which they are to be sent: later ones read
 * what earlier ones made. The credentials take turns where it matters who asks.
 */
export function recordedRequests(callers: Callers): readonly RawRequest[] {
  const all: RawRequest[] = []
  const admin = callers.admin ?? []
  const add = (
    method: string,
    path: string,
    headers: readonly string[],
    body?: string | Buffer,
    more: Partial<RawRequest> = {},
  ): void => {
    const name = `${String(all.length).padStart(4, '0')} ${method} ${path.slice(0, 120)}`
    all.push({ name, method, path, headers: [HOST, ...headers], body, ...more })
  }
  const json = (method: string, path: string, who: readonly string[], value: unknown): void =>
    add(method, path, [...who, JSON_TYPE], JSON.stringify(value))

  fill(json, admin)
  for (const list of LISTS) add('GET', `/v1/gadgets${list}`, admin)
  for (const one of RECORDS) add('GET', `/v1/gadgets/${one}`, admin)
  for (const path of OTHERS) add('GET', path, admin)
  for (const headers of READ_HEADERS)
    for (const path of ['/v1/gadgets/g1', '/v1/gadgets?limit=9', '/v1/gadgets/none', '/v1/parcels'])
      add('GET', path, [...admin, ...headers])
  for (const headers of READ_HEADERS) add('GET', '/v1/gadgets/g2', headers)
  everyCaller(callers, add)
  methods(admin, add)
  for (const [headers, body] of WRONG_BODIES) {
    add('POST', '/v1/gadgets', [...admin, ...headers], body)
    add('PATCH', '/v1/gadgets/g2', [...admin, ...headers], body)
    add('POST', '/v1/parcels/PAR-00001/submit', [...admin, ...headers], body)
  }
  changes(admin, add)
  repeats(callers, add)
  versions(admin, add)
  bursts(callers, add)
  return all
}

type Add = (
  method: string,
  path: string,
  headers: readonly string[],
  body?: string | Buffer,
  more?: Partial<RawRequest>,
) => void

function fill(
  json: (method: string, path: string, who: readonly string[], value: unknown) => void,
  admin: readonly string[],
): void {
  const kinds = ['Tool', 'Toy']
  for (let n = 1; n <= 9; n += 1)
    json('POST', '/v1/gadgets', admin, {
      code: `g${n}`,
      title: `${n % 2 ? 'Blue' : 'Red'} gadget ${n}`,
      kind: kinds[n % 2],
      price: n + 0.5,
      made_on: '2026-02-03',
      ...(n > 1 ? { parent_gadget: 'g1' } : {}),
      secret_note: 'x',
      story: 'long '.repeat(n * 40),
      extra: { n },
    })
  json('POST', '/v1/gadgets', admin, { code: 'café', title: 'Coffee' })
  json('POST', '/v1/gadgets', admin, { code: 'a/b', title: 'Slash' })
  json('POST', '/v1/gadgets', admin, { code: '%', title: 'Percent' })
  json('POST', '/v1/parcels', admin, { receiver: 'Ann', items: [{ gadget: 'g1', qty: 2 }] })
  json('POST', '/v1/parcels', admin, { receiver: 'Ben', items: [{ gadget: 'g2', qty: 1 }] })
}

/** One of each operation by every caller: reads, what they may not, and what is not there. */
function everyCaller(callers: Callers, add: Add): void {
  for (const [name, who] of Object.entries(callers)) {
    const code = `by-${name}`
    add('GET', '/v1/gadgets?limit=1', who)
    add('GET', '/v1/gadgets/g1', who)
    add('GET', '/v1/gadgets/none?_can=1', who)
    add('GET', '/v1/turbines', who)
    add('GET', '/v1/nonsense', who)
    add('GET', '/v1/gadgets?nothing=1', who)
    add('POST', '/v1/gadgets', [...who, JSON_TYPE], JSON.stringify({ code, title: name }))
    add('POST', '/v1/gadgets?_preview=1', [...who, JSON_TYPE], '{"code":"p1","title":"p"}')
    add('POST', '/v1/nonsense', [...who, JSON_TYPE], '{')
    add('PATCH', `/v1/gadgets/${code}`, [...who, JSON_TYPE], '{"stock":3}')
    add('PATCH', '/v1/gadgets/none', [...who, JSON_TYPE], '{"stock":3}')
    add('POST', '/v1/parcels', [...who, JSON_TYPE], '{"receiver":"Cy"}')
    for (const verb of ['submit', 'cancel', 'amend', 'update-submitted', 'actions/none'])
      add('POST', `/v1/parcels/PAR-00009/${verb}`, [...who, JSON_TYPE], '{}')
    add('POST', '/v1/gadgets', [...who, 'Content-Type: text/plain', 'Idempotency-Key: '], 'x')
    add('OPTIONS', '/v1/gadgets', who)
    add('DELETE', '/v1/gadgets/none', who)
  }
}

function methods(admin: readonly string[], add: Add): void {
  const paths = ['/v1/gadgets', '/v1/gadgets/g1', '/v1/parcels/PAR-00001/submit', '/v1/nonsense']
  for (const path of [...paths, '/v1/gadgets/g1/actions/none'])
    for (const method of ['HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE', 'SEARCH'])
      if (method !== 'DELETE' || !path.endsWith('g1')) add(method, path, admin)
  for (const path of paths) {
    add('PATCH', path === '/v1/gadgets/g1' ? '/v1/gadgets/none' : path, admin)
    add('POST', path === '/v1/parcels/PAR-00001/submit' ? '/v1/gadgets/g1/submit' : path, admin)
    const preflight = ['Access-Control-Request-Method: PATCH']
    add('OPTIONS', path, ['Origin: https://desk.example', ...preflight])
    add('OPTIONS', path, ['Origin: https://evil.example', ...preflight])
  }
}

/** Changes that are made, those that are only tried, and those of an older state. */
function changes(admin: readonly string[], add: Add): void {
  const parcel = '/v1/parcels/PAR-00001'
  const patch = [...admin, JSON_TYPE]
  add('PATCH', '/v1/gadgets/g3', patch, '{"title":"Green gadget"}')
  add('PATCH', '/v1/gadgets/g3', [...patch, 'If-Match: "nothing"'], '{"title":"x"}')
  add('PATCH', '/v1/gadgets/g3', [...patch, 'If-Match: *'], '{"title":"y"}')
  add('PATCH', '/v1/gadgets/g3?_preview=1', patch, '{"title":"z"}')
  add('PATCH', '/v1/gadgets/g3?_preview=1', patch, '{"price":-5}')
  add('PATCH', '/v1/gadgets/g3?_preview=1', [...patch, 'Accept-Language: de'], '{"price":-5}')
  add('PATCH', '/v1/gadgets/g3?_preview=2', patch, '{"title":"z"}')
  add('PATCH', '/v1/gadgets/g3?_Preview=1', patch, '{"title":"z"}')
  add('PATCH', '/v1/gadgets/g3', patch, '{"code":"other"}')
  add('PATCH', '/v1/gadgets/g3', patch, '{}')
  add('PATCH', '/v1/gadgets/caf%C3%A9', patch, '{"stock":1}')
  add('PATCH', '/v1/gadgets/g3', [...patch, 'Accept-Encoding: gzip'], '{"title":"gzip"}')
  add('POST', `${parcel}/submit?_preview=1`, patch, '{}')
  add('POST', `${parcel}/submit`, patch, '{"extra":1}')
  add('POST', `${parcel}/submit`, admin)
  add('POST', `${parcel}/submit`, admin)
  add('POST', `${parcel}/update-submitted`, patch, '{"receiver":"x"}')
  add('PATCH', parcel, patch, '{"receiver":"x"}')
  add('GET', `${parcel}?_can=1`, [...admin, 'Accept-Language: de'])
  add('GET', `${parcel}?_can=1`, admin)
  add('POST', `${parcel}/cancel`, admin)
  add('POST', `${parcel}/amend`, patch, '{}')
  add('POST', `${parcel}/amend`, patch, '{}')
  add('POST', '/v1/parcels/PAR-00002/actions/none', patch, '{}')
  add('GET', parcel, admin)
  add('GET', '/v1/parcels?fields=items', admin)
}

/** Requests that come again under the same key, and keys that are wrong. */
function repeats(callers: Callers, add: Add): void {
  const { admin = [], write = [], read = [] } = callers
  const keyed = (key: string): string[] => [JSON_TYPE, `Idempotency-Key: ${key}`]
  const body = '{"code":"once","title":"Once"}'
  for (const who of [admin, admin, write, read])
    add('POST', '/v1/gadgets', [...who, ...keyed('k1')], body)
  add('POST', '/v1/gadgets', [...admin, ...keyed('k1')], '{"title":"Once","code":"once"}')
  add('POST', '/v1/gadgets', [...admin, ...keyed('k1')], '{"code":"other"}')
  add('POST', '/v1/gadgets?_preview=0', [...admin, ...keyed('k1')], body)
  add('POST', '/v1/gadgets?_preview=1', [...admin, ...keyed('k1')], body)
  add('POST', '/v1/gadgets', [...admin, ...keyed('"k1"')], body)
  for (const key of ['with space', '', 'ä', 'x'.repeat(256)])
    add('POST', '/v1/gadgets', [...admin, ...keyed(key)], body)
  add('POST', '/v1/gadgets', [...admin, ...keyed('a'), 'Idempotency-Key: b'], body)
  for (let n = 0; n < 2; n += 1) {
    add('PATCH', '/v1/gadgets/g4', [...admin, ...keyed('k2')], '{"stock":4}')
    add('POST', '/v1/parcels/PAR-00002/submit', [...admin, 'Idempotency-Key: k3'])
    add('POST', '/v1/gadgets', [...admin, ...keyed('k4')], '{"code":"g1","title":"taken"}')
  }
}

/** What is said about the protocol itself. */
function versions(admin: readonly string[], add: Add): void {
  for (const path of ['/v1/gadgets/g1', '/v1/gadgets?limit=2', '/v1/gadgets/none'])
    add('GET', path, admin, undefined, { version: '1.0' })
  add('GET', '/v1/gadgets/g1', admin, undefined, { headers: admin })
  add('GET', '/v1/gadgets/g1', admin, undefined, { headers: admin, version: '1.0' })
  add('GET', '/v1/gadgets/g1', ['Host: other.test', ...admin])
  add('GET', `/v1/gadgets/${'y'.repeat(20_000)}`, admin)
  add('GET', `/v1/gadgets?${Array.from({ length: 201 }, (_, n) => `a${n}=1`).join('&')}`, admin)
}

/** More than an address may send without a key, and what who has one is told meanwhile. */
function bursts({ unknown = [], admin = [] }: Callers, add: Add): void {
  for (let n = 0; n < 62; n += 1)
    add('GET', '/v1/gadgets/g1', unknown, undefined, { isOfBurst: true })
  add('POST', '/v1/gadgets', [...unknown, JSON_TYPE], '{', { isOfBurst: true })
  add('GET', '/v1/gadgets/g1', admin, undefined, { isOfBurst: true })
}

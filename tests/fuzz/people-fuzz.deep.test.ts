import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { forEachDatabase } from '../helpers/databases.ts'
import { rounds, seedsOf } from '../helpers/random.ts'
import { addPerson, cookieOf } from '../server/auth/people.ts'
import { picture } from '../server/files/pictures.ts'
import { INVOICE, openPaperShop, type PaperShop } from '../server/print/paper-shop.ts'
import { bearer } from '../server/test-app.ts'
import { hostileText, pathPart, rawValue } from './hostile.ts'

const SEEDS = seedsOf(import.meta.filename, [20_260_301])
/** So many that every status is among their answers. */
const REQUESTS = Math.max(1_500, rounds(300))

/** What people and agents ask beside records: method, path, the fields of its body or form, its parameters. */
const ROUTES = `
GET /v1/boot
GET /v1/search ? q limit resources
GET /v1/sales-invoices ? _count_by _sum sort order _titles cursor limit q customer__like grand_total__between
GET /v1/sales-invoices/ID ? _can expand fields
GET /v1/resources/SLUG ? for _locked
GET /v1/sales-invoices/ID/explain/FIELD ? cursor limit
GET /v1/sales-invoices/ID/timeline ? cursor limit
POST /v1/sales-invoices/ID/comments : text
POST /v1/sales-invoices/ID/assign : to description due
POST /v1/sales-invoices/ID/links : expires
POST /v1/sales-invoices/ID/send : to cc subject message template attach link
POST /v1/sales-invoices/ID/update-submitted : remarks
POST /v1/sales-invoices ? _preview : customer items taxes posting_date _preview
POST /v1/sales-invoices/ID/cancel ? _preview : reverse_date
PATCH /v1/customers/CUST-00001 ? _preview : customer_name tax_id language
POST /v1/customers/_bulk : ids do data
GET /v1/jobs ? limit cursor state
GET /v1/jobs/ANY
POST /v1/jobs/ANY/stop
GET /v1/imports/ANY/failed.csv
POST /v1/imports/ANY/undo
GET /v1/notifications ? unread limit cursor offset
POST /v1/notifications/read : ids all
GET /v1/list-views ? resource limit
POST /v1/list-views : resource title query columns layout shared_with is_default
PATCH /v1/list-views/ANY : title query columns
DELETE /v1/list-views/ANY
GET /v1/studio
GET /v1/studio/SLUG
POST /v1/studio/trial : doctype definition text module_label
POST /v1/studio/save : doctype definition text hash accept_losses
POST /v1/studio/undo : doctype
GET /v1/me/settings/ANY
PUT /v1/me/settings/ANY : a b
DELETE /v1/me/settings/ANY
DELETE /v1/links/ANY
GET /v1/events ? limit cursor event
GET /p/TOKEN ? lang paper format asked
GET /files/FILE ? size
GET /private/files/FILE ? size
GET /print/sales-invoices/ID ? lang paper format
FORM /p/TOKEN : name text
UPLOAD /v1/files : resource id field is_private folder file
UPLOAD /v1/imports : resource mapping dry_run file
`
  .trim()
  .split('\n')
  .map((line) => {
    const [head = '', fields = ''] = line.split(' : ')
    const [route = '', parameters = ''] = head.split(' ? ')
    const [method = '', path = ''] = route.split(' ')
    return { method, path, parameters: wordsOf(parameters), fields: wordsOf(fields) }
  })

type Route = (typeof ROUTES)[number]

function wordsOf(text: string): readonly string[] {
  return text.split(' ').filter(Boolean)
}

/** Values that get far: what these fields take. */
const USUAL: Readonly<Record<string, readonly string[]>> = {
  to: ['["ann@example.com"]', '"a@example.com"', '["a@example.com"]'],
  cc: ['"b@example.com"'],
  subject: ['"About it"'],
  link: ['false', 'true'],
  attach: ['[]', '["pdf"]'],
  text: ['"@ann look"', '"a question"'],
  resource: ['"sales-invoices"', '"customers"', '"files"'],
  id: ['"CUST-00001"'],
  title: ['"Mine"'],
  query: ['"status=Overdue"', '"sort=-grand_total&limit=5"'],
  columns: ['[{"field":"customer","width":120}]'],
  layout: ['"table"', '"board"'],
  ids: ['["CUST-00001"]', '["CUST-00001","NONE"]'],
  do: ['"update"', '"submit"', '"delete"', '"action"'],
  data: ['{"tax_id":"x"}'],
  customer: ['"CUST-00001"'],
  items: ['[{"item_code":"LAMP","qty":1,"rate":2}]', '[{}]'],
  _preview: ['1'],
  _count_by: ['status', 'due_date:month'],
  _sum: ['grand_total'],
  for: ['write'],
  format: ['pdf'],
  size: ['thumb'],
  lang: ['de'],
  q: ['whale'],
  mapping: ['"{}"', '"{\\"Name\\":\\"customer_name\\"}"'],
  dry_run: ['"1"'],
  shared_with: ['null'],
  is_default: ['false'],
  description: ['"call"'],
  due: ['"2026-04-01"'],
  due_date: ['"2026-05-01"'],
  reverse_date: ['"today"'],
  expires: ['null'],
  all: ['true'],
  filter: ['null'],
  action: ['null'],
  template: ['null'],
}

interface Sent {
  readonly route: Route
  readonly path: string
  readonly body: readonly (readonly [string, string])[]
  readonly isRaw: string | undefined
  readonly who: 'admin' | 'draft' | 'read' | 'person' | 'guest'
  readonly range: string
  readonly file: number
}

const madeOf = (name: string, isText: boolean) =>
  fc.oneof(
    {
      weight: 5,
      arbitrary: fc.constantFrom(...(USUAL[name] ?? (isText ? ['1', 'x'] : ['"x"', '1']))),
    },
    { weight: 3, arbitrary: isText ? hostileText : rawValue },
  )

function arbitraryOf(known: Readonly<Record<string, readonly string[]>>): fc.Arbitrary<Sent> {
  return fc.constantFrom(...ROUTES).chain((route) => {
    const places = fc.record(
      Object.fromEntries(
        Object.entries(known).map(([name, values]) => [
          name,
          fc.oneof({ weight: 5, arbitrary: fc.constantFrom(...values) }, pathPart),
        ]),
      ),
    )
    const told = (names: readonly string[], isText: boolean) =>
      fc.tuple(
        ...names.map((name) =>
          madeOf(name, isText).map((value) => [name, value] as [string, string]),
        ),
      )
    const usual = (names: readonly string[]): [string, string][] =>
      names.map((name) => [name, USUAL[name]?.[0] ?? '"x"'])
    // All that is taken, one of it or none hostile; or some of it, whatever it is.
    const some = (names: readonly string[], isText: boolean): fc.Arbitrary<[string, string][]> =>
      names.length === 0
        ? fc.constant([])
        : fc.oneof(
            ...(isText ? [] : [fc.constant(usual(names))]),
            fc
              .subarray([...names], { maxLength: 1 })
              .chain((one) =>
                told(one, isText).map((given) =>
                  isText ? given : [...new Map([...usual(names), ...given])],
                ),
              ),
            fc.subarray([...names]).chain((chosen) => told(chosen, isText)),
          )
    return fc
      .record({
        places,
        query: some(route.parameters, true),
        body: some(route.fields, false),
        isRaw: fc.option(rawValue, { nil: undefined, freq: 8 }),
        who: fc.constantFrom<Sent['who']>(
          'admin',
          'admin',
          'person',
          'person',
          'draft',
          'read',
          'guest',
        ),
        range: fc.constantFrom('', 'bytes=0-3', 'bytes=-5', 'bytes=9-2', 'bytes=0-1,3-4', 'x=1'),
        file: fc.nat(5),
      })
      .map(({ places: at, query, ...rest }): Sent => {
        const path = route.path.replace(/[A-Z]{2,}\b(?!-)/g, (word) => at[word] ?? word)
        const search = (query as [string, string][])
          .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
          .join('&')
        return { ...rest, route, path: search === '' ? path : `${path}?${search}` } as Sent
      })
  })
}

const FILES: readonly (readonly [string, Buffer])[] = [
  ['a.txt', Buffer.from('text')],
  ['a.png', picture()],
  ['customers.csv', Buffer.from('customer_name\nA\n"B')],
  ['..\\..\\x.svg', Buffer.from('<svg onload="alert(1)"/>')],
  ['empty', Buffer.alloc(0)],
  ['bomb.png', picture([1, 2, 3], 1, 1).fill(0xff, 16, 24)],
]

forEachDatabase('what people ask for', ({ test, create }) => {
  let shop: PaperShop
  let server: Server
  let cookie: string
  let known: Readonly<Record<string, readonly string[]>>

  test.before(async () => {
    shop = await openPaperShop(await create())
    const { api } = shop
    const invoice = await shop.make('sales-invoices', INVOICE, true)
    const draft = await shop.make('sales-invoices', INVOICE)
    const ann = await addPerson(api.engine, 'ann@example.com', [
      'Accounts Manager',
      'Sales Manager',
    ])
    cookie = (await cookieOf(api.engine, ann)).cookie
    server = createServer(api.app).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const link = (await (
      await ask(`/v1/sales-invoices/${invoice}/links`, { method: 'POST', body: '{}' })
    ).json()) as { url: string; id: string }
    const form = new FormData()
    form.append('file', new Blob([new Uint8Array(picture())]), 'p.png')
    const file = (await (
      await ask('/v1/files', { method: 'POST', body: form, headers: {} })
    ).json()) as { file_url: string }
    const job = (await (
      await ask('/v1/customers/_bulk', {
        method: 'POST',
        body: JSON.stringify({ ids: ['CUST-00001'], do: 'update', data: { tax_id: 'y' } }),
      })
    ).json()) as { job: { id: string } }
    known = {
      ID: [invoice, draft],
      SLUG: ['sales-invoices', 'customers', 'users'],
      FIELD: ['grand_total', 'outstanding_amount', 'items[0].amount', 'status'],
      ANY: [job.job.id, link.id, 'nothing'],
      TOKEN: [new URL(link.url).pathname.slice('/p/'.length)],
      FILE: [file.file_url.replace(/^\/(private\/)?files\//, '')],
    }
  })
  test.after(async () => {
    server.closeAllConnections()
    server.close()
    await shop.api.close()
  })

  function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const { port } = server.address() as AddressInfo
    const headers = {
      authorization: bearer(shop.api.keys.admin),
      ...(init.headers ?? { 'content-type': 'application/json' }),
    }
    return fetch(`http://127.0.0.1:${port}${path}`, { redirect: 'manual', ...init, headers })
  }

  function send({ route, path, body, isRaw, who, range, file }: Sent): Promise<Response> {
    const { port } = server.address() as AddressInfo
    const { keys } = shop.api
    const headers: Record<string, string> = { ...(range === '' ? {} : { range }) }
    if (who === 'person') headers.cookie = cookie
    else if (who !== 'guest') headers.authorization = bearer(keys[who])
    const url = `http://127.0.0.1:${port}${path}`
    const { method } = route
    if (method === 'GET' || method === 'DELETE')
      return fetch(url, { method, headers, redirect: 'manual' })
    if (method === 'FORM') {
      const form = new URLSearchParams(Object.fromEntries(body))
      return fetch(url, { method: 'POST', headers, body: form, redirect: 'manual' })
    }
    if (method === 'UPLOAD') {
      const form = new FormData()
      const plain = (value: string) => value.replace(/^"|"$/g, '')
      for (const [name, value] of body) if (name !== 'file') form.append(name, plain(value))
      const [name, content] = FILES[file % FILES.length]!
      if (body.some(([field]) => field === 'file'))
        form.append('file', new Blob([new Uint8Array(content)]), name)
      return fetch(url, { method: 'POST', headers, body: form })
    }
    headers['content-type'] = 'application/json'
    const json = `{${body.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`
    return fetch(url, { method, headers, body: isRaw ?? json, redirect: 'manual' })
  }

  test('nor is any with an id that no database takes', async () => {
    const failed: string[] = []
    for (const id of ['%00', 'a%00b', '%ed%a0%80', '%ff', 'x'.repeat(4000), '..%2f..%2fx'])
      for (const route of ROUTES.filter(({ path }) => /ANY|ID|TOKEN|FILE/.test(path))) {
        const path = route.path.replace(/ANY|ID|TOKEN|FILE|FIELD|SLUG/g, id)
        for (const who of ['admin', 'person'] as const) {
          const body = route.fields.map((name) => [name, USUAL[name]?.[0] ?? '"x"'] as const)
          const answer = await send({
            route,
            path,
            body,
            isRaw: undefined,
            who,
            range: '',
            file: 0,
          })
          const text = await answer.text()
          if (answer.status >= 500)
            failed.push(`${route.method} ${path.slice(0, 60)}: ${answer.status} ${text}`)
        }
      }
    assert.equal(failed, [])
  })

  for (const seed of SEEDS)
    test(`of ${REQUESTS} hostile requests none is answered 500 (seed ${seed})`, async () => {
      const statuses = new Map<number, number>()
      const failures: string[] = []
      const reached = new Set<string>()
      for (const sent of fc.sample(arbitraryOf(known), { seed, numRuns: REQUESTS })) {
        // Failed keys are limited by the minute; a session is to live through all of it.
        shop.api.clock.advance(2000)
        const answer = await send(sent)
        const text = await answer.text()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        if (answer.status < 400) reached.add(`${sent.route.method} ${sent.route.path}`)
        const isLeak = /\n\s+at |node_modules|\.ts:\d|SQLITE_|syntax error/i.test(text)
        if ((answer.status >= 500 && answer.status !== 503) || (answer.status >= 400 && isLeak)) {
          const what = JSON.stringify({ ...sent, isRaw: sent.isRaw?.slice(0, 300) }).slice(0, 900)
          failures.push(`${answer.status} ${text.slice(0, 300)} ${what}`)
        }
      }
      await shop.api.runJobs()
      assert.equal(failures.slice(0, 5), [], `${failures.length} failures`)
      const never = ROUTES.map(({ method, path }) => `${method} ${path}`).filter(
        (route) => !reached.has(route),
      )
      console.log(JSON.stringify([...statuses]), 'never answered with success:', never.join(', '))
      for (const status of [200, 201, 202, 400, 401, 403, 404, 422])
        assert.ok(statuses.has(status), `no ${status}`)
      assert.is(({} as Record<string, unknown>).a, undefined)
    })
})

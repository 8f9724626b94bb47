import { createConfig, lintFromString } from '@redocly/openapi-core'
import { sql } from 'kysely'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openWatched, type Reply, type Watched } from '../security/workspace.ts'
import { addPerson, cookieOf } from '../server/auth/people.ts'

const DOCTYPES = {
  region: `
doctype: Region
module: crm
tier: free
naming: prompt
tree: parent_region
fields:
  parent_region: {type: link, options: Region}
  chief: {type: data}
permissions:
  roles:
    Seller: [read]
    Boss: [all]
`,
  deal: `
doctype: Deal
module: crm
tier: free
naming: DEAL-{###}
fields:
  region: {type: link, options: Region}
  amount: {type: currency, min: 0}
  won_on: {type: date}
  note: {type: data}
permissions:
  roles:
    Seller: [read, create, report]
    Broker: [read, report]
    Clerk: [read]
    Boss: [all]
  rows:
    Seller: owner == user.name
`,
  'reports/deal-sums': `
report: Deal Sums
module: crm
description: What deals bring, by region.
params:
  region: {type: link, options: Region}
  least: {type: currency, default: 0}
from: Deal
where: amount >= param.least
filter: [region]
columns:
  region: {}
  chief: {value: region.chief}
  deals: {count: true}
  amount: {sum: amount}
  half: {formula: amount / 2, type: currency, hidden: true}
order: [region]
totals: [deals, amount]
`,
  'reports/deal-notes': `
report: Deal Notes
module: crm
description: What is noted.
roles: [Boss]
from: Deal
columns:
  deal: {value: name, type: link, options: Deal}
  note: {}
  amount: {}
order: [deal]
`,
  'reports/deal-lists': `
report: Deal Lists
module: crm
description: What deals bring by month, and which are won and large.
roles: [Boss]
params:
  from_date: {type: date, default: '"2026-01-01"'}
  to_date: {type: date, default: '"2026-02-28"'}
  region: {type: link, options: Region}
periods: {from: from_date, to: to_date, every: Monthly}
with:
  won:
    from: Deal
    where: won_on >= param.from_date && won_on <= param.to_date && !(note == "skip")
    filter: [region]
    columns: {region: {}, won_on: {}, note: {}, amount: {sum: amount}}
from: won
columns:
  region: {}
  amount: {sum: amount, in_period: won_on}
  all: {sum: amount}
  alike: {formula: all, type: currency}
  half: {formula: all / 2, type: currency}
order: [region]
totals: [amount, all, alike, half]
`,
  'reports/deal-counts': `
report: Deal Counts
module: crm
description: How many deals there are, large and not, of the last days.
roles: [Boss]
from: Deal
where: date(created) >= today() && date(created) <= today()
columns:
  region: {}
  deals: {count: true}
  large: {sum: 'amount >= 10 && won_on != "" ? 1 : 0', type: int}
  rest: {sum: 'amount >= 10 ? 0 : -amount', type: currency}
  either: {sum: 'amount >= 10 || won_on == "" ? amount : 0', type: currency}
order: [region]
totals: [deals, large, rest, either]
`,
  'reports/deal-parts': `
report: Deal Parts
module: crm
description: A third of each deal, and what many of them would bring.
roles: [Boss]
from: Deal
columns:
  third: {value: amount / 3, type: currency}
  many: {value: 'amount * 400000000.000005', type: currency}
order: [third]
`,
}

const test = suite('reports over HTTP')

let watched: Watched
const cookies = new Map<string, string>()

test.before(async () => {
  watched = await openWatched({ doctypes: DOCTYPES, tier: 'business' })
  for (const role of ['Seller', 'Clerk', 'Broker', 'Boss']) {
    const person = await addPerson(watched.app.engine, `${role.toLowerCase()}@example.com`, [role])
    cookies.set(role, (await cookieOf(watched.app.engine, person)).cookie)
  }
  await made('Boss', 'regions', { name: 'World', chief: 'Wanda' })
  await made('Boss', 'regions', { name: 'North', parent_region: 'World', chief: 'Nora' })
  await made('Boss', 'deals', { region: 'World', amount: 10.5, note: '=1+1' })
  await made('Boss', 'deals', { region: 'North', amount: 20 })
  await made('Seller', 'deals', { region: 'North', amount: 4, note: 'mine, "quoted"' })
})
test.after(() => watched?.close())

/** What a list comes to: the sum of a column's link in a row, or over all of them. */
async function listed(column: Column, row?: Readonly<Record<string, unknown>>): Promise<number> {
  const { resource, filter, by = {}, sums } = column.link!
  const of = row
    ? Object.entries(by).map(
        ([field, name]) => `${field}=${encodeURIComponent(String(row[name] ?? ''))}`,
      )
    : []
  const query = [filter, ...of].filter(Boolean).join('&')
  if (!sums) return parsed(await as('Boss', `/v1/${resource}?${query}`)).meta.total
  const answer = parsed(await as('Boss', `/v1/${resource}?${query}&_sum=${Object.keys(sums)}`))
  return Object.entries(sums).reduce((all, [field, by]) => all + by * answer.sums[field], 0)
}

interface Column {
  readonly name: string
  readonly link?: {
    readonly resource: string
    readonly filter: string
    readonly by?: Readonly<Record<string, string>>
    readonly sums?: Readonly<Record<string, number>>
  }
}

const as = (
  role: string,
  path: string,
  method = 'GET',
  body?: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> =>
  watched.send(method, path, { headers: { cookie: cookies.get(role)!, ...headers }, body })

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape.
const parsed = ({ text }: Reply): any => JSON.parse(text)

async function made(role: string, slug: string, body: object): Promise<void> {
  const reply = await as(role, `/v1/${slug}`, 'POST', body)
  assert.is(reply.status, 201, reply.text)
}

async function answered(role: string, path: string) {
  const reply = await as(role, path)
  assert.is(reply.status, 200, reply.text)
  return parsed(reply)
}

test('round quotients and products of any size once', async () => {
  // Beside the billions: 4, 10.5 and 20 * 0.000005 are 0.00002, 0.0000525 and 0.0001.
  const { data } = await answered('Boss', '/v1/reports/deal-parts')
  assert.equal(data, [
    { third: 1.3333, many: 1_600_000_000 },
    { third: 3.5, many: 4_200_000_000.0001 },
    { third: 6.6667, many: 8_000_000_000.0001 },
  ])
})

test('have rows, totals, columns with types, and pages', async () => {
  const { columns, data, totals, meta } = await answered('Boss', '/v1/reports/deal-sums')
  assert.equal(columns, [
    { name: 'region', label: 'Region', type: 'link', options: 'Region' },
    { name: 'chief', label: 'Chief', type: 'data' },
    { name: 'deals', label: 'Deals', type: 'int' },
    { name: 'amount', label: 'Amount', type: 'currency' },
  ])
  // 20 + 4 in the north
  assert.equal(data, [
    { region: 'North', chief: 'Nora', deals: 2, amount: 24 },
    { region: 'World', chief: 'Wanda', deals: 1, amount: 10.5 },
  ])
  assert.equal(totals, { deals: 3, amount: 34.5 })
  assert.equal(meta, { total: 2, limit: 100, offset: 0, params: { region: null, least: 0 } })
  const page = await answered('Boss', '/v1/reports/deal-sums?limit=1&offset=1&order_by=-amount')
  assert.equal([page.data[0].region, page.meta.total, page.totals.amount], ['World', 2, 34.5])
  const beyond = await answered('Boss', '/v1/reports/deal-sums?offset=9')
  assert.equal([beyond.data, beyond.meta.total, beyond.totals.amount], [[], 2, 34.5])
})

test('a parameter of a tree means everything below it', async () => {
  const of = async (region: string) =>
    (await answered('Boss', `/v1/reports/deal-sums?region=${region}`)).totals
  assert.equal(await of('World'), { deals: 3, amount: 34.5 })
  assert.equal(await of('North'), { deals: 2, amount: 24 })
})

test('show each reader only the records of theirs', async () => {
  assert.equal((await answered('Seller', '/v1/reports/deal-sums')).data, [
    { region: 'North', chief: 'Nora', deals: 1, amount: 4 },
  ])
})

test('are for those who may report on what they read, or have a role of theirs', async () => {
  assert.is((await as('Clerk', '/v1/reports/deal-sums')).status, 403)
  const refused = await as('Seller', '/v1/reports/deal-notes')
  assert.is(refused.status, 403)
  assert.match(refused.text, /Boss/)
  assert.is((await watched.send('GET', '/v1/reports/deal-sums')).status, 401)
  const seen = async (role: string) =>
    (await answered(role, '/v1/reports')).data
      .filter(({ slug }: { slug: string }) => slug.startsWith('deal-'))
      .map(({ slug, allowed }: { slug: string; allowed: boolean }) => [slug, allowed])
  assert.equal(await seen('Boss'), [
    ['deal-counts', true],
    ['deal-lists', true],
    ['deal-notes', true],
    ['deal-parts', true],
    ['deal-sums', true],
  ])
  assert.equal(await seen('Seller'), [['deal-sums', true]])
})

test('are refused to who may not read what they look at through a link', async () => {
  const refused = await as('Broker', '/v1/reports/deal-sums')
  assert.is(refused.status, 403, refused.text)
  assert.not.match(refused.text, /Wanda|Nora/)
  const slugs = (await answered('Broker', '/v1/reports')).data.map(
    ({ slug }: { slug: string }) => slug,
  )
  assert.not.ok(slugs.includes('deal-sums'))
})

test('tell what is wrong with a request', async () => {
  const wrong = async (query: string, ...fields: string[]) => {
    const reply = await as('Boss', `/v1/reports/deal-sums?${query}`)
    assert.is(reply.status, 422, `${query}: ${reply.text}`)
    const { details } = parsed(reply).error
    assert.equal(
      details.map(({ field }: { field: string }) => field).sort(),
      fields.sort(),
      reply.text,
    )
  }
  await wrong('least=much&regoin=North', 'least', 'regoin')
  await wrong('region=Nowhere', 'region')
  await wrong('region=North&region=World', 'region')
  await wrong('limit=0&offset=-1', 'limit', 'offset')
  await wrong('limit=5001', 'limit')
  await wrong('order_by=colour', 'order_by')
  await wrong(`region=${encodeURIComponent("x' or 1=1 --")}`, 'region')
  const lost = await as('Boss', '/v1/reports/deal-sum')
  assert.is(lost.status, 404)
  assert.match(lost.text, /did you mean \\"deal-sums\\"/)
  assert.is((await as('Boss', '/v1/reports/deal-sums', 'POST', {})).status, 405)
})

test('are CSV for who asks for that, and a spreadsheet finds no formula in it', async () => {
  const csv = await as('Boss', '/v1/reports/deal-notes', 'GET', undefined, { accept: 'text/csv' })
  assert.is(
    csv.text,
    [
      'Deal,Note,Amount',
      "DEAL-001,'=1+1,10.5",
      'DEAL-002,,20',
      'DEAL-003,"mine, ""quoted""",4',
      '',
    ].join('\r\n'),
  )
  const told = await watched.send('GET', '/v1/events?event=security.exported', {
    headers: { 'x-api-key': watched.app.keys.admin },
  })
  const [{ record_id, data }] = JSON.parse(told.text).data
  assert.equal([record_id, data.format], ['deal-notes', 'csv'])
  const sums = await as('Boss', '/v1/reports/deal-sums', 'GET', undefined, { accept: 'text/csv' })
  assert.match(sums.text, 'Total,,3,34.5')
})

test("answer Frappe's clients as they know it", async () => {
  const filters = encodeURIComponent(JSON.stringify({ region: 'North', least: 5 }))
  const path = '/api/method/frappe.desk.query_report.run?report_name=Deal%20Sums&filters='
  const { message } = await answered('Boss', path + filters)
  assert.equal(message.columns[0], {
    fieldname: 'region',
    label: 'Region',
    fieldtype: 'Link',
    options: 'Region',
    width: 120,
  })
  assert.equal(message.result, [
    { region: 'North', chief: 'Nora', deals: 1, amount: 20 },
    { deals: 1, amount: 20 },
  ])
  assert.is((await as('Clerk', path + filters)).status, 403)
  assert.is(
    (await as('Boss', '/api/method/frappe.desk.query_report.run?report_name=X')).status,
    404,
  )
})

test('stand in the description of the API with their parameters, which is valid', async () => {
  const { text } = await watched.send('GET', '/v1/openapi.json')
  assert.ok(Buffer.byteLength(text) < 3_000_000, `${Buffer.byteLength(text)} bytes`)
  const document = JSON.parse(text)
  const { parameters } = document.paths['/v1/reports/deal-sums'].get
  assert.equal(
    parameters.map(({ name, $ref }: { name?: string; $ref?: string }) => name ?? $ref),
    [
      ...['region', 'least'],
      ...['reportLimit', 'reportOffset', 'csvTotals', 'csvMark'].map(
        (name) => `#/components/parameters/${name}`,
      ),
      'order_by',
    ],
  )
  const config = await createConfig({ extends: ['recommended'] })
  const problems = await lintFromString({ source: JSON.stringify(reportsOnly(document)), config })
  assert.equal(
    problems.map(({ message, location }) => `${message} at ${location[0]?.pointer}`),
    [],
  )
})

test('are taken away as a file by who has the right export', async () => {
  const path = '/v1/reports/deal-sums'
  const seller = await as('Seller', path, 'GET', undefined, { accept: 'text/csv' })
  assert.is(seller.status, 403, seller.text)
  assert.match(seller.text, 'may not export Deals; it needs the role Boss or System Manager')
  assert.is((await as('Seller', path)).status, 200)
})

test('and so are more rows of a list than one reads', async () => {
  const many = sql`with recursive n(i) as (select 1 union all select i + 1 from n where i < 4999)
    insert into regions (name) select 'R-' || i || ${'-'.repeat(250)} from n`
  await watched.app.engine.services.database.write((tx) => many.execute(tx))
  const all = '/api/resource/Region?limit_page_length='
  const whole = await as('Boss', `${all}0`)
  assert.is(JSON.parse(whole.text).data.length, 5001)
  // Over a megabyte: it is sent while it is read, and its length is not known before.
  assert.ok(whole.text.length > 1_100_000, `${whole.text.length}`)
  assert.is(whole.headers['content-length'], undefined)
  for (const length of [0, 6000]) {
    const { status, text } = await as('Seller', `${all}${length}`)
    assert.is(status, 403)
    assert.match(text, 'may not export Regions')
  }
  const read = await as('Seller', `${all}5000`)
  assert.is(JSON.parse(read.text).data.length, 5000)
  assert.is(Number(read.headers['content-length']), read.text.length)
  const few = `${all}0&filters=[["chief","!=",""]]`
  assert.is((await as('Seller', encodeURI(few))).status, 200)
})

test('a number names the list it adds up: through named queries, periods, trees and conditions', async () => {
  await made('Boss', 'deals', { region: 'North', amount: 100, won_on: '2026-01-31' })
  await made('Boss', 'deals', { region: 'World', amount: 30, won_on: '2026-02-01', note: 'skip' })
  await made('Boss', 'deals', { region: 'World', amount: 7, won_on: '2026-02-28' })
  for (const [path, linked] of [
    ['deal-lists', ['amount_2026_01', 'amount_2026_02', 'all', 'alike']],
    ['deal-lists?region=World', ['amount_2026_01', 'amount_2026_02', 'all', 'alike']],
    ['deal-counts', ['deals', 'large']],
    ['deal-sums?least=5', ['deals', 'amount']],
  ] as const) {
    const { columns, data, totals } = parsed(await as('Boss', `/v1/reports/${path}`))
    const known = columns.filter(({ link }: Column) => link) as readonly Column[]
    assert.equal(
      known.map(({ name }) => name),
      linked,
      path,
    )
    for (const column of known) {
      const { name } = column
      assert.is(await listed(column), totals[name], `${path} ${name}`)
      for (const row of data) assert.is(await listed(column, row), row[name], `${path} ${name}`)
    }
  }
  const { columns } = parsed(await as('Boss', '/v1/reports/deal-lists?region=World'))
  assert.is(
    columns[1].link.filter,
    'won_on__gte=2026-01-01&won_on__lte=2026-01-31&note__ne=skip&region__in=North%2CWorld',
  )
})

test.run()

type Document = Readonly<Record<'paths' | 'components', object>>

/** The document without the paths of records, which have a test of their own, and what only those name. */
function reportsOnly(document: Document): Document {
  const paths = entriesOf(document.paths, (path) => path.startsWith('/v1/reports'))
  let { components } = document
  for (let size = 0; size !== JSON.stringify(components).length; ) {
    size = JSON.stringify(components).length
    const text = JSON.stringify({ ...document, paths, components })
    components = Object.fromEntries(
      Object.entries(components).map(([kind, named]) => [
        kind,
        kind === 'securitySchemes'
          ? named
          : entriesOf(named, (name) => text.includes(`"#/components/${kind}/${name}"`)),
      ]),
    )
  }
  return { ...document, paths, components }
}

function entriesOf(record: object, isWanted: (name: string) => boolean): object {
  return Object.fromEntries(Object.entries(record).filter(([name]) => isWanted(name)))
}

import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createTestDatabase, kindsWhenDeep } from '../helpers/databases.ts'
import { prepareData } from '../helpers/prepared.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { runHere } from './in-process.ts'
import { type Folder, serve, svc, temporaryFolder } from './process.ts'

const SEEDS = seedsOf(import.meta.filename, [1])

/** A field of each type that a cell can carry, in a record and in the rows of two tables. */
const FIELDS = `
  words: {type: data}
  lines: {type: small_text}
  page: {type: html}
  count: {type: int}
  share: {type: percent}
  rate: {type: float, scale: 9}
  money: {type: currency}
  day: {type: date}
  moment: {type: datetime}
  clock: {type: time}
  span: {type: duration}
  choice: {type: select, options: ["=A", "b c", "Ü,;"]}
  is_on: {type: check}
  thing: {type: json}
  stars: {type: rating}
`
const MODULE = 'module: setup\ntier: free\n'
const DOCTYPES = {
  'specimen.yaml': `doctype: Specimen\n${MODULE}naming: prompt\nfields:${FIELDS}
  first: {type: table, options: Specimen Row}
  second: {type: table, options: Specimen Row}
`,
  'specimen-row.yaml': `doctype: Specimen Row\nchild: true\n${MODULE}fields:${FIELDS}`,
}

const SIGNS = [
  ...['"', '""', "'", ',', ';', '\t', ' ', '=1+1', '+1', '-1', '@x', '|', '\\', '<b>', '_', '.'],
  ...['é', 'e\u0301', '😀', '\u202e', '\ufeff', '\u00a0', '\u2028', '0', '007', '1e5', 'null'],
  ...['true', '2026-01-01', '[', '{', 'name', '\u0001', '#', '$'],
]
const BREAKS = ['\n', '\r\n', '\r']

/** A wire value for each field of FIELDS; unset now and then. */
function valuesOf(random: Random): Record<string, unknown> {
  const text = (signs: readonly string[]): string | null =>
    Array.from({ length: random.below(7) }, () => random.one(signs)).join('') || null
  const digits = (count: number): string =>
    Array.from({ length: count }, () => String(random.below(10))).join('')
  const sign = random.one(['', '-'])
  const two = (limit: number): string => String(random.below(limit)).padStart(2, '0')
  const day = `${random.one(['0001', '1999', '2026', '9999'])}-0${1 + random.below(9)}-${random.one(['01', '28'])}`
  const clock = `${two(24)}:${two(60)}:${two(60)}`
  const all: Record<string, unknown> = {
    words: text(SIGNS),
    lines: text([...SIGNS, ...BREAKS]),
    page: text([...SIGNS, ...BREAKS]),
    count: Number(`${sign}${digits(15)}`),
    share: random.below(100_000_001) / 1e6,
    rate: Number(`${sign}${digits(6)}.${digits(9)}`),
    money: Number(`${sign}${digits(11)}.${digits(4)}`),
    day,
    moment: `${day}T${clock}.${digits(3)}Z`,
    clock,
    span: random.below(1_000_000),
    choice: random.one(['=A', 'b c', 'Ü,;']),
    is_on: random.chance(0.5),
    thing: random.one<unknown>([{ a: text(SIGNS), b: [1, null] }, [], 'a "text"', 0, false, '1']),
    stars: random.below(101) / 100,
  }
  return Object.fromEntries(
    Object.entries(all).map(([name, value]) => [name, random.chance(0.25) ? null : value]),
  )
}

const trip = suite('export and import')
let folder: Folder
let from = ''
/** The DocTypes of all folders: what was checked of them once holds for their path. */
let doctypes: readonly string[] = []
let adminKey = ''

trip.before(async () => {
  folder = temporaryFolder()
  from = join(folder.path, 'from')
  await prepareData(from)
  const own = join(folder.path, 'own')
  mkdirSync(own)
  for (const [name, text] of Object.entries(DOCTYPES)) writeFileSync(join(own, name), text)
  doctypes = ['--doctypes', own]
  const { code, stdout, stderr } = await runHere(['setup', ...inFolder(from).flags, '--json'])
  assert.is(code, 0, stderr)
  adminKey = JSON.parse(stdout).admin_key
})
trip.after(() => folder.remove())

type Exported = Readonly<Record<string, unknown>>

/** A workspace as flags name it, and the environment that goes with it. */
interface Place {
  readonly flags: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

const inFolder = (data: string): Place => ({ flags: ['--data', data, ...doctypes] })

async function exported({ flags, env }: Place, resource: string, format: string): Promise<string> {
  const out = join(folder.path, `${resource}.${format}`)
  const done = await runHere(['export', resource, '--out', out, ...flags], env)
  assert.is(done.code, 0, done.stderr)
  return out
}

/** The records as they are, but for what every workspace makes anew. */
async function recordsOf(place: Place, resource: string): Promise<Exported[]> {
  const text = readFileSync(await exported(place, resource, 'json'), 'utf8')
  return JSON.parse(text, (key, value) =>
    ['created', 'modified', 'row_id'].includes(key) ? undefined : value,
  ) as Exported[]
}

async function imported({ flags, env }: Place, resource: string, file: string, ...args: string[]) {
  const done = await runHere(['import', resource, file, '--json', ...flags, ...args], env)
  assert.is(done.code, 0, `${done.stderr}${done.stdout}`)
  return JSON.parse(done.stdout) as Readonly<Record<string, number>>
}

function freshFolder(name: string): Place {
  const data = join(folder.path, name)
  cpSync(from, data, { recursive: true })
  return inFolder(data)
}

for (const seed of SEEDS)
  trip(
    `gives every value of every type back, rows side by side, in each format (seed ${seed})`,
    async () => {
      const random = randomOf(seed)
      const rows = (): unknown[] => Array.from({ length: random.below(4) }, () => valuesOf(random))
      const records = Array.from({ length: rounds(40) }, (_, at) => ({
        name: `${random.one(['=', '0', 'ä ', '"', ''])}${at}`,
        ...valuesOf(random),
        first: rows(),
        second: rows(),
      }))
      const source = join(folder.path, 'source.jsonl')
      writeFileSync(source, records.map((record) => JSON.stringify(record)).join('\n'))
      const data = freshFolder(`first-${seed}`)
      await imported(data, 'specimens', source)
      const expected = await recordsOf(data, 'specimens')
      assert.is(expected.length, records.length)
      for (const format of ['csv', 'json', 'jsonl']) {
        const fresh = freshFolder(`fresh-${format}-${seed}`)
        const file = await exported(data, 'specimens', format)
        assert.is((await imported(fresh, 'specimens', file)).created, records.length)
        assert.equal(await recordsOf(fresh, 'specimens'), expected)
        assert.is((await imported(data, 'specimens', file, '--upsert')).unchanged, records.length)
        assert.is((await imported(fresh, 'specimens', file, '--upsert')).unchanged, records.length)
      }
    },
  )

/** Orders of these customers and items, so that links and rows are there. */
const CUSTOMERS = ['=SUM(A1)', 'Bäcker "Öl" GmbH', '007'].map((customer_name) => ({
  customer_name,
}))
const ITEMS = ['0815', '-x', 'a.b'].map((item_code) => ({ item_code, item_name: `${item_code};` }))
const ORDERS = ['=SUM(A1)', '007', 'Bäcker "Öl" GmbH'].map((customer, at) => ({
  customer,
  po_no: `00${at}`,
  order_type: at === 1 ? 'Maintenance' : 'Sales',
  items: ITEMS.slice(at).map(({ item_code }, row) => ({
    item_code,
    description: row === 0 ? 'two\r\nlines, "quoted"' : null,
    qty: 1.000001 + row,
    rate: 19.99,
  })),
}))

const KEY = Buffer.alloc(32, 7)

async function* elsewhere(): AsyncGenerator<Place> {
  yield freshFolder('elsewhere')
  if (!kindsWhenDeep().includes('postgres')) return
  const created = await createTestDatabase('postgres')
  try {
    assert.ok(created.database.kind === 'postgres')
    const data = join(folder.path, 'postgres')
    const place = {
      flags: ['--data', data, '--database', created.database.url],
      env: { SVC_SECRET_KEY: KEY.toString('base64') },
    }
    await prepareData(data, created.database)
    const { code, stderr } = await runHere(['setup', ...place.flags], place.env)
    assert.is(code, 0, stderr)
    yield place
  } finally {
    await created.remove()
  }
}

trip(
  'carries documents with rows, links and names of a series into another workspace',
  async () => {
    const first = freshFolder('orders')
    const resources = { customers: CUSTOMERS, items: ITEMS, 'sales-orders': ORDERS }
    for (const [resource, records] of Object.entries(resources)) {
      const source = join(folder.path, 'source.json')
      writeFileSync(source, JSON.stringify(records))
      await imported(first, resource, source)
    }
    const order = (await recordsOf(first, 'sales-orders'))[0]!
    assert.is(order.customer, 'CUST-00001')
    for await (const place of elsewhere()) {
      for (const [resource, { length }] of Object.entries(resources)) {
        const expected = await recordsOf(first, resource)
        const file = await exported(first, resource, 'csv')
        assert.is((await imported(place, resource, file)).created, length)
        assert.equal(await recordsOf(place, resource), expected)
        assert.is((await imported(place, resource, file, '--upsert')).unchanged, length)
      }
    }
  },
)

trip('goes on beside a running server, which tells of the events', async () => {
  const data = join(folder.path, 'served')
  cpSync(from, data, { recursive: true })
  const server = await serve(data, doctypes)
  const get = async (path: string): Promise<{ readonly data: readonly Exported[] }> => {
    const answer = await fetch(`${server.url}${path}`, {
      headers: { authorization: `Bearer ${adminKey}` },
    })
    return (await answer.json()) as { readonly data: readonly Exported[] }
  }
  const source = join(folder.path, 'source.json')
  writeFileSync(source, JSON.stringify(CUSTOMERS))
  assert.is((await svc(['import', 'customers', source, ...inFolder(data).flags])).code, 0)
  const found = await get('/v1/customers?sort=created&order=asc')
  assert.equal(
    found.data.map(({ customer_name }) => customer_name),
    CUSTOMERS.map(({ customer_name }) => customer_name),
  )
  const events = await get('/v1/events?event=customers.created&order=asc')
  assert.equal(
    events.data.map(({ data: record }) => (record as Exported).id),
    found.data.map(({ id }) => id),
  )
  await server.end()
})

trip.run()

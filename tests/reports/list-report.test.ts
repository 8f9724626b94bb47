import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { parse } from 'yaml'
import { forEachDatabase } from '../helpers/databases.ts'
import { randomOf } from '../helpers/random.ts'
import { addPerson, cookieOf } from '../server/auth/people.ts'
import { openTestApp, type TestApp } from '../server/test-app.ts'

const DOCTYPES = {
  hut: `
doctype: Hut
module: assets
tier: free
naming: field:title
fields: {title: {type: data, required: true}}
`,
  stay: `
doctype: Stay
module: assets
tier: free
naming: STAY-{####}
fields:
  hut: {type: link, options: Hut, filterable: true}
  status: {type: select, options: [Asked, 'Booked, paid', "Guest's \\"own\\""], filterable: true}
  first_night: {type: date, filterable: true}
  booked_at: {type: datetime, filterable: true}
  nights: {type: int, filterable: true}
  is_family: {type: check, filterable: true}
  note: {type: data, filterable: true}
  money: {type: link, options: Currency}
  price: {type: currency, currency: money, filterable: true}
  weight: {type: float, filterable: true}
`,
}

const HUTS = ['North', 'South', 'O’Brien "Hut"']
const STATUSES = ['Asked', 'Booked, paid', 'Guest\'s "own"']

/** Conditions by which lists are asked for, each with all that its values may be. */
const FILTERS = [
  ...HUTS.map((hut) => ['hut', hut] as const),
  ['hut', ''],
  ['hut__ne', ''],
  ['hut__in', 'North,South'],
  ['status', 'Guest\'s "own"'],
  ['status__ne', 'Asked'],
  ['status__in', 'Asked,Booked\\, paid'],
  ['first_night__gte', '2026-02-01'],
  ['first_night__between', '2026-01-15,2026-02-15'],
  ['first_night', ''],
  ['booked_at__lt', '2026-02-10T12:00:00.000Z'],
  ['nights__gt', '3'],
  ['nights__in', '1,2,7'],
  ['is_family', 'true'],
  ['is_family', 'false'],
  ['note', '50 % "off"'],
  ['note', ''],
  ['price__lte', '150.5'],
  ['price__ne', '20'],
  ['weight__between', '0.25,2.5'],
] as const
const BY = [
  'hut',
  'status',
  'first_night:month',
  'booked_at:month',
  'is_family',
  'nights',
  'note',
] as const

forEachDatabase('a report of a grouped list', ({ test, fresh }) => {
  let app: TestApp
  const random = randomOf(4711)
  const pick = random.one

  test.before(async () => {
    app = await openTestApp({ database: await fresh(), doctypes: DOCTYPES })
    await post('/v1/currencies', { currency_name: 'EUR' })
    for (const title of HUTS) await post('/v1/huts', { title })
    const maybe = <T>(value: T): T | null => (random.chance(0.15) ? null : value)
    for (let n = 0; n < 80; n += 1)
      await post('/v1/stays', {
        hut: maybe(pick(HUTS)),
        status: maybe(pick(STATUSES)),
        first_night: maybe(`2026-0${1 + (n % 3)}-1${n % 10}`),
        booked_at: maybe(`2026-02-${10 + (n % 15)}T1${n % 10}:00:00.000Z`),
        nights: n % 8,
        is_family: n % 3 === 0,
        note: maybe(pick(['by the lake', 'LAKE', 'hill', '50 % "off"'])),
        money: 'EUR',
        price: n * 7.25,
        weight: (n % 11) * 0.25,
      })
  })
  test.after(() => app.close())

  const post = async (path: string, body: object, status = 201) => {
    const answer = await supertest(app.app).post(path).set('X-API-Key', app.keys.admin).send(body)
    assert.is(answer.status, status, JSON.stringify(answer.body))
    return answer.body
  }
  const get = async (path: string) => {
    const answer = await supertest(app.app).get(path).set('X-API-Key', app.keys.admin)
    assert.is(answer.status, 200, `${path}: ${JSON.stringify(answer.body)}`)
    return answer.body
  }

  test('says what the groups of the list say, whatever it is filtered and grouped by', async () => {
    for (let n = 0; n < 30; n += 1) {
      const filters = new Map(Array.from({ length: random.below(3) }, () => pick(FILTERS)))
      const by = pick(BY)
      const query = new URLSearchParams([
        ...filters,
        ['_count_by', by],
        ['_sum', 'price,weight,nights'],
      ]).toString()
      const list = await get(`/v1/stays?${query}`)
      const tried = await post(
        '/v1/reports?dry_run=1',
        { label: 'Stays', resource: 'stays', query },
        200,
      )
      const [column] = tried.columns
      const told = (tried.data as Record<string, unknown>[]).map((row) => [
        by.endsWith(':month')
          ? String(row[column.name] ?? '').slice(0, 7)
          : (row[column.name] ?? ''),
        row.records,
        row.price,
        row.weight,
        by === 'nights' ? row.nights_sum : row.nights,
      ])
      const listed = (
        list.groups as { value: unknown; count: number; sums: Record<string, number> }[]
      ).map(({ value, count, sums }) => [value ?? '', count, sums.price, sums.weight, sums.nights])
      const sorted = (rows: unknown[][]) => rows.map((row) => JSON.stringify(row)).sort()
      assert.equal(sorted(told), sorted(listed), `${query}\n${tried.yaml}`)
      assert.is(tried.totals.records, list.total)
    }
  })

  test('is saved as a file of the workspace, answers at once, and opens the lists it adds up', async () => {
    const made = await post('/v1/reports', {
      label: 'Nights by Hut',
      resource: 'stays',
      query: 'status__ne=Asked&_count_by=hut&_sum=nights',
      then_by: 'status',
      days: 'first_night',
      chart: 'bar',
    })
    assert.is(made.slug, 'nights-by-hut')
    assert.is(parse(made.yaml).report, 'Nights by Hut')
    const answer = await get('/v1/reports/nights-by-hut?from_date=2026-01-01&to_date=2026-02-28')
    const list = await get(
      '/v1/stays?status__ne=Asked&first_night__between=2026-01-01,2026-02-28&_sum=nights',
    )
    assert.is(answer.totals.records, list.total)
    assert.is(answer.totals.nights, list.sums.nights)
    const column = answer.columns.find(({ name }: { name: string }) => name === 'nights')
    const opened = await get(`/v1/stays?${column.link.filter}&_sum=nights`)
    assert.is(opened.sums.nights, list.sums.nights)
    const again = await post(
      '/v1/reports',
      { label: 'Nights by Hut', resource: 'stays', query: '_count_by=hut' },
      409,
    )
    assert.match(again.error.message, /choose another label/)
  })

  test('is refused with all that is wrong, and only managers make one', async () => {
    const wrong = async (body: object) => (await post('/v1/reports?dry_run=1', body, 422)).error
    const good = { label: 'X', resource: 'stays', query: '_count_by=hut' }
    assert.match((await wrong({ ...good, query: 'hut=North' })).message, /_count_by/)
    assert.match((await wrong({ ...good, query: '_count_by=nothing' })).message, /nothing/)
    assert.match((await wrong({ ...good, query: '_count_by=first_night:year' })).message, /month/)
    assert.match((await wrong({ ...good, query: '_count_by=hut&q=a' })).message, /no q/)
    assert.match((await wrong({ ...good, query: 'note__like=a&_count_by=hut' })).message, /whole/)
    assert.match((await wrong({ ...good, label: '../../x' })).message, /label/)
    assert.match((await wrong({ ...good, label: 'Hütten' })).message, /label/)
    assert.match((await wrong({ ...good, days: 'hut' })).message, /first_night/)
    assert.is((await wrong({ label: 1, resource: 'stays' })).details.length, 2)
    await post('/v1/reports', { ...good, resource: 'nothing' }, 404)
    const person = await addPerson(app.engine, 'clerk@example.com', ['Stock User'])
    const { cookie, token } = (await cookieOf(app.engine, person)) as {
      cookie: string
      token?: string
    }
    const refused = await supertest(app.app)
      .post('/v1/reports')
      .set('Cookie', cookie)
      .set('X-Frappe-CSRF-Token', token ?? '')
      .send(good)
    assert.is(refused.status, 403)
    const key = await supertest(app.app)
      .post('/v1/reports')
      .set('X-API-Key', app.keys.write)
      .send(good)
    assert.is(key.status, 403)
  })

  test('is made in the words of its YAML too; what is wrong with them is told, and keeps no file', async () => {
    const definition = {
      report: 'Longest Stays',
      module: 'assets',
      description: 'The: longest # of "each" hut.',
      from: 'Stay',
      where: 'nights > 0',
      columns: { hut: {}, longest: { max: 'nights', label: 'Longest Stay' } },
      order: ['-longest'],
    }
    const tried = await post('/v1/reports?dry_run=1', { definition }, 200)
    assert.equal(parse(tried.yaml), definition)
    const made = await post('/v1/reports', { definition })
    assert.is(made.slug, 'longest-stays')
    const { data } = await get('/v1/reports/longest-stays')
    const { data: stays } = await get('/v1/stays?limit=100&sort=nights&order=desc')
    assert.is(data[0].longest, stays[0].nights)
    const wrong = async (body: object) =>
      (await post('/v1/reports', body, 422)).error.details as { field: string; message: string }[]
    const other = { ...definition, report: 'Other Stays' }
    const refused = [
      [{ definition: { ...other, report: '../../x' } }, /letters of English/],
      [{ definition: { ...other, report: undefined } }, /letters of English/],
      [{ definition: { ...other, columns: { hut: {}, x: { sum: 'nothing' } } } }, /nothing/],
      [{ definition: { ...other, words: 1 } }, /words/],
      [{ definition: 'report: Other Stays' }, /words of its YAML/],
      [{ definition: other, label: 'Other' }, /label|unknown/],
    ] as const
    for (const [body, message] of refused) {
      const [first] = await wrong(body)
      assert.match(`${first?.field}: ${first?.message}`, message, JSON.stringify(body))
    }
    await post('/v1/reports', { definition }, 409)
    const answer = await supertest(app.app)
      .get('/v1/reports/other-stays')
      .set('X-API-Key', app.keys.admin)
    assert.is(answer.status, 404)
  })

  test('keeps no file where the definitions with it are refused', async () => {
    // A label is YAML that says what it is, whatever stands in it.
    const hostile = 'Report - {a: [b]} # "x"'
    const { error } = await post(
      '/v1/reports',
      { label: hostile, resource: 'stays', query: '_count_by=hut' },
      422,
    )
    assert.match(error.message, /letters/)
    await get('/v1/reports')
  })
})

import { Agent, request } from 'node:http'
import fc from 'fast-check'
import * as assert from 'uvu/assert'
import { SHIPPED_DOCTYPES } from '../../cli/package.ts'
import { loadPlans } from '../../engine/access/load-plans.ts'
import { allMethods } from '../../server/api/methods/methods.ts'
import { apiDescription } from '../../server/api/openapi.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { rounds, seedsOf } from '../helpers/random.ts'
import { openSite, SITE_DOCTYPES, type Site } from '../server/api/site.ts'
import { EVERYTHING } from './everything.ts'
import { hostileText, pathPart, rawValue } from './hostile.ts'

const SEEDS = seedsOf(import.meta.filename, [1])
const REQUESTS = rounds(200)
const NAMES = ['one', 'two %', "it's", 'a/b']

/** What parameters of surface A are called. */
const PARAMETERS =
  'fields filters or_filters order_by group_by limit_start limit_page_length limit as_dict parent expand_links run_method doctype name docname fieldname value doc docs txt data cmd perm_type action method args dt dn docstatus modified __proto__ constructor usr pwd a[] email full_name message svc_datacenter redirect_to plan seats user'.split(
    ' ',
  )

interface Sent {
  readonly method: string
  readonly path: string
  readonly type: string | undefined
  readonly body: string | undefined
  readonly isGuest: boolean
}

/** Fields of the DocType with one of each type, and its standard ones. */
const FIELDS =
  'name data small int float money check choice self any any_type day moment clock json pin rows total docstatus modified creation idx owner rid version nothing'.split(
    ' ',
  )

const known = <T>(values: readonly T[]): fc.Arbitrary<T> => fc.constantFrom(...values)
const field = fc.oneof({ weight: 4, arbitrary: known(FIELDS) }, hostileText)
const value = fc.oneof(hostileText, fc.integer(), fc.double(), fc.constant(null), fc.boolean())
const doctype = fc.oneof(
  {
    weight: 5,
    arbitrary: known([
      'Everything',
      'Everything Row',
      'Gadget',
      'Errand',
      'DocType',
      'User',
      'Sales Order',
    ]),
  },
  hostileText,
)
const operator = fc.oneof(
  known([
    '=',
    '!=',
    '>',
    '<',
    'like',
    'not like',
    'in',
    'not in',
    'is',
    'between',
    'timespan',
    'descendants of',
  ]),
  hostileText,
)
const filters = fc.oneof(
  fc.array(fc.oneof(fc.tuple(field, operator, value), fc.tuple(doctype, field, operator, value)), {
    maxLength: 3,
  }),
  fc.dictionary(field, fc.oneof(value, fc.tuple(operator, value)), { maxKeys: 3 }),
)
const document = fc.dictionary(
  fc.oneof(field, known(['rows', 'doctype', 'docstatus', 'title', 'code', '__islocal'])),
  fc.oneof(value, fc.array(fc.dictionary(field, value, { maxKeys: 3 }), { maxLength: 2 })),
  { maxKeys: 6 },
)
const structured = fc.oneof(
  filters,
  document,
  fc.array(field, { maxLength: 4 }),
  fc.record({ doctype, name: known(NAMES) }, { requiredKeys: [] }),
)
const parameter = fc.tuple(
  fc.oneof({ weight: 8, arbitrary: known(PARAMETERS) }, field),
  fc.oneof(
    hostileText,
    doctype,
    known(NAMES),
    rawValue,
    structured.map((one) => JSON.stringify(one)),
  ),
)
/** A URL of more than 16 KB is no request any more. */
const parameters = fc.array(
  parameter.map(([name, text]) => [name, text.slice(0, 400).toWellFormed()] as const),
  { maxLength: 5 },
)

const path = fc.oneof(
  fc
    .tuple(fc.constant('/api/resource/'), doctype.map(encodeURIComponent))
    .map((parts) => parts.join('')),
  fc
    .tuple(doctype, fc.oneof(known(NAMES.map(encodeURIComponent)), pathPart))
    .map(([type, name]) => `/api/v1/resource/${encodeURIComponent(type)}/${name}`),
  known([...allMethods([]).keys(), 'login', 'logout']).map((name) => `/api/method/${name}`),
  known(
    Object.keys(apiDescription(loadPlans([SHIPPED_DOCTYPES])).paths as object).filter((one) =>
      one.startsWith('/api/method/'),
    ),
  ),
  pathPart.map((name) => `/api/method/${name}`),
  known([
    '/',
    '/api',
    '/api/',
    '/api/resource',
    '/api/v1/',
    '/api/v2/document/Gadget',
    '/api/openapi.json',
  ]),
)

function formText(pairs: readonly (readonly [string, string])[]): string {
  return pairs
    .map(([name, text]) => `${encodeURIComponent(name)}=${encodeURIComponent(text)}`)
    .join('&')
}

const body = fc.oneof(
  fc.constant([undefined, undefined] as const),
  document.map((one) => ['application/json', JSON.stringify(one)] as const),
  fc
    .record(
      {
        doctype,
        name: known(NAMES),
        doc: structured,
        docs: fc.array(document),
        filters,
        fieldname: field,
        value,
        fields: fc.array(field),
        data: document,
      },
      { requiredKeys: [] },
    )
    .map((one) => ['application/json', JSON.stringify(one)] as const),
  rawValue.map((text) => ['application/json; charset=utf-8', text] as const),
  parameters.map((pairs) => ['application/x-www-form-urlencoded', formText(pairs)] as const),
  hostileText.map((text) => ['multipart/form-data; boundary=x', `--x\r\n${text}`] as const),
  hostileText.map(
    (text) =>
      [
        'multipart/form-data; boundary=x',
        `--x\r\nContent-Disposition: form-data; name="${text.replace(/["\r\n]/g, '')}"\r\n\r\n${text}\r\n--x--\r\n`,
      ] as const,
  ),
  hostileText.map((text) => ['text/plain', text] as const),
)

const requests = fc
  .tuple(
    known(['GET', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD']),
    path,
    parameters,
    body,
    fc.nat(9),
  )
  .map(
    ([method, at, pairs, [type, text], guest]): Sent => ({
      method,
      path: pairs.length === 0 ? at : `${at}?${formText(pairs)}`,
      type,
      body: method === 'GET' || method === 'HEAD' ? undefined : text,
      isGuest: guest === 0,
    }),
  )

interface Answer {
  readonly status: number
  readonly type: string
  readonly text: string
}

for (const seed of SEEDS)
  forEachDatabaseWhenDeep(`no request of surface A (seed ${seed})`, ({ test, create }) => {
    let site: Site
    const agent = new Agent({ keepAlive: true })
    test.before(async () => {
      site = await openSite({
        database: await create(),
        doctypes: { ...SITE_DOCTYPES, everything: EVERYTHING },
        settings: { rateLimit: false },
      })
      for (const name of NAMES)
        await site.call('POST', '/api/resource/Everything', {
          json: { name, data: name, rows: [{ text: name }] },
        })
    })
    test.after(async () => {
      agent.destroy()
      await site?.close()
    })

    function send({ method, path: at, type, body: text, isGuest }: Sent): Promise<Answer> {
      const headers = {
        ...(isGuest ? {} : { authorization: site.token }),
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(text === undefined ? {} : { 'content-length': Buffer.byteLength(text) }),
      }
      return new Promise((resolve, reject) => {
        const { port, hostname } = new URL(site.url)
        const sent = request({ hostname, port, agent, method, path: at, headers }, (response) => {
          const chunks: Buffer[] = []
          response.on('data', (chunk: Buffer) => chunks.push(chunk))
          response.on('error', reject)
          response.on('end', () =>
            resolve({
              status: response.statusCode ?? 0,
              type: String(response.headers['content-type']),
              text: Buffer.concat(chunks).toString('utf8'),
            }),
          )
        })
        sent.on('error', (cause) =>
          reject(new Error(`${cause.message}: ${method} ${at} ${text}`, { cause })),
        )
        sent.end(text)
      })
    }

    test(`of ${REQUESTS} hostile ones is answered 500 or in another shape than Frappe's`, async () => {
      const statuses = new Map<number, number>()
      const failures: string[] = []
      for (const sent of fc.sample(requests, { seed, numRuns: REQUESTS })) {
        const answer = await send(sent)
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
        const problem = problemOf(sent, answer)
        if (problem)
          failures.push(
            `${problem} ${answer.status} ${JSON.stringify(sent)} ${answer.text.slice(0, 300)}`,
          )
      }
      assert.equal(failures.slice(0, 5), [], `${failures.length} of seed ${seed}`)
      for (const status of [200, 400, 403, 404, 417])
        assert.ok(statuses.has(status), `no ${status} among ${JSON.stringify([...statuses])}`)
      assert.is(
        ({} as Record<string, unknown>).a,
        undefined,
        'the prototype of objects was changed',
      )
    })

    test('left something behind that cannot be read again', async () => {
      for (const doctypeName of ['Everything', 'Gadget', 'Errand']) {
        const { body: list } = await site.call(
          'GET',
          `/api/resource/${doctypeName}?limit_page_length=0`,
        )
        for (const { name } of list.data) {
          const one = await site.call(
            'GET',
            `/api/resource/${doctypeName}/${encodeURIComponent(name)}`,
          )
          assert.is(one.status, 200, one.text)
        }
      }
    })
  })

/** Every error has all of Frappe's keys; the pages' own answers at the root apart. */
function problemOf(sent: Sent, { status, type, text }: Answer): string | undefined {
  if (status >= 500) return 'a failure'
  if (/SQLITE|syntax error|at .*\.ts:|select .* from/i.test(text)) return 'tells of the inside'
  if (status < 400 || sent.method === 'HEAD') return undefined
  if (sent.path.startsWith('/?') || sent.path === '/' || sent.path.startsWith('/api/openapi.json'))
    return undefined
  if (!type.startsWith('application/json')) return 'is no JSON'
  const answer = JSON.parse(text) as Record<string, string>
  const lines = JSON.parse(answer.exc ?? '[]') as unknown[]
  if (lines.length !== 1 || !answer.exc_type || !answer.message) return 'lacks a key'
  return undefined
}

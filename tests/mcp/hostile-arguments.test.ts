import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ROUTES } from '../../mcp/tool-arguments.ts'
import { TOOLS } from '../../mcp/tools.ts'
import { type Random, randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { behaves, type Received, type Receiver } from '../helpers/receivers.ts'
import {
  type Answer,
  callLine,
  connectTools,
  speak,
  type ToolClient,
  textOf,
} from './tool-client.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2])

/** A receiver that takes every request stands for the API: only what reaches it is of interest here. */
const hostile = suite('arguments of tools')
const KEY = 'svc_live_0123456789abcdef0123456789abcdef'
let api: Receiver
let tool: ToolClient

hostile.before(async () => {
  api = await behaves((response, _socket, { headers }) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(JSON.stringify({ echo: headers }))
  })
  tool = await connectTools(settings())
})
hostile.after(async () => {
  await tool.close()
  await api.close()
})

const settings = () => ({ SVC_API_KEY: KEY, SVC_API_BASE: `http://127.0.0.1:${api.port}` })

/** Calls a tool; returns the requests that came of it. */
async function sent(
  name: string,
  args: Readonly<Record<string, unknown>>,
): Promise<{ readonly answer: Answer; readonly requests: readonly Received[] }> {
  const before = api.requests().length
  const answer = await tool.call(name, args)
  assert.not.match(JSON.stringify(answer), KEY)
  return { answer, requests: api.requests().slice(before) }
}

/** Calls a tool with arguments it must refuse; returns the message. */
async function refused(name: string, args: Readonly<Record<string, unknown>>): Promise<string> {
  const { answer, requests } = await sent(name, args)
  assert.equal(requests, [], 'nothing may be sent')
  assert.is(answer.isError, true)
  const { error } = JSON.parse(answer.content[0]?.text ?? '')
  assert.equal(answer.structuredContent, { error })
  assert.is(error.code, 'INVALID_ARGUMENTS')
  for (const detail of error.details)
    assert.equal(Object.keys(detail), ['field', 'message', 'code'])
  return error.message
}

const NEVER_A_SEGMENT = ['', '.', '..']

hostile('that would change the path are refused, for every argument in it', async () => {
  for (const text of NEVER_A_SEGMENT) {
    for (const [name, args, field] of [
      ['list_records', { resource: text }, 'resource'],
      ['get_record', { resource: text, id: 'x' }, 'resource'],
      ['get_record', { resource: 'customers', id: text }, 'id'],
      ['create_record', { resource: text, data: {} }, 'resource'],
      ['update_record', { resource: 'customers', id: text, data: {} }, 'id'],
      ['delete_record', { resource: 'customers', id: text }, 'id'],
      ['submit_record', { resource: 'sales-orders', id: text }, 'id'],
      ['subscribe_tier', { slug: text }, 'slug'],
    ] as const) {
      assert.match(await refused(name, args), new RegExp(`^${field}: `), `${name} ${text}`)
    }
  }
})

hostile('in a path are one segment of it, whatever they hold', async () => {
  const texts = [
    '../api-keys',
    '..\\..',
    'a/b',
    'a?limit=1',
    'a#b',
    '%2e%2e',
    '%2E%2E%2fapi-keys',
    '%00',
    '\0',
    '. .',
    '...',
    ';',
    '@evil.example',
    '//evil.example',
    'http://evil.example',
    'a\r\nX-Evil: 1',
    ' ',
    'ünïcødé 漢字 🚲',
    '\u202e',
    'x'.repeat(5000),
  ]
  for (const text of texts) {
    const { requests } = await sent('get_record', { resource: 'customers', id: text })
    assert.equal(
      requests.map(({ method, path }) => [method, path]),
      [['GET', `/v1/customers/${encodeURIComponent(text)}`]],
    )
    const tier = await sent('subscribe_tier', { slug: text })
    assert.is(tier.requests[0]?.path, `/v1/tiers/${encodeURIComponent(text)}/subscribe`)
    assert.is(decodeURIComponent(requests[0]?.path.split('/')[3] ?? ''), text)
    assert.is(requests[0]?.headers['x-evil'], undefined)
  }
})

hostile('with lone surrogates are refused where an address would hold them', async () => {
  assert.match(await refused('get_record', { resource: 'customers', id: '\ud800' }), 'id: ')
  const filter = { 'a\udc00': 'x' }
  assert.match(await refused('list_records', { resource: 'customers', filter }), 'lone surrogate')
  assert.match(await refused('list_records', { resource: 'customers', q: 'a\ud800b' }), 'q: ')
})

hostile('that do not hold to the schema are refused by name, with what was expected', async () => {
  const record = { resource: 'customers', id: 'x' }
  for (const [name, args, message] of [
    ['get_record', { resource: 'customers' }, /^id: is required: expected a text/],
    ['get_record', { ...record, id: 7 }, /^id: expected a text .*, got 7$/],
    [
      'get_record',
      { ...record, ids: 'x' },
      /^ids: get_record has no such argument; it takes resource, id$/,
    ],
    ['list_tiers', { tier: 'pro' }, /^tier: list_tiers has no such argument; it takes none$/],
    ['list_records', { resource: ['customers'] }, /^resource: expected a text .*, got a list$/],
    ['list_records', { resource: 'a', limit: '5' }, /^limit: expected a whole number .*, got "5"$/],
    ['list_records', { resource: 'a', limit: 1.5 }, /^limit: expected a whole number .*, got 1.5$/],
    [
      'list_records',
      { resource: 'a', filter: 'x=1' },
      /^filter: expected an object .*, got "x=1"$/,
    ],
    [
      'list_records',
      { resource: 'a', filter: [] },
      /^filter: expected an object .*, got an empty list$/,
    ],
    [
      'list_records',
      { resource: 'a', filter: { b: {} } },
      /^filter\.b: expected .*, got an object$/,
    ],
    [
      'list_records',
      { resource: 'a', filter: { b: [1] } },
      /^filter\.b: expected one value, got a list; write "b__in"/,
    ],
    [
      'list_records',
      { resource: 'a', order_by: 'a up' },
      /^order_by: expected a field and asc or desc/,
    ],
    ['list_records', { resource: 'a', fields: [1] }, /^fields: expected a text or a list of texts/],
    ['create_record', { resource: 'a', data: '{}' }, /^data: expected an object .*, got "{}"$/],
    ['create_record', { resource: 'a', data: null }, /^data: expected an object .*, got null$/],
    [
      'create_record',
      { resource: 'a', data: { n: [2 ** 60] } },
      /^data\.n\[0\]: expected a number of at most 15/,
    ],
    ['subscribe_tier', { slug: 'pro', seats: '3' }, /^seats: expected a whole number/],
    [
      'list_events',
      { limit: null, since: 1 },
      /^since: .* \(and 1 more, see details\)$|^limit: .* \(and 1 more/,
    ],
  ] as const) {
    assert.match(await refused(name, args), message, `${name} ${JSON.stringify(args)}`)
  }
})

hostile('with names of prototypes are texts like others', async () => {
  const data = JSON.parse('{"__proto__": {"polluted": true}, "constructor": {"prototype": 1}}')
  const { requests } = await sent('create_record', { resource: 'constructor', data })
  assert.is(requests[0]?.path, '/v1/constructor')
  assert.is(requests[0]?.body, JSON.stringify(data))
  const filter = JSON.parse('{"__proto__": "x", "toString": 1}')
  const listed = await sent('list_records', { resource: '__proto__', filter })
  assert.is(listed.requests[0]?.path, '/v1/__proto__?__proto__=x&toString=1')
  assert.match(
    await refused('get_record', { resource: 'a', id: 'b', constructor: 1 }),
    'constructor',
  )
  assert.is((await sent('get_record', { resource: 'a', id: 'b' })).requests.length, 1)
})

hostile(
  'that JSON cannot carry unchanged are refused before they become something else',
  async () => {
    const deep = `${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`
    const before = api.requests().length
    const spoken = await speak(settings(), [
      callLine(1, 'create_record', '{"resource": "a", "data": {"rows": [{"qty": 1e400}]}}'),
      callLine(2, 'create_record', '{"resource": "a", "data": {"qty": 9007199254740993}}'),
      callLine(3, 'create_record', `{"resource": "a", "data": ${deep}}`),
    ])
    assert.match(textOf(spoken, 1), 'data.rows[0].qty: expected a number of at most 15')
    assert.match(textOf(spoken, 2), 'data.qty: expected a number of at most 15')
    assert.match(textOf(spoken, 3), 'data: expected JSON of at most 32 levels')
    assert.is(api.requests().length, before)
  },
)

for (const seed of SEEDS)
  hostile(
    `made at random never reach anything but one route below /v1 (seed ${seed})`,
    async () => {
      const random = randomOf(seed)
      const runs = rounds(120)
      let reached = 0
      for (let round = 0; round < runs; round += 1) {
        const { name, inputSchema, annotations } = random.one(TOOLS)
        const names = [...Object.keys(inputSchema.properties), ...(inputSchema.required ?? [])]
        const args = Object.fromEntries(
          names
            .filter((argument) => inputSchema.required?.includes(argument) || random.chance(0.3))
            .map((argument) => [
              argument,
              random.chance(0.8) ? plausible(random, argument) : odd(random),
            ]),
        )
        const { answer, requests } = await sent(name, args)
        const told = `${name} ${JSON.stringify(args)}`
        assert.ok(requests.length <= 1, told)
        assert.is(answer.isError === true, requests.length === 0, told)
        reached += requests.length
        for (const request of requests) assertOneRoute(request, annotations.readOnlyHint, told)
      }
      assert.ok(reached > runs / 4 && reached < runs * 0.98, `${reached} of ${runs} were sent`)
    },
  )

/** `/v1/` and one to three segments, none of which a URL parser would take away. */
function assertOneRoute({ method, path, headers }: Received, reads: boolean, told: string): void {
  const [route = '', query = ''] = path.split('?')
  const segments = route.split('/').slice(2)
  assert.ok(route.startsWith('/v1/') && segments.length <= 3, `${told}: ${path}`)
  for (const segment of segments)
    assert.not.ok(NEVER_A_SEGMENT.includes(decodeURIComponent(segment)))
  assert.is(new URL(path, 'http://h').pathname + new URL(path, 'http://h').search, path, told)
  assert.not.match(query, /[#\s]/)
  assert.is(method === 'GET', reads, told)
  assert.is(headers.authorization, `Bearer ${KEY}`)
  assert.is(headers['idempotency-key'] !== undefined, ['POST', 'PATCH'].includes(method))
  if (!reads && segments[2] !== 'subscribe')
    assert.not.ok(SYSTEM_ROUTES.has(segments[0] ?? ''), told)
}

const PIECES = [
  '..',
  '.',
  '/',
  '\\',
  '%2e',
  '%2f',
  '?',
  '#',
  '&',
  '=',
  '\0',
  '\n',
  'v1',
  'é',
  '🚲',
  '\ud83d',
  ' ',
  ',',
  '"',
  '__proto__',
  'api-keys',
  ':',
  '@',
  ';',
  '+',
  '',
]

function text(random: Random): string {
  const some = Array.from({ length: random.below(4) }, () => random.one(PIECES)).join('')
  return random.chance(0.2) ? random.one([...SYSTEM_ROUTES]) : some
}

function plausible(random: Random, argument: string): unknown {
  if (argument === 'limit' || argument === 'offset' || argument === 'seats')
    return random.below(200)
  if (argument === 'data') return { [text(random)]: odd(random) }
  if (argument === 'filter') return { [`${text(random)}__in`]: [text(random), 1, null, true] }
  return text(random)
}

function odd(random: Random): unknown {
  return random.one([
    null,
    true,
    -1,
    1e21,
    0.1,
    [],
    [text(random)],
    {},
    { a: { b: text(random) } },
    text(random),
  ])
}

hostile.run()

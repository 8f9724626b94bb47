import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createKey } from '../../server/auth/api-keys.ts'
import { openTestApp, type TestApp } from '../server/test-app.ts'
import { addMember, changeMember, send, sessionOf, type Verb } from './people.ts'
import { DOCTYPES } from './user-permissions-model.ts'

const test = suite('a user permission')

const ANN = 'ann@example.com'
let app: TestApp
let header: Readonly<Record<string, string>>
const made: string[] = []

test.before(async () => {
  app = await openTestApp({
    tier: 'business',
    doctypes: {
      ...DOCTYPES,
      task: `
doctype: Errand
module: crm
tier: free
submittable: true
naming: "ERR-{###}"
fields:
  deal: {type: link, options: Deal}
  zone: {type: link, options: Zone}
  note: {type: data}
actions:
  move:
    input: {zone: {type: link, options: Zone}}
    steps: [{set: {note: input.zone}}]
permissions:
  roles:
    Sales User: [all]
`,
    },
    settings: { rateLimit: false },
  })
  header = { authorization: (await addMember(app, ANN, ['Sales User'])).authorization }
  await addMember(app, 'mia@example.com', ['System Manager'])
  const zones = [['World'], ['Europe', 'World'], ['Spain', 'Europe'], ['Asia', 'World']]
  for (const [title, parent_zone] of zones) await admin('post', '/v1/zones', { title, parent_zone })
})
test.after.each(async () => {
  for (const id of made.splice(0)) await admin('delete', `/v1/user-permissions/${id}`)
})
test.after(() => app?.close())

const ann = (verb: Verb, path: string, body?: object) => send(app, verb, path, header).send(body)

async function admin(verb: Verb, path: string, body?: object) {
  const answer = await send(app, verb, path, { 'x-api-key': app.keys.admin }).send(body)
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.body
}

async function permit(allow: string, for_value: string, more: object = {}): Promise<string> {
  const { id } = await admin('post', '/v1/user-permissions', {
    user: ANN,
    allow,
    for_value,
    ...more,
  })
  made.push(id)
  return id
}

async function deal(body: object): Promise<string> {
  return (await admin('post', '/v1/deals', { title: 'deal', ...body })).id
}

async function idsOf(path: string, as: typeof ann = ann): Promise<readonly string[]> {
  const { status, body, text } = await as('get', path)
  assert.is(status, 200, text)
  return body.data.map(({ id }: { id: string }) => id)
}

test('of a tree lets see the record and what is below, unless it is for the record alone', async () => {
  assert.equal(await idsOf('/v1/zones?sort=id&order=asc'), ['Asia', 'Europe', 'Spain', 'World'])
  const id = await permit('Zone', 'Europe')
  assert.equal(await idsOf('/v1/zones?sort=id&order=asc'), ['Europe', 'Spain'])
  await admin('patch', `/v1/user-permissions/${id}`, { hide_descendants: true })
  assert.equal(await idsOf('/v1/zones'), ['Europe'])
  await permit('Zone', 'Asia')
  assert.equal(await idsOf('/v1/zones?sort=id&order=asc'), ['Asia', 'Europe'])
})

test('holds for every way of asking who it is, and from the next request on', async () => {
  const { database, clock } = app.engine.services
  const wanted = { scope: 'read', env: 'live', label: null, allow_ips: [], expires: null } as const
  const maker = { name: ANN, user: { login: ANN, email: ANN } }
  const { key } = await database.write((tx) => createKey(tx, clock, maker, wanted))
  const ways = [header, { 'x-api-key': key }, { cookie: await sessionOf(app, ANN) }]
  const seen = async () =>
    Promise.all(ways.map((way) => idsOf('/v1/zones', (verb, path) => send(app, verb, path, way))))
  assert.equal(
    (await seen()).map(({ length }) => length),
    [4, 4, 4],
  )
  await permit('Zone', 'Asia')
  assert.equal(await seen(), [['Asia'], ['Asia'], ['Asia']])
})

test('hides what links to other records: 404, no title, no event, no link to it', async () => {
  const other = await deal({ zone: 'Asia' })
  const own = await deal({ zone: 'Spain' })
  const none = await deal({})
  await permit('Zone', 'Europe')
  assert.equal((await idsOf('/v1/deals?limit=100&sort=id&order=asc')).includes(other), false)
  for (const id of [own, none]) assert.is((await ann('get', `/v1/deals/${id}`)).status, 200)
  const requests: readonly (readonly [Verb, string, object?])[] = [
    ['get', `/v1/deals/${other}`],
    ['patch', `/v1/deals/${other}`, { title: 'x' }],
    ['delete', `/v1/deals/${other}`],
    ['get', `/api/resource/Deal/${other}`],
    ['put', `/api/resource/Deal/${other}`, { title: 'x' }],
  ]
  for (const [verb, path, body] of requests)
    assert.is((await ann(verb, path, body)).status, 404, `${verb} ${path}`)
  const linked = await ann('post', '/v1/errands', { deal: other })
  assert.is(linked.status, 422, linked.text)
  const zoned = await ann('post', '/v1/deals', { title: 'x', zone: 'Asia' })
  assert.is(zoned.status, 422, zoned.text)
  assert.equal((await ann('get', '/v1/events?resource=deals')).body.data, [])
})

test('is asked again of what an update leaves, and of the input of actions', async () => {
  await permit('Zone', 'Europe', { applicable_for: 'Errand' })
  const { body } = await ann('post', '/v1/errands', { zone: 'Spain' })
  const left = await ann('patch', `/v1/errands/${body.id}`, { zone: 'Asia' })
  assert.is(left.status, 403, left.text)
  assert.equal(left.body.error.details, [
    { field: 'zone', message: 'expected a record of your user permissions', code: 'not_permitted' },
  ])
  assert.is((await ann('post', '/v1/errands', { zone: 'Asia' })).status, 403)
  await permit('Zone', 'Europe')
  const act = (zone: string) => ann('post', `/v1/errands/${body.id}/actions/move`, { zone })
  assert.is((await act('Asia')).status, 422)
  assert.is((await act('Spain')).status, 200)
})

test('for one DocType leaves the others alone', async () => {
  const id = await deal({ zone: 'Asia' })
  await permit('Zone', 'Europe', { applicable_for: 'Errand' })
  assert.is((await ann('get', `/v1/deals/${id}`)).status, 200)
  assert.is((await idsOf('/v1/zones')).length, 4)
})

test('holds for a dynamic link only where it leads to its DocType', async () => {
  const shop = await admin('post', '/v1/shops', { title: 'A' })
  const toShop = await deal({ party_type: 'Shop', party: shop.id })
  const toZone = await deal({ party_type: 'Zone', party: 'Asia' })
  await permit('Zone', 'Europe')
  assert.is((await ann('get', `/v1/deals/${toShop}`)).status, 200)
  assert.is((await ann('get', `/v1/deals/${toZone}`)).status, 404)
})

test('that is the default fills what a new record leaves open', async () => {
  await permit('Zone', 'Asia', { is_default: true })
  const { body } = await ann('post', '/v1/deals', { title: 'x' })
  assert.is(body.zone, 'Asia')
  await permit('Zone', 'Spain')
  assert.is((await ann('post', '/v1/deals', { title: 'x', zone: 'Spain' })).body.zone, 'Spain')
})

test('limits no System Manager', async () => {
  await permit('Zone', 'Asia')
  await changeMember(app, ANN, { roles: [{ role: 'Sales User' }, { role: 'System Manager' }] })
  assert.is((await idsOf('/v1/zones')).length, 4)
  await changeMember(app, ANN, { roles: [{ role: 'Sales User' }] })
  assert.is((await idsOf('/v1/zones')).length, 1)
})

test('is for System Managers to give, and says when it would limit nobody', async () => {
  for (const [verb, body] of [
    ['get', undefined],
    ['post', { user: ANN, allow: 'Zone', for_value: 'Asia' }],
  ] as const)
    assert.is((await ann(verb, '/v1/user-permissions', body)).status, 403)
  const give = (body: object, key = app.keys.admin) =>
    send(app, 'post', '/v1/user-permissions', { 'x-api-key': key }).send({
      user: ANN,
      allow: 'Zone',
      for_value: 'Asia',
      ...body,
    })
  // As of people and roles: a key that changes records does not change who sees them.
  assert.is((await give({}, app.keys.write)).status, 403)
  const refusals: readonly (readonly [object, number, string])[] = [
    [{ allow: 'Zoen' }, 422, 'allow'],
    [{ for_value: 'Atlantis' }, 422, 'for_value'],
    [{ applicable_for: 'Errant' }, 422, 'applicable_for'],
    [{ applicable_for: 'Currency' }, 422, 'applicable_for'],
    [{ applicable_for: 'Deal', apply_to_all_doctypes: true }, 422, 'applicable_for'],
    [{ apply_to_all_doctypes: false }, 422, 'applicable_for'],
  ]
  for (const [body, status, field] of refusals) {
    const answer = await give(body)
    assert.is(answer.status, status, answer.text)
    assert.is(answer.body.error.details[0].field, field, answer.text)
  }
  await permit('Zone', 'Asia')
  assert.is((await give({})).status, 409)
  await permit('Zone', 'Asia', { applicable_for: 'Deal' })
  assert.is((await give({ applicable_for: 'Deal' })).status, 409)
})

test.run()

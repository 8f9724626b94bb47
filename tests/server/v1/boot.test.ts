import { gzipSync } from 'node:zlib'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ResourceDetail } from '../../../engine/schema/catalogue/catalog.ts'
import { localFormats } from '../../../server/v1/boot-formats.ts'
import { bearer, openTestApp, TEST_DOCTYPES, type TestApp } from '../test-app.ts'

const LAMP = `
doctype: Lamp
module: stock
tier: free
submittable: true
naming: LAMP-{###}
fields:
  title: {type: data, label: Quantity, required: true}
  watts: {type: int}
  state: {type: data}
  room: {type: link, options: Gadget}
  bulbs: {type: table, fields: {gadget: {type: link, options: Gadget}}}
status: {field: phase, initial: Open, flow: {Open: [Paid], Paid: []}}
actions:
  dim: {when: watts > 10, message: "{watts} watts are few enough", input: {by: {type: int, required: true}}, steps: [{set: {watts: watts - input.by}}]}
`

const boot = suite('what a screen begins with')

let test: TestApp
boot.before(async () => {
  test = await openTestApp({
    doctypes: { ...TEST_DOCTYPES, lamp: LAMP },
  })
  await call('post', '/v1/gadgets').send({ code: 'G-1', title: 'Bell' })
})
boot.after(() => test.close())

const call = (method: 'get' | 'post', path: string, key = test.keys.admin) =>
  request(test.app)[method](path).set('Authorization', bearer(key))

boot('is who asks, what there is, what they may do, and how things are written', async () => {
  const { status, body, headers, text } = await call('get', '/v1/boot', test.keys.write)
  assert.is(status, 200)
  assert.equal([body.person, body.csrf, body.proof], [null, null, null])
  assert.equal(
    [body.workspace.tier, body.workspace.env, body.workspace.demo],
    ['free', 'live', false],
  )
  assert.equal(body.formats.first_day, localFormats('en').first_day)
  const of = (slug: string) => body.resources.find((one: { slug: string }) => one.slug === slug)
  assert.equal(of('gadgets').can, ['read', 'create', 'update', 'export', 'import'])
  assert.equal([of('lamps').submittable, of('lamps').can.includes('submit')], [true, true])
  assert.equal([of('turbines').locked, of('turbines').can], [true, []])
  assert.is(body.colors.Paid, 'green')
  assert.ok(body.modules.some(({ name }: { name: string }) => name === 'stock'))
  assert.ok(body.reports.length > 10)
  assert.ok(gzipSync(text).length < 40 * 1024, `${gzipSync(text).length} bytes`)
  const again = await call('get', '/v1/boot', test.keys.write).set(
    'If-None-Match',
    String(headers.etag),
  )
  assert.is(again.status, 304)
  assert.is((await request(test.app).get('/v1/boot')).status, 401)
})

boot('knows how people of a place write', () => {
  assert.equal(localFormats('de'), {
    date: 'dd.mm.yyyy',
    time: 'HH:mm',
    number: '#.###,##',
    first_day: 1,
  })
  assert.equal(localFormats('en-US'), {
    date: 'mm/dd/yyyy',
    time: 'hh:mm a',
    number: '#,###.##',
    first_day: 7,
  })
})

boot(
  'tells of a resource what the caller may do, its options with colours, and in their language',
  async () => {
    const lamp = (await call('get', '/v1/resources/lamps', test.keys.read)).body
    assert.equal([lamp.can.read, lamp.can.create, lamp.can.export], [true, false, true])
    const field = (body: ResourceDetail, name: string) =>
      body.fields.find((one) => one.name === name)
    assert.equal(field(lamp, 'phase')?.options, [
      { value: 'Open', label: 'Open', color: 'blue' },
      { value: 'Paid', label: 'Paid', color: 'green' },
    ])
    assert.equal(
      [field(lamp, 'room')?.options, field(lamp, 'room')?.resource],
      ['Gadget', 'gadgets'],
    )
    assert.is(field(lamp, 'title')?.label, 'Quantity')
    const german = await call('get', '/v1/resources/lamps').set('Accept-Language', 'de-AT,en;q=0.5')
    assert.is(field(german.body, 'title')?.label, 'Menge')
    assert.match(String(german.headers.vary), 'Accept-Language')
  },
)

boot(
  'answers what may be sent in few words, the largest resource in 6,000 characters',
  async () => {
    const { body } = await call('get', '/v1/resources/lamps?for=write')
    assert.equal(body, {
      title: 'data, required',
      watts: 'int',
      state: 'data',
      room: 'link gadgets',
      bulbs: { gadget: 'link gadgets' },
      phase: 'Open|Paid, else Open',
      _actions: { dim: { by: 'int, required' } },
    })
    const all = (await call('get', '/v1/resources?brief=1&_locked=1')).body.data
    for (const { slug } of all) {
      const { status, text } = await call('get', `/v1/resources/${slug}?for=write&_locked=1`)
      assert.ok(status === 200 && text.length <= 6000, `${slug}: ${status}, ${text.length}`)
    }
    assert.is((await call('get', '/v1/resources/lamps?for=reading')).status, 422)
  },
)

boot('lists what the key can address, and what a higher tier has with _locked=1', async () => {
  const slugs = async (more = '') =>
    (await call('get', `/v1/resources?module=assets&brief=1${more}`)).body.data
  assert.not.ok((await slugs()).some(({ slug }: { slug: string }) => slug === 'turbines'))
  const turbine = (await slugs('&_locked=1')).find(
    ({ slug }: { slug: string }) => slug === 'turbines',
  )
  assert.is(turbine.locked, true)
  const hidden = await call('get', '/v1/resources/turbines')
  assert.equal([hidden.status, hidden.body.error.code], [403, 'FORBIDDEN'])
  assert.is((await call('get', '/v1/resources/turbines?_locked=1')).body.locked, true)
})

boot('says of a record what may be done with it, or why not', async () => {
  const { body: made } = await call('post', '/v1/lamps').send({
    title: 'Desk',
    watts: 5,
    room: 'G-1',
    bulbs: [{ gadget: 'G-1' }],
  })
  const can = async (key?: string) =>
    (await call('get', `/v1/lamps/${made.id}?_can=1`, key)).body._can
  const draft = await can()
  assert.equal(draft, {
    update: true,
    delete: true,
    submit: true,
    cancel: `cannot cancel Lamp "${made.id}": it is a draft; a draft is deleted instead`,
    amend: `cannot amend Lamp "${made.id}": it is a draft; cancel it first`,
    actions: { dim: `cannot dim Lamp "${made.id}": 5 watts are few enough` },
    flow: ['Paid'],
  })
  for (const [verb, sentence] of Object.entries(draft)) {
    if (typeof sentence !== 'string') continue
    const refused = await call('post', `/v1/lamps/${made.id}/${verb}`)
    assert.is(refused.body.error.message, sentence)
  }
  const refused = await call('post', `/v1/lamps/${made.id}/actions/dim`).send({ by: 1 })
  assert.is(refused.body.error.message, draft.actions.dim)
  assert.match((await can(test.keys.read)).update, 'a key of scope read may not update Lamps')
  await call('post', `/v1/lamps/${made.id}/submit`)
  const submitted = await can()
  assert.equal([submitted.submit === true, submitted.cancel], [false, true])
  const gadget = (await call('get', '/v1/gadgets/G-1?_can=1&_titles=1')).body
  assert.match(gadget._can.delete, 'other documents link to it')
  assert.equal([gadget._can.submit, gadget._can.flow], [null, []])
  const titled = (await call('get', `/v1/lamps/${made.id}?_titles=1`)).body
  assert.equal([titled._titles, titled.bulbs[0]._titles], [{ room: 'G-1' }, { gadget: 'G-1' }])
  assert.is((await call('get', '/v1/gadgets/G-1?_can=yes')).status, 422)
})

boot.run()

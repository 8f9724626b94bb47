import request from 'supertest'
import * as assert from 'uvu/assert'
import { ownersOf } from '../../server/auth/people.ts'
import { Dispatcher } from '../../webhooks/dispatcher.ts'
import { createSender } from '../../webhooks/sending/send.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { answers } from '../helpers/receivers.ts'
import { addMember, changeMember } from '../security/people.ts'
import { steadyBackoff } from '../webhooks/webhook-app.ts'
import { openTestApp, type TestApp } from './test-app.ts'

/** Every name of a field that only keepers may read begins with it, and their values have these digits. */
const MARK = /kept_|4711|9422/

const DOCTYPES = {
  tray: `
doctype: Tray
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  worth: {type: currency, rollup: {from: Box, match: tray, sum: kept_cost}}
permissions: {roles: {Keeper: [all], Clerk: [all]}}
`,
  box: `
doctype: Box
module: stock
tier: free
naming: field:code
search: [note]
list: [code, note, kept_cost]
fields:
  code: {type: data, required: true, createOnly: true}
  note: {type: data, filterable: true}
  tray: {type: link, options: Tray}
  inside: {type: link, options: Box, filterable: true}
  bound: {type: int, default: 5}
  kept_cost: {type: currency, filterable: true, required: true, default: 1}
  kept_double: {type: currency, formula: kept_cost * 2}
  kept_within: {type: currency, formula: inside.kept_cost}
  kept_tray: {type: link, options: Tray}
  parts:
    type: table
    fields: {what: {type: data}, kept_price: {type: currency}, sealed: {type: int}}
  kept_rows: {type: table, fields: {told: {type: data}}}
  open_sum: {type: currency, formula: 'kept_cost * 0'}
actions:
  stamp: {steps: [{set: {note: '"stamped"'}}]}
events:
  priced: {when: kept_cost > 10, data: [code, kept_cost]}
print:
  meta: [note, kept_cost]
  tables: [{table: parts, columns: [what, kept_price]}]
  totals: [kept_cost, kept_double]
permissions:
  roles: {Keeper: [all], Clerk: [read, create, update, report, export, action]}
  fields:
    bound: {write: [Keeper]}
    kept_cost: {read: [Keeper]}
    kept_tray: {read: [Keeper]}
    kept_rows: {read: [Keeper]}
    parts.kept_price: {read: [Keeper]}
    parts.sealed: {write: [Keeper]}
    open_sum: {read: [Keeper, Clerk]}
`,
  'reports/box-costs': `
report: Box Costs
module: stock
description: What boxes cost.
from: Box
columns:
  code: {}
  cost: {value: kept_cost}
order: [code]
`,
  'reports/box-notes': `
report: Box Notes
module: stock
description: What is noted.
from: Box
columns: {code: {}, note: {}}
order: [code]
`,
}

type Method = 'get' | 'post' | 'patch' | 'put'
type Request = readonly [method: Method, path: string, body?: object]

/** Requests of a clerk that succeed, of which no answer tells what is kept. */
const ANSWERED: readonly Request[] = [
  ['get', '/v1/boxes/B-1'],
  ['get', '/v1/boxes?_titles=1'],
  ['get', '/v1/boxes?q=iron&fields=note,parts'],
  ['get', '/v1/boxes/B-1/explain/open_sum'],
  ['get', '/v1/trays/T-1/explain/worth?depth=3'],
  ['patch', '/v1/boxes/B-1', { note: 'iron bar', parts: [{ what: 'lid' }] }],
  ['post', '/v1/boxes', { code: 'B-9', note: 'tin' }],
  ['post', '/v1/boxes/B-1/actions/stamp', {}],
  ['get', '/v1/events?resource=boxes'],
  ['get', '/v1/resources'],
  ['get', '/v1/resources/boxes'],
  ['get', '/v1/resources/trays'],
  ['get', '/v1/webhooks/events?resource=boxes'],
  ['get', '/v1/openapi.json'],
  ['get', '/v1/reports'],
  ['get', '/v1/reports/box-notes'],
  ['get', '/print/boxes/B-2'],
  ['get', '/api/resource/Box/B-2'],
  ['get', '/api/resource/Box/B-2?expand_links=1'],
  ['get', '/api/resource/Box?fields=["*"]'],
  ['get', '/api/resource/Box Part?fields=["*"]&parent=Box'],
  ['get', '/api/resource/DocType/Box'],
  ['get', '/api/resource/DocType/Box Part'],
  ['get', '/api/method/frappe.client.get?doctype=Box&name=B-2'],
  ['get', '/api/method/frappe.client.get_list?doctype=Box&fields=["*"]'],
]

/** Requests that name a field, each answered for a kept one as for one there is not. */
const REFUSED: readonly ((field: string) => Request)[] = [
  (field) => ['get', `/v1/boxes?fields=note,${field}`],
  (field) => ['get', `/v1/boxes?sort=${field}`],
  (field) => ['get', `/v1/boxes?${field}=1`],
  (field) => ['get', `/v1/boxes?${field}__gt=1`],
  (field) => ['get', `/v1/boxes/B-1/explain/${field}`],
  (field) => ['post', '/v1/boxes', { code: 'x', [field]: 1 }],
  (field) => ['patch', '/v1/boxes/B-1', { [field]: 1 }],
  (field) => ['patch', '/v1/boxes/B-1', { parts: [{ [field]: 1 }] }],
  (field) => ['get', `/api/resource/Box?fields=["${field}"]`],
  (field) => ['get', `/api/resource/Box?filters=[["${field}","=","1"]]`],
  (field) => ['get', `/api/resource/Box?or_filters=[["${field}","=","1"]]`],
  (field) => ['get', `/api/resource/Box?order_by=${field} desc`],
  (field) => ['get', `/api/resource/Box?group_by=${field}&fields=["count(name) as n"]`],
  (field) => ['get', `/api/resource/Box?fields=["sum(${field}) as n"]`],
  (field) => ['get', `/api/resource/Box?fields=["parts.${field}"]`],
  (field) => ['get', `/api/resource/Box?fields=["inside.${field}"]`],
  (field) => ['get', `/api/resource/Box Part?parent=Box&fields=["${field}"]`],
  (field) => [
    'get',
    `/api/method/frappe.client.get_value?doctype=Box&fieldname=${field}&filters={"name":"B-1"}`,
  ],
  (field) => ['get', `/api/method/frappe.client.get_count?doctype=Box&filters={"${field}":1}`],
]

const KEPT = ['kept_cost', 'kept_double', 'kept_tray', 'kept_price', 'kept_rows']

forEachDatabaseWhenDeep('fields that only some may read or set', ({ test, create }) => {
  let api: TestApp
  const pairs = new Map<string, string>()
  test.before(async () => {
    api = await openTestApp({ doctypes: DOCTYPES, database: await create() })
    for (const [who, role] of Object.entries({ clerk: 'Clerk', keeper: 'Keeper' })) {
      await send('admin', ['post', '/v1/roles', { role_name: role }])
      pairs.set(who, (await addMember(api, `${who}@example.com`, [role])).authorization)
    }
    await send('keeper', ['post', '/v1/trays', { code: 'T-1' }])
    const parts = [{ what: 'lid', kept_price: 4711, sealed: 1 }]
    const body = { note: 'iron', tray: 'T-1', kept_tray: 'T-1', kept_cost: 4711, parts }
    const made = await send('keeper', ['post', '/v1/boxes', { code: 'B-1', ...body }])
    assert.is(made.status, 201, made.text)
    const again = { code: 'B-2', inside: 'B-1', ...body, kept_rows: [{ told: 'x' }] }
    await send('keeper', ['post', '/v1/boxes', again])
    // So that no sum that a clerk reads is one of the values.
    await send('keeper', ['post', '/v1/boxes', { code: 'B-3', tray: 'T-1', kept_cost: 8 }])
  })
  test.after(() => api?.close())

  async function send(
    who: string,
    [method, path, body]: Request,
  ): Promise<{ status: number; text: string }> {
    const call = request(api.app)[method](encodeURI(path))
    const pair = pairs.get(who)
    if (pair === undefined) call.set('X-API-Key', api.keys.admin)
    else call.set('Authorization', pair)
    const { status, text } = await (body ? call.send(body) : call)
    return { status, text }
  }

  for (const one of ANSWERED)
    test(`${one[0]} ${one[1]} tells a clerk of none that is kept`, async () => {
      const { status, text } = await send('clerk', one)
      assert.ok(status < 300, text)
      const found = MARK.exec(text)
      assert.is(found, null, text.slice(Math.max(0, (found?.index ?? 0) - 200)).slice(0, 400))
    })

  for (const of of REFUSED)
    test(`${of('…')[0]} ${of('…')[1]} answers as for a field there is not`, async () => {
      const told = async (field: string) => {
        const { status, text } = await send('clerk', of(field))
        return [status, text.replaceAll(field, '…').replace(/"request_id":"[^"]*"/, '')]
      }
      const [status, text] = await told('nobodys_field')
      assert.ok(Number(status) >= 400, String(text))
      assert.not.match(String(text), MARK)
      for (const name of KEPT) assert.equal(await told(name), [status, text], name)
    })

  test('keepers read and set them, and what is made of them is theirs too', async () => {
    for (const path of ['/v1/boxes/B-2', '/v1/boxes?kept_cost__gt=1', '/v1/events?resource=boxes'])
      assert.match((await send('keeper', ['get', path])).text, '"kept_cost":4711', path)
    const { text } = await send('keeper', ['get', '/v1/boxes/B-2'])
    assert.match(text, '"kept_double":9422,"kept_within":4711')
    assert.match(text, '"kept_price":4711')
    assert.match((await send('keeper', ['get', '/v1/reports/box-costs'])).text, '4711')
    assert.match((await send('keeper', ['get', '/v1/openapi.json'])).text, 'kept_cost')
    assert.match((await send('keeper', ['get', '/print/boxes/B-2'])).text, 'Kept Cost')
    assert.match((await send('admin', ['get', '/v1/boxes/B-2'])).text, '"kept_cost":4711')
  })

  test('nobody in particular is told of them by the description without a key', async () => {
    const { text } = await request(api.app).get('/v1/openapi.json')
    assert.not.match(text, MARK)
    assert.match(text, '"bound"')
  })

  test('a report that reads them is not there for others', async () => {
    const { status } = await send('clerk', ['get', '/v1/reports/box-costs'])
    assert.is(status, 403)
  })

  test('one that only some set is read by all, and refused at its place from others', async () => {
    const body = { bound: 9, parts: [{ what: 'a', sealed: 2 }] }
    const { status, text } = await send('clerk', ['patch', '/v1/boxes/B-2', body])
    assert.is(status, 422)
    const details = JSON.parse(text).error.details.map(
      ({ field, code }: Record<string, string>) => `${field} ${code}`,
    )
    assert.equal(details, ['bound role_needed', 'parts[0].sealed role_needed'])
    const born = await send('clerk', ['post', '/v1/boxes', { code: 'B-7', bound: 9 }])
    assert.match(born.text, 'may only be set by Keeper')
    assert.match((await send('clerk', ['get', '/v1/boxes/B-2'])).text, '"bound":5')
    const kept = await send('keeper', ['patch', '/v1/boxes/B-2', { bound: 6 }])
    assert.match(kept.text, '"bound":6')
    const described = JSON.parse((await send('clerk', ['get', '/v1/resources/boxes'])).text)
    const limit = described.fields.find(({ name }: { name: string }) => name === 'bound')
    assert.is(limit.readOnly, true)
  })

  test('a client of surface A sends a document back whole, and changes none of them', async () => {
    const { text } = await send('clerk', ['get', '/api/resource/Box/B-2'])
    const { data } = JSON.parse(text)
    const same = await send('clerk', ['put', '/api/resource/Box/B-2', { ...data, note: 'same' }])
    assert.is(same.status, 200, same.text)
    const other = await send('clerk', ['put', '/api/resource/Box/B-2', { ...data, bound: 8 }])
    assert.is(other.status, 417, other.text)
    const sent = { ...data, note: 'same', kept_cost: 1 }
    assert.is((await send('clerk', ['put', '/api/resource/Box/B-2', sent])).status, 200)
    const stored = JSON.parse((await send('keeper', ['get', '/v1/boxes/B-2'])).text)
    assert.equal(
      [stored.note, stored.bound, stored.kept_cost, stored.parts[0].kept_price],
      ['same', 6, 4711, 4711],
    )
  })

  test('a webhook sends what who registered it may read, and pauses when they may no more', async () => {
    const chief = await addMember(api, 'chief@example.com', ['System Manager'])
    await addMember(api, 'deputy@example.com', ['System Manager'])
    const receiver = await answers(204)
    const worker = new Dispatcher({
      engine: api.engine,
      secretKey: api.secretKey,
      sender: createSender({ policy: { loopback: true, private: false, ownPorts: [] } }),
      findOwner: ownersOf(api.engine.services),
      backoff: steadyBackoff(),
      logger: { warn: () => undefined, error: () => undefined, info: () => undefined },
    })
    try {
      const events = ['boxes.created']
      const made = await request(api.app)
        .post('/v1/webhooks')
        .set('Authorization', chief.authorization)
        .send({ url: receiver.url, events })
      assert.is(made.status, 201, made.text)
      const box = (code: string): Request => ['post', '/v1/boxes', { code, kept_cost: 4711 }]
      await send('keeper', box('W-1'))
      await worker.settled()
      await changeMember(api, 'chief@example.com', { roles: [{ role: 'Clerk' }] })
      await send('keeper', box('W-2'))
      await worker.settled()
      const bodies = receiver.requests().map(({ body }) => String(body))
      // Who is no manager any more sends nothing: the webhook pauses.
      assert.is(bodies.length, 1)
      assert.match(bodies[0]!, '"kept_cost":4711')
    } finally {
      await worker.stop(0)
      await receiver.close()
    }
  })
})

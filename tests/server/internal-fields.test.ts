import request from 'supertest'
import * as assert from 'uvu/assert'
import { verifyWorkspace } from '../../engine/documents/verify/verify.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { openTestApp, type TestApp } from './test-app.ts'

/** Every internal name begins with it, so that one look at an answer finds them all. */
const MARK = 'inner_'

const DOCTYPES = {
  vessel: `
doctype: Vessel
module: stock
tier: free
naming: field:code
fields:
  code: {type: data, required: true}
  inner_load: {type: float, internal: true, rollup: {from: Load, match: vessel, sum: inner_weight}}
  load_shown: {type: float, formula: inner_load * 1}
  most: {type: float, default: 100}
validate:
  - {check: inner_load <= most, field: code, message: is full}
`,
  load: `
doctype: Load
module: stock
tier: free
naming: LOAD-{###}
title: what
search: [what]
fields:
  what: {type: data, required: true, filterable: true}
  vessel: {type: link, options: Vessel, filterable: true}
  again: {type: link, options: Load, default: inner_last, description: The one before.}
  weight: {type: float, filterable: true}
  crates: {type: int, default: 1}
  twice: {type: float, formula: inner_weight + inner_weight}
  needed: {type: data, required_when: inner_weight > 50}
  inner_weight: {type: float, internal: true, formula: weight * 1, description: What counts.}
  inner_each: {type: float, internal: true, formula: weight / crates}
  inner_limit: {type: float, internal: true, fetch: vessel.most}
  inner_vessel: {type: link, internal: true, options: Vessel, fetch: vessel.name}
  inner_last: {type: data, internal: true, default: '""'}
  inner_heavy: {type: check, internal: true, formula: inner_weight > 40}
  inner_mark: {type: data, internal: true}
  parts:
    type: table
    fields:
      name_of: {type: data}
      count: {type: int}
      inner_count: {type: int, internal: true, formula: count + 1}
      seen: {type: int, formula: inner_count * 2}
  inner_rows:
    type: table
    internal: true
    fields:
      told: {type: data}
actions:
  mark: {when: inner_weight > 1, steps: [{set: {inner_mark: '"marked"'}}]}
events:
  heavy: {when: inner_heavy, data: {mass: inner_weight}}
  weighed: {trigger: change, field: inner_weight}
print:
  meta: [what, inner_limit, inner_mark]
  tables:
    - {table: parts, columns: [name_of, inner_count]}
`,
  'reports/loads-by-vessel': `
report: Loads by Vessel
module: stock
description: What vessels carry.
from: Load
where: inner_weight > 0
columns:
  vessel: {}
  carried: {sum: inner_weight}
order: [vessel]
`,
}

type Method = 'get' | 'post' | 'patch' | 'put'
type Request = readonly [method: Method, path: string, body?: object]

/** Requests that succeed, of which no answer names an internal field. */
const ANSWERED: readonly Request[] = [
  ['get', '/v1/loads/LOAD-001'],
  ['get', '/v1/loads?_titles=1'],
  ['get', '/v1/loads?q=iron&fields=what,parts'],
  ['get', '/v1/loads?weight__gt=1&sort=weight'],
  ['get', '/v1/vessels'],
  ['get', '/v1/vessels/V-1'],
  ['patch', '/v1/loads/LOAD-001', { weight: 7, parts: [{ name_of: 'lid', count: 2 }] }],
  ['post', '/v1/loads', { what: 'tin', vessel: 'V-1', weight: 45 }],
  ['post', '/v1/loads/LOAD-001/actions/mark', {}],
  ['get', '/v1/events'],
  ['get', '/v1/resources'],
  ['get', '/v1/resources/loads'],
  ['get', '/v1/resources/vessels'],
  ['get', '/v1/webhooks/events?resource=loads'],
  ['get', '/v1/openapi.json'],
  ['get', '/v1/reports/loads-by-vessel'],
  ['get', '/api/resource/Load/LOAD-001'],
  ['get', '/api/resource/Load/LOAD-001?expand_links=1'],
  ['get', '/api/resource/Load?fields=["*"]'],
  ['get', '/api/resource/Load Part?fields=["*"]&parent=Load'],
  ['get', '/api/resource/DocType/Load'],
  ['get', '/api/resource/DocType/Load Part'],
  ['get', '/api/resource/DocType?limit_page_length=0'],
  ['put', '/api/resource/Load/LOAD-001', { weight: 8, [`${MARK}mark`]: 'sent' }],
  ['get', '/api/method/frappe.client.get?doctype=Load&name=LOAD-001'],
  ['get', '/api/method/frappe.client.get_list?doctype=Load&fields=["*"]'],
]

/** Requests that name a field, each answered for an internal one as for one there is not. */
const REFUSED: readonly ((field: string) => Request)[] = [
  (field) => ['get', `/v1/loads?fields=what,${field}`],
  (field) => ['get', `/v1/loads?sort=${field}`],
  (field) => ['get', `/v1/loads?${field}=1`],
  (field) => ['get', `/v1/loads?${field}__gt=1`],
  (field) => ['post', '/v1/loads', { what: 'x', [field]: 1 }],
  (field) => ['patch', '/v1/loads/LOAD-001', { [field]: 1 }],
  (field) => ['patch', '/v1/loads/LOAD-001', { parts: [{ [field]: 1 }] }],
  (field) => ['get', `/api/resource/Load?fields=["${field}"]`],
  (field) => ['get', `/api/resource/Load?filters=[["${field}","=","1"]]`],
  (field) => ['get', `/api/resource/Load?or_filters=[["${field}","=","1"]]`],
  (field) => ['get', `/api/resource/Load?order_by=${field} desc`],
  (field) => ['get', `/api/resource/Load?group_by=${field}&fields=["count(name) as n"]`],
  (field) => ['get', `/api/resource/Load?fields=["sum(${field}) as n"]`],
  (field) => ['get', `/api/resource/Load?fields=["parts.${field}"]`],
  (field) => ['get', `/api/resource/Load?fields=["vessel.${field}"]`],
  (field) => ['get', `/api/resource/Load?fields=["\`tabLoad Part\`.${field}"]`],
  (field) => ['get', `/api/resource/Load Part?parent=Load&fields=["${field}"]`],
  (field) => [
    'get',
    `/api/method/frappe.client.get_value?doctype=Load&fieldname=${field}&filters={"name":"LOAD-001"}`,
  ],
  (field) => ['get', `/api/method/frappe.client.get_count?doctype=Load&filters={"${field}":1}`],
]

const INNER = ['inner_weight', 'inner_count', 'inner_load', 'inner_rows', 'inner_vessel']

forEachDatabaseWhenDeep('internal fields', ({ test, create }) => {
  let api: TestApp
  test.before(async () => {
    api = await openTestApp({ doctypes: DOCTYPES, database: await create() })
    await send(['post', '/v1/vessels', { code: 'V-1' }])
    const parts = [{ name_of: 'lid', count: 2 }]
    await send(['post', '/v1/loads', { what: 'iron', vessel: 'V-1', weight: 5, parts }])
  })
  test.after(() => api.close())

  async function send([method, path, body]: Request): Promise<{ status: number; text: string }> {
    const call = request(api.app)[method](encodeURI(path)).set('X-API-Key', api.keys.admin)
    const { status, text } = await (body ? call.send(body) : call)
    return { status, text }
  }

  for (const one of ANSWERED)
    test(`${one[0]} ${one[1]} names none`, async () => {
      const { status, text } = await send(one)
      assert.ok(status < 300, text)
      assert.not.match(text, MARK, around(text))
    })

  for (const of of REFUSED)
    test(`${of('…')[0]} ${of('…')[1]} answers as for a field there is not`, async () => {
      const told = async (field: string) => {
        const { status, text } = await send(of(field))
        return [status, text.replaceAll(field, '…').replace(/"request_id":"[^"]*"/, '')]
      }
      const [status, text] = await told('nobodys_field')
      assert.ok(Number(status) >= 400, String(text))
      assert.not.match(String(text), MARK)
      for (const name of INNER) assert.equal(await told(name), [status, text], name)
    })

  test('are computed, kept and set by the workspace itself, and verified', async () => {
    const { services } = api.engine
    const { store } = services.partsOf(services.registry.byDoctype('Load')!)
    const doc = await store.find(services.database.read, 'LOAD-001')
    assert.is(doc?.inner_weight, 8_000_000n)
    assert.is(doc?.inner_limit, 100_000_000n)
    assert.is(doc?.inner_mark, 'marked')
    assert.match((await send(['get', '/v1/vessels/V-1'])).text, '"load_shown":53')
    const wrong = async () => (await verifyWorkspace(services)).checks.flatMap(({ found }) => found)
    assert.equal(await wrong(), [])
    await services.database.write((tx) =>
      tx.updateTable('loads').set({ inner_weight: 1 }).where('name', '=', 'LOAD-001').execute(),
    )
    const found = await wrong()
    assert.ok(
      found.some(({ field }) => field === 'inner_weight'),
      JSON.stringify(found),
    )
    await services.database.write((tx) =>
      tx
        .updateTable('loads')
        .set({ inner_weight: 8_000_000 })
        .where('name', '=', 'LOAD-001')
        .execute(),
    )
  })

  test('are not in the log, whose texts are what webhooks deliver', async () => {
    const { read } = api.engine.services.database
    const logged = await read.selectFrom('svc_events').select(['event', 'data']).execute()
    assert.ok(logged.some(({ event }) => event === 'loads.heavy'))
    assert.not.match(JSON.stringify(logged), MARK)
    assert.match(JSON.stringify(logged), 'mass')
  })

  test('are on a paper that asks for them', async () => {
    const { text } = await send(['get', '/print/loads/LOAD-001'])
    assert.match(text, 'marked')
    assert.match(text, 'Inner Count')
  })

  test('are not what a problem is about: it tells the row, or nothing', async () => {
    const { status, text } = await send(['post', '/v1/loads', { what: 'x', weight: 1, crates: 0 }])
    assert.is(status, 422)
    assert.not.match(text, MARK, around(text))
    const heavy = await send(['post', '/v1/loads', { what: 'x', weight: 60 }])
    assert.is(heavy.status, 422)
    assert.match(heavy.text, '"needed"')
    assert.not.match(heavy.text, MARK)
    const full = await send([
      'post',
      '/v1/loads',
      { what: 'x', vessel: 'V-1', weight: 200, needed: 'y' },
    ])
    assert.is(full.status, 422)
    assert.not.match(full.text, MARK)
    const linked = await request(api.app).delete('/v1/vessels/V-1').set('X-API-Key', api.keys.admin)
    assert.is(linked.status, 409)
    assert.not.match(linked.text, MARK)
  })
})

/** The first place where a text names an internal field. */
function around(text: string): string {
  const at = text.indexOf(MARK)
  return text.slice(Math.max(0, at - 200), at + 100)
}

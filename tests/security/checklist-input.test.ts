import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { loadDefinitionTexts } from '../../engine/definition/load/load.ts'
import { hostileText } from '../fuzz/hostile.ts'
import { rounds, seedsOf } from '../helpers/random.ts'
import { bearer } from '../server/test-app.ts'
import { send, type Verb } from './people.ts'
import { openScene, type Scene } from './scene.ts'

/* M of the security checklist: what a request may name and set. */

const SEEDS = seedsOf(import.meta.filename, [1, 2])
const test = suite('security checklist: input')
let scene: Scene

test.before(async () => {
  scene = await openScene()
  for (const [code, title] of [
    ['a', '100%'],
    ['b', '100 more'],
    ['c', 'a_b'],
    ['d', 'axb'],
    ['e', 'back\\slash'],
  ])
    await admin('post', '/v1/gadgets').send({ code, title })
})
test.after(() => scene.close())

const admin = (verb: Verb, path: string) => scene.call(scene.keys.admin, verb, path)

test('M1 only fields that may be set are taken, in a create, in a change and in rows', async () => {
  const own = [
    'name',
    'id',
    'owner',
    'docstatus',
    'created',
    'modified',
    'modified_by',
    'workspace',
    'idx',
    'parent',
    'rid',
    'amended_from',
    'nonsense',
    'doctype',
  ]
  for (const field of own) {
    for (const value of ['x', 1, { a: 1 }, null]) {
      const made = await admin('post', '/v1/gadgets').send({
        code: 'm1',
        title: 'x',
        [field]: value,
      })
      assert.is(made.status, 422, `${field}: ${made.text}`)
      const changed = await admin('patch', '/v1/gadgets/a').send({ [field]: value })
      assert.is(changed.status, 422, `${field}: ${changed.text}`)
    }
  }
  assert.is(
    (await admin('patch', '/v1/gadgets/a').send({ code: 'z' })).status,
    422,
    'set on create only',
  )
  const row = { gadget: 'a', qty: 1, parent: 'x' }
  assert.is((await admin('post', '/v1/parcels').send({ receiver: 'r', items: [row] })).status, 422)
  for (const code of [{ a: 1 }, ['a'], 1, true])
    assert.is((await admin('post', '/v1/gadgets').send({ code, title: 'x' })).status, 422)
  const raised = await admin('post', '/api/resource/Gadget').send({
    code: 'm1a',
    title: 'x',
    owner: 'evil',
    docstatus: 0,
  })
  if (raised.status === 200) assert.is.not(raised.body.data.owner, 'evil')
})

test('M2 filters, sort, fields and search take the names of the catalogue and none that hold secrets', async () => {
  await admin('patch', '/v1/gadgets/a').send({ pin: 'secretpin77' })
  for (const query of [
    'nonsense=1',
    'sort=nonsense',
    'fields=nonsense',
    'story__like=x',
    'pin=secretpin77',
    'pin__like=s',
    'sort=pin',
    'rid=1',
    'sort=rid',
    'hash=1',
    'title__regex=a',
    'code__nonsense=1',
    'parent_gadget.pin=x',
    'fields=*',
    'group_by=pin',
    'extra__like=x',
  ]) {
    const { status, text } = await admin('get', `/v1/gadgets?${query}`)
    assert.is(status, 422, `${query}: ${text}`)
  }
  assert.is((await admin('get', '/v1/gadgets?q=secretpin77')).body.meta.total, 0)
  for (const filters of [
    '[["pin","=","secretpin77"]]',
    '[["pin","like","s%"]]',
    '{"pin":["is","set"]}',
  ]) {
    const { status, text } = await admin(
      'get',
      `/api/resource/Gadget?filters=${encodeURIComponent(filters)}`,
    )
    assert.ok(status >= 400, `${filters}: ${text}`)
  }
  for (const query of [
    'order_by=pin',
    'fields=["pin"]',
    'fields=["count(pin) as n"]',
    'group_by=pin',
  ]) {
    const { status, text } = await admin('get', `/api/resource/Gadget?${encodeURI(query)}`)
    assert.ok(status >= 400 || !text.includes('secretpin77'), `${query}: ${text}`)
    assert.not.match(text, 'secretpin77')
  }
})

test('M3 what is linked shows its title, fields and events only to who may read it', async () => {
  const { manager, worker } = scene
  const dossier = await scene
    .call(manager, 'post', '/v1/dossiers')
    .send({ subject: 'merger-of-1997' })
  const id = dossier.body.id as string
  const gift = await scene.call(worker, 'post', '/v1/gifts').send({ label: 'g', dossier: id })
  assert.is(gift.status, 201, gift.text)
  const asked: [Verb, string, object?][] = [
    ['get', '/v1/gifts?_titles=1'],
    ['get', `/v1/gifts/${gift.body.id}`],
    ['get', `/api/resource/Gift/${gift.body.id}?expand_links=1`],
    ['get', `/api/resource/Gift?fields=${encodeURIComponent('["name","dossier.subject"]')}`],
    [
      'get',
      `/api/resource/Gift?fields=${encodeURIComponent('["name","dossier"]')}&expand=${encodeURIComponent('["dossier"]')}`,
    ],
    [
      'get',
      `/api/resource/Gift?filters=${encodeURIComponent('[["dossier.subject","like","merger%"]]')}`,
    ],
    ['get', `/api/method/frappe.desk.search.search_link?doctype=Dossier&txt=merger`],
    ['get', `/api/method/frappe.client.get_value?doctype=Dossier&fieldname=subject&filters=${id}`],
    ['get', '/api/method/frappe.client.get_list?doctype=Dossier&fields=["subject"]'],
    ['get', '/v1/events?limit=100'],
    ['get', '/v1/events?resource=dossiers'],
    ['get', `/v1/dossiers/${id}`],
    ['delete', `/v1/dossiers/${id}`],
  ]
  for (const [verb, path] of asked) {
    const { text } = await scene.call(worker, verb, path)
    assert.not.match(text, 'merger-of', `${verb} ${path}`)
  }
  const seen = await scene.call(scene.boss, 'get', '/v1/gifts?_titles=1')
  assert.is(seen.body.data[0]._titles.dossier, 'merger-of-1997')
})

test('M4 no text in a parameter, path or body reaches SQL: no answer is a 500 or tells of the database', async () => {
  // The surface as a whole: tests/fuzz/http-fuzz.test.ts, tests/server/api/errors.test.ts.
  const texts = SEEDS.flatMap((seed) => fc.sample(hostileText, { seed, numRuns: rounds(30) }))
  for (const text of texts) {
    const value = encodeURIComponent(text)
    for (const path of [
      `/v1/gadgets?title__like=${value}&sort=${value}`,
      `/v1/gadgets?${value}=1&fields=${value}`,
      `/v1/gadgets?q=${value}&cursor=${value}`,
      `/v1/${value}/${value}`,
      `/api/resource/Gadget?order_by=${value}&filters=${encodeURIComponent(JSON.stringify([[text, '=', text]]))}`,
      `/api/method/frappe.client.get_count?doctype=${value}&filters=${value}`,
    ]) {
      const answer = await admin('get', path)
      assert.ok(answer.status < 500, `${path}: ${answer.text}`)
      assert.not.match(answer.text, /sqlite|syntax error|no such (column|table)|near "/i, path)
    }
  }
})

test('M5 wildcards are plain characters, and lists of values and filters end somewhere', async () => {
  const found = async (query: string): Promise<string[]> =>
    (await admin('get', `/v1/gadgets?sort=id&order=asc&${query}`)).body.data.map(
      ({ id }: { id: string }) => id,
    )
  assert.equal(await found('title__like=0%25'), ['a'])
  assert.equal(await found('title__like=a_b'), ['c'])
  assert.equal(await found('title__like=k%5Cs'), ['e'])
  assert.equal(await found('q=a_b'), ['c'])
  const many = (n: number): string => Array.from({ length: n }, (_, i) => i).join(',')
  assert.is((await admin('get', `/v1/gadgets?stock__in=${many(500)}`)).status, 200)
  assert.is((await admin('get', `/v1/gadgets?stock__in=${many(501)}`)).status, 422)
  const ops = [
    'title',
    'code',
    'price',
    'stock',
    'made_on',
    'contact',
    'kind',
    'active',
    'parent_gadget',
    'id',
    'name',
  ]
  const filters = ops.flatMap((field) =>
    ['', '__ne', '__gt', '__gte', '__lt', '__lte'].map((op) => `${field}${op}=1`),
  )
  assert.ok(filters.length > 50)
  assert.is((await admin('get', `/v1/gadgets?${filters.join('&')}`)).status, 422)
})

test('M6 the names of JavaScript objects are names like any other, and pollute nothing', async () => {
  for (const key of ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty']) {
    const bodies = [
      `{"code":"m6","title":"x","${key}":{"polluted":1}}`,
      `{"code":"m6","title":"x","extra":{"a":1},"${key}":1}`,
    ]
    for (const text of bodies) {
      const call = send(scene, 'post', '/v1/gadgets', {
        authorization: bearer(scene.keys.admin),
        'content-type': 'application/json',
      })
      const answer = await call.send(text)
      assert.is(answer.status, 422, `${text}: ${answer.text}`)
    }
    for (const path of [
      `/v1/gadgets?${key}=1`,
      `/v1/gadgets?sort=${key}`,
      `/v1/gadgets?fields=${key}`,
      `/v1/gadgets?${key}__like=1`,
    ])
      assert.is((await admin('get', path)).status, 422, path)
    for (const path of [`/v1/${key}`, `/v1/gadgets/${key}`, `/v1/gadgets/a/actions/${key}`])
      assert.ok([404, 405].includes((await admin('get', path)).status), path)
    assert.ok([404, 417].includes((await admin('get', `/api/resource/${key}`)).status), key)
    assert.ok([404, 403, 417].includes((await admin('get', `/api/method/${key}`)).status), key)
    const yaml = `doctype: Evil\nmodule: crm\ntier: free\nnaming: prompt\nfields:\n  ${key}: {type: data}\n`
    assert.throws(
      () => loadDefinitionTexts([{ path: 'evil.yaml', text: yaml }]),
      /cannot be a key|expected a name/,
    )
  }
  assert.is(({} as { polluted?: number }).polluted, undefined)
})

test.run()

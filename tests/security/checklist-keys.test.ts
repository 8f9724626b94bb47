import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { changedTables, dumpTables } from '../helpers/tables.ts'
import { openTestApp, type TestApp } from '../server/test-app.ts'
import { type Member, send, type Verb } from './people.ts'
import { openScene, type Scene } from './scene.ts'

/* K and P of the security checklist: API keys, what a refusal leaves behind, allow lists. */

const test = suite('security checklist: keys')
let scene: Scene

test.before(async () => {
  scene = await openScene({ tier: 'business', settings: { trustProxy: ['127.0.0.0/8'] } })
})
test.after(() => scene.close())

const dump = () => dumpTables(scene.engine.services.database)

test('K1 a key has its prefix and 192 random bits and more; the database holds only its hash', async () => {
  const { key, prefix, last4 } = await scene.newKey()
  assert.match(key, /^svc_live_[0-9A-Za-z]{33,}$/)
  assert.ok(36 * Math.log2(62) >= 192)
  const { svc_api_keys: rows = [] } = await dump()
  const row = JSON.parse(rows.find((one) => one.includes(last4)) ?? '{}') as Record<string, string>
  assert.match(row.hash!, /^[0-9a-f]{64}$/)
  assert.equal([row.prefix, row.last4], [prefix, last4])
  assert.not.match(JSON.stringify(await dump()), key.slice(prefix.length, -4))
})

test('K2 a key is seen in the answer that makes it and in no other', async () => {
  const { admin } = scene.keys
  const made = await scene.call(admin, 'post', '/v1/api-keys').send({ scope: 'read' })
  const { key, id } = made.body as { key: string; id: string }
  for (const [verb, path] of [
    ['get', '/v1/api-keys'],
    ['get', '/v1/events?limit=100'],
    ['delete', `/v1/api-keys/${id}`],
    ['delete', `/v1/api-keys/${id}`],
    ['get', '/v1/gadgets'],
  ] as const) {
    const who = path === '/v1/gadgets' ? key : admin
    assert.not.match((await scene.call(who, verb, path)).text, key.slice(12), path)
  }
  assert.not.match(scene.logged(), key.slice(12))
})

test('K3 a key of the other environment is as unknown as one that never was', async () => {
  const { key } = await scene.newKey({ env: 'test' })
  const other = await scene.call(key, 'get', '/v1/gadgets')
  const unknown = await scene.call(`svc_live_${'0'.repeat(36)}`, 'get', '/v1/gadgets')
  assert.equal([other.status, other.text], [401, unknown.text])
})

test('K4 a read key changes nothing, a write key deletes nothing and manages no keys, nobody is least', async () => {
  const { read, write, admin } = scene.keys
  await scene.call(admin, 'post', '/v1/gadgets').send({ code: 'K4', title: 'x' })
  const refused: [string | undefined, Verb, string, number][] = [
    [read, 'post', '/v1/gadgets', 403],
    [read, 'patch', '/v1/gadgets/K4', 403],
    [read, 'delete', '/v1/gadgets/K4', 403],
    [read, 'post', '/v1/parcels/PAR-00001/submit', 403],
    [read, 'post', '/v1/webhooks', 403],
    [read, 'post', '/v1/tiers/pro/subscribe', 403],
    [read, 'put', '/api/resource/Gadget/K4', 403],
    [write, 'delete', '/v1/gadgets/K4', 403],
    [write, 'get', '/v1/api-keys', 403],
    [write, 'post', '/v1/api-keys', 403],
    [write, 'delete', '/api/resource/Gadget/K4', 403],
    [undefined, 'get', '/v1/gadgets', 401],
    [undefined, 'get', '/api/resource/Gadget', 403],
  ]
  for (const [key, verb, path, status] of refused) {
    const { text, status: got } = await scene
      .call(key, verb, path)
      .send(verb === 'get' ? undefined : {})
    assert.is(got, status, `${verb} ${path}: ${text}`)
  }
  assert.is((await scene.call(admin, 'get', '/v1/gadgets/K4')).status, 200)
})

test('K5 a call that is refused leaves every table as it was', async () => {
  const { admin, read, write } = scene.keys
  const { boss, manager, worker } = scene
  const gadget = { code: 'K5', title: 'x' }
  await scene.call(admin, 'post', '/v1/gadgets').send(gadget)
  const hook = { url: 'http://127.0.0.1:9/hook', events: ['*'] }
  await scene.call(admin, 'post', '/v1/webhooks').send(hook)
  const parcel = await scene
    .call(admin, 'post', '/v1/parcels')
    .send({ receiver: 'r', items: [{ gadget: 'K5', qty: 1 }] })
  const draft = `/v1/parcels/${parcel.body.id}`
  const theirs = await scene
    .call(manager, 'post', '/v1/errands')
    .send({ title: 't', assignee: 'x' })
  const errand = `/v1/errands/${theirs.body.id}`
  const turbine = await scene.call(admin, 'post', '/v1/turbines').send({ name: 'T' })
  assert.is(turbine.status, 201, turbine.text)
  await scene.engine.setTier('free')
  for (const key of [read, write]) await scene.call(key, 'get', '/v1/gadgets')
  type Denied = [Member | string | undefined, Verb, string, object | undefined, number, string?]
  const denied: Denied[] = [
    [undefined, 'post', '/v1/gadgets', gadget, 401],
    [undefined, 'delete', '/v1/gadgets/K5', undefined, 401],
    [undefined, 'post', '/v1/webhooks', hook, 401],
    ['svc_live_nonsense', 'patch', '/v1/gadgets/K5', { title: 'y' }, 401],
    [undefined, 'post', '/api/resource/Gadget', gadget, 403],
    [undefined, 'delete', '/api/resource/Gadget/K5', undefined, 403],
    [read, 'post', '/v1/gadgets', { code: 'N', title: 'n' }, 403],
    [read, 'patch', '/v1/gadgets/K5', { title: 'y' }, 403],
    [read, 'delete', '/v1/gadgets/K5', undefined, 403],
    [read, 'post', `${draft}/submit`, undefined, 403],
    [read, 'post', '/v1/webhooks', hook, 403],
    [read, 'post', '/v1/api-keys', { scope: 'read' }, 403],
    [
      read,
      'post',
      '/api/method/frappe.client.insert',
      { doc: { doctype: 'Gadget', ...gadget } },
      403,
    ],
    [write, 'delete', '/v1/gadgets/K5', undefined, 403],
    [write, 'post', '/v1/api-keys', { scope: 'admin' }, 403],
    [write, 'delete', '/api/resource/Gadget/K5', undefined, 403],
    [write, 'post', '/v1/users', { email: 'x@example.com', full_name: 'X' }, 403],
    [worker, 'post', '/v1/gadgets', { code: 'N', title: 'n' }, 403],
    [worker, 'post', '/v1/dossiers', { subject: 's' }, 403],
    [worker, 'post', '/v1/users', { email: 'x@example.com', full_name: 'X' }, 403],
    [worker, 'patch', `/v1/users/${worker.login}`, { roles: [{ role: 'System Manager' }] }, 403],
    [worker, 'post', '/v1/api-keys', { scope: 'admin' }, 403],
    [worker, 'post', '/v1/webhooks', hook, 403],
    [worker, 'post', '/v1/roles', { role_name: 'Mine' }, 403],
    [worker, 'post', '/v1/tiers/pro/subscribe', {}, 403],
    [worker, 'patch', errand, { title: 'mine' }, 404],
    [worker, 'post', `${errand}/submit`, undefined, 404],
    [worker, 'delete', errand, undefined, 403],
    [worker, 'post', '/v1/errands', { title: 't', assignee: 'other' }, 403],
    [manager, 'post', '/v1/users', { email: 'x@example.com', full_name: 'X' }, 403],
    [manager, 'delete', `/v1/users/${worker.login}`, undefined, 403],
    [boss, 'post', '/v1/turbines', { name: 'T2' }, 403],
    [boss, 'patch', '/v1/turbines/T', { power: 1 }, 403],
    [boss, 'delete', '/v1/turbines/T', undefined, 403],
    [boss, 'delete', `/v1/users/${boss.login}`, undefined, 409],
    [admin, 'post', '/v1/gadgets', gadget, 409],
    [admin, 'delete', '/v1/gadgets/K5', undefined, 409],
    [admin, 'post', `${draft}/cancel`, undefined, 409],
    [admin, 'post', '/v1/gadgets', { code: 'N', title: 1, unknown: 1 }, 422],
    [admin, 'post', '/v1/gadgets', { code: 'N', title: 'n', parent_gadget: 'none' }, 422],
    [admin, 'post', draft.replace('parcels', 'gadgets'), undefined, 405],
    [admin, 'post', '/v1/webhooks', { url: 'ftp://x', events: ['*'] }, 422],
    [admin, 'post', '/v1/api-keys', { scope: 'root' }, 422],
    [admin, 'patch', '/v1/gadgets/K5', { title: 'y' }, 412, '"not-this-one"'],
    [admin, 'delete', '/v1/gadgets/K5', undefined, 412, '"not-this-one"'],
    [admin, 'post', '/v1/gadgets', { title: 'x'.repeat(1_100_000) }, 413],
  ]
  // The first use of a pair is noted.
  for (const who of [worker, manager, boss]) await scene.call(who, 'get', '/v1/tiers')
  await scene.engine.services.database.write(async () => undefined)
  let before = await dump()
  for (const [who, verb, path, body, status, ifMatch] of denied) {
    const call = scene.call(who, verb, path)
    if (ifMatch !== undefined) call.set('If-Match', ifMatch)
    const answer = await call.send(body)
    const what = `${typeof who === 'object' ? who.login : who} ${verb} ${path}`
    assert.is(answer.status, status, `${what}: ${answer.text}`)
    const after = await dump()
    assert.equal(changedTables(before, after), [], what)
    before = after
  }
  await scene.engine.setTier('business')
})

test('K6 what a change makes of a record is asked as strictly as a new record', async () => {
  const { worker } = scene
  const own = { title: 'mine', assignee: worker.login }
  const made = await scene.call(worker, 'post', '/v1/errands').send(own)
  assert.is(made.status, 201, made.text)
  const path = `/v1/errands/${made.body.id}`
  const away = { assignee: scene.manager.login }
  assert.is((await scene.call(worker, 'post', '/v1/errands').send({ ...own, ...away })).status, 403)
  assert.is((await scene.call(worker, 'patch', path).send(away)).status, 403)
  assert.is(
    (await scene.call(worker, 'put', `/api/resource/Errand/${made.body.id}`).send(away)).status,
    403,
  )
  const after = await scene.call(worker, 'get', path)
  assert.is(after.body.assignee, worker.login)
})

test('K7 two who read one address never share an answer, and nobody else may keep one', async () => {
  const { manager, worker, boss } = scene
  await scene.call(manager, 'post', '/v1/errands').send({ title: 'of somebody', assignee: 'else' })
  const path = '/v1/errands?sort=title&order=asc'
  const seenBy = async (who: Member): Promise<number> =>
    (await scene.call(who, 'get', path)).body.meta.total
  const first = [await seenBy(manager), await seenBy(worker), await seenBy(boss)]
  const again = [await seenBy(manager), await seenBy(worker), await seenBy(boss)]
  assert.equal(again, first)
  assert.ok(first[0]! > first[1]!, String(first))
  const { headers } = await scene.call(worker, 'get', path)
  assert.match(headers['cache-control'] ?? '', /no-store|private/)
  // The address is looked at for each call: a list that let one in lets nobody else in.
  const { key } = await scene.newKey({ allow_ips: ['192.0.2.7'] })
  for (const [address, status] of [
    ['192.0.2.7', 200],
    ['192.0.2.8', 403],
    ['192.0.2.7', 200],
  ] as const) {
    const call = scene.call(key, 'get', '/v1/gadgets').set('X-Forwarded-For', address)
    assert.is((await call).status, status, address)
  }
})

test('P1 an allow list goes by the address a named proxy tells, never by what a client says of itself', async () => {
  const { key } = await scene.newKey({ allow_ips: ['198.51.100.0/24', '2001:db8::/32'] })
  const from = async (app: TestApp, address: string): Promise<number> =>
    (await send(app, 'get', '/v1/gadgets', { 'x-api-key': key, 'x-forwarded-for': address })).status
  for (const address of ['198.51.100.4', '::ffff:198.51.100.4', '2001:db8:1::1'])
    assert.is(await from(scene, address), 200, address)
  for (const address of ['198.51.101.4', '2001:db9::1', '198.51.100.4, 203.0.113.1', 'nonsense'])
    assert.is(await from(scene, address), 403, address)
  const direct = await openTestApp()
  try {
    const own = await direct.newKey({ allow_ips: ['198.51.100.4'] })
    const headers = { 'x-api-key': own.key, 'x-forwarded-for': '198.51.100.4' }
    assert.is((await send(direct, 'get', '/v1/gadgets', headers)).status, 403)
  } finally {
    await direct.close()
  }
  await scene.engine.setTier('pro')
  const wanted = { scope: 'read', allow_ips: ['10.0.0.1'] }
  const refused = await scene.call(scene.keys.admin, 'post', '/v1/api-keys').send(wanted)
  assert.is(refused.status, 403, refused.text)
  assert.is(await from(scene, '203.0.113.1'), 403, 'a list that was made holds on every plan')
})

test.run()

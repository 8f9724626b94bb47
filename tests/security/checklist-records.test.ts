import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { addMember, changeMember, type Verb } from './people.ts'
import { openScene, type Scene } from './scene.ts'

/* M of the security checklist, continued: whose records are whose. */

const test = suite('security checklist: records')
let scene: Scene

test.before(async () => {
  scene = await openScene()
})
test.after(() => scene.close())

const admin = (verb: Verb, path: string) => scene.call(scene.keys.admin, verb, path)

test('M8 what may not be seen does not differ from what is not there', async () => {
  const { worker, manager } = scene
  const made = await scene
    .call(manager, 'post', '/v1/errands')
    .send({ title: 't', assignee: 'else' })
  const id = made.body.id as string
  for (const [verb, tail] of [
    ['get', ''],
    ['patch', ''],
    ['post', '/submit'],
  ] as const) {
    const hidden = await scene
      .call(worker, verb, `/v1/errands/${id}${tail}`)
      .send(verb === 'patch' ? { title: 'y' } : undefined)
    const absent = await scene
      .call(worker, verb, `/v1/errands/ERR-999${tail}`)
      .send(verb === 'patch' ? { title: 'y' } : undefined)
    assert.equal(
      [hidden.status, hidden.text.replaceAll(id, 'ERR-999')],
      [404, absent.text],
      `${verb} ${tail}`,
    )
  }
  const there = await scene.call(worker, 'get', '/v1/dossiers/DOS-001')
  const none = await scene.call(worker, 'get', '/v1/dossiers/DOS-999')
  assert.equal([there.status, there.text], [403, none.text])
  const nonsense = await admin('get', '/v1/nonsense')
  for (const slug of ['svc_sessions', 'svc-sessions', 'user-roles', 'parcel-items']) {
    const { status, text } = await admin('get', `/v1/${slug}`)
    assert.equal(
      [status, text.replaceAll(slug, 'nonsense').replace(/ \(did you mean[^)]*\)/, '')],
      [404, nonsense.text.replace(/ \(did you mean[^)]*\)/, '')],
      slug,
    )
  }
})

test('M9 people, roles, keys, sessions and webhooks are for System Managers; nobody gives what they lack', async () => {
  const { worker, manager, boss } = scene
  for (const who of [worker, manager, scene.keys.write]) {
    for (const path of [
      '/v1/users',
      '/v1/roles',
      '/v1/api-keys',
      '/v1/webhooks',
      '/api/resource/User',
      '/api/resource/Role',
    ]) {
      const { status, text } = await scene.call(who, 'get', path)
      if (who === scene.keys.write && path === '/v1/webhooks') continue
      assert.is(status, 403, `${path}: ${text}`)
    }
  }
  for (const doctype of [
    'Session',
    'Api Key',
    'Idempotency',
    'svc_accounts',
    'DefaultValue',
    '__Auth',
  ])
    assert.ok(
      [403, 404].includes(
        (await admin('get', `/api/resource/${encodeURIComponent(doctype)}`)).status,
      ),
      doctype,
    )
  const key = await scene.call(boss, 'post', '/v1/api-keys').send({ scope: 'write' })
  assert.is(
    (await scene.call(key.body.key as string, 'post', '/v1/api-keys').send({ scope: 'admin' }))
      .status,
    403,
  )
  assert.is((await scene.call(boss, 'delete', `/v1/users/${boss.login}`)).status, 409)
  assert.is(
    (await scene.call(boss, 'patch', `/v1/users/${boss.login}`).send({ enabled: false })).status,
    409,
  )
  assert.is(
    (await scene.call(boss, 'patch', `/v1/users/${boss.login}`).send({ roles: [] })).status,
    409,
  )
  const other = await addMember(scene, 'second@example.com', ['System Manager'])
  const theirs = await scene.call(other, 'post', '/v1/api-keys').send({ scope: 'admin' })
  await changeMember(scene, other.login, { roles: [{ role: 'Employee' }] })
  assert.is(
    (await scene.call(theirs.body.key as string, 'get', '/v1/users')).status,
    403,
    'a key has what its maker has now',
  )
})

test('M10 a key or session of another workspace is unknown here', async () => {
  const other = await openScene()
  try {
    for (const who of [other.keys.admin, other.boss]) {
      assert.is((await scene.call(who, 'get', '/v1/gadgets')).status, 401)
      assert.is((await other.call(who, 'get', '/v1/gadgets')).status, 200)
    }
  } finally {
    await other.close()
  }
})

test('M11 what one role may do with its records does not reach to the records of another', async () => {
  const login = 'two@example.com'
  const both = await addMember(scene, login, ['Employee', 'Stock User'])
  const make = async (body: object): Promise<string> =>
    (await scene.call(scene.manager, 'post', '/v1/errands').send({ title: 't', ...body })).body.id
  const own = `/v1/errands/${await make({ assignee: login, region: 'South' })}`
  const north = `/v1/errands/${await make({ assignee: 'else', region: 'North' })}`
  const neither = `/v1/errands/${await make({ assignee: 'else', region: 'South' })}`
  const status = async (verb: Verb, path: string, body?: object): Promise<number> =>
    (await scene.call(both, verb, path).send(body)).status
  assert.equal(
    [await status('get', own), await status('get', north), await status('get', neither)],
    [200, 200, 404],
  )
  assert.equal(
    [await status('patch', north, { title: 'x' }), await status('delete', own)],
    [403, 403],
  )
  assert.equal(
    [await status('patch', own, { title: 'x' }), await status('delete', north)],
    [200, 204],
  )
})

test.run()

import request from 'supertest'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { removeDocument } from '../../../engine/documents/operations/remove.ts'
import { peopleOf } from '../../../server/auth/people.ts'
import { forEachDatabaseWhenDeep } from '../../helpers/databases.ts'
import { addPerson, cookieOf } from '../auth/people.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'

forEachDatabaseWhenDeep('what people keep for their screens', ({ test, fresh }) => {
  let app: TestApp
  const cookies = new Map<string, string>()
  test.before(async () => {
    app = await openTestApp({ database: await fresh() })
    for (const [login, roles] of [
      ['ann', ['Stock Manager']],
      ['bob', ['Stock Manager']],
      ['cid', ['HR Manager']],
      ['boss', ['System Manager']],
    ] as const)
      cookies.set(
        login,
        (await cookieOf(app.engine, await addPerson(app.engine, login, roles))).cookie,
      )
  })
  test.after(() => app.close())

  const as = (login: string, method: Method, path: string) =>
    request(app.app)[method](path).set('Cookie', cookies.get(login)!)

  test('is JSON of their own, found by nobody else, and none of a key of the workspace', async () => {
    const setting = '/v1/me/settings/list:gadgets'
    for (const value of [{ theme: 'dark', columns: [1, null] }, 'dark', [1, 2], false, null]) {
      const put = await as('ann', 'put', setting)
        .set('Content-Type', 'application/json')
        .send(JSON.stringify(value))
      assert.equal([put.status, put.body], [200, value])
      assert.equal((await as('ann', 'get', setting)).body, value)
    }
    assert.is((await as('bob', 'get', setting)).status, 404)
    assert.is((await as('ann', 'delete', setting)).status, 204)
    assert.is((await as('ann', 'get', setting)).status, 404)
    assert.is((await as('ann', 'delete', setting)).status, 404)
    const large = await as('ann', 'put', setting).send({ text: 'x'.repeat(16 * 1024) })
    assert.is(large.status, 413)
    assert.is((await as('ann', 'put', '/v1/me/settings/no%20spaces').send({})).status, 422)
    assert.is((await as('ann', 'put', setting)).status, 400)
    const key = await request(app.app).get(setting).set('Authorization', bearer(app.keys.admin))
    assert.equal([key.status, key.body.error.code], [403, 'FORBIDDEN'])
  })

  test('are views of lists: their own, shared with a role of theirs, changed by System Managers', async () => {
    const view = {
      resource: 'gadgets',
      title: 'Dear ones',
      query: 'price__gt=10&sort=kind,-price',
      columns: [{ field: 'title', width: 200 }, { field: 'price' }],
      layout: 'board',
    }
    const made = await as('ann', 'post', '/v1/list-views').set('Idempotency-Key', 'v1').send(view)
    const { id, created, modified, ...rest } = made.body
    assert.is(made.status, 201)
    assert.equal(rest, { ...view, shared_with: null, is_default: false, owner: 'ann', own: true })
    const again = await as('ann', 'post', '/v1/list-views').set('Idempotency-Key', 'v1').send(view)
    assert.equal([again.body.id, again.headers['idempotent-replayed']], [id, 'true'])

    const titles = async (login: string, query = '') =>
      (await as(login, 'get', `/v1/list-views${query}`)).body.data.map(
        ({ title, own }: { title: string; own: boolean }) => `${title}${own ? '' : ' (shared)'}`,
      )
    const one = `/v1/list-views/${id}`
    assert.equal(
      [await titles('ann'), await titles('bob'), await titles('boss')],
      [['Dear ones'], [], []],
    )
    assert.is((await as('bob', 'patch', one).send({ title: 'Mine' })).status, 404)

    const foreign = await as('ann', 'patch', one).send({ shared_with: 'HR Manager' })
    assert.equal([foreign.status, foreign.body.error.code], [403, 'FORBIDDEN'])
    const shared = await as('ann', 'patch', one).send({
      shared_with: 'Stock Manager',
      is_default: true,
    })
    assert.equal(
      [shared.status, shared.body.shared_with, shared.body.title],
      [200, 'Stock Manager', 'Dear ones'],
    )
    assert.equal(
      [await titles('bob'), await titles('cid'), await titles('boss', '?resource=gadgets')],
      [['Dear ones (shared)'], [], ['Dear ones (shared)']],
    )
    assert.equal(await titles('bob', '?resource=parcels'), [])
    assert.is((await as('bob', 'patch', one).send({ title: 'Mine' })).status, 403)
    assert.is((await as('boss', 'patch', one).send({ title: 'Dear' })).body.title, 'Dear')

    const second = await as('ann', 'post', '/v1/list-views').send({
      ...view,
      title: 'B',
      is_default: true,
    })
    const { data } = (await as('ann', 'get', '/v1/list-views')).body
    const defaults = data.filter(({ is_default }: { is_default: boolean }) => is_default)
    assert.equal(
      defaults.map((each: { id: string }) => each.id),
      [second.body.id],
    )
    assert.is((await as('bob', 'delete', one)).status, 403)
    assert.is((await as('ann', 'delete', one)).status, 204)
    assert.is((await as('ann', 'delete', one)).status, 404)
  })

  test('is refused with all problems at once, and goes with the person', async () => {
    const wrong = await as('ann', 'post', '/v1/list-views').send({
      resource: 'nothing',
      columns: [{ wide: 1 }],
      layout: 'pie',
      zzz: 1,
    })
    assert.is(wrong.status, 422)
    const none = await as('ann', 'post', '/v1/list-views').send({ resource: 'users' })
    assert.equal(
      none.body.error.details.map(({ field, code }: Record<string, string>) => [field, code]),
      [
        ['title', 'required'],
        ['resource', 'not_an_option'],
      ],
    )
    await as('cid', 'put', '/v1/me/settings/theme').send({ dark: true })
    const { services } = app.engine
    const context = app.engine.context(SYSTEM_ACTOR, 'free')
    await removeDocument(context, peopleOf(services), 'cid')
    const kept = await services.database.read
      .selectFrom('svc_person_settings')
      .selectAll()
      .execute()
    assert.equal(kept, [])
  })
})

import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

forEachDatabase('generic routes', ({ test, fresh }) => {
  let app: TestApp
  test.before(async () => {
    app = await openTestApp({ database: await fresh(), settings: { rateLimit: false } })
  })
  test.after(() => app.close())

  const as = (scope: 'read' | 'write' | 'admin', method: string, path: string): supertest.Test => {
    const agent = supertest(app.app) as unknown as Record<string, (path: string) => supertest.Test>
    return agent[method]!(path).set('Authorization', bearer(app.keys[scope]))
  }
  const gadget = (code: string, more: object = {}): supertest.Test =>
    as('write', 'post', '/v1/gadgets').send({ code, title: `Gadget ${code}`, ...more })

  test('POST answers 201 with the record, Location and ETag; GET shows the very same bytes', async () => {
    const made = await gadget('G-1', { price: 12.5, kind: 'Tool' })
    assert.is(made.status, 201, made.text)
    assert.is(made.headers.location, '/v1/gadgets/G-1')
    assert.ok(made.headers.etag)
    assert.is(made.body.id, 'G-1')
    assert.is(made.body.price, 12.5)
    assert.is(made.body.active, true)
    const got = await as('read', 'get', '/v1/gadgets/G-1')
    assert.is(got.status, 200)
    assert.is(got.text, made.text)
    assert.is(got.headers.etag, made.headers.etag)
    assert.is(got.headers['content-type'], 'application/json; charset=utf-8')
  })

  test('an alias reaches the same records and Location names the slug', async () => {
    const made = await as('write', 'post', '/v1/gizmos').send({ code: 'ALIAS 1/2', title: 'x' })
    assert.is(made.status, 201, made.text)
    assert.is(made.headers.location, '/v1/gadgets/ALIAS%201%2F2')
    assert.is((await as('read', 'get', String(made.headers.location))).body.id, 'ALIAS 1/2')
  })

  test('PATCH changes what was sent, 200; DELETE answers 204 without a body, then 404', async () => {
    await gadget('G-2', { stock: 1 })
    const changed = await as('write', 'patch', '/v1/gadgets/G-2').send({ stock: 2 })
    assert.is(changed.status, 200, changed.text)
    assert.is(changed.body.stock, 2)
    assert.is(changed.body.title, 'Gadget G-2')
    const gone = await as('admin', 'delete', '/v1/gadgets/G-2')
    assert.is(gone.status, 204)
    assert.is(gone.text, '')
    assert.is((await as('read', 'get', '/v1/gadgets/G-2')).status, 404)
  })

  test('If-None-Match answers 304 without a body, If-Match refuses a stale write with 412', async () => {
    const { etag } = (await gadget('G-3')).headers as { etag: string }
    for (const tag of [etag, `W/${etag}`, '*', `"other", ${etag}`]) {
      const known = await as('read', 'get', '/v1/gadgets/G-3').set('If-None-Match', tag)
      assert.is(known.status, 304, tag)
      assert.is(known.text, '')
      assert.is(known.headers.etag, etag)
    }
    assert.is((await as('read', 'get', '/v1/gadgets/G-3').set('If-None-Match', '"x"')).status, 200)
    const first = await as('write', 'patch', '/v1/gadgets/G-3')
      .set('If-Match', `"a", ${etag}`)
      .send({ stock: 1 })
    assert.is(first.status, 200, first.text)
    for (const tag of [etag, `W/${first.headers.etag}`]) {
      const stale = await as('write', 'patch', '/v1/gadgets/G-3')
        .set('If-Match', tag)
        .send({ stock: 9 })
      assert.is(stale.status, 412, tag)
      assert.is(stale.body.error.code, 'PRECONDITION_FAILED')
    }
    assert.is((await as('admin', 'delete', '/v1/gadgets/G-3').set('If-Match', etag)).status, 412)
    const any = await as('write', 'patch', '/v1/gadgets/G-3')
      .set('If-Match', '*')
      .send({ stock: 3 })
    assert.is(any.status, 200)
  })

  test('HEAD answers as GET does, without a body', async () => {
    const { text } = await gadget('G-HEAD')
    const one = await as('read', 'head', '/v1/gadgets/G-HEAD')
    assert.is(one.status, 200)
    assert.is(one.headers['content-length'], String(Buffer.byteLength(text)))
    assert.ok(one.headers.etag)
    assert.is((await as('read', 'head', '/v1/gadgets')).status, 200)
  })

  test('a list by offset has meta with the total, one by cursor has none; both reach every record once', async () => {
    for (let n = 0; n < 7; n += 1) await gadget(`L-${n}`, { kind: 'Toy' })
    const page = await as(
      'read',
      'get',
      '/v1/gadgets?kind=Toy&limit=5&offset=0&sort=code&order=asc',
    )
    assert.equal(page.body.meta, { total: 7, limit: 5, offset: 0 })
    assert.is(page.body.data.length, 5)
    assert.type(page.body.next_cursor, 'string')
    const rest = await as(
      'read',
      'get',
      '/v1/gadgets?kind=Toy&limit=5&offset=5&sort=code&order=asc',
    )
    assert.equal(
      rest.body.data.map(({ id }: { id: string }) => id),
      ['L-5', 'L-6'],
    )
    assert.not('next_cursor' in rest.body)
    const seen: string[] = []
    let cursor = ''
    do {
      const url = `/v1/gadgets?kind=Toy&limit=3&cursor=${encodeURIComponent(cursor)}`
      const walked = await as('read', 'get', url)
      assert.is(walked.status, 200, walked.text)
      assert.not('meta' in walked.body)
      seen.push(...walked.body.data.map(({ id }: { id: string }) => id))
      cursor = walked.body.next_cursor ?? ''
    } while (cursor !== '')
    assert.equal(seen.sort(), ['L-0', 'L-1', 'L-2', 'L-3', 'L-4', 'L-5', 'L-6'])
  })

  test('a tampered cursor and the cursor of another list are validation errors', async () => {
    for (let n = 0; n < 3; n += 1) await gadget(`C-${n}`)
    const { next_cursor: cursor } = (await as('read', 'get', '/v1/gadgets?limit=1')).body as {
      next_cursor: string
    }
    for (const url of [
      `/v1/gadgets?cursor=x${cursor.slice(1)}`,
      `/v1/gadgets?cursor=${cursor.slice(0, -2)}`,
      '/v1/gadgets?cursor=abc.def',
      `/v1/gadgets?sort=code&cursor=${cursor}`,
      `/v1/parcels?cursor=${cursor}`,
    ]) {
      const answer = await as('read', 'get', url)
      assert.is(answer.status, 422, url)
      assert.is(answer.body.error.details[0].field, 'cursor')
    }
  })

  test('the life of a document: draft, submitted, cancelled, amended', async () => {
    await gadget('G-ROW')
    const made = await as('write', 'post', '/v1/parcels').send({
      receiver: 'Ada',
      items: [{ gadget: 'G-ROW', qty: 2 }],
    })
    assert.is(made.status, 201, made.text)
    assert.is(made.body.docstatus, 0)
    const path = `/v1/parcels/${made.body.id}`
    const submitted = await as('write', 'post', `${path}/submit`)
    assert.is(submitted.status, 200, submitted.text)
    assert.is(submitted.body.docstatus, 1)
    assert.is((await as('write', 'post', `${path}/submit`)).status, 409)
    assert.is((await as('write', 'patch', path).send({ receiver: 'Bob' })).status, 409)
    assert.is((await as('admin', 'delete', path)).status, 409)
    assert.is((await as('write', 'post', `${path}/cancel`).send({})).body.docstatus, 2)
    const amended = await as('write', 'post', `${path}/amend`)
    assert.is(amended.status, 201, amended.text)
    assert.is(amended.body.amended_from, made.body.id)
    assert.is(amended.headers.location, `/v1/parcels/${amended.body.id}`)
  })

  test('a transition takes no fields, and only of submittable resources', async () => {
    const made = await as('write', 'post', '/v1/parcels').send({ receiver: 'Ada' })
    const withField = await as('write', 'post', `/v1/parcels/${made.body.id}/submit`).send({
      receiver: 'Eve',
    })
    assert.is(withField.status, 422)
    assert.is(withField.body.error.details[0].field, 'receiver')
    await gadget('G-PLAIN')
    assert.is((await as('write', 'post', '/v1/gadgets/G-PLAIN/submit')).status, 422)
  })

  test('DELETE of a record others link to is 409 with the linked documents', async () => {
    await gadget('G-USED')
    await gadget('G-USER', { parent_gadget: 'G-USED' })
    const refused = await as('admin', 'delete', '/v1/gadgets/G-USED')
    assert.is(refused.status, 409)
    assert.equal(refused.body.error.linked, [
      { resource: 'gadgets', doctype: 'Gadget', id: 'G-USER', field: 'parent_gadget' },
    ])
  })

  test('a scope or tier that is too low is 403 naming what is missing, and nothing changes', async () => {
    await gadget('G-403')
    const denied: [scope: 'read' | 'write', method: string, path: string, body?: object][] = [
      ['read', 'post', '/v1/gadgets', { code: 'NO', title: 'NO' }],
      ['read', 'patch', '/v1/gadgets/G-403', { title: 'NO' }],
      ['read', 'delete', '/v1/gadgets/G-403'],
      ['read', 'post', '/v1/parcels/none/submit'],
      ['read', 'post', '/v1/parcels/none/cancel'],
      ['read', 'post', '/v1/parcels/none/amend'],
      ['write', 'delete', '/v1/gadgets/G-403'],
      ['write', 'get', '/v1/turbines'],
      ['write', 'post', '/v1/turbines', { name: 'T', power: 1 }],
    ]
    const before = await eventCount()
    for (const [scope, method, path, body] of denied) {
      const answer = await as(scope, method, path).send(body)
      assert.is(answer.status, 403, `${method} ${path}: ${answer.text}`)
      assert.is(answer.body.error.code, 'FORBIDDEN')
    }
    assert.match((await as('write', 'get', '/v1/turbines')).body.error.message, 'business')
    assert.is(await eventCount(), before)
  })

  async function eventCount(): Promise<number> {
    const rows = await app.engine.services.database.read
      .selectFrom('svc_events')
      .select('id')
      .execute()
    return rows.length
  }

  test('unknown slugs, ids, sub-paths and actions are 404; also an id with NUL', async () => {
    for (const path of [
      '/v1/nonsense',
      '/v1/nonsense/1',
      '/v1/gadgets/none',
      '/v1/gadgets/a%00b',
      '/v1/gad%00gets',
      '/v1/gadgets/none/submit/more',
      '/v1/parcel-items',
      '/v1/svc_api_keys',
      '/v1/__proto__',
      '/v1/constructor/x',
      '/v1',
    ]) {
      const answer = await as('admin', 'get', path)
      assert.is(answer.status, 404, path)
      assert.is(answer.body.error.code, 'NOT_FOUND', path)
    }
    const slip = await as('admin', 'get', '/v1/gadgest')
    assert.match(slip.body.error.message, 'did you mean "gadgets"?')
    const long = await as('admin', 'get', `/v1/${'gadgest'.repeat(20)}`)
    assert.not.match(long.body.error.message, 'did you mean')
    const action = await as('write', 'post', '/v1/gadgets/x/actions/explode')
    assert.is(action.status, 404)
    assert.match(action.body.error.message, 'explode')
  })

  test('another method on a known path is 405 with Allow', async () => {
    const wrong: [method: string, path: string, allow: string][] = [
      ['put', '/v1/gadgets', 'GET, HEAD, POST'],
      ['delete', '/v1/gadgets', 'GET, HEAD, POST'],
      ['put', '/v1/gadgets/G-1', 'GET, HEAD, PATCH, DELETE'],
      ['post', '/v1/gadgets/G-1', 'GET, HEAD, PATCH, DELETE'],
      ['get', '/v1/parcels/x/submit', 'POST'],
      ['delete', '/v1/parcels/x/actions/y', 'POST'],
      ['patch', '/v1/api-keys', 'GET, HEAD, POST'],
      ['get', '/v1/api-keys/x', 'DELETE'],
      ['post', '/healthz', 'GET, HEAD'],
    ]
    for (const [method, path, allow] of wrong) {
      const answer = await as('admin', method, path)
      assert.is(answer.status, 405, `${method} ${path}`)
      assert.is(answer.headers.allow, allow)
      assert.is(answer.body.error.code, 'METHOD_NOT_ALLOWED')
    }
    assert.is((await as('admin', 'put', '/v1/nonsense')).status, 404)
  })

  test('all problems of a body come at once as details', async () => {
    const answer = await as('write', 'post', '/v1/gadgets').send({
      title: 1,
      unknown: 2,
      name: 'x',
      docstatus: 1,
    })
    assert.is(answer.status, 422)
    const fields = answer.body.error.details.map(({ field }: { field: string }) => field)
    for (const field of ['code', 'title', 'unknown', 'docstatus'])
      assert.ok(fields.includes(field), field)
  })

  test('rows of a body are named as items[1].qty', async () => {
    await gadget('G-DETAIL')
    const items = [
      { gadget: 'G-DETAIL', qty: 1 },
      { gadget: 'G-DETAIL', qty: -1 },
    ]
    const answer = await as('write', 'post', '/v1/parcels').send({ receiver: 'A', items })
    assert.is(answer.status, 422)
    assert.is(answer.body.error.details[0].field, 'items[1].qty')
  })

  test('__proto__ and its friends in a body are refused and pollute nothing', async () => {
    for (const key of ['__proto__', 'constructor', 'prototype']) {
      const answer = await as('write', 'post', '/v1/gadgets')
        .set('Content-Type', 'application/json')
        .send(`{"code":"P","title":"P","${key}":{"polluted":true}}`)
      assert.is(answer.status, 422, key)
      assert.is(answer.body.error.details[0].field, key)
    }
    assert.is(({} as Record<string, unknown>).polluted, undefined)
  })
})

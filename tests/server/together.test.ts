import { createServer, type Server } from 'node:http'
import request from 'supertest'
import * as assert from 'uvu/assert'
import { actorOf, findPerson } from '../../server/auth/people.ts'
import { forEachDatabaseWhenDeep } from '../helpers/databases.ts'
import { addPerson, changePerson, cookieOf } from './auth/people.ts'
import { listen } from './listening.ts'
import { bearer, openTestApp, type TestApp } from './test-app.ts'

type Method = 'get' | 'post' | 'patch' | 'delete'
type Json = Readonly<Record<string, unknown>>

forEachDatabaseWhenDeep('people and agents who work together', ({ test, fresh }) => {
  let app: TestApp
  let server: Server
  const cookies = new Map<string, string>()
  let agent: string
  test.before(async () => {
    app = await openTestApp({ database: await fresh() })
    for (const [login, roles] of [
      ['ann', ['Stock Manager']],
      ['bob@example.com', ['Stock Manager']],
      ['cid', ['HR Manager']],
    ] as const) {
      const person = await addPerson(app.engine, login, roles)
      cookies.set(login, (await cookieOf(app.engine, person)).cookie)
      if (login === 'ann') {
        const { user } = actorOf(person)
        agent = await keyOf(app, { name: login, user: user! })
      }
    }
    server = createServer(app.app)
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    await as('ann', 'post', '/v1/gadgets').send({ code: 'G1', title: 'Saw', price: 10 })
  })
  test.after(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await app.close()
  })

  const as = (login: string, method: Method, path: string) =>
    request(app.app)[method](path).set('Cookie', cookies.get(login)!)
  const byAgent = (method: Method, path: string) =>
    request(app.app)[method](path).set('Authorization', bearer(agent))
  const told = async (login: string): Promise<readonly Json[]> =>
    (await as(login, 'get', '/v1/notifications?unread=1')).body.data

  test('comment, and who is mentioned and may read the record is told', async () => {
    const path = '/v1/gadgets/G1/comments'
    const text = '@bob@example.com, @cid, @ann and @nobody: is it sharp? Ask x@cid.'
    const made = await as('ann', 'post', path).set('Idempotency-Key', 'c1').send({ text })
    assert.equal([made.status, made.body.content, made.body.owner], [201, text, 'ann'])
    assert.is(made.headers.location, `/v1/comments/${made.body.id}`)
    const again = await as('ann', 'post', path).set('Idempotency-Key', 'c1').send({ text })
    assert.equal([again.body.id, again.headers['idempotent-replayed']], [made.body.id, 'true'])
    const [{ id, at: _, ...notice } = { id: '' }, ...more] = await told('bob@example.com')
    assert.equal(
      [notice, more.length],
      [
        {
          ...{ kind: 'mention', actor: 'ann', resource: 'gadgets', record_id: 'G1' },
          ...{ title: 'G1', text, read: false },
        },
        0,
      ],
    )
    assert.equal([await told('ann'), await told('cid')], [[], []])
    assert.is((await as('bob@example.com', 'get', '/v1/boot')).body.notifications.unread, 1)
    const unknown = await as('bob@example.com', 'post', '/v1/notifications/read').send({})
    assert.is(unknown.status, 422)
    const foreign = await as('ann', 'post', '/v1/notifications/read').send({ ids: [id] })
    assert.equal([foreign.body, (await told('bob@example.com')).length], [{ unread: 0 }, 1])
    const read = await as('bob@example.com', 'post', '/v1/notifications/read').send({ ids: [id] })
    assert.equal([read.body, await told('bob@example.com')], [{ unread: 0 }, []])
    const all = await as('bob@example.com', 'get', '/v1/notifications')
    assert.equal([all.body.meta.total, all.body.data[0].read], [1, true])
    assert.is((await as('cid', 'post', path).send({ text: 'x' })).status, 403)
    assert.is((await as('ann', 'post', path).send({ text: ' ' })).status, 422)
    assert.is((await as('ann', 'post', '/v1/gadgets/G9/comments').send({ text })).status, 404)
  })

  test('mend and take back their own comments, nobody else does', async () => {
    await as('ann', 'post', '/v1/gadgets').send({ code: 'GC', title: 'Clamp' })
    const said = (await as('ann', 'post', '/v1/gadgets/GC/comments').send({ text: 'Odd' })).body
    const path = `/v1/comments/${said.id}`
    const texts = async (): Promise<unknown[]> =>
      (await as('ann', 'get', '/v1/gadgets/GC/timeline')).body.data.map(({ text }: Json) => text)
    const foreign = await as('bob@example.com', 'patch', path).send({ content: 'Even' })
    assert.is(foreign.status, 403)
    assert.is((await as('ann', 'patch', path).send({ content: 'Even' })).status, 200)
    assert.equal((await texts()).filter(Boolean), ['Even'])
    assert.is((await as('bob@example.com', 'delete', path)).status, 403)
    assert.is((await as('ann', 'delete', path)).status, 204)
    assert.equal((await texts()).filter(Boolean), [])
  })

  test('give each other something to do, all or none of them', async () => {
    const path = '/v1/gadgets/G1/assign'
    const wrong = await as('ann', 'post', path).send({ to: ['bob@example.com', 'cid', 'who'] })
    assert.equal(
      wrong.body.error.details.map(({ field, code }: Json) => [field, code]),
      [
        ['to[1]', 'not_permitted'],
        ['to[2]', 'no_such_record'],
      ],
    )
    const body = { to: ['bob@example.com', 'ann'], description: 'Sharpen it', due: '2026-03-09' }
    const made = await as('ann', 'post', path).set('Idempotency-Key', 'a1').send(body)
    assert.equal(
      [made.status, made.body.data.map(({ allocated_to, date }: Json) => [allocated_to, date])],
      [
        201,
        [
          ['bob@example.com', '2026-03-09'],
          ['ann', '2026-03-09'],
        ],
      ],
    )
    const again = await as('ann', 'post', path).set('Idempotency-Key', 'a1').send(body)
    assert.equal(
      [again.body, (await as('ann', 'get', '/v1/todos')).body.meta.total],
      [made.body, 2],
    )
    const [notice] = await told('bob@example.com')
    assert.equal(
      [notice?.kind, notice?.resource, notice?.title, notice?.text],
      ['assignment', 'gadgets', 'G1', 'Sharpen it'],
    )
  })

  test('see all of it in the timeline, field by field, and page by page', async () => {
    app.clock.advance(1000)
    await as('bob@example.com', 'patch', '/v1/gadgets/G1').send({ title: 'Big saw', price: 12.5 })
    app.clock.advance(1000)
    const parcel = (
      await as('ann', 'post', '/v1/parcels').send({
        receiver: 'Zoe',
        items: [{ gadget: 'G1', qty: 1 }],
      })
    ).body
    app.clock.advance(1000)
    const [row] = parcel.items
    await as('ann', 'patch', `/v1/parcels/${parcel.id}`).send({
      items: [
        { ...row, qty: 3 },
        { gadget: 'G1', qty: 5 },
      ],
    })
    app.clock.advance(1000)
    await as('ann', 'post', `/v1/parcels/${parcel.id}/submit`)
    const of = async (path: string): Promise<readonly Json[]> =>
      (await as('ann', 'get', `${path}/timeline`)).body.data
    const gadget = await of('/v1/gadgets/G1')
    assert.equal(
      gadget.map(({ kind, actor }) => [kind, (actor as Json).name]),
      [
        ['changed', 'bob@example.com'],
        ['created', 'ann'],
        ['comment', 'ann'],
        ['assigned', 'ann'],
        ['assigned', 'ann'],
      ],
    )
    assert.equal(gadget[0]!.changes, [
      { field: 'title', label: 'Title', before: 'Saw', after: 'Big saw' },
      { field: 'price', label: 'Price', before: 10, after: 12.5 },
    ])
    const [submitted, changed, created] = await of(`/v1/parcels/${parcel.id}`)
    assert.equal([submitted?.kind, created?.kind, created?.changes], ['submitted', 'created', []])
    const [first, second] = changed!.changes as Json[]
    assert.equal(first, {
      ...{ field: 'items.qty', label: 'Qty', before: 1, after: 3, row: row.row_id },
    })
    assert.equal([second?.field, second?.before, (second!.after as Json).qty], ['items', null, 5])
    const walked: unknown[] = []
    let cursor = ''
    do {
      const path = `/v1/gadgets/G1/timeline?limit=2&cursor=${encodeURIComponent(cursor)}`
      const { data, next_cursor = '' } = (await as('ann', 'get', path)).body
      walked.push(...data)
      cursor = next_cursor
    } while (cursor !== '')
    assert.equal(walked, gadget)
    assert.is((await as('cid', 'get', '/v1/gadgets/G1/timeline')).status, 403)
    assert.is((await as('ann', 'get', '/v1/gadgets/G9/timeline')).status, 404)
    assert.is((await as('ann', 'get', '/v1/gadgets/G1/timeline?offset=1')).status, 422)
    assert.is((await as('ann', 'get', '/v1/gadgets/G1/timeline?cursor=x')).status, 422)
  })

  test('draft by a key of scope draft: it submits, deletes and changes nothing else', async () => {
    const body = { receiver: 'Kim', items: [{ gadget: 'G1', qty: 1 }] }
    const { id } = (await byAgent('post', '/v1/parcels').send(body)).body
    const [notice] = await told('ann')
    assert.equal([notice?.kind, notice?.resource, notice?.record_id], ['approval', 'parcels', id])
    assert.is((await byAgent('patch', `/v1/parcels/${id}`).send({ receiver: 'Kai' })).status, 200)
    const preview = await byAgent('post', `/v1/parcels/${id}/submit?_preview=1`)
    for (const { status, body: answer } of [
      preview,
      await byAgent('post', `/v1/parcels/${id}/submit`),
      await byAgent('delete', `/v1/parcels/${id}`),
      await byAgent('post', '/v1/webhooks').send({}),
    ]) {
      assert.equal([status, answer.error.code], [403, 'FORBIDDEN'])
      assert.match(answer.error.message, 'a key of scope draft may not')
    }
    await as('ann', 'post', `/v1/parcels/${id}/submit`)
    assert.is((await byAgent('patch', `/v1/parcels/${id}`).send({ receiver: 'Kim' })).status, 403)
    const own = await byAgent('post', '/v1/gadgets').send({ code: 'G2', title: 'Axe' })
    assert.is(own.status, 201)
    assert.is((await byAgent('patch', '/v1/gadgets/G2').send({ title: 'An axe' })).status, 200)
    await as('bob@example.com', 'post', '/v1/gadgets').send({ code: 'G3', title: 'Awl' })
    const foreign = await byAgent('patch', '/v1/gadgets/G3').send({ title: 'An awl' })
    assert.is(foreign.status, 403)
    assert.match(foreign.body.error.message, 'that its person has made')
    assert.is((await byAgent('post', '/v1/gadgets/G3/comments').send({ text: 'Nice' })).status, 201)
  })

  test('look after webhooks that send no more, and what nobody’s agent has drafted', async () => {
    await addPerson(app.engine, 'eve', ['System Manager'])
    const { cookie } = await cookieOf(
      app.engine,
      await addPerson(app.engine, 'dan', ['System Manager']),
    )
    cookies.set('dan', cookie)
    const made = await as('dan', 'post', '/v1/webhooks').send({
      ...{ url: 'http://127.0.0.1:65530/x', events: ['gadgets.*'] },
    })
    assert.is(made.status, 201, made.text)
    await changePerson(app.engine, 'dan', { roles: [{ role: 'Stock Manager' }] })
    const eve = (await cookieOf(app.engine, (await findPerson(app.engine.services, 'eve'))!)).cookie
    cookies.set('eve', eve)
    const [paused] = await told('eve')
    assert.equal(
      [paused?.kind, paused?.resource, paused?.record_id, paused?.text],
      ['webhook', 'webhooks', made.body.id, 'it was paused: dan is no System Manager'],
    )
    app.clock.advance(1000)
    const body = { receiver: 'Kim', items: [{ gadget: 'G1', qty: 1 }] }
    const draft = await request(app.app)
      .post('/v1/parcels')
      .set('Authorization', bearer(app.keys.draft))
      .send(body)
    const [asked] = await told('eve')
    assert.equal([asked?.kind, asked?.record_id], ['approval', draft.body.id])
  })

  test('hear of changes that they may read as they happen, and go on where they were', async () => {
    const ann = await listen(server, cookies.get('ann')!)
    const cid = await listen(server, cookies.get('cid')!)
    await as('bob@example.com', 'patch', '/v1/gadgets/G1').send({ price: 1 })
    const change = await ann.next('change')
    assert.equal(
      [change.data.event, change.data.id, change.data.actor],
      ['gadgets.updated', 'G1', 'bob@example.com'],
    )
    await as('bob@example.com', 'post', '/v1/gadgets/G1/comments').send({ text: '@ann look' })
    assert.equal((await ann.next('notification')).data.text, '@ann look')
    ann.end()
    await as('bob@example.com', 'patch', '/v1/gadgets/G1').send({ price: 2 })
    await as('bob@example.com', 'patch', '/v1/gadgets/G1').send({ price: 3 })
    const back = await listen(server, cookies.get('ann')!, change.id)
    // What came with the comment, and both changes, in their order.
    const seen = [await back.next('notification'), await back.next('change')]
    assert.equal(seen[1]!.data.event, 'comments.created')
    const [one, other] = [await back.next('change'), await back.next('change')]
    assert.ok(BigInt(one.id!) < BigInt(other.id!))
    assert.equal([one.data.id, other.data.id], ['G1', 'G1'])
    back.end()
    const lost = await listen(server, cookies.get('ann')!, '99999999')
    assert.equal((await lost.next('reset')).data, {})
    lost.end()
    // Whoever may not read it hears nothing of it, until they may.
    await changePerson(app.engine, 'cid', { roles: [{ role: 'Stock Manager' }] })
    assert.equal(await cid.ended(), [])
  })

  test('miss nothing between what a page has read and its first stream', async () => {
    const booted = await as('ann', 'get', '/v1/boot')
    const at = String(booted.headers['x-stream-at'])
    await as('bob@example.com', 'patch', '/v1/gadgets/G1').send({ price: 4 })
    const path = `/v1/stream?_last_event_id=${at}`
    const ann = await listen(server, cookies.get('ann')!, undefined, path)
    const { id, data } = await ann.next('change')
    assert.equal([data.event, data.id], ['gadgets.updated', 'G1'])
    ann.end()
    // A boot that has not changed is answered with 304, and has the place as it is now.
    const again = await as('ann', 'get', '/v1/boot').set(
      'If-None-Match',
      String(booted.headers.etag),
    )
    assert.equal([again.status, again.headers['x-stream-at']], [304, id])
    // A browser that comes again is further than its address says.
    const back = await listen(server, cookies.get('ann')!, id, path)
    await as('bob@example.com', 'patch', '/v1/gadgets/G1').send({ price: 5 })
    assert.ok(BigInt((await back.next('change')).id!) > BigInt(id!))
    back.end()
    const lost = await listen(server, cookies.get('ann')!, undefined, `${path.split('=')[0]}=x`)
    await lost.next('reset')
    lost.end()
  })

  test('hear how far their own long work is', async () => {
    const ann = await listen(server, cookies.get('ann')!)
    const bob = await listen(server, cookies.get('bob@example.com')!)
    const asked = { ids: ['G1', 'G2'], do: 'update', data: { stock: 7 } }
    const { id } = (await as('ann', 'post', '/v1/gadgets/_bulk').send(asked)).body.job
    await app.runJobs()
    const changes = [await ann.next('change'), await ann.next('change')]
    assert.equal(
      changes.map(({ data }) => data.event),
      ['gadgets.updated', 'gadgets.updated'],
    )
    assert.equal((await ann.next('notification')).data.kind, 'job')
    const { data } = await ann.next('change')
    assert.equal(
      [data.event, data.id, data.job],
      ['jobs.done', id, { kind: 'bulk', state: 'done', done: 2, total: 2, failed: 0 }],
    )
    await bob.next('change')
    await bob.next('change')
    await as('ann', 'patch', '/v1/gadgets/G1').send({ stock: 8 })
    assert.equal((await bob.next('change')).data.event, 'gadgets.updated')
    ann.end()
    bob.end()
  })

  test('have at most ten streams, whichever key they use', async () => {
    const open = await Promise.all(
      Array.from({ length: 10 }, () => listen(server, cookies.get('bob@example.com')!)),
    )
    const last = await as('bob@example.com', 'get', '/v1/stream')
    assert.equal([last.status, last.body.error.code], [429, 'RATE_LIMITED'])
    for (const one of open) one.end()
    assert.is((await as('bob@example.com', 'get', '/v1/stream?x=1')).status, 422)
  })
})

async function keyOf(
  { engine, clock }: TestApp,
  by: { readonly name: string; readonly user: { readonly login: string; readonly email: string } },
): Promise<string> {
  const { createKey } = await import('../../server/auth/api-keys.ts')
  const { key } = await engine.services.database.write((tx) =>
    createKey(tx, clock, by, {
      ...{ scope: 'draft', env: 'live', label: null, allow_ips: [], expires: null },
    }),
  )
  return key
}

import request from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

interface Line {
  readonly id: string
  readonly event: string
  readonly resource: string
  readonly kind: string
  readonly record_id: string
  readonly timestamp: string
  readonly actor: string
  readonly data: Readonly<Record<string, unknown>>
}

forEachDatabase('GET /v1/events', ({ test, fresh }) => {
  let api: TestApp
  test.before.each(async () => {
    api = await openTestApp({ database: await fresh(), tier: 'business' })
    for (let n = 0; n < 5; n += 1) {
      api.clock.advance(60_000)
      await post('/v1/gadgets', { code: `G${n}`, title: `Gadget ${n}` })
    }
    api.clock.advance(60_000)
    await send('patch', '/v1/gadgets/G1', { title: 'Changed' }).expect(200)
  })
  test.after.each(() => api.close())

  const send = (method: 'get' | 'post' | 'patch' | 'delete', path: string, body?: object) =>
    request(api.app)[method](path).set('Authorization', bearer(api.keys.admin)).send(body)
  const post = (path: string, body: object) => send('post', path, body).expect(201)
  const get = async (path: string, status = 200) =>
    (await request(api.app).get(path).set('Authorization', bearer(api.keys.read)).expect(status))
      .body
  const ids = async (query: string): Promise<string[]> =>
    (await get(`/v1/events?resource=gadgets&${query}`)).data.map(
      ({ record_id, kind }: Line) => `${record_id} ${kind}`,
    )

  test('shows the newest first, each with the record as GET shows it', async () => {
    const { data, meta } = await get('/v1/events?resource=gadgets')
    assert.equal(meta, { total: 6, limit: 20, offset: 0 })
    const [line] = data as [Line]
    assert.equal(Object.keys(line), [
      'id',
      'event',
      'resource',
      'kind',
      'record_id',
      'timestamp',
      'actor',
      'data',
    ])
    assert.match(line.id, /^evt_/)
    assert.is(line.event, 'gadgets.updated')
    assert.equal(line.data, await get('/v1/gadgets/G1'))
    assert.is(line.timestamp, line.data.modified)
    assert.equal(await get(`/v1/events/${line.id}`), line)
    await get('/v1/events/evt_none', 404)
  })

  test('filters by what a line says; an alias is its resource', async () => {
    assert.equal(await ids('kind=updated'), ['G1 updated'])
    assert.equal(await ids('record_id=G1'), ['G1 updated', 'G1 created'])
    assert.equal(await ids('event=gizmos.updated'), ['G1 updated'])
    assert.is((await get('/v1/events?resource=gizmos')).meta.total, 6)
    const [{ actor }] = (await get('/v1/events?kind=updated')).data
    assert.is((await ids(`actor=${actor}`)).length, 6)
    assert.equal(await ids('actor=nobody'), [])
    assert.equal(await ids('since=2026-03-01T12:05:00Z'), ['G1 updated', 'G4 created'])
    assert.equal(await ids('until=2026-03-01T12:02:00Z'), ['G0 created'])
    assert.equal(await ids('until=2026-03-01'), [])
    assert.is((await ids('since=2026-03-01')).length, 6)
  })

  test('is paged by offset and walked by cursor, in both orders', async () => {
    assert.equal(await ids('limit=2&offset=1'), ['G4 created', 'G3 created'])
    for (const order of ['asc', 'desc']) {
      const read: string[] = []
      let cursor: string | undefined = ''
      while (cursor !== undefined) {
        const path = `/v1/events?resource=gadgets&order=${order}&limit=4&cursor=${cursor}`
        const page = await get(path)
        assert.is(page.meta, undefined)
        read.push(...page.data.map(({ id }: Line) => id))
        cursor = page.next_cursor
      }
      assert.is(read.length, 6)
      assert.equal(read, order === 'asc' ? read.toSorted() : read.toSorted().reverse())
    }
  })

  test('goes on behind an event that was seen, oldest first', async () => {
    const { data } = await get('/v1/events?resource=gadgets&kind=created')
    const seen = (data as Line[]).find(({ record_id }) => record_id === 'G2')!
    assert.equal(await ids(`after=${seen.id}`), ['G3 created', 'G4 created', 'G1 updated'])
    const page = await get(`/v1/events?resource=gadgets&after=${seen.id}&limit=2`)
    assert.is(page.meta, undefined)
    assert.equal(await ids(`after=${seen.id}&limit=2&cursor=${page.next_cursor}`), ['G1 updated'])
    const last = page.data.at(-1) as Line
    assert.equal(await ids(`after=${last.id}`), ['G1 updated'])
    const forwards = await get('/v1/events?order=asc&limit=1')
    const { database, events } = api.engine.services
    const [newest] = (await get('/v1/events?limit=1')).data as Line[]
    await database.write((tx) => events.prune(tx, '2099-01-01T00:00:00.000Z', 4))
    for (const path of [
      `?after=${seen.id}`,
      `?order=asc&limit=1&cursor=${forwards.next_cursor}`,
      `/${seen.id}`,
    ]) {
      const { error } = await get(`/v1/events${path}`, 410)
      assert.is(error.code, 'GONE')
      assert.match(
        error.message,
        /^the event log no longer has what followed .+ were removed by their age/,
      )
    }
    await get('/v1/events?after=evt_none', 422)
    assert.equal(await ids(`after=${newest!.id}`), [])
  })

  test('refuses what it does not know, with all problems', async () => {
    const { error } = await get(
      '/v1/events?knd=paid&since=yesterday&order=up&limit=0&kind=a&kind=b',
      422,
    )
    assert.equal(
      error.details.map(({ field }: { field: string }) => field),
      ['knd', 'since', 'order', 'kind', 'limit'],
    )
    assert.match(error.details[0].message, 'did you mean kind?')
    const { next_cursor } = await get('/v1/events?limit=1&cursor=')
    await get(`/v1/events?limit=1&kind=created&cursor=${next_cursor}`, 422)
    await get('/v1/events?after=evt_none', 422)
    const [{ id }] = (await get('/v1/events?limit=1')).data
    await get(`/v1/events?after=${id}&offset=1`, 422)
    await get(`/v1/events?after=${id}&order=desc`, 422)
    await send('post', '/v1/events', {}).expect(405).expect('Allow', 'GET, HEAD')
    await request(api.app).get('/v1/events').expect(401)
  })

  test('hides what the tier of the workspace hides', async () => {
    await post('/v1/turbines', { name: 'T1', power: 3 })
    const [seen] = (await get('/v1/events?resource=turbines')).data
    assert.is(seen.record_id, 'T1')
    await api.engine.setTier('free')
    assert.is((await get('/v1/events?resource=turbines')).meta.total, 0)
    assert.ok(!JSON.stringify(await get('/v1/events')).includes('turbines'))
    await get(`/v1/events/${seen.id}`, 404)
  })
})

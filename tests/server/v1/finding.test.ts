import request from 'supertest'
import * as assert from 'uvu/assert'
import { forEachDatabase } from '../../helpers/databases.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

/** code, title, kind, price, stock, active, made_on, parent. */
const GADGETS = [
  ['G-1', 'Bell', 'Tool', 3.5, 4, true, '2026-01-15', null],
  ['G-2', 'Bellows', 'Tool', 10, 4, null, '2026-01-31', 'G-1'],
  ['G-3', 'Drum', 'Toy', 7.25, null, false, '2026-02-01', 'G-1'],
  ['G-4', 'Bell Tower', 'Toy', null, 1, false, null, null],
  ['G-5', 'A brass bell', null, 99.99, 9, true, '2025-12-31', null],
] as const

forEachDatabase('finding', ({ test, fresh }) => {
  let app: TestApp
  test.before(async () => {
    app = await openTestApp({ database: await fresh() })
    for (const [code, title, kind, price, stock, active, made_on, parent_gadget] of GADGETS) {
      const body = { code, title, kind, price, stock, active, made_on, parent_gadget }
      const { status, text } = await call('post', '/v1/gadgets').send(body)
      assert.is(status, 201, text)
    }
    await call('post', '/v1/parcels').send({ receiver: 'Bell', items: [] })
  })
  test.after(() => app.close())

  const call = (method: 'get' | 'post' | 'delete', path: string, key = app.keys.admin) =>
    request(app.app)[method](path).set('Authorization', bearer(key))

  const ids = async (query: string): Promise<string> => {
    const { status, body, text } = await call('get', `/v1/gadgets?${query}`)
    assert.is(status, 200, text)
    return body.data.map(({ id }: { id: string }) => id.slice(2)).join('')
  }
  const refused = async (path: string): Promise<string[]> => {
    const { status, body } = await call('get', path)
    assert.is(status, 422)
    return body.error.details.map(({ field, code }: Record<string, string>) => `${field} ${code}`)
  }

  test('by fields that no index has, as by others', async () => {
    const note = (code: string, text: string) =>
      request(app.app)
        .patch(`/v1/gadgets/${code}`)
        .set('Authorization', bearer(app.keys.admin))
        .send({ secret_note: text })
    const [first, second] = (await call('get', '/v1/gadgets?sort=code&order=asc')).body.data
    await note(first.id, 'blue')
    await note(second.id, 'green')
    const found = async (query: string): Promise<readonly string[]> =>
      (await call('get', `/v1/gadgets?${query}&sort=code&order=asc`)).body.data.map(
        ({ id }: { id: string }) => id,
      )
    assert.equal(await found('secret_note=blue'), [first.id])
    assert.equal(await found('secret_note__between=a,c'), [first.id])
    assert.equal(await found('secret_note__in=blue,green'), [first.id, second.id])
    assert.equal(await found('secret_note__ne='), [first.id, second.id])
    assert.equal((await call('get', '/v1/gadgets?secret_note__like=ree')).body.meta.total, 1)
    assert.equal((await call('get', '/v1/gadgets?_sum=price&secret_note=blue')).body.total, 1)
    assert.equal(await refused('/v1/gadgets?pin=1&story=x'), [
      'pin unknown_field',
      'story unknown_field',
    ])
    for (const { id } of [first, second]) await note(id, '')
  })

  test('by several fields, each up or down, and page after page', async () => {
    assert.is(await ids('sort=kind,-price'), '52134')
    assert.is(await ids('sort=-kind,price'), '43125')
    assert.is(await ids('sort=stock,-made_on,code'), '34215')
    assert.is(await ids('sort=-price'), '52314')
    assert.is(await ids('sort=price&order=asc'), '41325')
    for (const sort of ['kind,-price', '-kind,price', 'stock,-made_on,code', '-stock,kind']) {
      let walked = ''
      let cursor: string | undefined = ''
      while (cursor !== undefined) {
        const path = `/v1/gadgets?limit=2&sort=${sort}&cursor=${encodeURIComponent(cursor)}`
        const { body } = await call('get', path)
        walked += body.data.map(({ id }: { id: string }) => id.slice(2)).join('')
        cursor = body.next_cursor
      }
      assert.is(walked, await ids(`sort=${sort}`), sort)
    }
    assert.equal(await refused('/v1/gadgets?sort=a,-b'), [
      'sort unknown_field',
      'sort unknown_field',
    ])
    assert.equal(await refused('/v1/gadgets?sort=-price&order=asc'), ['order wrong_type'])
    assert.equal(await refused('/v1/gadgets?sort=code,price,kind,stock'), ['sort out_of_range'])
    assert.equal(await refused('/v1/gadgets?sort=code,-code'), ['sort wrong_type'])
  })

  test('between two values, and by several values of a check', async () => {
    assert.is(await ids('price__between=7.25,10&sort=code&order=asc'), '23')
    assert.is(await ids('made_on__between=2026-01-01,2026-01-31&sort=code&order=asc'), '12')
    assert.is(await ids('active__in=true&sort=code&order=asc'), '125')
    assert.is(await ids('active__in=false,true&sort=code&order=asc'), '12345')
    assert.equal(await refused('/v1/gadgets?price__between=1'), ['price__between wrong_type'])
    assert.equal(await refused('/v1/gadgets?price__between=1,x'), ['price__between wrong_type'])
    assert.is(
      await ids('title__between=A,C&sort=code&order=asc'),
      await ids('title__gte=A&title__lte=C&sort=code&order=asc'),
    )
    assert.equal(await refused('/v1/gadgets?active__between=0,1'), [
      'active__between unknown_field',
    ])
  })

  test('in groups, counted and added up', async () => {
    const groups = async (query: string) => (await call('get', `/v1/gadgets?${query}`)).body
    assert.equal(await groups('_count_by=kind&_sum=price,stock'), {
      groups: [
        { value: 'Tool', label: 'Tool', count: 2, sums: { price: 13.5, stock: 8 } },
        { value: 'Toy', label: 'Toy', count: 2, sums: { price: 7.25, stock: 1 } },
        { value: null, label: '', count: 1, sums: { price: 99.99, stock: 9 } },
      ],
      total: 5,
      sums: { price: 120.74, stock: 18 },
    })
    const counted = async (query: string) =>
      (await groups(query)).groups.map(({ value, count }: Record<string, unknown>) => [
        value,
        count,
      ])
    assert.equal(await counted('_count_by=made_on:month'), [
      ['2026-01', 2],
      [null, 1],
      ['2025-12', 1],
      ['2026-02', 1],
    ])
    assert.equal(await counted('_count_by=active'), [
      [true, 3],
      [false, 2],
    ])
    const linked = await groups('_count_by=parent_gadget&kind=Toy')
    assert.equal([linked.groups[1].label, linked.total], ['G-1', 2])
    assert.equal(await groups('_sum=price&price__gt=7.25'), {
      groups: [],
      total: 2,
      sums: { price: 109.99 },
    })
    assert.equal(await groups('_sum=price&title=none'), {
      groups: [],
      total: 0,
      sums: { price: 0 },
    })
    assert.equal(await counted('_count_by=kind&q=bell'), [
      ['Tool', 2],
      [null, 1],
      ['Toy', 1],
    ])
    assert.equal(await refused('/v1/gadgets?_count_by=story'), ['_count_by unknown_field'])
    assert.equal(await refused('/v1/gadgets?_count_by=kind:month'), ['_count_by wrong_type'])
    assert.equal(await refused('/v1/gadgets?_sum=title'), ['_sum unknown_field'])
    assert.equal(await refused('/v1/gadgets?_count_by=kind&limit=3&_titles=1'), [
      'limit unknown_field',
      '_titles unknown_field',
    ])
  })

  test('in all resources, the best first, a change with the next request', async () => {
    const search = async (query: string, key?: string) =>
      (await call('get', `/v1/search?${query}`, key)).body.data
    const [first, second, ...rest] = await search('q=bell')
    assert.equal(first, {
      resource: 'gadgets',
      doctype: 'Gadget',
      id: 'G-5',
      title: 'G-5',
      subtitle: 'A brass bell',
      status: null,
    })
    assert.equal([second.id, rest.length], ['G-4', 2])
    assert.equal(
      (await search('q=g-2')).map(({ id }: { id: string }) => id),
      ['G-2'],
    )
    assert.equal((await search('q=be&limit=1')).length, 1)
    assert.equal(await search('q=bell&resources=parcels'), [])
    await call('post', '/v1/gadgets').send({ code: 'G-6', title: 'Doorbell' })
    assert.equal(
      (await search('q=doorbell')).map(({ id }: { id: string }) => id),
      ['G-6'],
    )
    await call('delete', '/v1/gadgets/G-6')
    assert.equal(await search('q=doorbell'), [])
    assert.equal(await refused('/v1/search'), ['q required'])
    assert.equal(await refused('/v1/search?q=a&resources=nothing&limit=51'), [
      'limit out_of_range',
      'resources not_an_option',
    ])
  })
})

import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { canonicalJson } from '../../server/idempotency/canonical-json.ts'
import { forEachDatabase } from '../helpers/databases.ts'
import { openTestApp, type TestApp } from './test-app.ts'

const DAY = 24 * 60 * 60 * 1000

forEachDatabase('idempotency', ({ test, fresh }) => {
  let app: TestApp
  let failure: string | undefined
  test.before(async () => {
    app = await openTestApp({
      database: await fresh(),
      sinks: [
        async () => {
          if (failure !== undefined) throw new Error(failure)
        },
      ],
    })
  })
  test.after(() => app.close())
  test.before.each(() => app.clock.advance(60_000))

  interface Sending {
    readonly on?: TestApp
    readonly scope?: 'read' | 'write' | 'admin'
    readonly credential?: string
    readonly method?: 'post' | 'patch' | 'delete' | 'get'
    readonly path?: string
  }
  const send = (key: string, body?: object | string, sending: Sending = {}): supertest.Test => {
    const { on = app, scope = 'write', method = 'post', path = '/v1/gadgets' } = sending
    const sent = supertest(on.app)
      [method](path)
      .set('X-API-Key', sending.credential ?? app.keys[scope])
    sent.set('Idempotency-Key', key)
    return body === undefined ? sent : sent.set('Content-Type', 'application/json').send(body)
  }
  const gadget = (code: string): object => ({ code, title: `Gadget ${code}`, stock: 1 })
  const count = async (table: string, column: string, value: string): Promise<number> => {
    const { read } = app.engine.services.database
    return (await read.selectFrom(table).select(column).where(column, '=', value).execute()).length
  }
  const events = (id: string): Promise<number> => count('svc_events', 'record_id', id)

  test('1: the same request again gets the same status and bytes, and nothing happens twice', async () => {
    const first = await send('one', gadget('I-1'))
    const second = await send('one', gadget('I-1'))
    assert.is(first.status, 201, first.text)
    assert.is(second.status, 201)
    assert.is(second.text, first.text)
    for (const name of ['location', 'etag', 'content-type', 'content-length']) {
      assert.is(second.headers[name], first.headers[name], name)
    }
    assert.is(first.headers['idempotent-replayed'], undefined)
    assert.is(second.headers['idempotent-replayed'], 'true')
    assert.is.not(second.headers['x-request-id'], first.headers['x-request-id'])
    assert.is(await events('I-1'), 1)
  })

  test('2: 20 at once have one effect; the others are replays or 409 with Retry-After', async () => {
    const other = app.again()
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        send('two', gadget('I-2'), { on: n % 2 === 0 ? app : other }),
      ),
    )
    for (const { status, headers, text } of answers) {
      assert.ok(
        status === 201 || (status === 409 && headers['retry-after'] === '1'),
        `${status} ${text}`,
      )
    }
    const made = answers.filter(
      ({ status, headers }) => status === 201 && !headers['idempotent-replayed'],
    )
    assert.is(made.length, 1)
    assert.is(await events('I-2'), 1)
    assert.is((await send('two', gadget('I-2'))).text, made[0]!.text)
  })

  test('3: order of keys and space in the JSON do not matter', async () => {
    const first = await send('three', '{"code":"I-3","title":"x","extra":{"a":1,"b":[1,2]}}')
    const second = await send(
      'three',
      '{ "extra": {"b":[1, 2],"a":1.0}, "title":"x", "code":"I-3" }',
    )
    assert.is(second.text, first.text)
    assert.is(second.headers['idempotent-replayed'], 'true')
  })

  test('4 and 5: another body, path or method under the same key is 422 and changes nothing', async () => {
    await send('four', gadget('I-4'))
    const others = [
      await send('four', gadget('I-4b')),
      await send('four', gadget('I-4'), { path: '/v1/gizmos' }),
      await send('four', gadget('I-4'), { path: '/v1/gadgets/I-4', method: 'patch' }),
    ]
    for (const answer of others) {
      assert.is(answer.status, 422, answer.text)
      assert.is(answer.body.error.details[0].field, 'Idempotency-Key')
    }
    assert.is(await events('I-4'), 1)
    assert.is(await events('I-4b'), 0)
  })

  test("6 and 7: another principal's same key is independent, and never shows the other's answer", async () => {
    await send('six', gadget('I-6'))
    const other = await send('six', gadget('I-6b'), { scope: 'admin' })
    assert.is(other.status, 201)
    const secret = await send('seven', { scope: 'admin' }, { scope: 'admin', path: '/v1/api-keys' })
    assert.is(secret.status, 201)
    const peek = await send('seven', { scope: 'admin' }, { scope: 'write', path: '/v1/api-keys' })
    assert.is(peek.status, 403)
    const second = await app.newKey()
    const copy = await send(
      'seven',
      { scope: 'admin' },
      { credential: second.key, path: '/v1/api-keys' },
    )
    assert.is.not(copy.body.key, secret.body.key)
  })

  test('8: a revoked key gets 401, and a tier that was lost 403, not the stored answer', async () => {
    const { id, key } = await app.newKey({ scope: 'write' })
    assert.is((await send('eight', gadget('I-8'), { credential: key })).status, 201)
    await supertest(app.app).delete(`/v1/api-keys/${id}`).set('X-API-Key', app.keys.admin)
    assert.is((await send('eight', gadget('I-8'), { credential: key })).status, 401)
    await app.engine.setTier('business')
    const turbine = { name: 'T-8', power: 1 }
    assert.is((await send('eight', turbine, { path: '/v1/turbines' })).status, 201)
    await app.engine.setTier('free')
    assert.is((await send('eight', turbine, { path: '/v1/turbines' })).status, 403)
  })

  test('9 and 11: the answer is in the database with the change, so that another process replays it', async () => {
    const first = await send('nine', gadget('I-9'))
    const second = await send('nine', gadget('I-9'), { on: app.again() })
    assert.is(second.text, first.text)
    assert.is(second.headers['idempotent-replayed'], 'true')
  })

  test('10 and 15: a change that failed left no answer; the repeat executes', async () => {
    failure = 'disk on fire'
    const failed = await send('ten', gadget('I-10'))
    failure = undefined
    assert.is(failed.status, 500)
    assert.is(await events('I-10'), 0)
    const again = await send('ten', gadget('I-10'))
    assert.is(again.status, 201)
    assert.is(again.headers['idempotent-replayed'], undefined)
  })

  test('12: an answer is repeated for 24 hours by the clock, also when that was set back', async () => {
    const body = { title: 'twelve' }
    await send('make', gadget('I-12'))
    const sending = { method: 'patch', path: '/v1/gadgets/I-12' } as const
    await send('twelve', body, sending)
    app.clock.advance(-2 * 60 * 60 * 1000)
    assert.is((await send('twelve', body, sending)).headers['idempotent-replayed'], 'true')
    app.clock.advance(2 * 60 * 60 * 1000 + DAY - 1000)
    assert.is((await send('twelve', body, sending)).headers['idempotent-replayed'], 'true')
    app.clock.advance(2000)
    const anew = await send('twelve', body, sending)
    assert.is(anew.status, 200)
    assert.is(anew.headers['idempotent-replayed'], undefined)
    assert.is((await send('twelve', body, sending)).headers['idempotent-replayed'], 'true')
  })

  test('13: a refused body is not stored; the corrected one under the same key executes', async () => {
    assert.is((await send('thirteen', { code: 'I-13' })).status, 422)
    assert.is((await send('thirteen', gadget('I-13'))).status, 201)
    const conflict = await send('thirteen-2', gadget('I-13'))
    assert.is(conflict.status, 409)
    assert.is((await send('thirteen-2', gadget('I-13b'))).status, 201)
  })

  test('14: a replay counts against the rate limit, and a 429 is not stored', async () => {
    await send('fourteen', gadget('I-14'))
    const first = await send('fourteen', gadget('I-14'))
    const second = await send('fourteen', gadget('I-14'))
    const left = ({ headers }: supertest.Response): number =>
      Number(headers['x-ratelimit-remaining'])
    assert.is(left(second), left(first) - 1)
  })

  test('16: a key is 1 to 255 visible ASCII characters, quotes of a structured string are stripped', async () => {
    for (const key of ['', '""', 'x'.repeat(256), 'a b', 'ä', 'tab\there']) {
      const answer = await send(key, gadget('I-16'))
      assert.is(answer.status, 422, JSON.stringify(key))
      assert.is(answer.body.error.details[0].field, 'Idempotency-Key')
    }
    const twice = await send('x', gadget('I-16')).set('Idempotency-Key', [
      'a',
      'b',
    ] as unknown as string)
    assert.is(twice.status, 422)
    assert.is(await events('I-16'), 0)
    assert.is((await send('x'.repeat(255), gadget('I-16'))).status, 201)
    await send('"quoted-\\"16"', gadget('I-16q'))
    assert.is((await send('quoted-"16', gadget('I-16q'))).headers['idempotent-replayed'], 'true')
  })

  test('a preview refuses a wrong key as the operation does, and leaves a right one free', async () => {
    const kept = async (): Promise<number> =>
      (
        await app.engine.services.database.read
          .selectFrom('svc_idempotency')
          .select('key')
          .execute()
      ).length
    await send('made', gadget('I-P'))
    const parcel = await send('sent', { receiver: 'Ada' }, { path: '/v1/parcels' })
    const before = await kept()
    const operations = [
      ['post', '/v1/gadgets', gadget('I-P1')],
      ['patch', '/v1/gadgets/I-P', { title: 'x' }],
      ['post', `/v1/parcels/${parcel.body.id}/submit`, {}],
    ] as const
    for (const [method, path, body] of operations) {
      const tried = `${path}?_preview=1`
      for (const key of ['', '""', 'x'.repeat(256), 'a b', 'ä', 'tab\there']) {
        const real = await send(key, body, { method, path })
        const preview = await send(key, body, { method, path: tried })
        const about = `${tried} ${JSON.stringify(key)}: ${preview.text}`
        assert.is(real.status, 422, about)
        assert.is(preview.status, real.status, about)
        assert.equal(preview.body.error.details, real.body.error.details, about)
        assert.is(preview.body.error.code, real.body.error.code, about)
      }
      assert.is((await send('preview', body, { method, path: tried })).status, 200)
      assert.is((await send('made', body, { method, path: tried })).status, 200)
    }
    assert.is(await kept(), before)
    const real = await send('preview', gadget('I-P1'))
    assert.is(real.status, 201, real.text)
    assert.is(real.headers['idempotent-replayed'], undefined)
  })

  test('surface A has neither keys nor previews: a preview is refused under any key, and writes nothing', async () => {
    for (const key of ['a b', 'right']) {
      const path = '/api/resource/Gadget'
      const tried = await send(key, gadget('I-A'), { path: `${path}?_preview=1` })
      assert.is(tried.status, 417, tried.text)
      assert.is(await events('I-A'), 0)
    }
  })

  test('17: a stored one-time secret is encrypted, and replayed as it was', async () => {
    const sending = { scope: 'admin', path: '/v1/api-keys' } as const
    const first = await send('seventeen', { scope: 'read' }, sending)
    const second = await send('seventeen', { scope: 'read' }, sending)
    assert.is(second.text, first.text)
    assert.is(second.headers['idempotent-replayed'], 'true')
    const { read } = app.engine.services.database
    const rows = await read
      .selectFrom('svc_idempotency')
      .select(['key', 'headers', 'body'])
      .execute()
    assert.not.match(JSON.stringify(rows), first.body.key)
    assert.not.match(app.logged(), first.body.key)
  })

  test('18: submit twice with a key answers the same 200, without one 409', async () => {
    const { body } = await send('eighteen', { receiver: 'Ada' }, { path: '/v1/parcels' })
    const path = `/v1/parcels/${body.id}/submit`
    const first = await send('eighteen-submit', undefined, { path })
    const second = await send('eighteen-submit', undefined, { path })
    assert.is(first.status, 200, first.text)
    assert.is(second.text, first.text)
    assert.is((await supertest(app.app).post(path).set('X-API-Key', app.keys.write)).status, 409)
  })

  test('19: a key on GET and DELETE is ignored', async () => {
    await send('nineteen', gadget('I-19'))
    const path = '/v1/gadgets/I-19'
    assert.is((await send('nineteen', undefined, { method: 'get', path })).status, 200)
    assert.is((await send('not a key', undefined, { method: 'get', path })).status, 200)
    assert.is(
      (await send('nineteen', undefined, { method: 'delete', path, scope: 'admin' })).status,
      204,
    )
  })

  test('20: a long answer is replayed whole', async () => {
    const body = { ...gadget('I-20'), story: 'ü'.repeat(90_000), extra: { a: 'x'.repeat(700_000) } }
    const first = await send('twenty', body)
    const second = await send('twenty', body)
    assert.is(first.status, 201, first.text.slice(0, 200))
    assert.is(second.text, first.text)
    assert.is(second.headers['idempotent-replayed'], 'true')
  })

  test('the sweep removes answers older than a day and no others', async () => {
    app.clock.advance(3 * DAY)
    await app.idempotency.sweep()
    await send('fresh', gadget('I-SWEEP'))
    app.clock.advance(DAY - 1)
    assert.is(await app.idempotency.sweep(), 0)
    app.clock.advance(1)
    assert.is(await app.idempotency.sweep(), 1)
  })
})

const canonical = suite('canonical JSON')
canonical(
  'objects are sorted at every depth, arrays keep their order, __proto__ is a key like others',
  () => {
    assert.is(
      canonicalJson({ b: [2, 1], a: { d: null, c: true } }),
      '{"a":{"c":true,"d":null},"b":[2,1]}',
    )
    assert.is.not(canonicalJson(JSON.parse('{"__proto__":1}')), canonicalJson({}))
    assert.is.not(canonicalJson({ a: 1 }), canonicalJson({ a: '1' }))
  },
)
canonical.run()

import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const preview = suite('_preview=1')

let test: TestApp
preview.before(async () => {
  test = await openTestApp()
  await call('post', '/v1/gadgets').send({ code: 'G-1', title: 'Bell', price: 3.5 })
})
preview.after(() => test.close())

const call = (method: 'get' | 'post' | 'patch' | 'delete', path: string, key = test.keys.admin) =>
  request(test.app)[method](path).set('Authorization', bearer(key))

preview('answers what each operation would do, and does nothing', async () => {
  const made = await call('post', '/v1/parcels?_preview=1').send({
    receiver: 'Ann',
    items: [{ gadget: 'G-1', qty: 2 }],
  })
  assert.equal(
    [made.status, made.body.record.id, made.body.events],
    [200, 'PAR-00001', ['parcels.created']],
  )
  assert.is(made.headers.location, undefined)
  assert.is((await call('get', '/v1/parcels')).body.meta.total, 0)

  const { body: parcel } = await call('post', '/v1/parcels').send({ receiver: 'Ann' })
  assert.is(parcel.id, 'PAR-00001')
  for (const [verb, status, event] of [
    ['submit', 1, 'parcels.submitted'],
    ['cancel', 2, 'parcels.cancelled'],
    ['amend', 0, 'parcels.created'],
  ] as const) {
    const tried = await call('post', `/v1/parcels/PAR-00001/${verb}?_preview=1`)
    assert.equal(
      [tried.status, tried.body.record.docstatus, tried.body.events],
      [200, status, [event]],
    )
    if (verb !== 'amend') await call('post', `/v1/parcels/PAR-00001/${verb}`)
  }
  const changed = await call('patch', '/v1/gadgets/G-1?_preview=1').send({ title: 'Gong' })
  assert.equal([changed.status, changed.body.record.title], [200, 'Gong'])
  const gone = await call('delete', '/v1/parcels/PAR-00001?_preview=1')
  assert.equal(
    [gone.status, gone.body.record.id, gone.body.events],
    [200, 'PAR-00001', ['parcels.deleted']],
  )
  assert.is((await call('get', '/v1/gadgets/G-1')).body.title, 'Bell')
  assert.is((await call('get', '/v1/parcels/PAR-00001')).status, 200)
})

preview(
  'answers problems where the operation is refused with 422, and other refusals as they are',
  async () => {
    const wrong = await call('post', '/v1/gadgets?_preview=1').send({ code: 'G-2', price: -1 })
    assert.equal(
      [
        wrong.status,
        wrong.body.problems.map(({ field, code }: { field: string; code: string }) => [
          field,
          code,
        ]),
      ],
      [
        200,
        [
          ['title', 'required'],
          ['price', 'out_of_range'],
        ],
      ],
    )
    assert.equal([wrong.body.record.code, wrong.body.record.active], ['G-2', true])
    const taken = await call('post', '/v1/gadgets?_preview=1').send({ code: 'G-1', title: 'Bell' })
    assert.equal([taken.status, taken.body.error.code], [409, 'CONFLICT'])
    const reader = await call('post', '/v1/gadgets?_preview=1', test.keys.read).send({
      code: 'G-2',
    })
    assert.is(reader.status, 403)
    assert.is((await call('delete', '/v1/gadgets/G-1?_preview=1', test.keys.write)).status, 403)
    assert.is((await call('patch', '/v1/gadgets/G-9?_preview=1').send({ title: 'x' })).status, 404)
    const stale = call('patch', '/v1/gadgets/G-1?_preview=1').set('If-Match', '"old"')
    assert.is((await stale.send({ title: 'x' })).status, 412)
    const other = await call('post', '/v1/gadgets?_preview=yes').send({ code: 'G-3', title: 'x' })
    assert.equal([other.status, other.body.error.details[0].field], [422, '_preview'])
    assert.is((await call('get', '/v1/gadgets/G-3')).status, 404)
  },
)

preview('takes no idempotency key, and is not answered from one', async () => {
  const keyed = (path: string) =>
    call('post', path).set('Idempotency-Key', 'once').send({ code: 'G-4', title: 'Drum' })
  assert.is((await keyed('/v1/gadgets?_preview=1')).status, 200)
  const done = await keyed('/v1/gadgets')
  assert.equal([done.status, done.headers['idempotent-replayed']], [201, undefined])
  assert.is((await keyed('/v1/gadgets?_preview=1')).status, 409)
  assert.is((await keyed('/v1/gadgets')).headers['idempotent-replayed'], 'true')
})

preview.run()

import supertest from 'supertest'
import * as assert from 'uvu/assert'
import { typescriptTypes } from '../engine/schema/types/typescript.ts'
import { forEachDatabaseWhenDeep, type TestDatabase } from './helpers/databases.ts'
import { bearer, openTestApp, type TestApp } from './server/test-app.ts'

const VEHICLE = `
doctype: Fleet Vehicle
module: assets
tier: free
description: A car or van of the company.
naming: field:license_plate
search: [license_plate, make]
fields:
  license_plate: {type: data, required: true, createOnly: true, filterable: true}
  make: {type: data, filterable: true}
  driver: {type: link, options: Employee, filterable: true}
  last_odometer: {type: int, min: 0}
  trips:
    type: table
    options: Fleet Vehicle Trip
    fields:
      day: {type: date, required: true}
      from_km: {type: int}
      to_km: {type: int}
      distance: {type: int, formula: "to_km - from_km"}
  total_distance: {type: int, formula: "trips.sum(t, t.distance)", filterable: true}
validate:
  - {check: "trips.all(t, t.distance >= 0)", field: trips, message: ends before it begins}
`

const MORE_OF_ITEM = `
doctype: Item
extend: true
fields:
  shelf: {type: data, filterable: true, required: true, default: '"A1"', description: Where it lies.}
`

const COMPANY_CAR = `
doctype: Customer
extend: true
fields:
  company_car: {type: link, options: Fleet Vehicle, filterable: true}
`

forEachDatabaseWhenDeep('a YAML file dropped into a folder', ({ test, create }) => {
  let database: TestDatabase
  let app: TestApp
  async function reopen(doctypes: Record<string, string>): Promise<void> {
    await app?.close()
    // Files come and go here, so that definitions return which others have replaced.
    const settings = { rateLimit: false }
    app = await openTestApp({ database, doctypes, settings, acceptOlder: true })
  }
  const send = (method: string, path: string, body?: object): supertest.Test => {
    const agent = supertest(app.app) as unknown as Record<string, (path: string) => supertest.Test>
    const request = agent[method]!(path).set('Authorization', bearer(app.keys.admin))
    return body ? request.send(body) : request
  }

  test.before(async () => {
    database = await create()
    await reopen({})
  })
  test.after(() => app.close())

  test('is a resource after a restart, and was none before', async () => {
    assert.is((await send('get', '/v1/fleet-vehicles')).status, 404)
    const before = await send('post', '/v1/customers', { customer_name: 'From before' })
    assert.is(before.status, 201, before.text)
    await reopen({ vehicle: VEHICLE })
    const list = await send('get', '/v1/fleet-vehicles')
    assert.equal(list.body, { data: [], meta: { total: 0, limit: 20, offset: 0 } })
    const kept = await send('get', `/v1/customers/${before.body.id}`)
    assert.is(kept.text, before.text)
  })

  test('works like a shipped one: checked, computed, read, filtered, found, changed, deleted', async () => {
    const wrong = await send('post', '/v1/fleet-vehicles', {
      last_odometer: -1,
      driver: 'nobody',
      trips: [{}],
      modell: 'x',
    })
    assert.is(wrong.status, 422)
    assert.equal(wrong.body.error.details.map(({ field }: { field: string }) => field).toSorted(), [
      'driver',
      'last_odometer',
      'license_plate',
      'modell',
      'trips[0].day',
    ])
    const made = await send('post', '/v1/fleet-vehicles', {
      license_plate: 'B-AB 1',
      make: 'VW',
      trips: [
        { day: '2026-01-01', from_km: 10, to_km: 25 },
        { day: '2026-01-02', from_km: 25, to_km: 30 },
      ],
    })
    assert.is(made.status, 201, made.text)
    assert.equal([made.body.id, made.body.total_distance], ['B-AB 1', 20])
    await send('post', '/v1/fleet-vehicles', { license_plate: 'B-AB 2', make: 'Opel' })
    for (const [query, ids] of [
      ['make=VW', ['B-AB 1']],
      ['total_distance__gte=20', ['B-AB 1']],
      ['q=opel', ['B-AB 2']],
      ['license_plate__like=b-ab&sort=license_plate&order=asc', ['B-AB 1', 'B-AB 2']],
      ['driver=', ['B-AB 1', 'B-AB 2']],
    ] as const) {
      const { body, status, text } = await send('get', `/v1/fleet-vehicles?${query}`)
      assert.is(status, 200, text)
      assert.equal(body.data.map(({ id }: { id: string }) => id).toSorted(), ids, query)
    }
    const self = made.headers.location ?? ''
    assert.is(
      (await send('patch', self, { trips: [{ day: '2026-01-01', from_km: 2, to_km: 1 }] })).status,
      422,
    )
    assert.is((await send('patch', self, { make: 'Skoda' })).body.make, 'Skoda')
    assert.is((await send('delete', self)).status, 204)
    assert.is((await send('get', self)).status, 404)
  })

  test('is listed in the catalogue, described in OpenAPI and typed', async () => {
    const { body: catalogue } = await send('get', '/v1/resources')
    const entry = catalogue.data.find(({ slug }: { slug: string }) => slug === 'fleet-vehicles')
    assert.equal(
      [entry.doctype, entry.label, entry.tier, entry.module, entry.submittable],
      ['Fleet Vehicle', 'Fleet Vehicle', 'free', 'assets', false],
    )
    const { body: detail } = await send('get', '/v1/resources/fleet-vehicles')
    const trips = detail.fields.find(({ name }: { name: string }) => name === 'trips')
    assert.ok(trips.fields.some(({ name }: { name: string }) => name === 'distance'))
    const { body: openapi } = await send('get', '/v1/openapi.json')
    assert.ok(openapi.paths['/v1/fleet-vehicles']?.post || openapi.paths['/fleet-vehicles']?.post)
    const types = await typescriptTypes(app.engine.services.registry)
    assert.match(types, /interface FleetVehicle\b/)
    assert.match(types, /'?"?fleet-vehicles"?'?:/)
  })

  test('tells its changes as events', async () => {
    const { body } = await send('post', '/v1/fleet-vehicles', { license_plate: 'EVENT 1' })
    const rows = await app.engine.services.database.read
      .selectFrom('svc_events')
      .select('event')
      .where('record_id', '=', body.id)
      .execute()
    assert.equal(rows, [{ event: 'fleet-vehicles.created' }])
  })

  test('with extend: true adds a field to a shipped DocType, also to records that were there', async () => {
    const item = { item_code: 'OLD', item_name: 'Old', item_group: 'G', stock_uom: 'U' }
    await send('post', '/v1/item-groups', { item_group_name: 'G' })
    await send('post', '/v1/uoms', { uom_name: 'U' })
    const old = await send('post', '/v1/items', item)
    assert.is(old.status, 201, old.text)
    assert.not.ok('shelf' in old.body)

    await reopen({ vehicle: VEHICLE, item: MORE_OF_ITEM, car: COMPANY_CAR })
    const { shelf, ...rest } = (await send('get', '/v1/items/OLD')).body
    assert.equal(rest, old.body)
    assert.is(shelf, null)
    const made = await send('post', '/v1/items', { ...item, item_code: 'NEW' })
    assert.is(made.body.shelf, 'A1', made.text)
    const moved = await send('patch', '/v1/items/OLD', { shelf: 'B2' })
    assert.is(moved.body.shelf, 'B2', moved.text)
    const { body } = await send('get', '/v1/items?shelf=B2')
    assert.equal(
      body.data.map(({ id }: { id: string }) => id),
      ['OLD'],
    )

    const car = await send('post', '/v1/customers', { customer_name: 'C', company_car: 'B-AB 2' })
    assert.is(car.status, 201, car.text)
    const blocked = await send('delete', '/v1/fleet-vehicles/B-AB%202')
    assert.is(blocked.status, 409, blocked.text)
    assert.is(blocked.body.error.linked[0].field, 'company_car')
  })

  test('taken away again, hides its resource and keeps its records', async () => {
    await reopen({})
    assert.is((await send('get', '/v1/fleet-vehicles')).status, 404)
    const { body: item } = await send('get', '/v1/items/OLD')
    assert.not.ok('shelf' in item)
    await reopen({ vehicle: VEHICLE, item: MORE_OF_ITEM })
    assert.is((await send('get', '/v1/fleet-vehicles/B-AB%202')).body.make, 'Opel')
  })
})

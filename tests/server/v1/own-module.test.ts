import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const own = suite('a module of an own folder')

const DOCTYPES = {
  modules: 'modules:\n  fleet: Cars and vans\n',
  'fleet/van': `
doctype: Van
module: fleet
tier: pro
naming: field:plate
fields: {plate: {type: data, required: true}}
permissions: {roles: {Employee: [read]}}
`,
}

let test: TestApp
own.before(async () => {
  test = await openTestApp({ doctypes: DOCTYPES })
})
own.after(() => test.close())

const get = (path: string) =>
  request(test.app).get(path).set('Authorization', bearer(test.keys.write))

own('is the group of its events, beside those that are shipped', async () => {
  const { body } = await get('/v1/webhooks/events?group=Cars+and+vans')
  assert.equal(
    body.data.map(({ event }: { readonly event: string }) => event),
    ['vans.created', 'vans.updated', 'vans.deleted'],
  )
  const shipped = await get('/v1/webhooks/events?group=Support+and+assets')
  assert.ok(shipped.body.data.length > 0)
})

own('is the tag of its routes in the OpenAPI description', async () => {
  const { body } = await get('/v1/openapi.json')
  assert.equal(body.paths['/v1/vans'].get.tags, ['Cars and vans'])
  assert.ok(
    body.tags.some(
      ({ name, description }: Readonly<Record<string, string>>) =>
        name === 'Cars and vans' && description === 'Vans',
    ),
  )
})

own('stands in the catalogue, and its DocTypes work from their tier on', async () => {
  const refused = await get('/v1/vans')
  assert.is(refused.status, 403)
  assert.match(refused.body.error.message, /part of the Pro plan \(tier pro\)/)
  await test.engine.setTier('pro')
  const { body } = await get('/v1/resources/vans')
  assert.is(body.module, 'fleet')
  const made = await request(test.app)
    .post('/v1/vans')
    .set('Authorization', bearer(test.keys.write))
    .send({ plate: 'V1' })
  assert.is(made.status, 201)
  assert.is((await get('/v1/vans/V1')).status, 200)
})

own.run()

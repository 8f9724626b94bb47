import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { createRegistry } from '../../../engine/definition/model/registry.ts'
import type { CatalogueEntry, ResourceDetail } from '../../../engine/schema/catalogue/catalog.ts'
import { definitionTexts } from '../../../server/v1/definition-texts.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const catalogue = suite('the catalogue')

let test: TestApp
catalogue.before(async () => {
  test = await openTestApp()
})
catalogue.after(() => test.close())

const get = (path: string, key = test.keys.read) =>
  request(test.app).get(path).set('Authorization', bearer(key))

catalogue(
  'lists every resource, aliases too, and those above the tier of the workspace with _locked=1',
  async () => {
    const { status, body } = await get('/v1/resources?_locked=1')
    assert.is(status, 200)
    const data = body.data as CatalogueEntry[]
    assert.equal(
      data
        .filter(({ doctype }) => ['Gadget', 'Parcel', 'Turbine'].includes(doctype))
        .map(({ slug, tier, alias_of }) => [slug, tier, alias_of]),
      [
        ['gadgets', 'free', undefined],
        ['gizmos', 'free', 'gadgets'],
        ['parcels', 'free', undefined],
        ['turbines', 'business', undefined],
      ],
    )
  },
)

catalogue('lists one module, and everything in brief', async () => {
  const all = (await get('/v1/resources')).body.data as CatalogueEntry[]
  const brief = (await get('/v1/resources?brief=1')).body.data
  assert.equal(
    brief,
    all.map(({ doctype: _, fields: __, ...entry }) => entry),
  )
  const assets = (await get('/v1/resources?module=stock&brief=0')).body.data
  assert.equal(
    assets,
    all.filter(({ module }) => module === 'stock'),
  )
  assert.ok(assets.length > 0 && assets.length < all.length)
  const both = (await get('/v1/resources?module=stock&brief=1')).body.data as CatalogueEntry[]
  assert.equal([both.length, both.some((one) => 'fields' in one)], [assets.length, false])
  const { status, body } = await get('/v1/resources?module=nothing&brief=yes')
  assert.is(status, 422)
  assert.equal(
    body.error.details.map(({ field }: { field: string }) => field),
    ['module', 'brief'],
  )
  assert.match(body.error.details[0].message, /^expected one of .*\bassets, .*, got "nothing"$/)
})

catalogue('shows one resource under its slug and under its alias', async () => {
  const own = (await get('/v1/resources/gadgets')).body as ResourceDetail
  assert.equal([own.slug, own.doctype, own.alias_of], ['gadgets', 'Gadget', undefined])
  const alias = (await get('/v1/resources/gizmos')).body as ResourceDetail
  assert.equal([alias.slug, alias.alias_of], ['gizmos', 'gadgets'])
})

catalogue(
  'answers 404 for a slug that nothing has, 401 without a key, 405 for another method',
  async () => {
    const unknown = await get('/v1/resources/nothing')
    assert.equal([unknown.status, unknown.body.error.code], [404, 'NOT_FOUND'])
    assert.is((await request(test.app).get('/v1/resources')).status, 401)
    const post = await request(test.app)
      .post('/v1/resources/gadgets')
      .set('Authorization', bearer(test.keys.admin))
    assert.equal([post.status, post.headers.allow], [405, 'GET, HEAD'])
  },
)

catalogue('answers 304 to the ETag it gave, and the same bytes with and without gzip', async () => {
  const first = await get('/v1/resources')
  assert.is(first.headers['content-encoding'], 'gzip')
  const again = await get('/v1/resources').set('If-None-Match', String(first.headers.etag))
  assert.equal([again.status, again.text], [304, ''])
  const plain = await get('/v1/resources').set('Accept-Encoding', 'identity')
  assert.equal([plain.headers['content-encoding'], plain.text], [undefined, first.text])
})

catalogue('is made once for the loaded definitions, and anew when they are loaded anew', () => {
  let made = 0
  const texts = definitionTexts(({ all }) => {
    made += 1
    return JSON.stringify(all.map(({ slug }) => slug))
  })
  const before = test.engine.services.registry
  const first = texts(before, '')
  assert.is(texts(before, ''), first)
  assert.is(made, 1)
  const second = texts(createRegistry(before.all.slice(1), before.vocabulary), '')
  assert.is(made, 2)
  assert.is.not(second.etag, first.etag)
})

catalogue.run()

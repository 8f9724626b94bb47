import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventCatalogue } from '../../../engine/schema/catalogue/event-catalogue.ts'
import type { EventEntry } from '../../../engine/schema/catalogue/event-entry.ts'
import { workspaceEvents } from '../../../engine/schema/catalogue/workspace-events.ts'
import { bearer, openTestApp, type TestApp } from '../test-app.ts'

const PATH = '/v1/webhooks/events'

const catalogue = suite('the list of events')

let test: TestApp
let all: readonly EventEntry[]
catalogue.before(async () => {
  test = await openTestApp()
  all = JSON.parse(JSON.stringify(eventCatalogue(test.engine.services.registry)))
})
catalogue.after(() => test.close())

const get = (query = '') =>
  request(test.app)
    .get(PATH + query)
    .set('Authorization', bearer(test.keys.read))

const namesOf = async (query: string): Promise<string[]> => {
  const { status, body } = await get(query)
  assert.is(status, 200, JSON.stringify(body))
  return (body.data as EventEntry[]).map(({ event }) => event)
}

catalogue('has every event, those of resources above the tier of the workspace too', async () => {
  const { status, body } = await get()
  assert.is(status, 200)
  assert.equal(body, { data: all })
  assert.ok(all.some(({ event }) => event === 'turbines.created'))
})

catalogue(
  'finds one event, those of a resource or of an alias of it, and those of a group',
  async () => {
    const parcels = ['created', 'updated', 'deleted', 'submitted', 'cancelled'].map(
      (kind) => `parcels.${kind}`,
    )
    assert.equal(await namesOf('?event=parcels.submitted'), ['parcels.submitted'])
    assert.equal(await namesOf('?event=parcels.*'), parcels)
    assert.equal(await namesOf('?resource=parcels'), parcels)
    assert.equal(await namesOf('?resource=gizmos'), await namesOf('?resource=gadgets'))
    assert.is((await namesOf('?resource=gizmos')).length, 3)
    const support = await namesOf('?group=Support+and+assets')
    assert.ok(support.includes('turbines.deleted') && support.includes('issues.resolved'))
    assert.equal(await namesOf('?event=parcels.submitted&group=Stock&resource=parcels'), [
      'parcels.submitted',
    ])
    assert.equal(await namesOf('?event=parcels.submitted&group=Sales'), [])
    assert.is((await namesOf('?event=*')).length, all.length)
  },
)

catalogue('refuses what it does not know, all at once, and says what it expects', async () => {
  const { status, body } = await get(
    '?event=parcels.submited&group=Stok&resource=&kind=created&group=Stock',
  )
  assert.equal([status, body.error.code], [422, 'VALIDATION_ERROR'])
  const details = Object.fromEntries(
    (body.error.details as { field: string; message: string }[]).map(({ field, message }) => [
      `${field} ${message.split(' ')[0]}`,
      message,
    ]),
  )
  assert.is(
    details['event no'],
    'no event matches "parcels.submited"; did you mean parcels.submitted?',
  )
  assert.match(details['group expected']!, /^expected one of .*Stock.*, got "Stok"; did you mean/)
  assert.is(details['resource expected'], 'expected the slug of a resource that has events, got ""')
  assert.is(details['kind unknown'], 'unknown parameter; expected event, resource, group')
  assert.is(details['group came'], 'came more than once; expected one value')
})

catalogue('answers 401 without a key and 405 to other methods', async () => {
  assert.is((await request(test.app).get(PATH)).status, 401)
  for (const method of ['post', 'delete', 'patch'] as const) {
    const { status, headers } = await request(test.app)
      [method](PATH)
      .set('Authorization', bearer(test.keys.admin))
    assert.equal([status, headers.allow], [405, 'GET, HEAD'])
  }
})

catalogue('answers 304 to the ETag it gave, of the whole and of a part', async () => {
  const tags = new Set<string>()
  for (const query of ['', '?resource=parcels', '?group=Stock']) {
    const { headers } = await get(query)
    const again = await get(query).set('If-None-Match', String(headers.etag))
    assert.equal([again.status, again.text], [304, ''])
    tags.add(String(headers.etag))
  }
  assert.is(tags.size, 3)
})

catalogue(
  'has the events of the workspace itself, with a resource and group of their own',
  async () => {
    const ofWorkspace = workspaceEvents({ tiers: ['free', 'pro'] })
    for (const { event, resource, group } of ofWorkspace) {
      const wanted = { event, resource, group } as const
      for (const [key, value] of Object.entries(wanted)) {
        const own = ofWorkspace.filter((entry) => entry[key as keyof typeof wanted] === value)
        const { body } = await get(`?${key}=${value}`)
        assert.equal(body, { data: JSON.parse(JSON.stringify(own)) })
      }
    }
  },
)

catalogue.run()

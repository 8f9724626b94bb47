import supertest from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { proveBooks } from '../../engine/documents/verify/proof.ts'
import { createMetrics } from '../../server/observe/metrics.ts'
import { openTestApp, type TestApp } from './test-app.ts'

const test = suite('health and metrics')
let app: TestApp
test.before(async () => {
  app = await openTestApp()
})
test.after(() => app.close())

test('healthz and readyz answer without a key and count against no limit', async () => {
  for (const path of ['/healthz', '/readyz']) {
    const answer = await supertest(app.app).get(path)
    assert.is(answer.status, 200)
    assert.is(answer.headers['x-ratelimit-limit'], undefined)
    assert.ok(answer.headers['x-request-id'])
  }
})

test('metrics count requests by method, route pattern and class of status', async () => {
  await supertest(app.app).get('/v1/gadgets').set('X-API-Key', app.keys.read)
  await supertest(app.app).get('/v1/gadgets/none').set('X-API-Key', app.keys.read)
  await supertest(app.app).get('/nowhere/canary-path')
  const { text, headers } = await supertest(app.app).get('/metrics')
  assert.match(String(headers['content-type']), 'text/plain; version=0.0.4')
  assert.match(text, 'svc_http_requests_total{method="GET",route="/v1/:resource",status="2xx"} 1')
  assert.match(
    text,
    'svc_http_requests_total{method="GET",route="/v1/:resource/:id",status="4xx"} 1',
  )
  assert.match(text, 'route="none",status="4xx"')
  assert.match(
    text,
    'svc_http_request_duration_seconds_bucket{method="GET",route="/v1/:resource",le="+Inf"} 1',
  )
  assert.match(text, 'process_resident_memory_bytes')
  assert.not.match(text, 'canary-path')
  for (const line of text.trim().split('\n'))
    assert.match(line, /^(# (HELP|TYPE) |[a-z_]+(\{[^}]*\})? [\d.e+-]+$)/)
})

test('metrics are for this machine or an admin key: a forwarded request needs the key', async () => {
  const forwarded = (key?: string): supertest.Test => {
    const sent = supertest(app.app).get('/metrics').set('X-Forwarded-For', '127.0.0.1')
    return key === undefined ? sent : sent.set('X-API-Key', key)
  }
  assert.is((await forwarded()).status, 401)
  assert.is((await forwarded(app.keys.write)).status, 403)
  assert.is((await forwarded(app.keys.admin)).status, 200)
})

test('the last proof of the books is told to managers and keys of the workspace', async () => {
  const books = () => supertest(app.app).get('/v1/proof').set('X-API-Key', app.keys.read)
  assert.equal((await books().expect(200)).body, { data: null })
  const { services } = app.engine
  const { documents, checks } = await proveBooks(services)
  const { data } = (await books()).body
  assert.equal(
    [data.documents, data.checks, data.differences, data.whole],
    [documents, checks.length, 0, { proven_at: data.proven_at, documents }],
  )
  assert.is(data.proven_at, new Date(services.clock.now()).toISOString())
})

test('the buckets of a duration are cumulative', () => {
  const metrics = createMetrics()
  metrics.started()
  metrics.finished('GET', '/x', 200, 0.003)
  metrics.started()
  metrics.finished('GET', '/x', 500, 60)
  const text = metrics.render()
  metrics.close()
  assert.match(text, 'le="0.0025"} 0')
  assert.match(text, 'le="0.005"} 1')
  assert.match(text, 'le="10"} 1')
  assert.match(text, 'le="+Inf"} 2')
  assert.match(text, 'svc_http_requests_in_flight 0')
})

test('a process that is draining is not ready', async () => {
  const draining = await openTestApp({ isDraining: () => true })
  const answer = await supertest(draining.app).get('/readyz')
  assert.is(answer.status, 503)
  assert.is(answer.body.error.code, 'UNAVAILABLE')
  assert.is((await supertest(draining.app).get('/healthz')).status, 200)
  await draining.close()
})

test.run()

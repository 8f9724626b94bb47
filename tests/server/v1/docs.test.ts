import express from 'express'
import { pino } from 'pino'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { errorHandler } from '../../../server/error-handler.ts'
import { requestId } from '../../../server/request-id.ts'
import { securityHeaders } from '../../../server/security-headers.ts'
import { docsRoutes } from '../../../server/v1/docs.ts'

const docs = suite('/docs')

const app = express()
app.use(requestId(), securityHeaders())
docsRoutes(app)
app.use(errorHandler(pino({ level: 'silent' })))

docs('is a page that loads only files of this server, all of which are there', async () => {
  const { status, text, headers } = await request(app).get('/docs')
  assert.is(status, 200)
  assert.match(String(headers['content-type']), 'text/html')
  const loaded = [...text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address]) => String(address))
  assert.ok(loaded.length >= 4)
  for (const address of loaded) {
    assert.match(address, /^\/(?:docs\/|v1\/openapi\.json$)/)
    if (address.startsWith('/docs/'))
      assert.is((await request(app).get(address)).status, 200, address)
  }
})

docs('runs under a policy without inline scripts, eval or other hosts', async () => {
  const { headers, text } = await request(app).get('/docs')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, "script-src 'self'")
  assert.not.match(policy, 'unsafe')
  assert.not.match(text, /<script>|<style>| on\w+=| style=/)
})

docs('asks nobody else to validate, and keeps no key', async () => {
  const { text } = await request(app).get('/docs/reference.js')
  assert.match(text, 'validatorUrl: null')
  assert.match(text, 'persistAuthorization: false')
  assert.match(text, "url: '/v1/openapi.json'")
})

docs('answers 405 to what is not a read', async () => {
  const { status, headers } = await request(app).post('/docs')
  assert.equal([status, headers.allow], [405, 'GET, HEAD'])
})

docs.run()

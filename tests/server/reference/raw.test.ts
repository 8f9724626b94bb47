import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import express from 'express'
import { pino } from 'pino'
import request from 'supertest'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { errorHandler } from '../../../server/http/error-handler.ts'
import { packagedFile } from '../../../server/http/packaged-file.ts'
import { requestId } from '../../../server/http/request-id.ts'
import { rawRoutes } from '../../../server/reference/raw.ts'
import { securityHeaders } from '../../../server/security-headers.ts'

const docs = suite('/docs/raw')

const app = express()
app.use(requestId(), securityHeaders())
rawRoutes(app)
app.use(errorHandler(pino({ level: 'silent' })))

docs('is a page that loads only files of this server, all of which are there', async () => {
  const { status, text, headers } = await request(app).get('/docs/raw')
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
  const { headers, text } = await request(app).get('/docs/raw')
  const policy = String(headers['content-security-policy'])
  assert.match(policy, "script-src 'self'")
  assert.not.match(policy, 'unsafe')
  assert.not.match(text, /<script>|<style>| on\w+=| style=/)
})

docs('asks nobody else to validate, and keeps no key', async () => {
  const { text } = await request(app).get('/docs/raw.js')
  assert.match(text, 'validatorUrl: null')
  assert.match(text, 'persistAuthorization: false')
  assert.match(text, "url: '/v1/openapi.json'")
})

docs('answers 405 to what is not a read', async () => {
  const { status, headers } = await request(app).post('/docs/raw')
  assert.equal([status, headers.allow], [405, 'GET, HEAD'])
})

docs('sends a file once: who has it is told so', async () => {
  const whole = await request(app).get('/docs/swagger-ui.css')
  const etag = String(whole.headers.etag)
  assert.is(whole.headers['cache-control'], 'public, max-age=3600')
  const again = await request(app).get('/docs/swagger-ui.css').set('If-None-Match', etag)
  assert.equal([again.status, again.text], [304, ''])
  const head = await request(app).head('/docs/swagger-ui.css')
  assert.equal(
    [head.status, head.headers['content-length'], head.headers.etag],
    [200, String(Buffer.byteLength(whole.text)), etag],
  )
})

docs('sends the part of a file that is asked for', async () => {
  const part = (range: string, more: Readonly<Record<string, string>> = {}) =>
    request(app)
      .get('/docs/favicon-32x32.png')
      .set({ range, ...more })
      .buffer(true)
      .parse((response, done) => {
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('end', () => done(null, Buffer.concat(chunks)))
      })
  const whole = (await part('nonsense')).body as Buffer
  const size = whole.length
  const cases = [
    ['bytes=0-0', 206, whole.subarray(0, 1), `bytes 0-0/${size}`],
    ['bytes=10-19', 206, whole.subarray(10, 20), `bytes 10-19/${size}`],
    ['bytes=-4', 206, whole.subarray(-4), `bytes ${size - 4}-${size - 1}/${size}`],
    [`bytes=${size}-`, 416, Buffer.alloc(0), `bytes */${size}`],
    ['bytes=0-1,8-9', 200, whole, undefined],
    ['lines=0-1', 200, whole, undefined],
  ] as const
  for (const [range, status, content, shown] of cases) {
    const answer = await part(range)
    assert.equal([answer.status, answer.headers['content-range']], [status, shown], range)
    assert.ok(content.equals(answer.body), range)
  }
  assert.is((await part('bytes=0-0', { 'if-range': '"other"' })).status, 200)
})

docs(
  'a file that the installation lacks costs its own requests alone, until it is there',
  async () => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-docs-'))
    try {
      const file = join(folder, 'late.css')
      const late = express()
      late.use(requestId())
      late.get(
        '/late.css',
        packagedFile({
          name: 'late.css',
          content: () => readFileSync(file),
          cacheControl: 'no-cache',
        }),
      )
      late.use(errorHandler(pino({ level: 'silent' })))
      const missing = await request(late).get('/late.css')
      assert.is(missing.status, 500)
      assert.not.match(missing.text, folder)
      writeFileSync(file, 'a {}')
      const { status, text } = await request(late).get('/late.css')
      assert.equal([status, text], [200, 'a {}'])
    } finally {
      rmSync(folder, { recursive: true })
    }
  },
)

docs.run()

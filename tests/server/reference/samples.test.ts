import { execFile } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openTestApp, type TestApp } from '../test-app.ts'
import { requestsOf } from './samples.ts'

const run = promisify(execFile)

const samples = suite('the requests that /docs shows')
let app: TestApp
let server: Server
let url: string

samples.before(async () => {
  app = await openTestApp()
  server = createServer(app.app).listen(0, '127.0.0.1')
  await new Promise((ready) => server.once('listening', ready))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const made = await fetch(`${url}/v1/gadgets`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${app.keys.admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ code: "O'Neil 1", title: 'Bell' }),
  })
  assert.is(made.status, 201)
})
samples.after(async () => {
  server.closeAllConnections()
  await new Promise((closed) => server.close(closed))
  await app.close()
})

for (const path of ['/docs/resources/gadgets', '/docs/lists', '/docs']) {
  samples(`run as they stand, in curl and JavaScript: ${path}`, async () => {
    const { curl, javascript, python } = await requestsOf({ url }, path, app.keys.admin)
    assert.ok(curl.length > 0)
    assert.is(curl.length, javascript.length)
    assert.is(curl.length, python.length)
    // Creates would meet what the other language has made, and a delete ends what the rest asks for.
    const isRead = (text: string) => !/POST|DELETE/.test(text)
    for (const command of curl.filter(isRead)) {
      const told = [`${command} -s -o /dev/null -w '%{http_code}'`]
      assert.match((await run('sh', ['-c', ...told])).stdout, /^20\d$/, command)
    }
    for (const program of javascript.filter(isRead)) {
      const { stdout } = await run(process.execPath, ['--input-type=module', '-e', program])
      assert.match(stdout, /^20\d /, program)
    }
  })
}

samples('make and remove a record', async () => {
  const { curl, javascript } = await requestsOf({ url }, '/docs/resources/gadgets', app.keys.admin)
  const create = javascript.find((text) => text.includes("'POST'"))!
  const { stdout } = await run(process.execPath, ['--input-type=module', '-e', create])
  assert.match(stdout, /^201 /)
  const remove = curl.find((text) => text.includes('-X DELETE'))!
  assert.is((await run('sh', ['-c', `${remove} -s -w '%{http_code}'`])).stdout, '204')
})

samples.run()

import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { SYSTEM_ACTOR } from '../../../engine/access/actor.ts'
import { commandsOf, runCommand } from '../../helpers/curl-examples.ts'
import { furnish } from '../../helpers/generate-workspace.ts'
import { openTestApp, type TestApp } from '../test-app.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/api.md'), 'utf8')

const examples = suite('the examples of docs/api.md')

let test: TestApp
let server: Server
examples.before(async () => {
  test = await openTestApp()
  await furnish(test.engine.context(SYSTEM_ACTOR, await test.engine.tier()))
  server = test.app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
examples.after(async () => {
  server.close()
  await test.close()
})

const FILES = { 'customers.csv': 'customer_name,phone\nBlue Whale,+49 30 1\n' }

examples('run one after the other and answer with the status they name', async () => {
  const { port } = server.address() as AddressInfo
  const variables = {
    API: `http://127.0.0.1:${port}/v1`,
    KEY: test.keys.admin,
    YEAR: String(new Date(test.clock.now()).getUTCFullYear()),
  }
  const commands = commandsOf(page)
  assert.ok(commands.length >= 20)
  for (const { text, status } of commands) {
    const answer = await runCommand(text, variables, FILES)
    assert.equal([text, answer.status], [text, status], await answer.text())
  }
})

examples.run()

import { readFileSync } from 'node:fs'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { commandsOf, runCommand } from '../../helpers/curl-examples.ts'
import { ok, type Receiver } from '../../helpers/receivers.ts'
import { openWebhookApp, type WebhookApp } from '../../webhooks/webhook-app.ts'

const page = readFileSync(join(import.meta.dirname, '../../../docs/webhooks.md'), 'utf8')

const examples = suite('the examples of docs/webhooks.md')

let api: WebhookApp
let server: Server
let receiver: Receiver
examples.before(async () => {
  receiver = await ok()
  api = await openWebhookApp()
  server = api.app.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
})
examples.after(async () => {
  server.close()
  await api.close()
  await receiver.close()
})

examples('run one after the other and answer with the status they name', async () => {
  const { id } = await api.subscribe(receiver.url, ['*'])
  await api.makeGadget('G1')
  await api.worker.settled()
  const [attempt] = await api.attempts(id)
  const { data } = await api.call('get', '/v1/events?kind=created')
  const variables = {
    API: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    // The one that made the webhook: a key of less scope may not rotate its secret.
    KEY: api.keys.admin,
    ID: id,
    DELIVERY: String(attempt!.delivery_id),
    EVENT: (data as { id: string }[])[0]!.id,
  }
  const commands = commandsOf(page)
  assert.ok(commands.length >= 12)
  for (const { text, status } of commands) {
    const answer = await runCommand(text, variables)
    assert.equal([text, answer.status], [text, status], await answer.text())
  }
  await api.worker.settled()
  const tests = receiver.requests().filter(({ body }) => JSON.parse(body).test === true)
  assert.is(tests.length, 2)
})

examples.run()

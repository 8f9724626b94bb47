import { createServer } from 'node:http'
import { DatabaseSync } from 'node:sqlite'
import { verifyWebhook } from './verify-webhook.js'

const { WEBHOOK_SECRET, PORT = '9000', INBOX = 'inbox.db' } = process.env
if (!WEBHOOK_SECRET)
  throw new Error('expected WEBHOOK_SECRET: the secret the subscription answered')

const MOST_BYTES = 5_000_000

// What came in and is not done yet survives a restart; the primary key knows what came in before.
const inbox = new DatabaseSync(INBOX, { timeout: 5000 })
inbox.exec(`create table if not exists inbox (
  delivery_id text primary key, body text not null, done integer not null default 0) strict`)
const store = inbox.prepare(
  'insert into inbox (delivery_id, body) values (?, ?) on conflict do nothing',
)
const waiting = inbox.prepare('select delivery_id, body from inbox where done = 0 order by rowid')
const finish = inbox.prepare('update inbox set done = 1 where delivery_id = ?')

/** Your own code comes here; what it throws is tried again with the next delivery, and at the next start. */
async function work({ event, data, timestamp }) {
  console.log(`${timestamp} ${event} ${data.id ?? ''}`)
}

let isWorking = false

async function workThrough() {
  if (isWorking) return
  isWorking = true
  try {
    for (let rows = waiting.all(); rows.length > 0; rows = waiting.all()) {
      for (const { delivery_id, body } of rows) {
        await work(JSON.parse(body))
        finish.run(delivery_id)
      }
    }
  } catch (error) {
    console.error(error)
  } finally {
    isWorking = false
  }
}

/** Stored, then answered: the work waits, so the answer comes within milliseconds. */
function receive(rawBody, header) {
  if (!verifyWebhook(rawBody, header, WEBHOOK_SECRET)) return 401
  const { delivery_id } = JSON.parse(rawBody)
  const { changes } = store.run(delivery_id, rawBody.toString())
  if (changes === 0) console.log(`${delivery_id} came in before`)
  return 204
}

const server = createServer(async (request, response) => {
  try {
    const chunks = []
    let bytes = 0
    for await (const chunk of request) {
      bytes += chunk.length
      if (bytes > MOST_BYTES) return response.writeHead(413).end()
      chunks.push(chunk)
    }
    response.writeHead(receive(Buffer.concat(chunks), request.headers['x-svc-signature'])).end()
    await workThrough()
  } catch (error) {
    // Not stored, so not taken: the workspace sends it again.
    console.error(error)
    if (!response.headersSent) response.writeHead(500).end()
  }
})

server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`listening on http://127.0.0.1:${server.address().port}`)
  void workThrough()
})

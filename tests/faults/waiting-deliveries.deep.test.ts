import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newId } from '../../engine/base/ids.ts'
import { openDatabase } from '../../engine/index.ts'
import { type DeliveryRow, deliveryInserter } from '../../webhooks/delivery-store.ts'
import { eventually } from '../cli/process.ts'
import { call } from './exchange.ts'
import { type Hook, openHook } from './hooks.ts'
import { createFaultWorkspace, type FaultWorkspace } from './workspace.ts'

/* A server that starts with 100,000 deliveries to make, as after an import while it was away. */

const RECEIVERS = 20
const WAITING = 100_000
/** Those that are waited for; the others go on in the same way. */
const WATCHED = 20_000
/** The longest it may take until it listens, and until a list is answered beside them, on a machine with other work. */
const READY_MS = 30_000
const LIST_MS = 1000
const MOST_MB = 600

const test = suite('100,000 deliveries that wait')

let workspace: FaultWorkspace
const hooks: Hook[] = []

test.before(async () => {
  workspace = await createFaultWorkspace('sqlite')
  await workspace.prepare()
})
test.after(async () => {
  await workspace.remove()
  await Promise.all(hooks.map((hook) => hook.close()))
})

test('the server is ready at once, answers beside them, and makes each once', async () => {
  const first = await workspace.start()
  const ids: string[] = []
  for (let at = 0; at < RECEIVERS; at += 1) {
    const reply = () => ({ status: 200, afterMs: 0 })
    const hook = await openHook({ name: `receiver ${at}`, events: ['items.created'], reply })
    hooks.push(hook)
    const body = { url: hook.url, secret: hook.secret, events: hook.plan.events }
    const made = await call<{ id: string }>(
      first.url,
      workspace.key(),
      'POST',
      '/v1/webhooks',
      body,
    )
    ids.push(made.id)
  }
  assert.is((await first.end()).code, 0)
  await fill(ids)

  const began = performance.now()
  const server = await workspace.start()
  const readyMs = performance.now() - began
  assert.ok(readyMs < READY_MS, `ready after ${readyMs} ms`)
  const arrived = (): number => hooks.reduce((sum, { arrivals }) => sum + arrivals.size, 0)
  const times: number[] = []
  await eventually(async () => {
    const asked = performance.now()
    await call(server.url, workspace.key(), 'GET', '/v1/items?limit=20')
    times.push(performance.now() - asked)
    return arrived() >= WATCHED
  })
  assert.ok(median(times) < LIST_MS, `a list took ${median(times)} ms beside them`)
  for (const { arrivals, problems } of hooks) {
    assert.equal(problems, [])
    assert.equal(
      [...arrivals].filter(([, { requests }]) => requests !== 1),
      [],
    )
  }
  const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'))?.[1]
  assert.ok(Number(memory) / 1024 < MOST_MB, `${memory} kB`)
  console.log(
    `ready after ${readyMs.toFixed(0)} ms, ${arrived()} delivered, a list in ${median(times).toFixed(0)} ms, ${memory} kB`,
  )
})

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? 0
}

/** Deliveries of events that the log has no more, each with its data. */
async function fill(webhooks: readonly string[]): Promise<void> {
  const database = await openDatabase({
    kind: 'sqlite',
    file: join(workspace.dataFolder, 'workspace.db'),
  })
  const now = Date.now()
  const created = new Date(now).toISOString()
  const insert = deliveryInserter()
  for (let done = 0; done < WAITING; done += 5000)
    await database.write((tx) =>
      insert(
        tx,
        Array.from(
          { length: 5000 },
          (_, at): DeliveryRow => ({
            id: newId('dlv', now),
            webhook_id: webhooks[at % webhooks.length] as string,
            event_id: newId('evt', now),
            event: 'items.created',
            state: 'pending',
            attempts: 0,
            tries: 0,
            manual: 0,
            due: now,
            first_try: null,
            leased_by: null,
            asked_again: null,
            created,
            data: '{"id":"x"}',
          }),
        ),
      ),
    )
  await database.close()
}

test.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { eventually } from '../cli/process.ts'
import { send } from './exchange.ts'
import type { HookPlan } from './hooks.ts'
import { openScene, type Scene } from './scene.ts'

/* 600 events to 20 receivers, one of which never answers: the others hear all of them, each once. */

const RECEIVERS = 20
const EVENTS = 600
/** Requests under way at once. */
const AT_ONCE = 8
/** Attempts to the one that hangs until the others are done: it holds its own places, and no others. */
const MOST_HANGING = 40

const test = suite('twenty receivers')

let scene: Scene

test.before(async () => {
  scene = await openScene({ kind: 'sqlite', seed: 1 }, plans)
})
test.after(() => scene.close())

function plans(): readonly HookPlan[] {
  return Array.from({ length: RECEIVERS }, (_, at) => ({
    name: `receiver ${at}`,
    events: ['items.created'],
    reply: () => (at === 0 ? undefined : { status: 200, afterMs: 0 }),
  }))
}

test('one that hangs holds up none of the others', async () => {
  const [server] = scene.servers
  assert.ok(server)
  let made = 0
  const client = async (): Promise<void> => {
    while (made < EVENTS) {
      made += 1
      const marker = `many-${made}`
      const body = { item_code: marker, item_name: marker, is_stock_item: false }
      const request = { method: 'POST', path: '/v1/items', key: marker, body } as const
      const answer = await send(server.url, scene.workspace.key(), request)
      assert.ok(typeof answer === 'object' && answer.status === 201, JSON.stringify(answer))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, client))
  const [hanging, ...others] = scene.hooks
  // The item that every scene begins with is the first event.
  await eventually(() => others.every(({ arrivals }) => arrivals.size === EVENTS + 1))
  for (const { plan, arrivals, problems } of others) {
    assert.equal(problems, [])
    const twice = [...arrivals].filter(([, { requests }]) => requests !== 1)
    assert.equal(twice, [], `${plan.name} was told twice`)
  }
  const held = [...(hanging?.arrivals.values() ?? [])].reduce((sum, one) => sum + one.requests, 0)
  assert.ok(held > 0 && held <= MOST_HANGING, `${held} attempts to the one that hangs`)
})

test.run()

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CompiledQuery } from 'kysely'
import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { createDocument } from '../engine/documents/operations/create.ts'
import { type Engine, openEngine } from '../engine/index.ts'
import { hooks } from '../hooks/index.ts'
import { webhookFanOut } from '../webhooks/fan-out.ts'
import { createSubscription } from '../webhooks/subscriptions.ts'
import { median } from './load.ts'
import { printTable } from './verdict.ts'
import { newItem } from './workloads.ts'
import type { BenchWorkspace } from './workspace.ts'

const SUBSCRIPTIONS = [0, 1, 10, 100]
/** Indexes that only those who look for events by what they say need. */
const EVENT_INDEXES = [
  'ix_svc_events_record',
  'ix_svc_events_event',
  'ix_svc_events_kind',
  'ix_svc_events_actor',
]
const ROUNDS = 9
const CREATES = 300
/** Creates after which their deliveries are taken as made, as they soon are where somebody sends them. */
const SETTLED_AFTER = 20

interface Contestant {
  readonly name: string
  readonly engine: Engine
  /** Microseconds of processor time a create, one for each round. */
  readonly times: number[]
}

/** Measures what a create pays for those who are told of it, straight on the engine, while nothing is sent. */
export async function measureOutbox(workspace: BenchWorkspace): Promise<void> {
  const contestants: Contestant[] = []
  const add = async (name: string, subscriptions: number): Promise<Engine> => {
    const engine = await openCopy(workspace, name, subscriptions)
    contestants.push({ name, engine, times: [] })
    return engine
  }
  for (const count of SUBSCRIPTIONS) await add(`${count} subscriptions`, count)
  const bare = await add('none, and no index on what events say', 0)
  await bare.services.database.write(async (tx) => {
    for (const name of EVENT_INDEXES)
      await tx.executeQuery(CompiledQuery.raw(`drop index ${name}`, []))
  })
  let n = 0
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const { engine, times } of contestants) {
      const time = await timeOf(engine, n)
      if (round >= 0) times.push(time)
    }
    n += CREATES
  }
  for (const { engine } of contestants) await engine.close()
  const none = median(contestants[0]!.times)
  console.log(`\nA create on the engine, NORMAL, medians of ${ROUNDS} rounds`)
  printTable(
    ['', 'CPU µs', 'beyond none'],
    contestants.map(({ name, times }) => [
      name,
      median(times).toFixed(0),
      (median(times) - none).toFixed(0),
    ]),
  )
}

async function openCopy(
  workspace: BenchWorkspace,
  name: string,
  subscriptions: number,
): Promise<Engine> {
  const folder = workspace.copy(`outbox ${name}`)
  const secretKey = Buffer.from(readFileSync(join(folder, 'secret.key'), 'utf8'), 'base64')
  const engine = await openEngine({
    hooks,
    database: { kind: 'sqlite', file: join(folder, 'workspace.db'), durability: 'normal' },
    doctypes: [join(import.meta.dirname, '..', 'doctypes'), join(folder, 'doctypes')],
    secretKey,
    sinks: [webhookFanOut()],
  })
  await engine.services.database.write(async (tx) => {
    for (let each = 0; each < subscriptions; each += 1) {
      const input = { url: `https://example.com/hook/${each}`, events: ['*'] }
      const at = { kind: 'sqlite', people: undefined, now: Date.now() } as const
      const scene = { actor: SYSTEM_ACTOR, tx, secretKey, ...at }
      await createSubscription(scene, input)
    }
  })
  return engine
}

async function timeOf(engine: Engine, from: number): Promise<number> {
  const context = engine.context(SYSTEM_ACTOR, 'business')
  const definition = engine.services.registry.bySlug('items')!
  let used = 0
  for (let n = from; n < from + CREATES; n += SETTLED_AFTER) {
    const began = process.cpuUsage()
    for (let each = n; each < n + SETTLED_AFTER; each += 1)
      await createDocument(context, definition, newItem(each))
    const { user, system } = process.cpuUsage(began)
    used += user + system
    await engine.services.database.write((tx) => tx.executeQuery(SETTLE_ALL))
  }
  return used / CREATES
}

const SETTLE_ALL = CompiledQuery.raw(
  `update svc_deliveries set due = null, state = 'delivered' where due is not null`,
)

import * as assert from 'uvu/assert'
import { eventually, type Served } from '../cli/process.ts'
import type { TestDatabaseKind } from '../helpers/databases.ts'
import { type Random, randomOf } from '../helpers/random.ts'
import { type Crew, createCrew } from './crew.ts'
import { call } from './exchange.ts'
import { type Hook, type HookPlan, openHook } from './hooks.ts'
import { createFaultWorkspace, type FaultWorkspace } from './workspace.ts'

/** One run of a fault plan. */
export interface FaultRun {
  readonly kind: TestDatabaseKind
  readonly seed: number
  /** How often the fault happens. */
  readonly rounds: number
  /** Is told what is going on. */
  readonly tell: (line: string) => void
}

/** A workspace under load: processes that serve it, clients that write, receivers that listen. */
export interface Scene {
  readonly workspace: FaultWorkspace
  readonly random: Random
  readonly crew: Crew
  readonly hooks: readonly Subscribed[]
  /** Processes that take requests now. */
  readonly servers: readonly Served[]
  /** Starts one more process for the clients. */
  serve(): Promise<Served>
  /** Clients send nothing more to it. */
  retire(server: Served): void
  /** Asks with the admin key. */
  call<Body>(method: 'GET' | 'POST' | 'PATCH', path: string, body?: object): Promise<Body>
  close(): Promise<void>
}

/** A receiver with its subscription. */
export interface Subscribed extends Hook {
  readonly id: string
}

/** Sets a workspace up with one process, a few masters and a subscription for each receiver. */
export async function openScene(
  { kind, seed }: Pick<FaultRun, 'kind' | 'seed'>,
  plans: (random: Random) => readonly HookPlan[],
): Promise<Scene> {
  const workspace = await createFaultWorkspace(kind)
  await workspace.prepare()
  const random = randomOf(seed)
  const servers: Served[] = []
  const hooks: Subscribed[] = []

  async function serve(): Promise<Served> {
    const server = await workspace.start()
    servers.push(server)
    return server
  }

  let isClosed = false
  async function someUrl(choice: Random): Promise<string | undefined> {
    await eventually(() => isClosed || servers.length > 0)
    return isClosed ? undefined : choice.one(servers).url
  }

  const ask: Scene['call'] = async (method, path, body) => {
    const url = await someUrl(random)
    assert.ok(url, 'the scene is closed')
    return call(url, workspace.key(), method, path, body)
  }

  await serve()
  for (const plan of plans(random)) {
    const hook = await openHook(plan)
    const { url, secret } = hook
    const { id } = await ask<{ id: string }>('POST', '/v1/webhooks', {
      url,
      secret,
      events: plan.events,
    })
    if (plan.isPaused) await ask('PATCH', `/v1/webhooks/${id}`, { status: 'paused' })
    hooks.push({ ...hook, id })
  }
  const customers: string[] = []
  for (const customer_name of ['Ann', 'Bob'])
    customers.push((await ask<{ id: string }>('POST', '/v1/customers', { customer_name })).id)
  const bolt = { item_code: 'BOLT', item_name: 'Bolt', is_stock_item: false }
  const { id: item } = await ask<{ id: string }>('POST', '/v1/items', bolt)

  const crew = createCrew({ apiKey: workspace.key(), seed, customers, item, url: someUrl })

  return {
    workspace,
    random,
    crew,
    hooks,
    servers,
    serve,
    retire(server) {
      servers.splice(servers.indexOf(server), 1)
    },
    call: ask,
    async close() {
      // Where a test fails, they would go on asking until the runner ends the file.
      isClosed = true
      crew.leave()
      await workspace.remove()
      await Promise.all(hooks.map((hook) => hook.close()))
    },
  }
}

/**
 * Answers every open question, lets the paused subscriptions go on and waits until nothing is left to deliver. Requests may have
 * been put off, where the database was away or the machine had no time for what a request may take: they were told so.
 */
export async function drain({ crew, hooks, workspace, call: ask }: Scene): Promise<void> {
  await crew.stop()
  await crew.settle()
  assert.equal(crew.refused, [], 'requests that were refused')
  for (const text of crew.putOff) assert.match(text, '"UNAVAILABLE"')
  for (const { id, plan } of hooks)
    if (plan.isPaused) await ask('PATCH', `/v1/webhooks/${id}`, { status: 'active' })
  await eventually(
    async () =>
      (await workspace.rows('select 1 from svc_deliveries where due is not null limit 1'))
        .length === 0,
  )
}

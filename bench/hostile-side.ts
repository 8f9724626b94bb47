import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { Agent, request } from 'undici'
import type { HostileRequest } from './hostile-requests.ts'
import type { FromSender, SenderData, ToSender } from './hostile-sender.ts'
import { runSvc, type ServerProcess, startSvc } from './server-process.ts'
import { createWorkspace } from './workspace.ts'

/** A server, somebody hostile, and others. */
export interface Side {
  readonly server: ServerProcess
  readonly agent: Agent
  /** Thread that sends hostile requests. */
  readonly sender: Worker
  /** Keys: each counts as a person. */
  readonly hostile: string
  readonly other: string
  /** Times of the others without anything beside them: medians, in ms. */
  own: readonly number[]
  end(): Promise<void>
}

/** Notes of 100 kB that are searched. */
const NOTES = 45

/** Others ask without anything beside them for so long, in ms. */
const ALONE_MS = 1_500

/** What others ask for meanwhile. */
const OTHERS = [
  { name: 'get', method: 'GET', path: '/v1/items/BENCH-WORK' },
  { name: 'list', method: 'GET', path: '/v1/accounts?limit=20' },
  { name: 'create', method: 'POST', path: '/v1/todos', body: JSON.stringify({ description: 'x' }) },
] as const

/** Makes a workspace in a folder and serves it; on PostgreSQL where a URL of it is given. */
export async function openSide(folder: string, databaseUrl?: string): Promise<Side> {
  const workspace = createWorkspace(folder, databaseUrl)
  const place = databaseUrl === undefined ? [] : ['--database', databaseUrl]
  const args = ['key', 'create', '--data', workspace.folder, '--scope', 'admin', '--json']
  const { key } = JSON.parse(runSvc([...args, ...place])) as { key: string }
  const server = await startSvc(workspace.folder, 'full', databaseUrl)
  const agent = new Agent({ connections: 120, headersTimeout: 180_000, bodyTimeout: 180_000 })
  const workerData: SenderData = { port: server.port, key: workspace.key }
  const sender = new Worker(new URL('hostile-sender.ts', import.meta.url), { workerData })
  return {
    server,
    agent,
    sender,
    hostile: workspace.key,
    other: key,
    own: OTHERS.map(() => 0),
    async end() {
      await sender.terminate()
      await agent.close()
      await server.stop()
    },
  }
}

/** Makes what hostile requests name and search, and finds out what others take without them. */
export async function makeTargets(side: Side): Promise<void> {
  const make = async (path: string, body: object): Promise<void> => {
    const status = await ask(side, side.hostile, 'POST', path, JSON.stringify(body))
    if (status >= 300) throw new Error(`${path} is answered with ${status}`)
  }
  await make('/v1/items', { item_code: 'BENCH-WORK', item_name: 'Work', is_stock_item: false })
  await make('/v1/items', { item_code: 'BENCH-GOODS', item_name: 'Goods' })
  for (let at = 0; at < 5; at += 1) await make('/v1/customers', { customer_name: `Bench ${at}` })
  const content = 'a'.repeat(100_000)
  for (let at = 0; at < NOTES; at += 1)
    await make('/v1/notes', { title: `note ${at}`, public: true, content })
  const items = [{ item_code: 'BENCH-GOODS', qty: 100_000, basic_rate: 1, t_warehouse: 'Stores' }]
  const goods = { stock_entry_type: 'Material Receipt', items, docstatus: 1 }
  await make('/api/resource/Stock%20Entry', goods)
  const alone = new Promise((resolve) => setTimeout(resolve, ALONE_MS))
  side.own = (await othersUntil(side, alone)).map(median)
}

/** What others noticed. */
export interface WaitsBeside {
  /** Longest wait of each of the others beyond what it takes alone, in ms. */
  readonly waits: readonly { readonly name: string; readonly ms: number }[]
  /** Statuses of the hostile answers, each once with how many there were. */
  readonly statuses: string
  readonly seconds: number
}

/** Sends a hostile request as often as it says, while others ask. */
export async function waitsBeside(side: Side, one: HostileRequest): Promise<WaitsBeside> {
  await told(side.sender, { make: one.name })
  await side.server.watch()
  const running = told(side.sender, 'send')
  const waits = await othersUntil(side, running)
  const { statuses, seconds } = (await running) as Exclude<FromSender, 'made'>
  const counts = Map.groupBy(statuses, (status) => status)
  return {
    waits: OTHERS.map(({ name }, at) => ({ name, ms: Math.max(...waits[at]!) - side.own[at]! })),
    statuses: [...counts].map(([status, all]) => `${all.length} × ${status}`).join(', '),
    seconds,
  }
}

/** Tells the sender something, and returns what it tells then. Throws what it throws. */
async function told(sender: Worker, message: ToSender): Promise<FromSender> {
  const answer = once(sender, 'message')
  sender.postMessage(message)
  const [told] = (await answer) as [FromSender]
  return told
}

/** Waits of each of the others, one request after the other, until `end`. */
async function othersUntil(side: Side, end: Promise<unknown>): Promise<number[][]> {
  let ended = false
  const note = (): void => {
    ended = true
  }
  end.then(note, note)
  return Promise.all(
    OTHERS.map(async (other) => {
      const waits: number[] = []
      do {
        const began = performance.now()
        const body = 'body' in other ? other.body : undefined
        const status = await ask(side, side.other, other.method, other.path, body, other.name)
        if (status >= 300) throw new Error(`${other.path} is answered with ${status}`)
        waits.push(performance.now() - began)
        await new Promise((resolve) => setTimeout(resolve, 5))
      } while (!ended)
      return waits
    }),
  )
}

async function ask(
  { server, agent }: Side,
  key: string,
  method: 'GET' | 'POST',
  path: string,
  body?: string,
  watched?: string,
): Promise<number> {
  const type = body === undefined ? {} : { 'content-type': 'application/json' }
  const watch = watched === undefined ? {} : { 'x-bench-watched': watched }
  const answer = await request(`http://127.0.0.1:${server.port}${path}`, {
    dispatcher: agent,
    method,
    headers: { authorization: `Bearer ${key}`, ...type, ...watch },
    body: body ?? null,
  })
  for await (const _ of answer.body);
  return answer.statusCode
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}

import { SYSTEM_ACTOR } from '../../engine/access/actor.ts'
import type { Registry } from '../../engine/definition/model/registry.ts'
import { readKeyRequest } from '../../server/auth/api-keys.ts'
import { makeKey } from '../../server/auth/key-making.ts'
import { allWebhooks } from '../../webhooks/store.ts'
import { removeSubscription } from '../../webhooks/subscriptions.ts'
import { Failure } from '../failure.ts'
import { openWorkspace } from '../workspace.ts'
import { ask, type Outcome } from './ask.ts'
import type { ChaosCopy } from './copy.ts'
import { createLoad, type Load } from './load.ts'
import { type ServerProcess, startServer } from './processes.ts'
import { learnRecipes, type Recipe, type Send } from './recipes.ts'

/** A copy that is served, with clients that write to it. */
export interface Scene {
  readonly copy: ChaosCopy
  readonly recipes: readonly Recipe[]
  readonly load: Load
  /** Servers that take requests now. */
  readonly servers: readonly ServerProcess[]
  /** Asks one of them, as a client does that writes nothing down. */
  readonly send: Send
  /** Data folder that is served now. */
  readonly place: () => string
  /** Starts as many servers as the database takes, on this data folder. */
  serve(dataFolder?: string): Promise<void>
  /** Starts one more. */
  startOne(): Promise<ServerProcess>
  /** No client asks it any more. */
  retire(server: ServerProcess): void
  /** Lets the servers end what they do, and ends them. */
  stopServers(): Promise<void>
  /** Ends all that runs, at once. */
  end(): Promise<void>
}

/** Servers of a copy: one to a folder on SQLite, and another that goes on while one is hurt on PostgreSQL. */
const SERVERS = { sqlite: 1, postgres: 2 } as const
const MOST_RECIPES = 24
const LEARN_MS = 45_000
/** How often a question of our own is asked again while nobody answers. */
const ASKED = 100
const AGAIN_MS = 100

/** Makes a copy ready to be hurt: nobody outside hears of it, and clients know what they may write. */
export async function openScene(copy: ChaosCopy, seed: number): Promise<Scene> {
  const { apiKey, registry } = await makeReady(copy)
  const prefix = `chaos${seed}-${Date.now().toString(36)}`
  const servers: ServerProcess[] = []
  let place = copy.workspace.dataFolder
  const urls = (): readonly string[] => servers.map(({ url }) => url)

  async function send(request: Parameters<Send>[0]): Promise<Outcome> {
    let outcome: Outcome = 'closed'
    for (let asked = 0; asked < ASKED; asked += 1) {
      const [url] = urls()
      outcome = url === undefined ? 'closed' : await ask(url, apiKey, request)
      if (typeof outcome !== 'string' && outcome.status !== 503) break
      await new Promise((resolve) => setTimeout(resolve, AGAIN_MS))
    }
    return outcome
  }

  async function startOne(): Promise<ServerProcess> {
    const server = await startServer({ env: copy.env, dataFolder: place })
    servers.push(server)
    return server
  }

  async function serve(dataFolder = place): Promise<void> {
    place = dataFolder
    while (servers.length < SERVERS[copy.workspace.database.kind]) await startOne()
  }

  const end = async (): Promise<void> => {
    await Promise.all(servers.splice(0).map((server) => server.kill()))
  }

  copy.beforeRemoval(end)
  try {
    await serve()
    const recipes = await learn(registry, send, prefix)
    return {
      copy,
      recipes,
      servers,
      send,
      load: createLoad({ apiKey, recipes, seed, prefix, urls }),
      place: () => place,
      serve,
      startOne,
      retire: (server) => void servers.splice(servers.indexOf(server), 1),
      async stopServers() {
        await Promise.all(servers.splice(0).map((server) => server.stop()))
      },
      end,
    }
  } catch (error) {
    await end()
    throw error
  }
}

/** Takes the subscriptions away, whose receivers are real, and makes a key. */
async function makeReady({
  workspace,
}: ChaosCopy): Promise<{ readonly apiKey: string; readonly registry: Registry }> {
  const { engine } = await openWorkspace(workspace)
  try {
    const { services } = engine
    const body = { scope: 'admin', label: 'svc chaos' }
    const wish = readKeyRequest(body, 'live', services.clock)
    const created = await services.database.write(async (tx) => {
      for (const { id } of await allWebhooks(tx)) await removeSubscription(tx, id)
      return makeKey(tx, services, SYSTEM_ACTOR, wish)
    })
    return { apiKey: 'key' in created ? created.key : '', registry: services.registry }
  } finally {
    await engine.close()
  }
}

async function learn(registry: Registry, send: Send, prefix: string): Promise<readonly Recipe[]> {
  const recipes = await learnRecipes({
    registry,
    send,
    prefix,
    most: MOST_RECIPES,
    patienceMs: LEARN_MS,
  })
  if (recipes.length > 0) return recipes
  throw new Failure(
    'no document was found that this workspace takes: give it a record or two of what is written every day, `svc demo` fills an empty one',
  )
}

import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Endpoint } from './hand-written/deliveries.ts'
import {
  type Durability,
  type ServerProcess,
  startHandWritten,
  startSvc,
} from './server-process.ts'
import type { BenchWorkspace } from './workspace.ts'

/** A workspace with subscriptions; whoever is measured gets a copy of it. */
export interface Subscribed {
  /** Endpoints in the order of the ports they were registered for. */
  readonly endpoints: readonly Endpoint[]
  /** The secret of each port, for who verifies. */
  readonly secrets: Readonly<Record<number, string>>
  start(side: Side, durability: Durability): Promise<Started>
}

export type Side = 'svc' | 'hand-written'

/** A server on a copy of its own. */
export interface Started {
  readonly server: ServerProcess
  readonly databaseFile: string
}

/** Registers a subscription to everything for each of these ports, over HTTP as callers do. */
export async function subscribe(
  workspace: BenchWorkspace,
  name: string,
  ports: readonly number[],
): Promise<Subscribed> {
  const base = workspace.copy(name)
  const registrar = await startSvc(base, 'normal')
  const endpoints: Endpoint[] = []
  for (const port of ports) {
    const url = `http://127.0.0.1:${port}/hook`
    endpoints.push({ url, ...(await register(registrar.port, workspace.key, url)) })
  }
  await registrar.stop()
  const endpointsFile = join(base, 'endpoints.json')
  writeFileSync(endpointsFile, JSON.stringify(endpoints))
  const secretOf = (port: number, index: number) => [port, endpoints[index]!.secret] as const
  return {
    endpoints,
    secrets: Object.fromEntries(ports.map(secretOf)),
    async start(side, durability) {
      const dataFolder = `${base}-${side}-${durability}`
      cpSync(base, dataFolder, { recursive: true })
      const server =
        side === 'svc'
          ? await startSvc(dataFolder, durability)
          : await startHandWritten({
              dataFolder,
              durability,
              commit: 'group',
              endpoints: endpointsFile,
            })
      return { server, databaseFile: join(dataFolder, 'workspace.db') }
    },
  }
}

async function register(
  port: number,
  key: string,
  url: string,
): Promise<Pick<Endpoint, 'id' | 'secret'>> {
  const response = await fetch(`http://127.0.0.1:${port}/v1/webhooks`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['*'] }),
  })
  if (response.status !== 201) throw new Error(`expected 201, got ${await response.text()}`)
  const { id, secret } = (await response.json()) as Endpoint
  return { id, secret }
}

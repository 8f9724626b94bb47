import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { fileURLToPath } from 'node:url'

/** A PostgreSQL server of our own, for as long as this process lives. */
export interface PostgresServer {
  /** `postgres://…` of its superuser. */
  readonly url: string
  /** Ends the server and resolves once its files are gone. */
  stop(): Promise<void>
}

const KEEPER = fileURLToPath(new URL('./postgres-keeper.ts', import.meta.url))

/**
 * Starts a PostgreSQL server (1–2 s). It never keeps this process alive and ends with it, even if
 * it is killed. Throws with the server's own words when it does not start.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const keeper = spawn(process.execPath, [KEEPER], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // A group of its own: Ctrl-C is for us, and we tell it to end.
    detached: true,
    env: { ...process.env, NODE_V8_COVERAGE: undefined },
  })
  const url = await announcedUrl(keeper)
  keeper.unref()
  for (const pipe of [keeper.stdin, keeper.stdout, keeper.stderr])
    (pipe as unknown as Socket).unref()
  return {
    url,
    stop: async () => {
      if (keeper.exitCode !== null || keeper.signalCode !== null) return
      const ended = once(keeper, 'exit')
      keeper.ref()
      keeper.stdin.end()
      await ended
    },
  }
}

function announcedUrl(keeper: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let output = ''
    let errors = ''
    keeper.stdout?.on('data', (chunk: Buffer) => {
      output += chunk.toString()
      if (output.includes('\n')) resolve((JSON.parse(output) as { url: string }).url)
    })
    keeper.stderr?.on('data', (chunk: Buffer) => {
      errors += chunk.toString()
    })
    keeper.on('error', reject)
    keeper.on('exit', (code) => {
      reject(new Error(`PostgreSQL for the tests did not start (code ${code}):\n${errors}`))
    })
  })
}

import { join } from 'node:path'
import type { Test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Folder, readFirstRun, type Served, serve, temporaryFolder } from './process.ts'

/** A data folder of a suite, and the one server of it that may run at a time. */
export interface ServedFolder {
  /** A temporary folder, in which the data folder is the one named `data`. */
  path(): string
  data(): string
  start(args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Served>
  /** Takes a server that was started elsewhere for the one that runs. */
  run(server: Served): Served
  running(): Served
  /** Asks with the admin key of the first run; a body is posted. */
  ask(path: string, body?: object): Promise<{ status: number; json: unknown }>
  headers(): Record<string, string>
  totalOf(slug: string): Promise<number>
  /** The running server ends with code 0, having said no more on stdout than that it listens. */
  endsWell(signal: NodeJS.Signals): Promise<void>
}

/** Makes the folder before the tests of a suite, ends the server after each and removes all after them. */
export function servedFolder(test: Test): ServedFolder {
  let folder: Folder
  let running: Served | undefined

  test.before(() => {
    folder = temporaryFolder()
  })
  test.after.each(async () => {
    await running?.end('SIGKILL')
    running = undefined
  })
  test.after(() => folder.remove())

  const data = (): string => join(folder.path, 'data')
  const headers = (): Record<string, string> => ({
    authorization: `Bearer ${readFirstRun(data()).admin_key}`,
    'content-type': 'application/json',
  })
  async function ask(path: string, body?: object): Promise<{ status: number; json: unknown }> {
    const response = await fetch(`${running?.url}${path}`, {
      ...(body ? { method: 'POST', body: JSON.stringify(body) } : {}),
      headers: headers(),
    })
    return { status: response.status, json: await response.json() }
  }

  return {
    path: () => folder.path,
    data,
    async start(args = [], env = {}) {
      running = await serve(data(), args, env)
      return running
    },
    run(server) {
      running = server
      return server
    },
    running() {
      if (!running) throw new Error('no server runs')
      return running
    },
    ask,
    headers,
    async totalOf(slug) {
      const { json } = await ask(`/v1/${slug}?limit=1`)
      return (json as { meta: { total: number } }).meta.total
    },
    async endsWell(signal) {
      const ended = await running?.end(signal)
      assert.is(ended?.code, 0, signal)
      assert.is(ended?.stdout.split('\n').length, 2)
    },
  }
}

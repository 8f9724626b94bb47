import { spawnSync } from 'node:child_process'
import * as assert from 'uvu/assert'
import { readFirstRun, type Served, serve, temporaryFolder } from '../cli/process.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'

/** A workspace with an item to sell, served for clients that others' programs have made. */
export interface Shop {
  readonly folder: string
  readonly server: Served
  readonly key: string
  close(): Promise<void>
}

/** Opens a shop that sells `BELL`. */
export async function openShop(): Promise<Shop> {
  const folder = temporaryFolder()
  await prepareStarted(folder.path)
  const server = await serve(folder.path, [], { SVC_RATE_LIMIT: 'off' })
  const key = readFirstRun(folder.path).admin_key
  const made = await fetch(`${server.url}/v1/items`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${key}` },
    body: JSON.stringify({ item_code: 'BELL', item_name: 'Bell' }),
  })
  assert.is(made.status, 201, await made.text())
  return {
    folder: folder.path,
    server,
    key,
    async close() {
      await server.end()
      folder.remove()
    },
  }
}

/** What the programs of docs/examples/clients print: 32 bits would hold the amount as 37136952. */
export const SOLD = /^true 1 37136953\.83$/im

/** What a program prints. Throws with all it said where it ends with another code than 0. */
export function run(
  cwd: string,
  command: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = process.env,
): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    cwd,
    env,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  })
  assert.is(
    status,
    0,
    `${command} ${args.join(' ')}: ${error ?? ''}${stdout}${stderr}`.slice(-8000),
  )
  return stdout
}

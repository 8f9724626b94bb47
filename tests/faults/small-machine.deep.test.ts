import { spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import {
  ENTRY,
  eventually,
  type Folder,
  readFirstRun,
  type Served,
  served,
  svc,
  temporaryFolder,
  withoutSettings,
} from '../cli/process.ts'
import { prepareStarted } from '../helpers/prepared-start.ts'

/* A server with fewer files than its clients have connections, and one with little memory for large bodies. */

const test = suite('a small machine')

let folder: Folder
let running: Served | undefined

test.before.each(async () => {
  folder = temporaryFolder()
  await prepareStarted(data())
})
test.after.each(async () => {
  await running?.end('SIGKILL')
  folder.remove()
})

function data(): string {
  return `${folder.path}/data`
}

/** Starts a server by way of the shell, which takes files from it, or with options of Node. */
async function start(limits: string, options: readonly string[]): Promise<Served> {
  const command = `${limits} exec "$0" "$@"`
  const args = [process.execPath, ...options, ENTRY, 'serve', '--port', '0', '--data', data()]
  const child = spawn('sh', ['-c', command, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...withoutSettings(process.env), SVC_RATE_LIMIT: 'off' },
  })
  running = await served(child)
  return running
}

function headers(): Record<string, string> {
  return {
    authorization: `Bearer ${readFirstRun(data()).admin_key}`,
    'content-type': 'application/json',
  }
}

/** Opens connections that stay open, and asks once on each; resolves with the statuses, 0 where there was no answer. */
function hold(url: string, count: number, agent: Agent): Promise<readonly number[]> {
  const one = (): Promise<number> =>
    new Promise((resolve) => {
      const request = httpRequest(`${url}/v1/items?limit=1`, { agent, headers: headers() })
      request.setTimeout(5000, () => request.destroy())
      request.on('error', () => resolve(0))
      request.on('response', (answer) => {
        answer.resume()
        answer.on('end', () => resolve(answer.statusCode ?? 0))
        answer.on('error', () => resolve(0))
      })
      request.end()
    })
  return Promise.all(Array.from({ length: count }, one))
}

test('with 64 files and 100 connections lives, and serves again when they are gone', async () => {
  const { url } = await start('ulimit -n 64;', [])
  const agent = new Agent({ keepAlive: true, maxSockets: 100 })
  const statuses: number[] = []
  for (let round = 0; round < 3; round += 1) statuses.push(...(await hold(url, 100, agent)))
  assert.ok(statuses.includes(200) && statuses.includes(0), 'the files were used up')
  agent.destroy()
  await eventually(async () => {
    const answer = await fetch(`${url}/v1/items?limit=1`, { headers: headers() }).catch(() => null)
    return answer?.status === 200
  })
  const made = await fetch(`${url}/v1/items`, {
    method: 'POST',
    headers: headers(),
    body: JSON.stringify({ item_code: 'BOLT', item_name: 'Bolt' }),
  })
  assert.is(made.status, 201, await made.text())
  const ended = await running?.end()
  assert.is(ended?.code, 0, ended?.stderr)
  const verified = await svc(['verify', '--data', data()])
  assert.is(verified.code, 0, verified.stdout)
})

const TOME = `
doctype: Tome
module: setup
tier: free
naming: uuid
fields:
  content: {type: text, length: 1000000}
`

/** Large bodies at once, and how often. */
const BODIES = 24
const ROUNDS = 12
/** The most memory that the process may hold afterwards, in MB. */
const MOST_MB = 400

test('with a heap of 96 MB takes 288 bodies of 0.9 MB, 24 at a time', async () => {
  mkdirSync(join(data(), 'doctypes'), { recursive: true })
  writeFileSync(join(data(), 'doctypes', 'tome.yaml'), TOME)
  const { url, pid } = await start('', ['--max-old-space-size=96'])
  const statuses = new Map<number, number>()
  let made = 0
  for (let round = 0; round < ROUNDS; round += 1)
    await Promise.all(
      Array.from({ length: BODIES }, async () => {
        made += 1
        const answer = await fetch(`${url}/v1/tomes`, {
          method: 'POST',
          headers: headers(),
          body: JSON.stringify({ content: `${made} ${'x'.repeat(900_000)}` }),
        })
        await answer.text()
        statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      }),
    )
  assert.equal([...statuses], [[201, BODIES * ROUNDS]])
  const memory = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
  assert.ok(Number(memory) / 1024 < MOST_MB, `${memory} kB`)
  const after = await fetch(`${url}/v1/tomes?limit=1`, { headers: headers() })
  assert.is(after.status, 200)
  const ended = await running?.end()
  assert.is(ended?.code, 0, ended?.stderr)
})

if (process.platform === 'linux') test.run()

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/**
 * Starts a server of this binary on a data folder, has it answer one request, calls `then` with its process id
 * and stops it. Throws when it does not start, answer or end as it should.
 */
export async function withServer<T>(
  binary: string,
  data: string,
  then: (pid: number) => T | Promise<T>,
): Promise<T> {
  const child = spawn(binary, ['serve', '--port', '0', '--data', data], {
    cwd: tmpdir(),
    env: {},
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const ended = once(child, 'exit')
  try {
    const url = await addressOf(child)
    const { admin_key: key } = JSON.parse(readFileSync(join(data, 'first-run.json'), 'utf8'))
    const { status } = await fetch(`${url}/v1/items?limit=1`, {
      headers: { authorization: `Bearer ${key}` },
    })
    if (status !== 200) throw new Error(`expected the first answer to be 200, got ${status}`)
    return await then(child.pid!)
  } finally {
    child.kill()
    await ended
  }
}

async function addressOf(child: ChildProcess): Promise<string> {
  for await (const line of createInterface({ input: child.stdout! })) {
    const url = /listening on (http:\S+)/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('the binary ended before it was listening')
}

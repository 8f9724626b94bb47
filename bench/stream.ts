import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type ServerProcess, startSvc } from './server-process.ts'
import { printTable, type Verdict } from './verdict.ts'
import { createWorkspace, inFolder } from './workspace.ts'

const PEOPLE = 100
const STREAMS = 10
const CHANGES = 200

/**
 * What a change costs the server alone, CPU and memory, with nobody and with a thousand who listen (a hundred keys, ten streams
 * each). It prints, and holds nobody to a limit: who listens stands in another process.
 */
export function measureStream(): Promise<Verdict[]> {
  return inFolder(async (parent) => {
    const workspace = createWorkspace(parent)
    const server = await startSvc(workspace.folder, 'normal')
    const keys: string[] = []
    for (let at = 0; at < PEOPLE; at += 1) keys.push(await keyOf(server.port, workspace.key, at))
    const cost = changesOf(server, workspace.key)
    await cost()
    const alone = await cost()
    await server.watch()
    const before = await server.usage()
    const heard = { bytes: 0, frames: 0 }
    // One address has at most 256 connections.
    for (const [person, key] of keys.entries())
      for (let at = 0; at < STREAMS; at += 1)
        await listen(
          { port: server.port, localAddress: `127.0.0.${2 + (person % 10)}` },
          key,
          heard,
        )
    await sleep(500)
    const joined = await server.usage()
    await cost()
    heard.frames = 0
    const listening = await cost()
    const all = PEOPLE * STREAMS
    for (let at = 0; at < 100 && heard.frames < all * CHANGES; at += 1) await sleep(50)
    const each = listening - alone
    console.log(`\nA change of a record, ${all} streams of ${PEOPLE} keys`)
    printTable(
      ['CPU µs', 'alone', 'with streams', 'a stream', 'frames', 'MB to join', 'KB a stream'],
      [
        [
          '',
          alone.toFixed(0),
          listening.toFixed(0),
          (each / all).toFixed(2),
          String(heard.frames),
          ((joined.rssBytes - before.rssBytes) / 1e6).toFixed(0),
          ((joined.rssBytes - before.rssBytes) / all / 1e3).toFixed(1),
        ],
      ],
    )
    await server.stop()
    return []
  })
}

/** A key of its own, as each client has one: it counts as somebody of its own. */
async function keyOf(port: number, admin: string, at: number): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/api-keys`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${admin}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ scope: 'read', label: `stream ${at}` }),
  })
  const { key } = (await answer.json()) as { key: string }
  return `Bearer ${key}`
}

/** CPU of the server, in µs a change, for some changes one after the other. */
function changesOf(server: ServerProcess, key: string): () => Promise<number> {
  const url = `http://127.0.0.1:${server.port}/v1/customers`
  const headers = { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' }
  let customer: Promise<string> | undefined
  let at = 0
  return async () => {
    customer ??= fetch(url, { method: 'POST', headers, body: '{"customer_name":"Blue Whale"}' })
      .then((answer) => answer.json() as Promise<{ id: string }>)
      .then(({ id }) => id)
    const path = `${url}/${await customer}`
    const before = await server.usage()
    for (let n = 0; n < CHANGES; n += 1) {
      at += 1
      const body = JSON.stringify({ phone: `+43 ${at}` })
      const answer = await fetch(path, { method: 'PATCH', headers, body })
      if (answer.status !== 200) throw new Error(await answer.text())
      await answer.arrayBuffer()
    }
    const after = await server.usage()
    return (after.cpuMicroseconds - before.cpuMicroseconds) / CHANGES
  }
}

function listen(
  from: { readonly port: number; readonly localAddress: string },
  authorization: string,
  heard: { bytes: number; frames: number },
): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = get(
      { ...from, host: '127.0.0.1', path: '/v1/stream', headers: { authorization }, agent: false },
      (response) => {
        if (response.statusCode !== 200) reject(new Error(`a stream was ${response.statusCode}`))
        response.setEncoding('utf8')
        response.on('data', (text: string) => {
          heard.bytes += text.length
          heard.frames += text.split('event: change').length - 1
        })
        response.on('error', () => undefined)
        resolve()
      },
    )
    asked.on('error', () => reject(new Error('a stream could not be opened')))
  })
}

import { connect } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { Agent, request } from 'undici'
import { HOSTILE_REQUESTS, type HostileRequest } from './hostile-requests.ts'

/*
 * Sends hostile requests from a thread of its own: to make and write a hundred bodies takes longer than others may wait, and those who
 * ask beside them must not wait for that. `hostile-side.ts` starts it.
 */

/** Told with the name of a request to make its bodies, then to send them. */
export type ToSender = { readonly make: string } | 'send'

/** Tells that bodies are made, or the statuses of all answers and how long they took, in s. */
export type FromSender = 'made' | { readonly statuses: readonly number[]; readonly seconds: number }

/** Where to, and as whom. */
export interface SenderData {
  readonly port: number
  readonly key: string
}

const { port, key } = workerData as SenderData
const agent = new Agent({ connections: 120, headersTimeout: 180_000, bodyTimeout: 180_000 })
const tell = (message: FromSender): void => parentPort!.postMessage(message)
let made: { readonly one: HostileRequest; readonly bodies: readonly (Buffer | null)[] } | undefined

parentPort!.on('message', async (message: ToSender) => {
  if (message !== 'send') {
    const one = HOSTILE_REQUESTS.find(({ name }) => name === message.make)!
    const bodies = Array.from({ length: one.times }, (_, at) =>
      one.body ? Buffer.from(JSON.stringify(one.body(at))) : null,
    )
    made = { one, bodies }
    tell('made')
    return
  }
  const { one, bodies } = made!
  const began = performance.now()
  const statuses = one.pipelined
    ? await pipelined(one)
    : await Promise.all(bodies.map((body) => ask(one, body)))
  tell({ statuses, seconds: (performance.now() - began) / 1000 })
})

async function ask({ method, path }: HostileRequest, body: Buffer | null): Promise<number> {
  const type = body === null ? {} : { 'content-type': 'application/json' }
  const answer = await request(`http://127.0.0.1:${port}${path}`, {
    dispatcher: agent,
    method,
    headers: { authorization: `Bearer ${key}`, ...type },
    body,
  })
  // What is answered is only counted.
  for await (const _ of answer.body);
  return answer.statusCode
}

/** Sends them all at once on one connection, and resolves when all are answered. */
function pipelined({ path, times }: HostileRequest): Promise<number[]> {
  return new Promise((resolve, reject) => {
    const statuses: number[] = []
    const socket = connect(port, '127.0.0.1')
    const text = `GET ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${key}\r\n\r\n`
    socket.on('error', reject)
    socket.on('data', (data) => {
      for (const [, status] of String(data).matchAll(/HTTP\/1\.1 (\d+)/g))
        statuses.push(Number(status))
      if (statuses.length < times) return
      socket.destroy()
      resolve(statuses)
    })
    socket.write(text.repeat(times))
  })
}

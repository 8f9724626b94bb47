/*
 * Receivers of webhooks in a process of their own, the same for all who are measured: COUNT servers on
 * 127.0.0.1, each with a port of its own as receivers have. They answer at once and keep what came, so that
 * it can be verified when nobody is measured. Whom they hang up on and what they tell is asked over IPC.
 *
 * node receivers.ts COUNT
 */
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { verifyDelivery } from '../webhooks/signing/verify.ts'
import { median, quantile } from './load.ts'
import type { Question, Seen } from './receiver-process.ts'

interface Kept {
  readonly port: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
  readonly arrived: number
}

const ANSWER = Buffer.from('{"received":true}')

let kept: Kept[] = []
const distinct = new Set<string>()
const hanging = new Set<number>()
let awaited = Number.POSITIVE_INFINITY

const servers = await Promise.all(Array.from({ length: Number(process.argv[2]) }, listening))
process.send?.(servers.map(portOf))
process.on('message', (question: Question) => {
  if (question.kind === 'await') {
    awaited = question.count
    tellIfReached()
  } else if (question.kind === 'begin') {
    kept = []
    distinct.clear()
    hanging.clear()
    for (const port of question.hanging) hanging.add(port)
    process.send?.(true)
  } else process.send?.(verified(question.secrets))
})
process.on('disconnect', () => process.exit(0))

function listening(): Promise<Server> {
  const server = createServer({ keepAliveTimeout: 60_000 }, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const port = portOf(server)
      if (hanging.has(port)) return
      const { headers } = request
      kept.push({ port, headers, body: Buffer.concat(chunks), arrived: Date.now() })
      distinct.add(String(headers['x-svc-delivery']))
      response.setHeader('Content-Type', 'application/json')
      response.setHeader('Content-Length', ANSWER.length)
      response.end(ANSWER)
      tellIfReached()
    })
  })
  return new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(server)))
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port
}

function tellIfReached(): void {
  if (distinct.size < awaited) return
  awaited = Number.POSITIVE_INFINITY
  process.send?.(true)
}

/** Verifies both signatures of everything that came. */
function verified(secrets: Readonly<Record<number, string>>): Seen {
  let good = 0
  const delays: number[] = []
  for (const { port, headers, body, arrived } of kept) {
    const secret = secrets[port]!
    const own = verifyDelivery({ headers, body, secret, now: arrived })
    if (!own.verified) continue
    const told = new Webhook(secret).verify(body, headers as Record<string, string>)
    good += 1
    delays.push(arrived - Date.parse((told as { timestamp: string }).timestamp))
  }
  delays.sort((a, b) => a - b)
  return {
    requests: kept.length,
    deliveries: distinct.size,
    verified: good,
    p50: median(delays),
    p99: quantile(delays, 0.99),
  }
}

import { request as overHttp } from 'node:http'
import { request as overHttps } from 'node:https'

/** Answer to a delivery that was passed on; `problem` says why it was not. `ms` is the time it took. */
export type Forwarded =
  | { readonly status: number; readonly ms: number }
  | { readonly problem: string; readonly ms: number }

/** The workspace waits no longer for us, in ms. */
const TIMEOUT = 10_000

/** Headers of one connection: each has its own. */
const OF_CONNECTION = new Set([
  'host',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'expect',
])

/** Passes a delivery on as it came: its body byte by byte, and its headers in their order and case. */
export function forward(
  to: URL,
  rawHeaders: readonly string[],
  body: Buffer,
  clock: () => number = () => performance.now(),
): Promise<Forwarded> {
  const began = clock()
  const ms = (): number => Math.round(clock() - began)
  const headers = ['Host', to.host, 'Content-Length', String(body.length)]
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const [name = '', value = ''] = rawHeaders.slice(at, at + 2)
    if (!OF_CONNECTION.has(name.toLowerCase())) headers.push(name, value)
  }
  return new Promise((resolve) => {
    const fail = (problem: string): void => resolve({ problem, ms: ms() })
    const send = to.protocol === 'https:' ? overHttps : overHttp
    const signal = AbortSignal.timeout(TIMEOUT)
    const sent = send(to, { method: 'POST', headers, agent: false, signal }, (response) => {
      // Nothing is done with it, and what is not read keeps the connection.
      response.resume()
      resolve({ status: response.statusCode ?? 0, ms: ms() })
    })
    sent.on('error', (error: NodeJS.ErrnoException) =>
      fail(
        signal.aborted
          ? `no answer within ${TIMEOUT / 1000} s`
          : error.code === 'ECONNREFUSED'
            ? 'nobody listens there'
            : error.message,
      ),
    )
    sent.end(body)
  })
}

/** `-> 200 in 12 ms from http://localhost:3000/hook`. */
export function forwardedText(to: URL, forwarded: Forwarded): string {
  return 'status' in forwarded
    ? `-> ${forwarded.status} in ${forwarded.ms} ms from ${to.href}`
    : `-> not delivered to ${to.href}: ${forwarded.problem}`
}

import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerBrokenRequest } from './broken-request.ts'
import { createServer } from './http-library.ts'
import { type Listener, notYet } from './not-yet.ts'

/** An address that is ours before there is anything to serve. */
export interface ClaimedAddress {
  readonly server: Server
  readonly url: string
  readonly port: number
  /** From here on this listener answers, in the place of the one before. */
  answerWith(listener: Listener): void
  /** Gives it back; for who cannot serve after all. */
  release(): void
}

/**
 * Time for a request's headers, for all of it, which is that of a large file over a slow line (others' bodies have a
 * minute: `body.ts`), and for a connection without one, in ms.
 */
const HEADERS_TIMEOUT = 15_000
const REQUEST_TIMEOUT = 60 * 60_000
const KEEP_ALIVE_TIMEOUT = 65_000

/** Answer to who comes before the workspace is open. */
const OPENING = notYet({
  message: 'the workspace is being opened; ask again in a moment',
  retryAfter: 1,
})

/**
 * Listens, and answers 503 to everybody until it is given something that answers: a port that is taken is known
 * before a workspace is made for it. Throws the system's error when the address cannot be had.
 */
export async function claimAddress({
  port,
  host,
}: {
  readonly port: number
  readonly host: string
}): Promise<ClaimedAddress> {
  let answer = OPENING
  const server = createServer({
    headersTimeout: HEADERS_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
    // Node would answer these itself, without a request id.
    requireHostHeader: false,
  })
  for (const kind of ['request', 'checkExpectation'] as const)
    server.on(kind, (request, response) => answer(request, response))
  server.on('clientError', answerBrokenRequest)
  const taken = await listen(server, port, host)
  return {
    server,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
    answerWith(listener) {
      answer = listener
    },
    release() {
      server.close()
      server.closeAllConnections()
    },
  }
}

function listen(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

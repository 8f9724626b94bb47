import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { AppError } from '../../engine/base/errors.ts'
import { errorJson } from './answer.ts'
import { answerBrokenRequest } from './broken-request.ts'
import { createServer } from './http-library.ts'
import { newRequestId } from './request-id.ts'

/** An address that is ours before there is anything to serve. */
export interface ClaimedAddress {
  readonly server: Server
  readonly url: string
  readonly port: number
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

/**
 * Listens, and answers 503 to everybody until the server has a listener of its own: a port that is taken is known
 * before a workspace is made for it. Throws the system's error when the address cannot be had.
 */
export async function claimAddress({
  port,
  host,
}: {
  readonly port: number
  readonly host: string
}): Promise<ClaimedAddress> {
  const server = createServer(
    {
      headersTimeout: HEADERS_TIMEOUT,
      requestTimeout: REQUEST_TIMEOUT,
      keepAliveTimeout: KEEP_ALIVE_TIMEOUT,
      // Node would answer these itself, without a request id.
      requireHostHeader: false,
    },
    answerNotYet,
  )
  server.on('clientError', answerBrokenRequest)
  const taken = await listen(server, port, host)
  return {
    server,
    url: `http://${host.includes(':') ? `[${host}]` : host}:${taken}`,
    port: taken,
    release() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** From here on this listener answers, and nobody is told to wait any more. */
export function serveWith(
  { server }: ClaimedAddress,
  app: (request: IncomingMessage, response: ServerResponse) => void,
): void {
  server.off('request', answerNotYet)
  server.on('request', app)
  server.on('checkExpectation', app)
}

function answerNotYet(_request: IncomingMessage, response: ServerResponse): void {
  const error = new AppError('UNAVAILABLE', 'the workspace is being opened; ask again in a moment')
  response.writeHead(error.status, {
    'Content-Type': 'application/json; charset=utf-8',
    'X-Request-Id': newRequestId(),
    'Retry-After': '1',
    Connection: 'close',
  })
  response.end(errorJson(error))
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

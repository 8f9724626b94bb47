import type { Duplex } from 'node:stream'
import { AppError } from '../../engine/base/errors.ts'
import { errorJson } from './answer.ts'
import { STATUS_CODES } from './http-library.ts'
import { newRequestId } from './request-id.ts'

/**
 * Answers what is not even HTTP, or came too slowly or with too many headers, in the shape of all errors:
 * Express never sees these. For the `clientError` event of a server.
 */
export function answerBrokenRequest(error: Error, socket: Duplex): void {
  if (!socket.writable || ('code' in error && error.code === 'ECONNRESET')) {
    socket.destroy()
    return
  }
  const { status, body } = answerOf(error)
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      `X-Request-Id: ${newRequestId()}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
}

/** Answer to a broken request. All are BAD_REQUEST, so that the status of the body is the status of the answer. */
function answerOf(error: Error): { readonly status: number; readonly body: string } {
  const code = 'code' in error ? error.code : undefined
  const known = new AppError(
    'BAD_REQUEST',
    MESSAGES.get(String(code)) ?? 'the request is not valid HTTP',
  )
  return { status: known.status, body: errorJson(known) }
}

const MESSAGES: ReadonlyMap<string, string> = new Map([
  ['HPE_HEADER_OVERFLOW', 'expected at most 16 KB of headers and URL; send less'],
  ['ERR_HTTP_REQUEST_TIMEOUT', 'the request took too long to arrive; send it again'],
])

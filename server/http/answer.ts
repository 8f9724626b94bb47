import type { AppError } from '../../engine/base/errors.ts'

/** What sending needs of a response. */
interface Sending {
  statusCode: number
  setHeader(name: string, value: string | number): unknown
  end(body?: string): unknown
}

/** An answer as a value: it can be sent, and kept for an idempotent repeat. */
export interface Answer {
  readonly status: number
  /** Headers beside Content-Type and Content-Length. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text; undefined for an answer without a body. */
  readonly body: string | undefined
}

/** Sends an answer; the text is already JSON and goes out as it is. */
export function sendAnswer(response: Sending, { status, headers, body }: Answer): void {
  for (const name in headers) response.setHeader(name, headers[name] as string)
  if (body === undefined) {
    response.statusCode = status
    response.end()
    return
  }
  sendJson(response, status, body)
}

/** Sends JSON text. */
export function sendJson(response: Sending, status: number, json: string): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json; charset=utf-8')
  response.setHeader('Content-Length', Buffer.byteLength(json))
  response.end(json)
}

/** The error body of surface B (spec §7) as JSON text. */
export function errorJson({ code, message, status, details, linked }: AppError): string {
  return JSON.stringify({ error: { code, message, status, details, linked } })
}

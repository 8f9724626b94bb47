import type { IncomingMessage, ServerResponse } from 'node:http'
import { AppError } from '../../engine/base/errors.ts'
import { errorJson } from './answer.ts'
import { html } from './html.ts'
import { isNavigation } from './navigation.ts'
import { newRequestId } from './request-id.ts'

/** Why nobody is served for a while. */
export interface NotYet {
  /** What everybody is told. */
  readonly message: string
  /** Seconds after which it is worth to ask again. */
  readonly retryAfter: number
  /** What `/healthz` answers, which asks whether the process lives; without it that is told to wait as everybody is. */
  readonly health?: (() => object) | undefined
}

/** Something that answers requests as they come from the socket. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => void

/** Answers 503 to everybody: an error to programs, a page that loads itself again to people. */
export function notYet({ message, retryAfter, health }: NotYet): Listener {
  const error = new AppError('UNAVAILABLE', message)
  return (request, response) => {
    const isAlive = health !== undefined && request.url?.split('?')[0] === '/healthz'
    const isPage = !isAlive && isNavigation(request)
    response.writeHead(isAlive ? 200 : error.status, {
      'Content-Type': `${isPage ? 'text/html' : 'application/json'}; charset=utf-8`,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': newRequestId(),
      'Retry-After': String(retryAfter),
      Connection: 'close',
    })
    if (isAlive) response.end(JSON.stringify(health()))
    else response.end(isPage ? page(message, retryAfter) : errorJson(error))
  }
}

function page(message: string, seconds: number): string {
  return html`<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="${seconds}"><title>svc</title>
<body style="font: 1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 20vh auto; padding: 0 1rem">
<p role="status">${message}</p></body></html>
`.html
}

import { badRequest } from './body.ts'
import type { Handler } from './request-state.ts'

/** Refuses requests of HTTP/1.1 that do not say which host they are for (RFC 9112 §3.2). */
export function requireHost(): Handler {
  return function requireHostStage(request, _response, next) {
    if (request.httpVersion === '1.1' && request.headers.host === undefined)
      throw badRequest('expected a Host header, as HTTP/1.1 demands; got none')
    next()
  }
}

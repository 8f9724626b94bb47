import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { GUEST_ACTOR } from '../../engine/access/actor.ts'
import type { ApiResponse, Stage } from './request-state.ts'

/** Ids a client may choose (reliability.md H2): nothing that could break a header or a log line. */
const ACCEPTED = /^[\w-]{1,64}$/

/** Gives every request its id and its empty state; the id is on every answer, also errors (spec §7). */
export function requestId(): Stage {
  return function requestIdStage(request, response, next) {
    const id = requestIdOf(request)
    response.locals = {
      requestId: id,
      startedAt: performance.now(),
      actor: GUEST_ACTOR,
      tier: '',
      session: undefined,
      body: undefined,
      resource: undefined,
      idempotency: undefined,
    } satisfies ApiResponse['locals']
    response.setHeader('X-Request-Id', id)
    next()
  }
}

/** The client's id where it is acceptable, else a new one. */
export function requestIdOf({ headers }: Pick<IncomingMessage, 'headers'>): string {
  const given = headers['x-request-id']
  return typeof given === 'string' && ACCEPTED.test(given) ? given : newRequestId()
}

/** An id such as `req_` and 32 hex digits: unguessable, and cheap enough for every request. */
export function newRequestId(): string {
  return `req_${randomUUID().replaceAll('-', '')}`
}

/** True once the first stage has run: an error before it has no state to read. */
export function hasState(
  response: ServerResponse & { locals?: Partial<ApiResponse['locals']> },
): boolean {
  return response.locals?.requestId !== undefined
}

import { type Actor, workerOf } from '../../engine/access/actor.ts'
import type { Engine } from '../../engine/index.ts'
import type { ApiResponse, Handler } from './request-state.ts'

/**
 * The stage that puts on each answer what the person has left of this minute's time of the database, in ms, once they have
 * used some of it. It is asked when the head of the answer is written, for then the work of the request is done.
 */
export function workHeaders({ services }: Pick<Engine, 'services'>): Handler {
  return function workHeadersStage(_request, response, next) {
    const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ApiResponse
    response.writeHead = (...given: unknown[]) => {
      const actor = response.locals.actor as Actor | undefined
      const work = actor && services.database.workOf(workerOf(actor))
      if (work && !response.headersSent) {
        response.setHeader('X-Work-Limit', work.limit)
        response.setHeader('X-Work-Remaining', work.remaining)
        response.setHeader('X-Work-Reset', work.resetsAt / 1000)
      }
      return writeHead(...given)
    }
    next()
  }
}

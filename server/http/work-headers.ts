import { type Actor, workerOf } from '../../engine/access/actor.ts'
import type { Engine } from '../../engine/index.ts'
import type { LastHeaders } from './request-state.ts'

/**
 * Says on each answer what the person has left of this minute's time of the database, in ms, once they have used some of
 * it. It is asked when the head of the answer is written, for then the work of the request is done.
 */
export function workHeaders({ services }: Pick<Engine, 'services'>): LastHeaders {
  return function putWorkHeaders(response) {
    const actor = response.locals.actor as Actor | undefined
    const work = actor && services.database.workOf(workerOf(actor))
    if (!work) return
    response.setHeader('X-Work-Limit', work.limit)
    response.setHeader('X-Work-Remaining', work.remaining)
    response.setHeader('X-Work-Reset', work.resetsAt / 1000)
  }
}

import type { Express } from 'express'
import { type Actor, workerOf } from '../../engine/access/actor.ts'
import type { Engine } from '../../engine/index.ts'
import type { ApiResponse } from './request-state.ts'

/** Setting of the app under which it knows what somebody has left. */
const WORK_OF = 'work of'

type WorkOf = (actor: Actor) => ReturnType<Engine['services']['database']['workOf']>

/** Lets an app know what time of the database each person has left for long reads. */
export function countWork(app: Express, engine: Engine): void {
  const workOf: WorkOf = (actor) => engine.services.database.workOf(workerOf(actor))
  app.set(WORK_OF, workOf)
}

/**
 * Puts on an answer what the person has left of this minute's time of the database for long reads, in ms, once they have
 * used some of it. To be called when the work of the request is done.
 */
export function tellWork(response: ApiResponse): void {
  // Pages are also served by apps that read no records.
  const workOf = response.app.get(WORK_OF) as WorkOf | undefined
  const work = workOf?.(response.locals.actor)
  if (!work || response.headersSent) return
  response.setHeader('X-Work-Limit', work.limit)
  response.setHeader('X-Work-Remaining', work.remaining)
}

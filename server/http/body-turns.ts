import type { Express } from 'express'
import { workerOf } from '../../engine/access/actor.ts'
import { createTurns, type Turns } from '../../engine/storage/deep/turns.ts'
import { heldOfPeople } from './held-bytes.ts'
import type { Asked, Reply } from './request-state.ts'

/** Setting of the app under which the turns of large bodies stand. */
const TURNS = 'turns of large bodies'

/** Bytes above which a body is large (a document of 500 rows is), and so many of all persons that are read and worked on at the same time. */
const LARGE = 16 * 1024
const AT_ONCE = 3

/** Lets an app take large bodies in turns. */
export function takeLargeBodies(app: Express): void {
  const lanes = Array.from({ length: AT_ONCE }, (_, at) => at)
  app.set(TURNS, createTurns(lanes))
}

/**
 * Waits until it is the turn of a body of so many bytes, which are all there: read, a megabyte is ten of them, and keeps
 * the thread for longer than anything else may. Persons take turns; one's lasts until the answer is sent. Throws
 * UNAVAILABLE where too many wait, or for too long.
 */
export async function turnOfBody(request: Asked, response: Reply, bytes: number): Promise<void> {
  if (bytes <= LARGE) return
  const turns = request.app.get(TURNS) as Turns<number>
  const held = heldOfPeople(request)
  held.take(bytes)
  await new Promise<void>((resolve, reject) => {
    turns
      .take(workerOf(response.locals.actor), async () => {
        // One is begun in a turn of the event loop: others come between two of them.
        await new Promise((next) => setImmediate(next))
        resolve()
        if (!response.destroyed)
          await new Promise((done) => response.once('close', () => done(undefined)))
      })
      .catch(reject)
  }).finally(() => held.give(bytes))
}

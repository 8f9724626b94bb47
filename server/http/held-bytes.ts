import type { Express, Request, Response } from 'express'
import { AppError } from '../../engine/base/errors.ts'
import type { Asked } from './request-state.ts'

/** Bytes of requests and answers that are in memory because somebody is slow to send or to take them. */
export interface HeldBytes {
  /** Counts some more, as long as there is room. Throws UNAVAILABLE where there is none. */
  take(bytes: number): void
  /** Counts them no longer. */
  give(bytes: number): void
}

/** Settings of the app under which its counters stand. */
const ANSWERS = 'held answers'
const GUESTS = 'held forms'
const PEOPLE = 'held bodies'

/** Makes a counter with room for so many bytes; `what` says what they are of, in the plural. */
export function createHeldBytes(most: number, what: string): HeldBytes {
  let held = 0
  return {
    take(bytes) {
      if (held + bytes > most) {
        throw new AppError(
          'UNAVAILABLE',
          `too many ${what} are on their way at the moment; try again in a few seconds`,
          { headers: { 'Retry-After': '5' } },
        )
      }
      held += bytes
    },
    give(bytes) {
      held -= bytes
    },
  }
}

/** Bytes of long answers that wait for slow readers, all together. */
const MOST_ANSWERS = 128 * 1024 * 1024

/** Bytes of bodies of requests without a credential that are still arriving, all together. */
const MOST_OF_GUESTS = 16 * 1024 * 1024

/** Bytes of bodies of all others that are arriving, or wait for their turn. */
const MOST_OF_PEOPLE = 24 * 1024 * 1024

/** Gives an app its counters of long answers and of what is being sent to it. */
export function countHeld(app: Express): void {
  app.set(ANSWERS, createHeldBytes(MOST_ANSWERS, 'long answers'))
  app.set(GUESTS, createHeldBytes(MOST_OF_GUESTS, 'forms'))
  app.set(PEOPLE, createHeldBytes(MOST_OF_PEOPLE, 'bodies'))
}

/** Counter of the app that this answer is of. */
export function heldAnswers(response: Response): HeldBytes {
  return response.app.get(ANSWERS) as HeldBytes
}

/** Counter of the app that this request of a guest came to. */
export function heldOfGuests(request: Request): HeldBytes {
  return request.app.get(GUESTS) as HeldBytes
}

/** Counter of the app that this request with a credential came to. */
export function heldOfPeople(request: Pick<Asked, 'app'>): HeldBytes {
  return request.app.get(PEOPLE) as HeldBytes
}

import type { Clock } from '../../engine/base/clock.ts'
import type { Handler } from '../http/request-state.ts'
import { addressLimit } from '../limits/address-limit.ts'
import { assertTaken } from '../limits/rate-limit.ts'

/** Requests without a credential that one address may send a minute, to surface A and as forms. */
export const GUESTS_PER_MINUTE = 120

/**
 * Counts a guest's request against their address, so that nobody without a key uses up the window of those
 * with one; others go on to `known`. Throws 429.
 */
export function guestsApart(clock: Clock, known: Handler): Handler {
  const guests = addressLimit({ clock, limit: GUESTS_PER_MINUTE })
  return function guestLimitStage(request, response, next) {
    if (response.locals.actor.kind !== 'guest') return known(request, response, next)
    assertTaken(response, guests.take(request.ip ?? ''), clock)
    next()
    return undefined
  }
}

import { planOf } from '../../engine/access/plans.ts'
import type { Clock } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Engine } from '../../engine/index.ts'
import type { Reply, Stage } from '../http/request-state.ts'
import type { Taken, TakeOne } from './rate-windows.ts'

/** Window that all keys of a workspace share: making more keys gives no more requests (reliability.md W3). */
const WORKSPACE = 'workspace'

/** How a surface counts requests. */
export interface Counting {
  /** Whether a pair of key and secret counts as its person: on surface A, whose clients have nothing else. */
  readonly pairsAsPeople: boolean
}

/**
 * The stage that counts a request against the plan's requests a minute, one of a signed-in person against
 * their own; throws 429. A pair is a program's, as a key is: it gives no more requests than the plan has, except
 * where pairs count as people.
 */
export function rateLimit(engine: Engine, takeOne: TakeOne, { pairsAsPeople }: Counting): Stage {
  return function rateLimitStage(_request, response, next) {
    const { plans, clock } = engine.services
    const { actor, tier, session } = response.locals
    const taken =
      actor.kind === 'user' && (session !== undefined || pairsAsPeople)
        ? takeOne(`user:${actor.id}`, plans.signed_in_user_per_minute)
        : takeOne(WORKSPACE, planOf(plans, tier).requests_per_minute)
    if (taken instanceof Promise) {
      return taken.then((answer) => {
        assertTaken(response, answer, clock)
        next()
      })
    }
    assertTaken(response, taken, clock)
    next()
  }
}

/** Puts the window's headers on the answer and throws RATE_LIMITED when it is used up. */
export function assertTaken(response: Pick<Reply, 'setHeader'>, taken: Taken, clock: Clock): void {
  const resetsAt = taken.resetsAt / 1000
  response.setHeader('X-RateLimit-Limit', taken.limit)
  response.setHeader('X-RateLimit-Remaining', taken.remaining)
  response.setHeader('X-RateLimit-Reset', resetsAt)
  if (taken.allowed) return
  const wait = Math.max(1, Math.ceil(resetsAt - clock.now() / 1000))
  throw new AppError(
    'RATE_LIMITED',
    `expected at most ${taken.limit} requests a minute; try again in ${wait} seconds`,
    {
      headers: { 'Retry-After': String(wait) },
    },
  )
}

import type { AttemptRow } from './attempt-store.ts'
import type { Backoff } from './backoff.ts'
import type { Claimed } from './delivery-store.ts'
import type { Settled } from './queue-store.ts'
import { isDelivered, type Sent } from './sending/send.ts'

/** An attempt that was made. */
export interface Attempted {
  /** Id of its line of the log: written twice, when the answer to the first commit got lost, it is one line. */
  readonly id: string
  readonly delivery: Claimed
  readonly url: string
  readonly sent: Sent
  /** Whether the event is gone from the log: nothing can ever be sent, and the receiver is not to blame. */
  readonly isLost: boolean
  /** ms: when it began, and when it was over. */
  readonly startedAt: number
  readonly endedAt: number
}

/** Result of an attempt: its line of the log, and how the delivery goes on. */
export interface Outcome {
  readonly attempt: AttemptRow
  readonly settled: Settled
  /** The schedule is over and nothing was delivered. */
  readonly gaveUp: boolean
}

/**
 * Judges an attempt (spec §6, Delivery guarantees). One of the schedule is followed by the next while there is
 * one; one that somebody asked for changes the schedule only when it succeeds.
 */
export function outcomeOf(attempted: Attempted, backoff: Backoff): Outcome {
  const { id, delivery, url, sent, isLost, startedAt } = attempted
  const isOk = isDelivered(sent)
  const settled: Settled = isOk ? delivered(attempted) : failed(attempted, backoff)
  const { due } = settled
  return {
    attempt: {
      id,
      delivery_id: delivery.id,
      webhook_id: delivery.webhook_id,
      event: delivery.event,
      attempt: settled.attempts,
      trigger: delivery.manual === 1 ? 'manual' : 'auto',
      url,
      status_code: sent.statusCode,
      latency_ms: sent.latencyMs,
      response_preview: sent.preview,
      error: sent.error,
      attempted_at: new Date(startedAt).toISOString(),
      next_attempt_at: due === null ? null : new Date(due).toISOString(),
    },
    settled,
    gaveUp: !isOk && !isLost && delivery.manual === 0 && settled.state === 'exhausted',
  }
}

function delivered({ delivery, startedAt }: Attempted): Settled {
  const { id, attempts, tries, manual, first_try } = delivery
  return {
    id,
    state: 'delivered',
    attempts: attempts + 1,
    tries: manual === 1 ? tries : tries + 1,
    manual: 0,
    due: null,
    first_try: first_try ?? startedAt,
  }
}

function failed(
  { delivery, sent, isLost, startedAt, endedAt }: Attempted,
  backoff: Backoff,
): Settled {
  const { id, state, attempts, manual } = delivery
  const tries = manual === 1 ? delivery.tries : delivery.tries + 1
  const first_try = delivery.first_try ?? startedAt
  const after = { id, attempts: attempts + 1, tries, manual: 0 as const, first_try }
  if (state !== 'pending') return { ...after, state, due: null }
  if (isLost) return { ...after, state: 'exhausted', due: null }
  // Asked for before the schedule had begun: it begins now.
  if (tries === 0) return { ...after, state, due: endedAt, first_try: null }
  const delay = backoff.nextDelay({
    attempt: tries,
    // A clock that was put back has not made the schedule longer.
    elapsedMs: Math.max(0, endedAt - first_try),
    retryAfter: sent.retryAfter,
    now: endedAt,
  })
  return delay === undefined
    ? { ...after, state: 'exhausted', due: null }
    : { ...after, state, due: endedAt + Math.ceil(delay) }
}

/** A delivery that was claimed and not tried, given back as it was. */
export function untried(delivery: Claimed, now: number): Settled {
  const { id, state, attempts, tries, manual, first_try } = delivery
  return { id, state, attempts, tries, manual, due: now, first_try }
}

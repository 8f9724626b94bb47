import { SYSTEM_ACTOR } from '../engine/access/actor.ts'
import { logEvents } from '../engine/documents/work/log-events.ts'
import type { Engine } from '../engine/index.ts'
import type { Db } from '../engine/storage/database/database.ts'
import { attemptInserter, lastAttempts } from './attempt-store.ts'
import type { Backoff } from './backoff.ts'
import type { Claimed } from './delivery-store.ts'
import { type Attempted, type Outcome, outcomeOf, untried } from './outcome.ts'
import type { DeliveryQueue } from './queue-store.ts'
import { shownWebhook } from './shown-webhook.ts'
import { lockWebhook, updateWebhook } from './store.ts'
import type { Subscriber } from './subscriber.ts'
import { subscriptionsChanged } from './version.ts'

/** Parts that stay the same for all that one worker records. */
export interface RecorderOptions {
  readonly engine: Engine
  readonly queue: DeliveryQueue
  /** The lease under which the attempts were made. */
  readonly worker: string
  readonly backoff: Backoff
  /** Time an endpoint may fail with everything before it is disabled, in ms. */
  readonly disableAfterMs: number
}

export interface Recording {
  readonly attempts: readonly Attempted[]
  /** Claimed, but not tried. */
  readonly untried: readonly Claimed[]
  readonly subscribers: ReadonlyMap<string, Subscriber>
  readonly now: number
}

/**
 * Writes how attempts ended: their lines of the log, what becomes of the deliveries, how the endpoints are.
 * True when that logged an event.
 */
export function outcomeRecorder(
  options: RecorderOptions,
): (tx: Db, recording: Recording) => Promise<boolean> {
  const insertAttempts = attemptInserter()
  return async (tx, recording) => {
    const { attempts, now } = recording
    if (attempts.length === 0 && recording.untried.length === 0) return false
    const outcomes = attempts.map((attempted) => outcomeOf(attempted, options.backoff))
    await insertAttempts(
      tx,
      outcomes.map(({ attempt }) => attempt),
    )
    await options.queue.settle(tx, options.worker, [
      ...outcomes.map(({ settled }) => settled),
      ...recording.untried.map((delivery) => untried(delivery, now)),
    ])
    return recordHealth(tx, options, recording, outcomes)
  }
}

/** An endpoint fails from its first delivery that ran out of attempts to the next success of any. */
async function recordHealth(
  tx: Db,
  { engine, disableAfterMs }: RecorderOptions,
  { subscribers, now }: Recording,
  outcomes: readonly Outcome[],
): Promise<boolean> {
  const { services } = engine
  let loggedEvents = false
  for (const id of new Set(outcomes.map(({ attempt }) => attempt.webhook_id))) {
    const own = outcomes.filter(({ attempt }) => attempt.webhook_id === id)
    const hasSuccess = own.some(({ attempt }) => attempt.error === null)
    const hasGivenUp = own.some(({ gaveUp }) => gaveUp)
    const wasFailing = subscribers.get(id)?.failingSince ?? null
    if (!(hasSuccess ? wasFailing !== null : hasGivenUp)) continue
    const row = await lockWebhook(tx, services.database.kind, id)
    if (!row) continue
    const failing_since = hasSuccess ? null : (row.failing_since ?? new Date(now).toISOString())
    const isOver =
      row.status === 'active' &&
      failing_since !== null &&
      now - Date.parse(failing_since) >= disableAfterMs
    const change = { failing_since, ...(isOver ? { status: 'disabled' as const } : {}) }
    await updateWebhook(tx, id, change)
    await subscriptionsChanged(tx)
    if (!isOver) continue
    const last = await lastAttempts(tx, [id])
    const data = JSON.stringify(shownWebhook({ ...row, ...change }, last.get(id)))
    const line = { resource: 'webhooks', kind: 'disabled', record_id: id, data }
    const context = { services, actor: SYSTEM_ACTOR }
    await logEvents(tx, context, new Date(now).toISOString(), [line])
    loggedEvents = true
  }
  return loggedEvents
}

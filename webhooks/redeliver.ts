import { AppError } from '../engine/base/errors.ts'
import { newId } from '../engine/base/ids.ts'
import type { EventLog } from '../engine/events/log.ts'
import type { Database, Db } from '../engine/storage/database/database.ts'
import { findAttempt } from './attempt-store.ts'
import { askAgain, deliveryInserter, findDelivery, reviveExhausted } from './delivery-store.ts'
import { deliveryOf } from './fan-out.ts'
import { matcher } from './match.ts'
import { findWebhook } from './store.ts'
import { webhookNotFound } from './subscriptions.ts'

/**
 * Asks for one attempt more of a delivery, named by its `delivery_id` or by an attempt of it: now, whatever
 * its state and that of the subscription, under the same `delivery_id`, with the current address and secrets.
 * It does not count for the schedule nor for the endpoint's health. Returns the `delivery_id`; throws 404.
 */
export async function resendDelivery(
  tx: Db,
  webhookId: string,
  id: string,
  now: number,
): Promise<string> {
  const attempt = await findAttempt(tx, id)
  const delivery = await findDelivery(tx, attempt?.delivery_id ?? id)
  if (!(await findWebhook(tx, webhookId))) throw webhookNotFound(webhookId)
  if (!delivery || delivery.webhook_id !== webhookId || !(await askAgain(tx, delivery.id, now)))
    throw deliveryNotFound(id)
  return delivery.id
}

/** 404 for a delivery of a subscription. */
export function deliveryNotFound(id: string): AppError {
  return new AppError(
    'NOT_FOUND',
    `there is no delivery ${JSON.stringify(id.slice(0, 80))} of this webhook, or none any more`,
  )
}

export interface Test {
  readonly event: string
  /** JSON text. */
  readonly data: string
}

/** Sends something to one endpoint to try it: one attempt, marked `test`, not in the event log. Throws 404. */
export async function sendTest(
  tx: Db,
  webhookId: string,
  { event, data }: Test,
  now: number,
): Promise<string> {
  if (!(await findWebhook(tx, webhookId))) throw webhookNotFound(webhookId)
  const at = new Date(now).toISOString()
  const delivery = deliveryOf({ id: newId('evt', now), event, at }, webhookId)
  // Without a schedule: it is tried once, as what somebody asked for.
  await deliveryInserter()(tx, [{ ...delivery, state: 'exhausted', manual: 1, data }])
  return delivery.id
}

export interface Period {
  /** ISO 8601, UTC; `since` belongs to it, `until` does not. */
  readonly since: string
  readonly until: string
  /** Resources the caller may not read. */
  readonly hidden: readonly string[]
  /** Resources that only webhooks of admin keys hear of. */
  readonly managed: readonly string[]
}

export interface Recovered {
  /** Deliveries that are due now: events the subscription was not told of, or where that was given up. */
  readonly queued: number
  /** Events of the period that the subscription asks for. */
  readonly matched: number
}

/** Events one transaction looks at: others write in between. */
const PAGE = 500

/**
 * Sends a subscription what it missed in a period: events since before it was registered or while it was
 * disabled, and deliveries that were given up. What was delivered or is under way stays as it is, so to ask
 * twice does no harm, and one that was cut off is finished by asking again. Throws 404.
 */
export async function recoverDeliveries(
  { database, events }: { readonly database: Database; readonly events: EventLog },
  webhookId: string,
  { since, until, hidden, managed }: Period,
  now: number,
): Promise<Recovered> {
  const webhook = await findWebhook(database.read, webhookId)
  if (!webhook) throw webhookNotFound(webhookId)
  const matches = matcher(JSON.parse(webhook.events) as string[])
  const left = webhook.scope === 'admin' ? hidden : [...hidden, ...managed]
  const insertDeliveries = deliveryInserter()
  let queued = 0
  let matched = 0
  let beyond: bigint | undefined
  for (;;) {
    const page = await events.page(database.read, {
      filter: { since, until, hidden: left },
      order: 'asc',
      limit: PAGE,
      ...(beyond === undefined ? {} : { beyond }),
    })
    const wanted = page.filter(({ event }) => matches(event))
    matched += wanted.length
    if (wanted.length > 0)
      queued += await database.write(async (tx) => {
        const ids = wanted.map(({ id }) => id)
        const revived = await reviveExhausted(tx, webhookId, ids, now)
        const at = new Date(now).toISOString()
        const rows = wanted.map(({ id, event }) => deliveryOf({ id, event, at }, webhookId))
        return revived + (await insertDeliveries(tx, rows))
      })
    const last = page.at(-1)
    if (page.length < PAGE || !last) return { queued, matched }
    beyond = last.seq
  }
}

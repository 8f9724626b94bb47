import { isManaged } from '../engine/access/can.ts'
import { lowestTier, unlocks } from '../engine/access/plans.ts'
import { newId } from '../engine/base/ids.ts'
import type { EventScene, EventSink } from '../engine/documents/work/context.ts'
import type { LoggedEvent } from '../engine/events/log.ts'
import { SECURITY } from '../engine/schema/catalogue/security-events.ts'
import type { Db } from '../engine/storage/database/database.ts'
import { readTier } from '../engine/storage/workspace/tier.ts'
import { type DeliveryRow, deliveryInserter } from './delivery-store.ts'
import { matcher } from './match.ts'
import type { WebhookRow } from './store.ts'
import { currentSubscriptions } from './version.ts'

interface Subscriber {
  readonly id: string
  readonly matches: (event: string) => boolean
  /** Whether it is told of what only admin keys may read. */
  readonly isAdmin: boolean
}

/**
 * The sink that makes a delivery row for every subscription an event is for, in the transaction of the change:
 * an event without its deliveries, or a delivery without its event, cannot be, whenever the process dies.
 * What a subscription asks for is judged now, where it is sent to only when it is sent.
 */
export function webhookFanOut(): EventSink {
  const subscribers = currentSubscriptions(subscribersOf)
  const insertDeliveries = deliveryInserter()
  return async (tx, events, scene) => {
    const all = await subscribers(tx)
    if (all.length === 0) return
    const told = await unlocked(tx, events, scene)
    const isForAdmins = ({ resource }: LoggedEvent): boolean => {
      const definition = scene.registry.bySlug(resource)
      return definition === undefined ? resource === SECURITY : isManaged(definition)
    }
    const rows = told.flatMap((event) =>
      all
        .filter(({ matches, isAdmin }) => matches(event.event) && (isAdmin || !isForAdmins(event)))
        .map(({ id }) => deliveryOf(event, id)),
    )
    if (rows.length > 0) await insertDeliveries(tx, rows)
  }
}

/**
 * A paused subscription gets its deliveries when it goes on; one that is disabled, or whose person may have none any
 * more, can recover what it missed.
 */
function subscribersOf(rows: readonly WebhookRow[]): readonly Subscriber[] {
  return rows
    .filter(({ status, paused_because }) => status !== 'disabled' && paused_because === null)
    .map(({ id, events, scope }) => ({
      id,
      matches: matcher(JSON.parse(events) as string[]),
      isAdmin: scope === 'admin',
    }))
}

/** Records above the tier of the workspace cannot be read, so nothing is told of them (contract §3, Tiers). */
async function unlocked(
  tx: Db,
  events: readonly LoggedEvent[],
  { registry, plans }: EventScene,
): Promise<readonly LoggedEvent[]> {
  const lowest = lowestTier(plans)
  const tierOf = ({ resource }: LoggedEvent): string | undefined => registry.bySlug(resource)?.tier
  const isForAll = (event: LoggedEvent): boolean =>
    tierOf(event) === undefined || tierOf(event) === lowest
  if (events.every(isForAll)) return events
  const current = await readTier(tx, plans)
  return events.filter((event) => isForAll(event) || unlocks(plans, current, tierOf(event)!))
}

/** A delivery that is due at once. */
export function deliveryOf(
  { id: event_id, event, at }: Pick<LoggedEvent, 'id' | 'event' | 'at'>,
  webhook_id: string,
): DeliveryRow {
  const due = Date.parse(at)
  return {
    id: newId('dlv', due),
    webhook_id,
    event_id,
    event,
    state: 'pending',
    attempts: 0,
    tries: 0,
    manual: 0,
    due,
    first_try: null,
    leased_by: null,
    asked_again: null,
    created: at,
    data: null,
  }
}

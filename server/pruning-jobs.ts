import type { Engine } from '../engine/index.ts'
import { pruneDeliveryLog, removeAll } from '../webhooks/prune.ts'
import { removeEvents } from './billing/store.ts'
import type { DailyJob } from './daily-jobs.ts'

const DAY = 24 * 60 * 60 * 1000

/** Lines one transaction removes. */
const BATCH = 500

/** Days the ids of the payment provider's events are known: it sends an event again for at most 30. */
const PROVIDER_EVENTS_KEPT = 60

/** What is removed every night: old deliveries, ids of the payment provider's old events, and old events where a retention is set (0 keeps all). */
export function pruningJobs(engine: Engine, eventRetentionDays: number): DailyJob[] {
  const { database, clock, events } = engine.services
  const deliveries: DailyJob = {
    name: 'delivery-log',
    run: async (_day, signal) => ({ ...(await pruneDeliveryLog(database, clock.now(), signal)) }),
  }
  const providerEvents: DailyJob = {
    name: 'provider-events',
    async run(_day, signal) {
      const before = new Date(clock.now() - PROVIDER_EVENTS_KEPT * DAY).toISOString()
      const removed = await removeAll(signal, () =>
        database.write((tx) => removeEvents(tx, before, BATCH)),
      )
      return { events: removed }
    },
  }
  if (eventRetentionDays === 0) return [deliveries, providerEvents]
  return [
    deliveries,
    providerEvents,
    {
      name: 'event-log',
      async run(_day, signal) {
        const before = new Date(clock.now() - eventRetentionDays * DAY).toISOString()
        const removed = await removeAll(signal, () =>
          database.write((tx) => events.prune(tx, before, BATCH)),
        )
        return { events: removed }
      },
    },
  ]
}

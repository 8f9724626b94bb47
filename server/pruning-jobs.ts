import type { Engine } from '../engine/index.ts'
import { pruneDeliveryLog, removeAll } from '../webhooks/prune.ts'
import type { DailyJob } from './daily-jobs.ts'
import { pruneMails } from './mail/store.ts'

const DAY = 24 * 60 * 60 * 1000

/** Lines one transaction removes. */
const BATCH = 500

/** Days mail that is sent or given up is kept. */
const MAIL_DAYS = 30

/** What is removed every night: old deliveries, old mail, and old events where a retention is set (0 keeps all). */
export function pruningJobs(engine: Engine, eventRetentionDays: number): DailyJob[] {
  const { database, clock, events } = engine.services
  const deliveries: DailyJob = {
    name: 'delivery-log',
    run: async (_day, signal) => ({ ...(await pruneDeliveryLog(database, clock.now(), signal)) }),
  }
  const mails: DailyJob = {
    name: 'mail',
    async run(_day, signal) {
      const before = clock.now() - MAIL_DAYS * DAY
      return {
        mails: await removeAll(signal, () => database.write((tx) => pruneMails(tx, before, BATCH))),
      }
    },
  }
  if (eventRetentionDays === 0) return [deliveries, mails]
  return [
    deliveries,
    mails,
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

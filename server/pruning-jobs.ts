import type { Engine } from '../engine/index.ts'
import type { Db } from '../engine/storage/database.ts'
import { pruneDeliveryLog, removeAll } from '../webhooks/prune.ts'
import { deleteOldAttempts } from './auth/attempt-store.ts'
import { deleteOldLinks } from './auth/link-store.ts'
import { deleteExpiredSessions } from './auth/session-store.ts'
import type { DailyJob } from './daily-jobs.ts'

const DAY = 24 * 60 * 60 * 1000

/** Lines one transaction removes. */
const BATCH = 500

/** What is removed every night: old deliveries, sessions, links and attempts that are over, and old events where a retention is set (0 keeps all). */
export function pruningJobs(engine: Engine, eventRetentionDays: number): DailyJob[] {
  const { database, clock, events } = engine.services
  const deliveries: DailyJob = {
    name: 'delivery-log',
    run: async (_day, signal) => ({ ...(await pruneDeliveryLog(database, clock.now(), signal)) }),
  }
  const signIns: DailyJob = {
    name: 'sign-ins',
    async run(_day, signal) {
      const now = clock.now()
      const at = new Date(now).toISOString()
      const remove = (one: (tx: Db) => Promise<number>) =>
        removeAll(signal, () => database.write(one))
      return {
        sessions: await remove((tx) => deleteExpiredSessions(tx, at, BATCH)),
        links: await remove((tx) => deleteOldLinks(tx, at, BATCH)),
        attempts: await remove((tx) => deleteOldAttempts(tx, now - DAY, BATCH)),
      }
    },
  }
  if (eventRetentionDays === 0) return [deliveries, signIns]
  return [
    deliveries,
    signIns,
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

import type { Engine } from '../../engine/index.ts'
import type { Db } from '../../engine/storage/database/database.ts'
import { chosenRetention } from '../../engine/storage/workspace/event-retention.ts'
import { eventPacker } from '../../engine/storage/workspace/event-texts.ts'
import { pruneLooseParts } from '../../engine/storage/workspace/job-rows.ts'
import { pruneJobs } from '../../engine/storage/workspace/jobs.ts'
import { pruneNotifications } from '../../engine/storage/workspace/notifications.ts'
import { deleteOldPublicLinks } from '../../engine/storage/workspace/public-links.ts'
import { pruneDeliveryLog, removeAll } from '../../webhooks/prune.ts'
import { deleteOldAttempts } from '../auth/attempt-store.ts'
import { deleteOldTickets } from '../auth/factors/ticket-store.ts'
import { deleteOldLinks } from '../auth/link-store.ts'
import { deleteExpiredSessions } from '../auth/session-store.ts'
import { removeOverdue } from '../auth/unconfirmed.ts'
import { removeEvents } from '../billing/store.ts'
import { pruneWindows } from '../limits/rate-store.ts'
import { pruneMails } from '../mail/store.ts'
import type { DailyJob } from './daily-jobs.ts'

const DAY = 24 * 60 * 60 * 1000

/** Lines one transaction removes. */
const BATCH = 500

/** Days mail that is sent or given up is kept. */
const MAIL_KEPT = 30

/** Days jobs that have ended are kept, with what became of their records. */
const JOBS_KEPT = 30

/** Days the ids of the payment provider's events are known: it sends an event again for at most 30. */
const PROVIDER_EVENTS_KEPT = 60

/** Days notifications are kept. */
const NOTIFICATIONS_KEPT = 180

/** Days after which events are packed: until then they are delivered, and read most. */
const PACKED_AFTER = 1

/** Removes at most `BATCH` lines; returns how many. */
type RemoveSome = (tx: Db) => Promise<number>

/**
 * Jobs that remove what is over every night: old deliveries, sign-ins that are over, old mail, ids of the payment
 * provider's old events, and old events where a retention is set (0 keeps all; undefined: as was chosen at setup). What
 * stays of the event log is packed.
 */
export function pruningJobs(engine: Engine, eventRetentionDays: number | undefined): DailyJob[] {
  const { database, clock, events } = engine.services
  const daysAgo = (days: number): string => new Date(clock.now() - days * DAY).toISOString()

  function job(name: string, parts: Readonly<Record<string, RemoveSome>>): DailyJob {
    return {
      name,
      async run(_day, signal) {
        const removed: Record<string, number> = {}
        for (const [part, removeSome] of Object.entries(parts))
          removed[part] = await removeAll(signal, () => database.write(removeSome))
        return removed
      },
    }
  }

  const jobs: DailyJob[] = [
    {
      name: 'delivery-log',
      run: async (_day, signal) => ({ ...(await pruneDeliveryLog(database, clock.now(), signal)) }),
    },
    job('sign-ins', {
      sessions: (tx) => deleteExpiredSessions(tx, daysAgo(0), BATCH),
      links: (tx) => deleteOldLinks(tx, daysAgo(0), BATCH),
      tickets: (tx) => deleteOldTickets(tx, daysAgo(0), BATCH),
      attempts: (tx) => deleteOldAttempts(tx, clock.now() - DAY, BATCH),
      publicLinks: (tx) => deleteOldPublicLinks(tx, daysAgo(0), BATCH),
      limits: (tx) => pruneWindows(tx, clock.now() - DAY, BATCH),
    }),
    {
      name: 'unconfirmed-sign-ups',
      every: 'hour',
      run: async () => ({ removed: await removeOverdue(engine) }),
    },
    job('mail', {
      mails: (tx) => pruneMails(tx, clock.now() - MAIL_KEPT * DAY, BATCH),
    }),
    job('jobs', {
      jobs: (tx) => pruneJobs(tx, clock.now() - JOBS_KEPT * DAY, BATCH),
      uploads: (tx) => pruneLooseParts(tx, clock.now() - DAY, BATCH),
    }),
    job('notifications', {
      notifications: (tx) => pruneNotifications(tx, daysAgo(NOTIFICATIONS_KEPT), BATCH),
    }),
    job('provider-events', {
      events: (tx) => removeEvents(tx, daysAgo(PROVIDER_EVENTS_KEPT), BATCH),
    }),
  ]
  if (eventRetentionDays !== 0)
    jobs.push({
      name: 'event-log',
      async run(_day, signal) {
        const days = eventRetentionDays ?? (await chosenRetention(database.read))
        if (days === 0) return { events: 0 }
        const before = daysAgo(days)
        const prune: RemoveSome = (tx) => events.prune(tx, before, BATCH)
        return { events: await removeAll(signal, () => database.write(prune)) }
      },
    })
  jobs.push({
    name: 'event-packing',
    async run(_day, signal) {
      const packer = eventPacker(database)
      return { events: await removeAll(signal, () => packer.packSome(daysAgo(PACKED_AFTER))) }
    },
  })
  return jobs
}

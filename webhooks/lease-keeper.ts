import type { Logger } from 'pino'
import type { Clock } from '../engine/base/clock.ts'
import { isGone } from '../engine/base/lease-name.ts'
import type { Database } from '../engine/storage/database/database.ts'
import { leaseHolders, pullForward, releaseLeases } from './delivery-store.ts'

export interface LeaseKeeperOptions {
  readonly database: Database
  readonly clock: Clock
  readonly leaseMs: number
  readonly logger: Pick<Logger, 'warn' | 'info'>
}

/**
 * Sees to it that no lease lasts longer than it should. What processes held that are gone need not wait for
 * the end of their leases, and a clock that was put back does not make them longer. To be called before each
 * turn; it does nothing mostly.
 */
export function leaseKeeper({
  database,
  clock,
  leaseMs,
  logger,
}: LeaseKeeperOptions): () => Promise<void> {
  /** The latest the clock has shown, in ms; undefined until those who are gone were looked for. */
  let latest: number | undefined

  async function takeOver(): Promise<void> {
    const holders = (await leaseHolders(database.read)).filter(isGone)
    for (const holder of holders) {
      const deliveries = await database.write((tx) => releaseLeases(tx, holder, clock.now()))
      logger.info({ holder, deliveries }, 'webhooks: took over from a process that is gone')
    }
  }

  return async () => {
    const now = clock.now()
    // What is late by less than a lease needs no help.
    if (latest !== undefined && latest - now <= leaseMs) {
      latest = Math.max(latest, now)
      return
    }
    if (latest === undefined) await takeOver()
    else logger.warn({ ms: latest - now }, 'webhooks: the clock was put back')
    await database.write((tx) => pullForward(tx, now, now + leaseMs))
    latest = now
  }
}

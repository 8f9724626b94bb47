import type { Database } from '../engine/storage/database/database.ts'
import { pruneAttempts } from './attempt-store.ts'
import { pruneDeliveries } from './delivery-store.ts'

/** Time for which the delivery log is kept (spec §8), in ms. */
export const KEPT = 30 * 24 * 60 * 60 * 1000

/** Rows one transaction removes: what others write waits no longer for it than for a request. */
const BATCH = 500

export interface Pruned {
  readonly attempts: number
  readonly deliveries: number
}

/** Removes what is older than 30 days of the delivery log, in small transactions, until it is done or stopped. */
export async function pruneDeliveryLog(
  database: Database,
  now: number,
  signal: AbortSignal,
): Promise<Pruned> {
  const before = now - KEPT
  const attempts = await removeAll(signal, () =>
    database.write((tx) => pruneAttempts(tx, before, BATCH)),
  )
  const deliveries = await removeAll(signal, () =>
    database.write((tx) => pruneDeliveries(tx, before, BATCH)),
  )
  return { attempts, deliveries }
}

/** Removes batch after batch; returns how many rows. `remove` takes at most one batch and says how many it was. */
export async function removeAll(
  signal: AbortSignal,
  remove: () => Promise<number>,
): Promise<number> {
  let removed = 0
  while (!signal.aborted) {
    const batch = await remove()
    if (batch === 0) return removed
    removed += batch
    // Requests that came meanwhile go first.
    await new Promise((resolve) => setImmediate(resolve))
  }
  return removed
}

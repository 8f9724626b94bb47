import type { Database, Db } from '../../engine/storage/database/database.ts'
import { addToWindow, type WindowShare } from '../../engine/storage/database/shared-window.ts'
import { removeBefore } from '../../engine/storage/records/remove-before.ts'

/** Requests of a window that a process takes at once. */
export interface Block extends WindowShare {
  readonly limit: number
}

export interface Grant {
  /** Requests of the block that are still within the limit. */
  readonly granted: number
  /** Requests of the window that nobody has taken. */
  readonly free: number
}

/** Takes a block of requests from a window that several processes share. */
export function reserve(database: Database, block: Block): Promise<Grant> {
  return database.write((tx) => reserveIn(tx, block))
}

/** Takes a block as `reserve` does, within a transaction: what it took is given back when that fails. */
export async function reserveIn(tx: Db, { limit, ...share }: Block): Promise<Grant> {
  const used = await addToWindow(tx, share)
  const before = used - share.size
  return {
    granted: Math.max(0, Math.min(share.size, limit - before)),
    free: Math.max(0, limit - used),
  }
}

/** Removes at most `limit` counters of windows that began before a moment (ms). Returns how many. */
export function pruneWindows(tx: Db, before: number, limit: number): Promise<number> {
  return removeBefore(
    tx,
    { table: 'svc_rate_windows', key: 'key', column: 'window_start' },
    before,
    limit,
  )
}

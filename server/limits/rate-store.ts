import type { Database, Db } from '../../engine/storage/database/database.ts'
import { removeBefore } from '../../engine/storage/records/remove-before.ts'

export interface Block {
  readonly key: string
  /** Start of the window and of the one after it, in ms since the epoch. */
  readonly start: number
  readonly next: number
  readonly size: number
  readonly limit: number
}

export interface Grant {
  /** Requests of the block that are still within the limit. */
  readonly granted: number
  /** Requests of the window that nobody has taken. */
  readonly free: number
}

/**
 * Takes a block of requests from a window that several processes share. A process whose clock is already
 * in the next window is joined there; a row of any other window starts anew, so that a clock that was
 * wrong for a while never locks the workspace out.
 */
export function reserve(database: Database, block: Block): Promise<Grant> {
  return database.write((tx) => reserveIn(tx, block))
}

/** Takes a block as `reserve` does, within a transaction: what it took is given back when that fails. */
export async function reserveIn(tx: Db, { key, start, next, size, limit }: Block): Promise<Grant> {
  const { used } = await tx
    .insertInto('svc_rate_windows')
    .values({ key, window_start: start, used: size })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet(({ eb, ref }) => ({
        used: eb
          .case()
          .when('svc_rate_windows.window_start', 'in', [start, next])
          .then(eb('svc_rate_windows.used', '+', size))
          .else(size)
          .end(),
        window_start: eb
          .case()
          .when('svc_rate_windows.window_start', '=', next)
          .then(ref('svc_rate_windows.window_start'))
          .else(ref('excluded.window_start'))
          .end(),
      })),
    )
    .returning('used')
    .executeTakeFirstOrThrow()
  const before = Number(used) - size
  return {
    granted: Math.max(0, Math.min(size, limit - before)),
    free: Math.max(0, limit - Number(used)),
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

import type { Database } from '../engine/storage/database.ts'

export interface Block {
  readonly key: string
  /** Start of the window, in ms since the epoch. */
  readonly start: number
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
 * Takes a block of requests from a window that several processes share. A row of an older window starts
 * anew; one of a newer window (another machine's clock is ahead) is left as it is and grants nothing.
 */
export async function reserve(
  database: Database,
  { key, start, size, limit }: Block,
): Promise<Grant> {
  const row = await database.write((tx) =>
    tx
      .insertInto('svc_rate_windows')
      .values({ key, window_start: start, used: size })
      .onConflict((conflict) =>
        conflict
          .column('key')
          .doUpdateSet(({ eb, ref }) => ({
            used: eb
              .case()
              .when('svc_rate_windows.window_start', '<', start)
              .then(size)
              .else(eb('svc_rate_windows.used', '+', size))
              .end(),
            window_start: ref('excluded.window_start'),
          }))
          .where('svc_rate_windows.window_start', '<=', start),
      )
      .returning('used')
      .executeTakeFirst(),
  )
  if (!row) return { granted: 0, free: 0 }
  const used = Number(row.used)
  const before = used - size
  return {
    granted: Math.max(0, Math.min(size, limit - before)),
    free: Math.max(0, limit - used),
  }
}

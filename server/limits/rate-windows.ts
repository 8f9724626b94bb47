import type { Clock } from '../../engine/base/clock.ts'
import type { Database } from '../../engine/storage/database/database.ts'
import { reserve } from './rate-store.ts'

/** Length of a window (contract §3, Rate limits), in ms. */
export const WINDOW = 60_000

/** Result of asking a window for one request. */
export interface Taken {
  readonly allowed: boolean
  readonly limit: number
  readonly remaining: number
  /** End of the window, in ms since the epoch. */
  readonly resetsAt: number
}

/** Counts requests of a window that is named by `key`; memory answers at once, a shared one may ask the database. */
export type TakeOne = (key: string, limit: number) => Taken | Promise<Taken>

interface Counter {
  start: number
  used: number
}

/** Windows of this process, for a workspace that one process serves. */
export function memoryWindows(clock: Clock): TakeOne {
  const counters = new Map<string, Counter>()
  return (key, limit) => {
    const start = windowStart(clock)
    let counter = counters.get(key)
    if (!counter) {
      counter = { start, used: 0 }
      counters.set(key, counter)
    }
    if (counter.start !== start) {
      counter.start = start
      counter.used = 0
    }
    const allowed = counter.used < limit
    if (allowed) counter.used += 1
    return { allowed, limit, remaining: limit - counter.used, resetsAt: start + WINDOW }
  }
}

/** Part of a limit that a process takes from the database at once: its error, and the writes it saves. */
const BLOCKS = 100

interface Reserved {
  start: number
  /** Requests granted to this process and not used yet. */
  left: number
  /** Requests no process has taken yet. */
  free: number
  pending: Promise<void> | undefined
}

/**
 * Windows shared by all processes of a workspace on PostgreSQL. Each takes requests in blocks of a
 * hundredth of the limit, so that only the first request of a block writes; no more than the limit is ever
 * granted, and what a process has left at the end of a window is lost.
 */
export function sharedWindows(database: Database, clock: Clock): TakeOne {
  const windows = new Map<string, Reserved>()

  async function refill(key: string, window: Reserved, limit: number): Promise<void> {
    const size = Math.max(1, Math.floor(limit / BLOCKS))
    const { start } = window
    const { granted, free } = await reserve(database, {
      key,
      start,
      next: start + WINDOW,
      size,
      limit,
    })
    if (window.start !== start) return
    window.left += granted
    window.free = free
  }

  return async (key, limit) => {
    for (;;) {
      const start = windowStart(clock)
      let window = windows.get(key)
      if (!window || window.start !== start) {
        window = { start, left: 0, free: limit, pending: undefined }
        windows.set(key, window)
      }
      const resetsAt = start + WINDOW
      if (window.left > 0) {
        window.left -= 1
        return { allowed: true, limit, remaining: window.left + window.free, resetsAt }
      }
      if (window.free <= 0) return { allowed: false, limit, remaining: 0, resetsAt }
      window.pending ??= refill(key, window, limit).finally(() => {
        window.pending = undefined
      })
      await window.pending
    }
  }
}

function windowStart(clock: Clock): number {
  const now = clock.now()
  return now - (now % WINDOW)
}

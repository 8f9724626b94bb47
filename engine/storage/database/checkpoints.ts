import type BetterSqlite3 from 'better-sqlite3'

/**
 * Pages of the log at which it is to begin anew, and at which a commit writes them into the file itself (16 MB); SQLite's own 1000
 * let every hundredth create pay for the others.
 */
const MOST_PAGES = 4000

/** Time without a commit after which they are written in peace, in ms. */
const IDLE_MS = 250

/** Commits after which the log is measured again. */
const LOOK_EVERY = 16

/** Part of `mostPages` that is worth a word to somebody else, and part that is left to the thread itself. */
const AWAY = 1 / 2
const REST = 1 / 16

/** So many times `mostPages`, a commit writes them itself after all: nobody else came to it. */
const PATIENCE = 4

/** Rounds in which somebody else writes what came in while the last was written. */
const ROUNDS = 4

/** Writes pages of the log into the file, as many as it may while others read and write. */
export const CHECKPOINT = 'pragma wal_checkpoint(passive)'

/** Checkpoints of a workspace, between the commits instead of in them. */
export interface Checkpoints {
  /** A transaction has been committed. */
  committed(): void
  stop(): void
}

export interface CheckpointOptions {
  readonly idleMs?: number
  readonly mostPages?: number
  /** Runs `CHECKPOINT` in another process; without it, commits of a load that never pauses do. */
  readonly away?: () => Promise<void>
}

/**
 * Lets the connection that writes put what its log has into the file once nobody has written for a moment. Under a load that
 * never pauses another process does most of it, until so little is left that a commit can do that too, which lets the log begin
 * anew. What was answered is in the log already, so nothing depends on when it happens.
 */
export function idleCheckpoints(
  writer: BetterSqlite3.Database,
  { idleMs = IDLE_MS, mostPages = MOST_PAGES, away }: CheckpointOptions = {},
): Checkpoints {
  writer.pragma(`wal_autocheckpoint = ${away ? mostPages * PATIENCE : mostPages}`)
  const checkpoint = writer.prepare(CHECKPOINT)
  const measure = writer.prepare<[], { log: number; checkpointed: number }>(
    'pragma wal_checkpoint(noop)',
  )
  let last = 0
  let timer: NodeJS.Timeout | undefined
  let commits = 0
  let isAway = false
  let isNearlyDone = false

  function look(): void {
    timer = undefined
    const wait = last + idleMs - performance.now()
    if (wait > 0 || writer.inTransaction) later(Math.max(wait, 1))
    else checkpointQuietly()
  }

  /** A disk that cannot be written to now tells so to the next write. */
  function checkpointQuietly(): void {
    try {
      checkpoint.all()
    } catch (error) {
      if (!(error instanceof Error && 'code' in error)) throw error
    }
  }

  function later(ms: number): void {
    timer = setTimeout(look, ms).unref()
  }

  function pagesLeft(): number {
    const { log, checkpointed } = measure.get()!
    return log - checkpointed
  }

  async function goAway(write: () => Promise<void>): Promise<void> {
    isAway = true
    try {
      let left = Number.POSITIVE_INFINITY
      for (let round = 0; round < ROUNDS && left > mostPages * REST; round += 1) {
        await write()
        if (!writer.open) return
        left = pagesLeft()
      }
      isNearlyDone = left <= mostPages * REST && measure.get()!.log >= mostPages
    } catch {
      // Whoever should write them is busy, or was stopped: a commit does once there are too many.
      commits = 0
    } finally {
      isAway = false
    }
  }

  return {
    committed() {
      last = performance.now()
      if (!timer) later(idleMs)
      if (isNearlyDone) checkpointQuietly()
      isNearlyDone = false
      commits += 1
      if (!away || isAway || commits % LOOK_EVERY !== 0) return
      if (pagesLeft() >= mostPages * AWAY) void goAway(away)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

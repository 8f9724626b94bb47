import type BetterSqlite3 from 'better-sqlite3'

/**
 * Pages of the log at which a commit writes them into the file itself (16 MB); SQLite's own 1000 let every hundredth create pay for
 * the others.
 */
const MOST_PAGES = 4000

/** Time without a commit after which they are written in peace, in ms. */
const IDLE_MS = 250

/** Checkpoints of a workspace, between the commits instead of in them. */
export interface Checkpoints {
  /** A transaction has been committed. */
  committed(): void
  stop(): void
}

/**
 * Lets the connection that writes put what its log has into the file once nobody has written for a moment; a load that
 * never pauses pays for it in a commit, four times as seldom. What was answered is in the log already, so nothing depends
 * on when it happens.
 */
export function idleCheckpoints(
  writer: BetterSqlite3.Database,
  { idleMs = IDLE_MS, mostPages = MOST_PAGES } = {},
): Checkpoints {
  writer.pragma(`wal_autocheckpoint = ${mostPages}`)
  const checkpoint = writer.prepare('pragma wal_checkpoint(passive)')
  let last = 0
  let timer: NodeJS.Timeout | undefined

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

  return {
    committed() {
      last = performance.now()
      if (!timer) later(idleMs)
    },
    stop() {
      clearTimeout(timer)
      timer = undefined
    },
  }
}

import type { Db } from './database.ts'

interface Job {
  readonly run: (tx: Db) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

interface Success {
  readonly job: Job
  readonly value: unknown
}

interface Failure {
  readonly job: Job
  readonly reason: unknown
  readonly failed: true
}

type Outcome = Success | Failure

/** The statements a queue speaks beside its jobs: synchronous, on the connection `tx` writes to. */
export interface QueueConnection {
  readonly tx: Db
  /** Statements that have written since the connection was opened, those of definitions too. */
  written(): number
  /** Whether the transaction is open; false once SQLite has rolled it back by itself. */
  inTransaction(): boolean
  begin(): void
  savepoint(): void
  release(): void
  rollbackToSavepoint(): void
  commit(): void
  rollback(): void
}

/**
 * Most jobs of one commit. Each commit writes out the pages of a dozen indexes, so more at once are cheaper; a batch
 * holds up all else in the process for as long as it takes, so there is an end: some 50 ms of creates.
 */
export const MAX_BATCH = 512

/** Time after which no further job begins in a batch, in ms: a few large documents hold up others as many small ones do. */
const MAX_HOLD = 50

export interface WriteQueueOptions {
  /** Jobs that may share one commit. */
  readonly maxBatch?: number
  /** Time after which those that are left wait for the next one, in ms. */
  readonly maxHold?: number
}

export interface WriteQueue {
  add<T>(job: (tx: Db) => Promise<T>): Promise<T>
  /** Resolves when every job taken so far has been answered. */
  idle(): Promise<void>
}

/**
 * One writer, group commit (house decision 8): the jobs that came in while the last batch was written
 * share one `BEGIN IMMEDIATE … COMMIT` and so one fsync. A failed job takes only itself back; for that a
 * batch may be run a second time, so jobs have no effects outside `tx`. Callers are answered after the
 * commit, so that an answer means durable.
 */
export function createWriteQueue(
  connection: QueueConnection,
  { maxBatch = MAX_BATCH, maxHold = MAX_HOLD }: WriteQueueOptions = {},
): WriteQueue {
  const waiting: Job[] = []
  let scheduled = false
  const idleWaiters: (() => void)[] = []

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    // After the poll phase: requests parsed in the same turn of the loop join the same batch.
    setImmediate(drain)
  }

  async function drain(): Promise<void> {
    const batch = waiting.splice(0, maxBatch)
    try {
      waiting.unshift(...(await runBatch(connection, batch, maxHold)))
    } finally {
      scheduled = false
      if (waiting.length > 0) schedule()
      else for (const done of idleWaiters.splice(0)) done()
    }
  }

  return {
    add(run) {
      return new Promise((resolve, reject) => {
        waiting.push({ run, resolve: resolve as (value: unknown) => void, reject })
        schedule()
      })
    },
    idle() {
      if (!scheduled && waiting.length === 0) return Promise.resolve()
      return new Promise((resolve) => idleWaiters.push(resolve))
    },
  }
}

/**
 * Runs a batch as far as its time goes, and returns the jobs that are left for the next. Begins it again without a job that made SQLite take the whole transaction back (disk full, I/O
 * error, `or rollback`): what the others wrote is gone with it, and what came next would commit by itself.
 */
async function runBatch(
  connection: QueueConnection,
  batch: readonly Job[],
  maxHold: number,
): Promise<readonly Job[]> {
  let left = batch
  while (left.length > 0) {
    const tried = await tryBatch(connection, left, performance.now() + maxHold)
    if (!('failed' in tried)) return tried
    const { job, reason } = tried
    job.reject(reason)
    left = left.filter((other) => other !== job)
  }
  return left
}

/**
 * Runs, commits and answers; returns the jobs it had no time to begin, or the one that lost the transaction, when one
 * did: no other is answered then.
 */
async function tryBatch(
  connection: QueueConnection,
  batch: readonly Job[],
  until: number,
): Promise<readonly Job[] | Failure> {
  try {
    connection.begin()
    let outcomes = await runTogether(connection, batch, until)
    if (!outcomes) {
      connection.rollback()
      connection.begin()
      outcomes = await runApart(connection, batch, until)
    }
    if (!Array.isArray(outcomes)) return outcomes
    connection.commit()
    for (const outcome of outcomes) answer(outcome)
    return batch.slice(outcomes.length)
  } catch (reason) {
    rollbackQuietly(connection)
    for (const job of batch) job.reject(reason)
    return []
  }
}

function answer(outcome: Outcome): void {
  if ('failed' in outcome) outcome.job.reject(outcome.reason)
  else outcome.job.resolve(outcome.value)
}

/**
 * Runs the jobs without savepoints, which is the usual case: no job fails, or it fails before it has written
 * anything, as a refused request does. Each savepoint would make the search index write out its pages. undefined when
 * a job failed after a write, which only a savepoint can take back.
 */
async function runTogether(
  connection: QueueConnection,
  batch: readonly Job[],
  until: number,
): Promise<Outcome[] | Failure | undefined> {
  const outcomes: Outcome[] = []
  for (const job of batch) {
    if (outcomes.length > 0 && performance.now() > until) break
    const before = connection.written()
    const outcome = await run(connection, job)
    if ('failed' in outcome && !connection.inTransaction()) return outcome
    if ('failed' in outcome && connection.written() !== before) return undefined
    outcomes.push(outcome)
  }
  return outcomes
}

/** Runs every job in a savepoint of its own: one that fails takes back what it wrote, and only that. */
async function runApart(
  connection: QueueConnection,
  batch: readonly Job[],
  until: number,
): Promise<Outcome[] | Failure> {
  const outcomes: Outcome[] = []
  for (const job of batch) {
    if (outcomes.length > 0 && performance.now() > until) break
    connection.savepoint()
    const outcome = await run(connection, job)
    if ('failed' in outcome && !connection.inTransaction()) return outcome
    if ('failed' in outcome) connection.rollbackToSavepoint()
    else connection.release()
    outcomes.push(outcome)
  }
  return outcomes
}

async function run({ tx, inTransaction }: QueueConnection, job: Job): Promise<Outcome> {
  try {
    const value = await job.run(tx)
    if (inTransaction()) return { job, value }
    throw new Error('a job swallowed the error with which SQLite took its transaction back')
  } catch (reason) {
    return { job, reason, failed: true }
  }
}

/** Rolls back without an error: the commit's own is what callers must see; SQLite may have rolled back by itself. */
function rollbackQuietly(connection: QueueConnection): void {
  try {
    connection.rollback()
  } catch {
    return
  }
}

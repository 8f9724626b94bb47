import type { Db } from './database.ts'

interface Job {
  readonly run: (tx: Db) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

type Outcome =
  | { readonly job: Job; readonly value: unknown }
  | { readonly job: Job; readonly reason: unknown; readonly failed: true }

/** The statements a queue speaks beside its jobs: synchronous, on the connection `tx` writes to. */
export interface QueueConnection {
  readonly tx: Db
  /** Rows written since the connection was opened. */
  totalChanges(): number
  /** Changes with every change of a table's definition. */
  schemaVersion(): number
  begin(): void
  savepoint(): void
  release(): void
  rollbackToSavepoint(): void
  commit(): void
  rollback(): void
}

export interface WriteQueueOptions {
  /** Jobs that may share one commit. */
  readonly maxBatch?: number
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
  { maxBatch = 256 }: WriteQueueOptions = {},
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
      await runBatch(connection, batch)
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

async function runBatch(connection: QueueConnection, batch: readonly Job[]): Promise<void> {
  try {
    connection.begin()
    let outcomes = await runTogether(connection, batch)
    if (!outcomes) {
      connection.rollback()
      connection.begin()
      outcomes = await runApart(connection, batch)
    }
    connection.commit()
    for (const outcome of outcomes) answer(outcome)
  } catch (reason) {
    rollbackQuietly(connection)
    for (const job of batch) job.reject(reason)
  }
}

function answer(outcome: Outcome): void {
  if ('failed' in outcome) outcome.job.reject(outcome.reason)
  else outcome.job.resolve(outcome.value)
}

/**
 * The usual case: no job fails, or it fails before it has written anything, as a refused request does. No
 * savepoints then: each would make the search index write out its pages. undefined when a job failed after
 * a write, which only a savepoint can take back.
 */
async function runTogether(
  connection: QueueConnection,
  batch: readonly Job[],
): Promise<Outcome[] | undefined> {
  const outcomes: Outcome[] = []
  const schema = connection.schemaVersion()
  for (const job of batch) {
    const before = connection.totalChanges()
    try {
      outcomes.push({ job, value: await job.run(connection.tx) })
    } catch (reason) {
      const wrote = connection.totalChanges() !== before || connection.schemaVersion() !== schema
      if (wrote) return undefined
      outcomes.push({ job, reason, failed: true })
    }
  }
  return outcomes
}

/** Every job in a savepoint of its own: one that fails takes back what it wrote, and only that. */
async function runApart(connection: QueueConnection, batch: readonly Job[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = []
  for (const job of batch) {
    connection.savepoint()
    try {
      const value = await job.run(connection.tx)
      connection.release()
      outcomes.push({ job, value })
    } catch (reason) {
      connection.rollbackToSavepoint()
      outcomes.push({ job, reason, failed: true })
    }
  }
  return outcomes
}

/** The commit's own error is what callers must see; SQLite may already have rolled back by itself. */
function rollbackQuietly(connection: QueueConnection): void {
  try {
    connection.rollback()
  } catch {
    return
  }
}

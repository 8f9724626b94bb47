import type { Db } from './database.ts'

interface Job {
  readonly run: (tx: Db) => Promise<unknown>
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

type Outcome = { readonly job: Job; readonly value: unknown } | { readonly job: Job; readonly reason: unknown; readonly failed: true }

/** The statements a queue speaks beside its jobs: synchronous, on the connection `tx` writes to. */
export interface QueueConnection {
  readonly tx: Db
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
 * share one `BEGIN IMMEDIATE … COMMIT` and so one fsync. Each runs in a savepoint of its own: a failed
 * job takes only itself back. Callers are answered after the commit, so that an answer means durable.
 */
export function createWriteQueue(connection: QueueConnection, { maxBatch = 256 }: WriteQueueOptions = {}): WriteQueue {
  let waiting: Job[] = []
  let scheduled = false
  let idleWaiters: (() => void)[] = []

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
  const outcomes: Outcome[] = []
  try {
    connection.begin()
  } catch (reason) {
    for (const job of batch) job.reject(reason)
    return
  }
  try {
    for (const job of batch) outcomes.push(await runJob(connection, job))
    connection.commit()
  } catch (reason) {
    rollbackQuietly(connection)
    for (const job of batch) job.reject(reason)
    return
  }
  for (const outcome of outcomes) {
    if ('failed' in outcome) outcome.job.reject(outcome.reason)
    else outcome.job.resolve(outcome.value)
  }
}

async function runJob(connection: QueueConnection, job: Job): Promise<Outcome> {
  connection.savepoint()
  try {
    const value = await job.run(connection.tx)
    connection.release()
    return { job, value }
  } catch (reason) {
    connection.rollbackToSavepoint()
    return { job, reason, failed: true }
  }
}

/** The commit's own error is what callers must see; SQLite may already have rolled back by itself. */
function rollbackQuietly(connection: QueueConnection): void {
  try {
    connection.rollback()
  } catch {
    return
  }
}

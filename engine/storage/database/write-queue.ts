import type { Db } from './database.ts'
import { type Job, type JobSource, type QueueConnection, runBatch } from './write-batch.ts'

/**
 * Time after which a batch takes no further job, in ms, and most jobs of one. Each commit writes out the pages of a dozen
 * indexes, so more at once are cheaper; but everybody in a batch is answered after all of it.
 */
const BATCH_MS = 50
export const MAX_BATCH = 512

export interface WriteQueueOptions {
  /** Jobs that may share one commit. */
  readonly maxBatch?: number
  /** Told of each job that has run: whose it was, and how long it worked, in ms. */
  readonly onWork?: JobSource['onWork']
}

export interface WriteQueue {
  /** Runs a job when it is its person's turn; the workspace itself is one of them, without a name. */
  add<T>(job: (tx: Db) => Promise<T>, person?: string): Promise<T>
  /** Resolves when every job taken so far has been answered. */
  idle(): Promise<void>
}

/**
 * One writer, group commit (house decision 8): the jobs that came in while the last batch was written
 * share one `BEGIN IMMEDIATE … COMMIT` and so one fsync. A failed job takes only itself back; for that a
 * batch may be run a second time, so jobs have no effects outside `tx`. Callers are answered after the
 * commit, so that an answer means durable. Persons take turns, one job each: whoever writes a thousand things at once
 * waits for themselves alone.
 */
export function createWriteQueue(
  connection: QueueConnection,
  { maxBatch = MAX_BATCH, onWork = () => undefined }: WriteQueueOptions = {},
): WriteQueue {
  /** Who waits, the one whose turn is next first. */
  const waiting = new Map<string, Job[]>()
  let scheduled = false
  const idleWaiters: (() => void)[] = []

  function next(): Job | undefined {
    const [first] = waiting
    if (first === undefined) return undefined
    const [person, jobs] = first
    const job = jobs.shift()
    if (jobs.length === 0) waiting.delete(person)
    else if (waiting.size > 1) {
      // Back to the end of the row: everybody else comes before their next one.
      waiting.delete(person)
      waiting.set(person, jobs)
    }
    return job
  }

  function rest(): readonly Job[] {
    const jobs = [...waiting.values()].flat()
    waiting.clear()
    return jobs
  }

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    // After the poll phase: requests parsed in the same turn of the loop join the same batch.
    setImmediate(drain)
  }

  async function drain(): Promise<void> {
    const until = performance.now() + BATCH_MS
    let taken = 0
    const nextOfBatch = (): Job | undefined => {
      if (taken >= maxBatch || (taken > 0 && performance.now() > until)) return undefined
      taken += 1
      return next()
    }
    try {
      await runBatch(connection, { next: nextOfBatch, rest, onWork })
    } finally {
      scheduled = false
      if (waiting.size > 0) schedule()
      else for (const done of idleWaiters.splice(0)) done()
    }
  }

  return {
    add(run, person = '') {
      return new Promise((resolve, reject) => {
        const job = { person, run, resolve: resolve as (value: unknown) => void, reject }
        const jobs = waiting.get(person)
        if (jobs) jobs.push(job)
        else waiting.set(person, [job])
        schedule()
      })
    },
    idle() {
      if (!scheduled && waiting.size === 0) return Promise.resolve()
      return new Promise((resolve) => idleWaiters.push(resolve))
    },
  }
}

import type { Db } from './database.ts'
import { type JobSource, type QueueConnection, runBatch } from './write-batch.ts'
import { createWriteTurns } from './write-turns.ts'

/** Most jobs of one commit. */
export const MAX_BATCH = 512

export interface WriteQueueOptions {
  /** Jobs that may share one commit. */
  readonly maxBatch?: number
  /** Told of each job that has run: whose it was, and how long it worked, in ms. */
  readonly onWork?: JobSource['onWork']
}

export interface WriteQueue {
  /** Runs a job when it is its person's turn; the workspace itself is one of them, without a name. A rehearsal leaves nothing. */
  add<T>(job: (tx: Db) => Promise<T>, person?: string, isRehearsal?: boolean): Promise<T>
  /** Resolves when every job taken so far has been answered. */
  idle(): Promise<void>
}

/**
 * One writer, group commit (house decision 8): the jobs that came in while the last batch was written
 * share one `BEGIN IMMEDIATE … COMMIT` and so one fsync. A failed job takes only itself back; for that a
 * batch may be run a second time, so jobs have no effects outside `tx`. Callers are answered after the
 * commit, so that an answer means durable. Persons take turns: whoever writes a thousand things at once waits for
 * themselves alone.
 */
export function createWriteQueue(
  connection: QueueConnection,
  { maxBatch = MAX_BATCH, onWork = () => undefined }: WriteQueueOptions = {},
): WriteQueue {
  const turns = createWriteTurns()
  let scheduled = false
  const idleWaiters: (() => void)[] = []

  function schedule(): void {
    if (scheduled) return
    scheduled = true
    // After the poll phase: requests parsed in the same turn of the loop join the same batch.
    setImmediate(drain)
  }

  async function drain(): Promise<void> {
    const began = performance.now()
    let taken = 0
    const source: JobSource = {
      next() {
        if (taken >= maxBatch) return undefined
        const job = turns.next(taken === 0 ? undefined : performance.now() - began)
        taken += 1
        return job
      },
      rest: () => turns.rest(),
      onWork(person, ms) {
        turns.noteWork(person, ms)
        onWork(person, ms)
      },
    }
    try {
      await runBatch(connection, source)
    } finally {
      scheduled = false
      if (turns.areWaiting()) schedule()
      else for (const done of idleWaiters.splice(0)) done()
    }
  }

  return {
    add(run, person = '', isRehearsal = false) {
      return new Promise((resolve, reject) => {
        const done = resolve as (value: unknown) => void
        turns.add({ person, run, isRehearsal, resolve: done, reject })
        schedule()
      })
    },
    idle() {
      if (!scheduled && !turns.areWaiting()) return Promise.resolve()
      return new Promise((resolve) => idleWaiters.push(resolve))
    },
  }
}

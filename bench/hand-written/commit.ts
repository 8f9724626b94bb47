import type { Database } from './database.ts'

/** Runs a job in a transaction and resolves after its commit. */
export type Write = <T>(job: () => T) => Promise<T>

/** One transaction, and at `synchronous = full` one fsync, for each request. */
export function commitAlone(database: Database): Write {
  const transaction = database.transaction((job: () => unknown) => job())
  return async <T>(job: () => T) => transaction.immediate(job) as T
}

interface Waiting {
  readonly job: () => unknown
  readonly resolve: (value: unknown) => void
  readonly reject: (reason: unknown) => void
}

/**
 * Group commit: what came in during one turn of the event loop shares a transaction. Savepoints make the
 * full-text index write out its pages, so they are used only when a job of the batch has failed.
 */
export function commitTogether(database: Database): Write {
  let waiting: Waiting[] = []
  const together = database.transaction((batch: readonly Waiting[]) =>
    batch.map(({ job }) => job()),
  )
  const savepoint = database.transaction((job: () => unknown) => job())
  const apart = database.transaction((batch: readonly Waiting[]) =>
    batch.map(({ job, reject }) => {
      try {
        return { value: savepoint(job) }
      } catch (error) {
        reject(error)
        return undefined
      }
    }),
  )

  function drain(): void {
    const batch = waiting
    waiting = []
    try {
      const values = together.immediate(batch)
      for (const [index, { resolve }] of batch.entries()) resolve(values[index])
    } catch (_oneFailed) {
      drainApart(batch)
    }
  }

  function drainApart(batch: readonly Waiting[]): void {
    try {
      const results = apart.immediate(batch)
      for (const [index, { resolve }] of batch.entries()) resolve(results[index]?.value)
    } catch (error) {
      for (const { reject } of batch) reject(error)
    }
  }

  return <T>(job: () => T) =>
    new Promise<T>((resolve, reject) => {
      if (waiting.length === 0) setImmediate(drain)
      waiting.push({ job, resolve: resolve as (value: unknown) => void, reject })
    })
}

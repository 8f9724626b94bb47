import type { Db } from './database.ts'

/** Result of a rehearsal, thrown so that its transaction is rolled back. */
class Rehearsed extends Error {
  readonly value: unknown
  constructor(value: unknown) {
    super('a rehearsal is taken back')
    this.value = value
  }
}

/** Runs a job in a transaction of `write` that is rolled back, and gives its result. */
export async function rehearsed<T>(
  write: (job: (tx: Db) => Promise<never>) => Promise<never>,
  job: (tx: Db) => Promise<T>,
): Promise<T> {
  try {
    return await write(async (tx) => {
      throw new Rehearsed(await job(tx))
    })
  } catch (error) {
    if (error instanceof Rehearsed) return error.value as T
    throw error
  }
}

import type { Services } from '../../engine/documents/work/context.ts'
import type { Db } from '../../engine/storage/database/database.ts'

/** Carries the result out of a transaction that is taken back. */
class TakenBack extends Error {
  readonly value: unknown

  constructor(value: unknown) {
    super('taken back')
    this.value = value
  }
}

/**
 * Services whose every write is taken back when it would be committed: operations run whole, with all their checks,
 * and leave nothing, not even numbers of series.
 */
export function takingBack(services: Services): Services {
  const { database } = services
  async function write<T>(job: (tx: Db) => Promise<T>): Promise<T> {
    try {
      return await database.write<T>(async (tx) => {
        throw new TakenBack(await job(tx))
      })
    } catch (error) {
      if (error instanceof TakenBack) return error.value as T
      throw error
    }
  }
  return {
    ...services,
    database: { ...database, write },
    eventsCommitted: () => undefined,
  }
}

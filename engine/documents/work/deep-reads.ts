import { workerOf } from '../../access/actor.ts'
import type { Db } from '../../storage/database/database.ts'
import type { Context } from './context.ts'

/**
 * Database for reads of the caller that may take long (`Database.deep`); `narrow` says what would make them less, a
 * clause in the imperative: `set more filters`.
 */
export function deepReads({ services, actor }: Context, narrow: string): Db {
  return services.database.deep({ person: workerOf(actor), narrow })
}

import type { Database } from '../database/database.ts'

/** Counts that are remembered of one table; with more it begins anew. */
const MOST = 500

/**
 * Number of the records of one table that have a condition, remembered until the table is written: `key` says all that the
 * condition is, and it must be of this table alone. Where others may write unseen it is counted each time.
 */
export type CountMemo = (
  database: Database,
  key: string,
  count: () => Promise<number>,
) => Promise<number>

interface Remembered {
  readonly version: string
  readonly total: number
}

/** Makes the memory of a table. */
export function countMemo(table: string): CountMemo {
  const remembered = new Map<string, Remembered>()
  return async (database, key, count) => {
    const version = database.versionOf(table)
    if (version === undefined) return count()
    const known = remembered.get(key)
    if (known?.version === version) return known.total
    const total = await count()
    // What was committed while it was counted is in the number or is not.
    if (database.versionOf(table) !== version) return total
    if (remembered.size >= MOST) remembered.clear()
    remembered.set(key, { version, total })
    return total
  }
}

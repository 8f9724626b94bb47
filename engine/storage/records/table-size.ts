import type { Database } from '../database/database.ts'
import { runSqlNow } from '../database/statements.ts'

/**
 * Most records that a table can have, by the number of the newest. Only told of a database in this process: another one
 * does not hold this thread up, and would take longer to tell.
 */
export function mostRecords({ read }: Database, table: string, key = 'rid'): number {
  const text = `select max("${key}") as rid from "${table}"`
  const rows = runSqlNow<{ readonly rid: bigint | null }>(read, text, [])
  return rows === undefined ? Number.POSITIVE_INFINITY : Number(rows[0]?.rid ?? 0)
}

/** Milliseconds for which lists go on with what they know of a table's size. */
const KNOWN_FOR = 1_000

/** The same for one table that is asked again and again: what it tells may be a second old. */
export function tableSize(table: string, key?: string): (database: Database) => number {
  let known = 0
  let until = 0
  return (database) => {
    const now = performance.now()
    if (now >= until) {
      known = mostRecords(database, table, key)
      until = now + KNOWN_FOR
    }
    return known
  }
}

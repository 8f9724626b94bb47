import type { Database } from '../database/database.ts'
import { isSmall } from '../records/light-reads.ts'
import { mostRecords } from '../records/table-size.ts'
import type { Matching, Query } from './query.ts'
import { isGrouped } from './query.ts'
import type { Comparison } from './query-condition.ts'

/** Rows that may be answered on the thread that answers everybody. */
const FEW_ROWS = 500

/** Names that may be looked up there at once. */
const FEW_NAMES = 100

/**
 * Whether a query is soon answered on any database: few rows of a small table, or of records that are named. Patterns
 * and rows of tables are gone through, and that takes as long as they are.
 */
export function isLightQuery(database: Database, query: Query): boolean {
  if (query.limit === 0 || query.limit > FEW_ROWS || query.offset > FEW_ROWS) return false
  return !isGrouped(query) && isLightMatching(database, query)
}

/** The same of a number of rows. */
export function isLightMatching(database: Database, { root, all, any }: Matching): boolean {
  const comparisons = [...all, ...any]
  if (comparisons.some(({ is, column }) => is === 'like' || column.source.isRows)) return false
  return all.some(namesFew) || isSmall(mostRecords(database, root.table))
}

function namesFew(comparison: Comparison): boolean {
  const { column, negated = false } = comparison
  if (negated || column.key !== 'r.name') return false
  return comparison.is === '=' || (comparison.is === 'in' && comparison.values.length <= FEW_NAMES)
}

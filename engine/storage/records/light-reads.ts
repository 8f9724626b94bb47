import { type ColumnFilter, isUnsetMeant } from './condition.ts'
import type { PageQuery } from './select.ts'
import { STANDARD_INTEGER_COLUMNS, STANDARD_TEXT_COLUMNS } from './tables.ts'

/** Records that may be gone through one by one on the thread that answers, which takes a millisecond or two. */
const FEW = 1_000

/** Entries of an index that may be counted or skipped there: less than half a millisecond's work. */
export const FEW_ENTRIES = 5_000

/** Columns whose own order an index gives. */
const IN_ORDER: ReadonlySet<string> = new Set(['modified', 'created', 'name', 'rid'])

/** Columns that no index has. */
const UNINDEXED: ReadonlySet<string> = new Set(
  [...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS].filter((name) => !IN_ORDER.has(name)),
)

/** Operators whose records stand side by side in an index of the column. */
const RANGES: ReadonlySet<string> = new Set(['eq', 'in', 'gt', 'gte', 'lt', 'lte', 'between'])

/** Records of a table whose entries of one index are counted there as they are: it costs no more than to look for an end. */
const FEW_COUNTED = 20_000

/** Whether a table of so many records is small, so that whatever is asked of it is soon answered. */
export function isSmall(records: number): boolean {
  return records <= FEW
}

/** Whether all entries of one of its indexes are soon counted. */
export function isSoonCounted(records: number): boolean {
  return records <= FEW_COUNTED
}

/** Conditions of a list, and whether one of them is a search (`q`). */
export interface ListConditions extends Pick<PageQuery, 'filters' | 'where'> {
  readonly isSearch: boolean
}

/** Whether texts are gone through: how long that takes has little to do with the number of records. */
export function readsTexts({ filters, isSearch }: ListConditions): boolean {
  return isSearch || filters.some(({ operator }) => operator === 'like')
}

/** Whether the records that match stand side by side in one index, so that those that do not are never looked at. */
export function isRangeOfIndex({ filters, where, isSearch }: ListConditions): boolean {
  if (where || isSearch || filters.length > 1) return false
  const [only] = filters
  return !only || (RANGES.has(only.operator) && !isUnsetMeant(only) && isIndexed(only))
}

function isIndexed({ column, isUnindexed }: ColumnFilter): boolean {
  return !isUnindexed && !UNINDEXED.has(column)
}

/**
 * Whether a page is a part of one index in its order, however large the table is: of all records in the order of an
 * index, or of those with one value of a field by their age. Anything else may go past many records, or sort them.
 */
export function isPageOfIndex(
  conditions: ListConditions,
  { sort, then, offset = 0 }: Pick<PageQuery, 'sort' | 'then' | 'offset'>,
): boolean {
  if (then || !isRangeOfIndex(conditions) || offset > FEW_ENTRIES) return false
  const [only] = conditions.filters
  if (!only) return IN_ORDER.has(sort)
  if (only.operator !== 'eq') return only.column === sort && IN_ORDER.has(sort)
  return sort === 'modified' || only.column === 'name'
}

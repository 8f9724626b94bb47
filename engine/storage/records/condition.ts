import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ColumnValue, Operator } from '../../fields/field-type.ts'
import type { DatabaseKind } from '../database/database.ts'
import { lowerCase } from '../database/search-text.ts'
import { escapeLike } from './search.ts'

/** One condition on a column, its values already as the column keeps them; null is "unset". */
export interface ColumnFilter {
  readonly column: string
  readonly operator: Operator
  readonly values: readonly ColumnValue[]
  /** Value that null in the column means, where it means one: it is found like one. */
  readonly unset?: number | undefined
  /** Whether no index has the column: the records have to be gone through. */
  readonly isUnindexed?: true
}

type ColumnValues = readonly ColumnValue[]

/** SQL of each operator. `ne` also finds unset values: whoever asks for "not Closed" means the rest. */
const CONDITIONS: Readonly<
  Record<
    Operator,
    (kind: DatabaseKind, column: RawBuilder<unknown>, values: ColumnValues) => RawBuilder<SqlBool>
  >
> = {
  eq: (_kind, column, [value = null]) =>
    value === null ? sql`${column} is null` : sql`${column} = ${value}`,
  ne: (kind, column, [value = null]) => {
    if (value === null) return sql`${column} is not null`
    return kind === 'sqlite'
      ? sql`${column} is not ${value}`
      : sql`${column} is distinct from ${value}`
  },
  gt: (_kind, column, [value]) => sql`${column} > ${value}`,
  gte: (_kind, column, [value]) => sql`${column} >= ${value}`,
  lt: (_kind, column, [value]) => sql`${column} < ${value}`,
  lte: (_kind, column, [value]) => sql`${column} <= ${value}`,
  between: (_kind, column, [from, to]) => sql`${column} between ${from} and ${to}`,
  like: (kind, column, values) => containsText(kind, column, likedText(values)),
  in: (_kind, column, values) => sql`${column} in (${sql.join(values)})`,
}

/** The condition in SQL, its values bound. */
export function condition(kind: DatabaseKind, filter: ColumnFilter): RawBuilder<SqlBool> {
  const { column, operator, values, unset } = filter
  const ref = sql.ref(column)
  // Only where it matters: an index of the column is of no use to this.
  const read = isUnsetMeant(filter) ? sql`coalesce(${ref}, ${sql.lit(unset)})` : ref
  return CONDITIONS[operator](kind, read, values)
}

/** Whether null in the column is one of the values asked for. */
export function isUnsetMeant({ values, unset }: ColumnFilter): boolean {
  return unset !== undefined && values.includes(unset)
}

/** Shape of a filter: two of the same shape have the same SQL and differ in `boundValues` alone. */
export function conditionShape(filter: ColumnFilter): string {
  const { column, operator, values } = filter
  if (operator === 'like') return `${column} ${isAscii(likedText(values)) ? 'like' : 'like-any'}`
  const form = values.map((value) => (value === null ? '0' : '1')).join('')
  return `${column} ${operator} ${form}${isUnsetMeant(filter) ? ' or unset' : ''}`
}

/** Values that `condition` binds, in its order. */
export function boundValues({ operator, values }: ColumnFilter): readonly ColumnValue[] {
  if (operator === 'like') return [likePattern(likedText(values))]
  return operator === 'in' ? values : values.filter((value) => value !== null)
}

function containsText(
  kind: DatabaseKind,
  column: RawBuilder<unknown>,
  text: string,
): RawBuilder<SqlBool> {
  return matchesPattern(kind, column, likePattern(text))
}

/**
 * LIKE that ignores case, for a pattern in lower case whose backslashes escape. SQLite's own LIKE knows case in ASCII
 * only, so other text goes through the engine's `svc_lower`; PostgreSQL gets a collation that knows all of Unicode.
 */
export function matchesPattern(
  kind: DatabaseKind,
  text: RawBuilder<unknown>,
  pattern: string,
): RawBuilder<boolean> {
  if (kind === 'postgres') {
    const lower = sql`lower(${text} collate "und-x-icu")`
    return sql`translate(${lower}, 'ς', 'σ') like ${pattern} escape '\\'`
  }
  if (isAscii(pattern)) return sql`${text} like ${pattern} escape '\\'`
  return sql`svc_lower(${text}) like ${pattern} escape '\\'`
}

function likedText([value]: ColumnValues): string {
  return String(value ?? '')
}

function likePattern(text: string): string {
  return `%${escapeLike(lowerCase(text))}%`
}

function isAscii(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the range is ASCII itself
  return /^[\x00-\x7f]*$/.test(text)
}

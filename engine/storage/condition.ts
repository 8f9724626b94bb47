import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { ColumnValue, Operator } from '../fields/field-type.ts'
import type { DatabaseKind } from './database.ts'
import { escapeLike } from './search.ts'
import { lowerCase } from './search-text.ts'

/** One condition on a column, its values already as the column keeps them; null is "unset". */
export interface ColumnFilter {
  readonly column: string
  readonly operator: Operator
  readonly values: readonly ColumnValue[]
}

type ColumnValues = readonly ColumnValue[]

/** `ne` also finds unset values: whoever asks for "not Closed" means the rest. */
const CONDITIONS: Readonly<
  Record<
    Operator,
    (kind: DatabaseKind, column: string, values: ColumnValues) => RawBuilder<SqlBool>
  >
> = {
  eq: (_kind, column, [value = null]) =>
    value === null ? sql`${sql.ref(column)} is null` : sql`${sql.ref(column)} = ${value}`,
  ne: (kind, column, [value = null]) => {
    if (value === null) return sql`${sql.ref(column)} is not null`
    return kind === 'sqlite'
      ? sql`${sql.ref(column)} is not ${value}`
      : sql`${sql.ref(column)} is distinct from ${value}`
  },
  gt: (_kind, column, [value]) => sql`${sql.ref(column)} > ${value}`,
  gte: (_kind, column, [value]) => sql`${sql.ref(column)} >= ${value}`,
  lt: (_kind, column, [value]) => sql`${sql.ref(column)} < ${value}`,
  lte: (_kind, column, [value]) => sql`${sql.ref(column)} <= ${value}`,
  like: (kind, column, values) => containsText(kind, column, likedText(values)),
  in: (_kind, column, values) => sql`${sql.ref(column)} in (${sql.join(values)})`,
}

/** The condition in SQL, its values bound. */
export function condition(
  kind: DatabaseKind,
  { column, operator, values }: ColumnFilter,
): RawBuilder<SqlBool> {
  return CONDITIONS[operator](kind, column, values)
}

/** Two filters of the same shape have the same SQL and differ in `boundValues` alone. */
export function conditionShape({ column, operator, values }: ColumnFilter): string {
  if (operator === 'like') return `${column} ${isAscii(likedText(values)) ? 'like' : 'like-any'}`
  return `${column} ${operator} ${values.map((value) => (value === null ? '0' : '1')).join('')}`
}

/** What `condition` binds, in its order. */
export function boundValues({ operator, values }: ColumnFilter): readonly ColumnValue[] {
  if (operator === 'like') return [likePattern(likedText(values))]
  return operator === 'in' ? values : values.filter((value) => value !== null)
}

function containsText(kind: DatabaseKind, column: string, text: string): RawBuilder<SqlBool> {
  return matchesPattern(kind, sql.ref(column), likePattern(text))
}

/**
 * LIKE that ignores case, for a pattern in lower case whose backslashes escape. SQLite's own LIKE knows case in
 * ASCII only, so other text goes through the engine's `svc_lower`; PostgreSQL is told a collation that knows
 * all of Unicode.
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

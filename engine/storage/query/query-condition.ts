import { type RawBuilder, sql } from 'kysely'
import { pow10 } from '../../base/money.ts'
import type { ColumnValue } from '../../fields/field-type.ts'
import type { DatabaseKind } from '../database/database.ts'
import { lowerCase } from '../database/search-text.ts'
import { type Tree, treeNames } from '../finding/tree.ts'
import { matchesPattern } from '../records/condition.ts'
import type { QueryColumn } from './query-source.ts'

type Sql = RawBuilder<boolean>

/** Comparison of a column with values, which are as the column keeps them; null is unset. */
export type Comparison = { readonly column: QueryColumn; readonly negated?: boolean } & (
  | { readonly is: '=' | '!=' | '>' | '<' | '>=' | '<='; readonly value: ColumnValue }
  | { readonly is: 'between'; readonly from: ColumnValue; readonly to: ColumnValue }
  | { readonly is: 'in'; readonly values: readonly ColumnValue[] }
  | { readonly is: 'set' }
  /** Pattern in which `%` and `_` stand for any characters, a backslash for itself; case is ignored. */
  | { readonly is: 'like'; readonly pattern: string }
  | {
      readonly is: 'ancestors' | 'descendants' | 'descendants or self'
      readonly tree: Tree
      readonly of: string
    }
)

/**
 * A condition of surface A in SQL, its values bound. Unset compares as the type's `frappe.unset`, as Frappe's
 * `ifnull` does, so that `!=`, `<` and `not in` find unset values too. The column stays bare, for the index's
 * sake: whether unset meets the condition is known here already.
 */
export function comparisonSql(kind: DatabaseKind, comparison: Comparison): Sql {
  const { column, negated = false } = comparison
  const not = negated ? sql`not ` : sql``
  const { unset } = column.type.frappe
  const given = (value: ColumnValue): NonNullable<ColumnValue> => value ?? unset
  const orUnset = (condition: Sql, isMet: boolean): Sql =>
    isMet !== negated && !column.isNeverNull
      ? sql`(${condition} or ${column.sql} is null)`
      : condition
  switch (comparison.is) {
    case 'set':
      return negated ? sql`${column.sql} is null` : sql`${column.sql} is not null`
    case 'between': {
      const from = given(comparison.from)
      const to = given(comparison.to)
      const isMet = order(from, unset) <= 0 && order(unset, to) <= 0
      return orUnset(sql`${column.sql} ${not}between ${from} and ${to}`, isMet)
    }
    case 'in': {
      const values = comparison.values.map(given)
      if (values.length === 0) return negated ? sql`1 = 1` : sql`1 = 0`
      const isMet = values.some((value) => order(value, unset) === 0)
      return orUnset(sql`${column.sql} ${not}in (${sql.join(values)})`, isMet)
    }
    case 'like': {
      const pattern = escapedPattern(comparison.pattern)
      const matches = matchesPattern(kind, textOf(column), pattern)
      const isMet = unset === '' && /^%*$/.test(pattern)
      return orUnset(negated ? sql`not (${matches})` : matches, isMet)
    }
    case 'ancestors':
    case 'descendants':
    case 'descendants or self': {
      const names = treeNames(comparison.tree, comparison.is, comparison.of)
      return orUnset(sql`${column.sql} ${not}in (${names})`, false)
    }
    default: {
      const value = given(comparison.value)
      const { operator, isMet } = COMPARED[comparison.is]
      return orUnset(sql`${column.sql} ${operator} ${value}`, isMet(order(unset, value)))
    }
  }
}

const COMPARED = {
  '=': { operator: sql`=`, isMet: (sign: number) => sign === 0 },
  '!=': { operator: sql`<>`, isMet: (sign: number) => sign !== 0 },
  '>': { operator: sql`>`, isMet: (sign: number) => sign > 0 },
  '<': { operator: sql`<`, isMet: (sign: number) => sign < 0 },
  '>=': { operator: sql`>=`, isMet: (sign: number) => sign >= 0 },
  '<=': { operator: sql`<=`, isMet: (sign: number) => sign <= 0 },
} as const

/** Order of two values of one column; what unset stands for is the least of its kind or a plain zero. */
function order(a: NonNullable<ColumnValue>, b: NonNullable<ColumnValue>): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Pattern for LIKE. Wildcards that follow each other mean no more than one, and cost much. */
function escapedPattern(pattern: string): string {
  return lowerCase(pattern).replaceAll('\\', '\\\\').replace(/%+/g, '%')
}

/** Text that LIKE is asked of: the one a client sees. */
function textOf({ sql: column, type, field }: QueryColumn): RawBuilder<unknown> {
  if (type.kind === 'datetime') return sql`replace(${column}, 'T', ' ')`
  if (type.storage !== 'integer') return column
  const scale = type.scaleOf(field)
  if (scale === 0) return sql`cast(${column} as text)`
  const one = sql.lit(pow10(scale))
  const sign = sql`case when ${column} < 0 then '-' else '' end`
  const whole = sql`cast(abs(${column}) / ${one} as text)`
  const decimals = sql`substr(cast(abs(${column}) % ${one} + ${one} as text), 2)`
  return sql`(${sign} || ${whole} || '.' || ${decimals})`
}

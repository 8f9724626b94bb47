import { type RawBuilder, sql } from 'kysely'
import { bindParameters, type SqlFragment } from '../../expression/sql/sql-fragment.ts'
import type { Environment } from '../../expression/tree/types.ts'

/** A compiled expression as a part of a larger query: its text is the compiler's own, its values are bound. */
export function fragmentSql(fragment: SqlFragment, environment: Environment): RawBuilder<boolean> {
  const values = bindParameters(fragment, environment)
  const parts = fragment.parts.map((part, index) =>
    index === 0 ? sql.raw(part) : sql`${values[index - 1]}${sql.raw(part)}`,
  )
  return sql`(${sql.join(parts, sql``)})`
}

/** Condition that holds where one of these does; of no conditions it never holds. */
export function anyOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  if (conditions.length === 0) return sql`1 = 0`
  return sql`(${sql.join(conditions, sql` or `)})`
}

/** Condition that a column of texts is unset or one of these. */
export function unsetOrOneOf(column: string, texts: readonly string[]): RawBuilder<boolean> {
  const isUnset = sql`${sql.ref(column)} is null`
  return texts.length === 0
    ? sql`(${isUnset})`
    : sql`(${isUnset} or ${sql.ref(column)} in (${sql.join(texts)}))`
}

/** Condition that a column is anything but this text, unset too. */
export function isOther(column: string, text: string): RawBuilder<boolean> {
  return sql`(${sql.ref(column)} is distinct from ${text})`
}

/** Condition that holds where all of these do, of which there is at least one. */
export function allOf(conditions: readonly RawBuilder<boolean>[]): RawBuilder<boolean> {
  return conditions.length === 1 ? conditions[0]! : sql`(${sql.join(conditions, sql` and `)})`
}

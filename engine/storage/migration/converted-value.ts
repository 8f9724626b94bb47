import { type RawBuilder, sql } from 'kysely'
import type { DatabaseKind } from '../database/database.ts'
import type { Representation } from './migration-plan.ts'

type Expression = RawBuilder<unknown>

/** Largest value of INTEGER and BIGINT. */
export const MAX_INTEGER = 2n ** 63n - 1n

/**
 * SQL for a value in another representation: text ↔ integers, whole or scaled (`12.5` at scale 2 is 1250).
 * Exact on both databases for values that `notConvertible` and the checks of the scale let through; unset
 * stays unset.
 */
export function convertedValue(
  value: Expression,
  from: Representation,
  to: Representation,
  kind: DatabaseKind,
): Expression {
  if (from.type === 'text' && to.type === 'integer') {
    return kind === 'sqlite' ? sqliteScaled(value, to.scale) : postgresScaled(value, to.scale)
  }
  if (from.type === 'integer' && to.type === 'text') {
    return kind === 'sqlite' ? sqliteText(value, from.scale) : postgresText(value, from.scale)
  }
  if (from.type === 'text' || from.scale === to.scale) return value
  const factor = power(Math.abs(to.scale - from.scale))
  return to.scale > from.scale ? sql`${value} * ${factor}` : sql`${value} / ${factor}`
}

/** SQL condition: this text is not a number in its plain form that fits `scale` decimal places. */
export function notConvertible(value: Expression, scale: number, kind: DatabaseKind): Expression {
  if (kind === 'sqlite') return sql`${sqliteText(sqliteScaled(value, scale), scale)} <> ${value}`
  const scaled = sql`${value}::numeric * ${power(scale)}`
  return sql`case when ${value} ~ '^-?[0-9]{1,19}([.][0-9]{1,19})?$'
    then trim_scale(${value}::numeric)::text <> ${value} or ${scaled} <> trunc(${scaled})
      or ${scaled} not between ${integer(-MAX_INTEGER)} and ${integer(MAX_INTEGER)}
    else true end`
}

/** 10ⁿ as a literal. */
export function power(digits: number): Expression {
  return integer(10n ** BigInt(digits))
}

/** A literal that no driver rounds. */
export function integer(value: bigint): Expression {
  return sql.raw(String(value))
}

function sqliteScaled(value: Expression, scale: number): Expression {
  if (scale === 0) return sql`cast(${value} as integer)`
  const digits = sql`ltrim(${value}, '-')`
  const point = sql`instr(${digits} || '.', '.')`
  const zeros = sql.lit('0'.repeat(scale))
  return sql`(case when ${value} like '-%' then -1 else 1 end) * (
    cast(substr(${digits}, 1, ${point} - 1) as integer) * ${power(scale)} +
    cast(substr(substr(${digits}, ${point} + 1) || ${zeros}, 1, ${sql.lit(scale)}) as integer))`
}

function sqliteText(value: Expression, scale: number): Expression {
  if (scale === 0) return sql`cast(${value} as text)`
  const zeros = sql.lit('0'.repeat(scale))
  const fraction = sql`substr(${zeros} || (abs(${value}) % ${power(scale)}), ${sql.lit(-scale)})`
  return sql`(case when ${value} < 0 then '-' else '' end || (abs(${value}) / ${power(scale)}) ||
    rtrim(rtrim('.' || ${fraction}, '0'), '.'))`
}

function postgresScaled(value: Expression, scale: number): Expression {
  return sql`(${value}::numeric * ${power(scale)})::bigint`
}

function postgresText(value: Expression, scale: number): Expression {
  if (scale === 0) return sql`${value}::text`
  return sql`trim_scale(${value} * ${sql.raw(`1e-${scale}`)})::text`
}

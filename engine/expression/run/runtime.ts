import { divideRounded, pow10, rescale } from '../../base/money.ts'
import { ExpressionError } from '../tree/problem.ts'
import type { EvalValue, FieldValues, Rounding } from '../tree/types.ts'

/** The arithmetic that generated code, interpreter and SQLite functions share, so that they cannot differ. */

/** A whole number as it is, without negative zero. Throws ExpressionError beyond ±2⁵³. */
export function wholeNumber(value: number): number {
  if (!Number.isSafeInteger(value))
    throw new ExpressionError(`${value} is too large for a whole number`)
  return value + 0
}

/** Quotient a ÷ b, times 10^shift to reach its scale, half away from zero. Throws ExpressionError for b = 0. */
export function divide(a: bigint, b: bigint, shift: number): bigint {
  if (b === 0n) throw new ExpressionError('division by zero')
  return shift >= 0 ? divideRounded(a * pow10(shift), b) : divideRounded(a, b * pow10(-shift))
}

/** Remainder of two scaled integers, with the sign of the dividend. Throws ExpressionError for b = 0. */
export function remainder(a: bigint, b: bigint): bigint {
  if (b === 0n) throw new ExpressionError('division by zero')
  return a % b
}

/** Remainder of two whole numbers, with the sign of the dividend. Throws ExpressionError for b = 0. */
export function wholeRemainder(a: number, b: number): number {
  if (b === 0) throw new ExpressionError('division by zero')
  return (a % b) + 0
}

/** A scaled integer at another scale. */
export function toScale(value: bigint, from: number, to: number, rounding: Rounding): bigint {
  if (rounding === 'half' || to >= from) return rescale(value, from, to)
  const unit = pow10(from - to)
  const quotient = value / unit
  if (value % unit === 0n) return quotient
  if (rounding === 'floor') return value < 0n ? quotient - 1n : quotient
  return value < 0n ? quotient : quotient + 1n
}

/** A scaled integer as a whole number. Throws ExpressionError beyond ±2⁵³. */
export function toWhole(value: bigint, from: number, rounding: Rounding): number {
  return wholeNumber(Number(toScale(value, from, 0, rounding)))
}

/** The least or greatest of at least one value of one kind. */
export function extreme<T extends EvalValue>(name: 'min' | 'max', values: readonly T[]): T {
  let best = values[0]!
  for (const value of values) {
    if (name === 'min' ? value < best : value > best) best = value
  }
  return best
}

/** Orders texts by code point, as both databases do; JavaScript's `<` orders by UTF-16 unit. */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // A surrogate stands for a code point above all others.
    const rank = (unit: number) => (unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit)
    return rank(x) - rank(y)
  }
  return a.length - b.length
}

/** The rows of a table, none when it is unset. */
export function rowsOf(
  record: FieldValues | null | undefined,
  table: string,
): readonly FieldValues[] {
  const rows = record && Object.hasOwn(record, table) ? record[table] : null
  return Array.isArray(rows) ? rows : []
}

/** A field that holds its own value; anything else, inherited properties too, reads as unset. */
export function readField(
  record: FieldValues | null | undefined,
  name: string,
  unset: EvalValue,
): EvalValue {
  if (!record || !Object.hasOwn(record, name)) return unset
  return (record[name] as EvalValue | null | undefined) ?? unset
}

/** Whether a field is set: not null, and for a text (also a json kept as text) not empty. */
export function isSet(record: FieldValues | null | undefined, name: string): boolean {
  if (!record || !Object.hasOwn(record, name)) return false
  const value = record[name]
  return value !== null && value !== undefined && value !== ''
}

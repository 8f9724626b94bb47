import { callFunction, FUNCTIONS } from '../run/functions.ts'
import { divide, extreme, remainder, toScale, wholeNumber } from '../run/runtime.ts'
import { ExpressionError } from '../tree/problem.ts'
import type { Rounding } from '../tree/types.ts'

/** Value that SQLite hands to a function (with `safeIntegers`) and takes from it. */
export type SqliteValue = bigint | string | number | null

/**
 * A function to register on every connection:
 *
 *     db.function(name, { varargs: true, deterministic: true, safeIntegers: true }, run)
 */
export interface SqliteFunction {
  readonly name: string
  readonly run: (...args: SqliteValue[]) => SqliteValue
}

const INT64_MAX = 2n ** 63n - 1n

/**
 * The exact arithmetic that SQLite lacks: its own `*` turns an overflowing product silently into a
 * float. A number beyond 64 bits travels between these functions as the text of its digits, and only
 * then, so that equal numbers are always equal values.
 */
export const SQLITE_FUNCTIONS: readonly SqliteFunction[] = [
  arithmetic('svc_add', (a, b) => a + b),
  arithmetic('svc_sub', (a, b) => a - b),
  arithmetic('svc_mul', (a, b) => a * b),
  arithmetic('svc_times', (a, b) => BigInt(wholeNumber(Number(a * b)))),
  arithmetic('svc_rem', remainder),
  arithmetic('svc_cmp', (a, b) => (a < b ? -1n : a > b ? 1n : 0n)),
  { name: 'svc_div', run: (a, b, shift) => packed(divide(number(a), number(b), Number(shift))) },
  {
    name: 'svc_scale',
    run: (value, from, to, rounding) =>
      packed(toScale(number(value), Number(from), Number(to), String(rounding) as Rounding)),
  },
  { name: 'svc_fit', run: (value) => fitting(number(value)) },
  { name: 'svc_abs', run: (value) => packed(absolute(number(value))) },
  { name: 'svc_min', run: (...args) => packed(extreme('min', args.map(number))) },
  { name: 'svc_max', run: (...args) => packed(extreme('max', args.map(number))) },
  ...[...FUNCTIONS.keys()].map((name) => ({ name: `svc_${name}`, run: viaTable(name) })),
]

function arithmetic(name: string, operation: (a: bigint, b: bigint) => bigint): SqliteFunction {
  return { name, run: (a, b) => packed(operation(number(a), number(b))) }
}

function number(value: SqliteValue | undefined): bigint {
  if (typeof value === 'bigint') return value
  if (typeof value === 'string') return BigInt(value)
  // SQLite's own arithmetic has left its integers (SQLITE_PLAIN).
  if (typeof value === 'number') throw new ExpressionError('the number is too large')
  throw new TypeError(
    `expected a whole number from SQLite, got ${value === null ? 'NULL' : String(value)}`,
  )
}

/** A number as SQLite can hold it: an INTEGER, or its digits when it has more than 64 bits. */
function packed(value: bigint): bigint | string {
  return value <= INT64_MAX && value >= -INT64_MAX ? value : value.toString()
}

function fitting(value: bigint): bigint {
  if (typeof packed(value) === 'bigint') return value
  throw new ExpressionError('the number is too large')
}

function absolute(value: bigint): bigint {
  return value < 0n ? -value : value
}

function viaTable(name: string): SqliteFunction['run'] {
  return (...args) => {
    const result = callFunction(
      name,
      args.map((arg) => (typeof arg === 'bigint' ? Number(arg) : (arg ?? ''))),
    )
    if (typeof result === 'string') return result
    return BigInt(result)
  }
}

import { pow10 } from '../../base/money.ts'
import { isScaled, isText, type Rounding, type ScalarKind } from '../tree/types.ts'

export type Dialect = 'sqlite' | 'postgres'

/**
 * Operators by which one database computes with scaled integers, exactly and as JavaScript does. Arguments and
 * results are SQL texts that can stand in any larger expression.
 */
export interface SqlOperators {
  /** A constant. */
  readonly number: (value: bigint) => string
  /** A parameter of a text or of a whole number. */
  readonly typed: (placeholder: string, isString: boolean) => string
  /** Operations `+ - * %` of scaled integers, which may leave 64 bits. */
  readonly scaled: (op: '+' | '-' | '*' | '%', a: string, b: string) => string
  /** Operations `+ - * %` of whole numbers. */
  readonly whole: (op: '+' | '-' | '*' | '%', a: string, b: string) => string
  /** a · 10^shift ÷ b, half away from zero. */
  readonly quotient: (a: string, b: string, shift: number) => string
  /** The quotient rounded to `scale` places of `from`, where that needs no step between (SQLITE_QUICK). */
  readonly rounded?: (a: string, b: string, shift: number, from: number, scale: number) => string
  readonly rescale: (value: string, from: number, to: number, rounding: Rounding) => string
  /** A result that must be an integer of the database. */
  readonly narrowed: (value: string) => string
  /** Comparisons `< <= > >=` of scaled integers. */
  readonly ordered: (op: string, a: string, b: string) => string
  /** A text that compares by bytes. */
  readonly bytewise: (text: string) => string
  readonly absolute: (value: string, scaled: boolean) => string
  readonly extreme: (name: 'min' | 'max', args: readonly string[], kind: ScalarKind) => string
}

export function operatorsOf(dialect: Dialect): SqlOperators {
  return dialect === 'sqlite' ? SQLITE : POSTGRES
}

const SCALED = { '+': 'svc_add', '-': 'svc_sub', '*': 'svc_mul', '%': 'svc_rem' } as const
const INT64_MAX = 2n ** 63n - 1n

/** Whether a constant is written as the integer it is; SQLite takes a larger one as the text of its digits. */
export function isWrittenAsInteger(value: bigint): boolean {
  return value <= INT64_MAX && value >= -INT64_MAX
}

/** Functions of sqlite-functions.ts; plain operators where no result can leave 64 bits. */
const SQLITE: SqlOperators = {
  number: (value) => {
    if (!isWrittenAsInteger(value)) return `'${value}'`
    return value < 0n ? `(${value})` : `${value}`
  },
  typed: (placeholder) => placeholder,
  scaled: (op, a, b) => `${SCALED[op]}(${a}, ${b})`,
  // Sums of whole numbers below 2⁵³ stay far from 2⁶³ within the size an expression may have.
  whole(op, a, b) {
    if (op === '+' || op === '-') return `(${a} ${op} ${b})`
    return `${op === '*' ? 'svc_times' : SCALED[op]}(${a}, ${b})`
  },
  quotient: (a, b, shift) => `svc_div(${a}, ${b}, ${shift})`,
  rescale: (value, from, to, rounding) => `svc_scale(${value}, ${from}, ${to}, '${rounding}')`,
  narrowed: (value) => value,
  ordered: (op, a, b) => `(svc_cmp(${a}, ${b}) ${op} 0)`,
  bytewise: (text) => text,
  absolute: (value, scaled) => (scaled ? `svc_abs(${value})` : `abs(${value})`),
  extreme: (name, args, kind) => `${isScaled(kind) ? `svc_${name}` : name}(${args.join(', ')})`,
}

/**
 * SQLite's own arithmetic, for statements that go through many rows and only read, and for numbers that stay far
 * from 64 bits: what leaves them becomes a float and stays one through every further step, so who reads the result
 * sees it by its type. Quotients have 20 decimal places: they are for the exact functions.
 */
export const SQLITE_PLAIN: SqlOperators = {
  ...SQLITE,
  scaled: (op, a, b) => (op === '%' ? SQLITE.scaled(op, a, b) : `(${a} ${op} ${b})`),
  whole: (op, a, b) => (op === '%' ? SQLITE.whole(op, a, b) : `(${a} ${op} ${b})`),
  rescale(value, from, to, rounding) {
    if (to >= from) return `(${value} * ${pow10(to - from)})`
    if (rounding !== 'half') return SQLITE.rescale(value, from, to, rounding)
    // A whole division cuts off towards zero: half of the divisor rounds half away from it.
    const half = pow10(from - to) / 2n
    return `((${value} + case when ${value} < 0 then -${half} else ${half} end) / ${pow10(from - to)})`
  },
  ordered: (op, a, b) => `(${a} ${op} ${b})`,
  absolute: (value) => `abs(${value})`,
  extreme: (name, args) => (args.length === 1 ? args[0]! : `${name}(${args.join(', ')})`),
}

/**
 * SQLITE_PLAIN for what `quickNumber` gives: a quotient is rounded at once to the places it is kept with. To do so at
 * `from` places first is the same as long as the divisor has fewer than 10^(from - scale): no quotient by it lies
 * closer to the middle of two results without being it. NULL for another divisor.
 */
export const SQLITE_QUICK: SqlOperators = {
  ...SQLITE_PLAIN,
  rounded(a, b, shift, from, scale) {
    const n = shift > 0 ? `(${a} * ${pow10(shift)})` : a
    const d = shift < 0 ? `(${b} * ${pow10(-shift)})` : b
    const most = pow10(Math.min(from - scale, 18)) - 1n
    // A whole division cuts off towards zero: half of the divisor, as large as the quotient is far, rounds away
    // from it.
    return `(case when ${d} between -${most} and ${most} then (2 * ${n} + case when (${n} < 0) = (${d} < 0) then ${d} else -${d} end) / (2 * ${d}) end)`
  },
}

/**
 * A remainder stands in a query of its own: of parameters alone PostgreSQL would compute it while it plans, and end
 * the statement over a division by 0 that the condition around it rules out.
 */
function postgresOperation(op: '+' | '-' | '*' | '%', a: string, b: string): string {
  if (op !== '%') return `(${a} ${op} ${b})`
  return `(select n % d from (select ${a} as n, ${b} as d offset 0) as remainder)`
}

/** Operators on numeric, whose `+ - *` are exact; a quotient is rounded by whole-number division of doubled amounts. */
const POSTGRES: SqlOperators = {
  number: (value) => (value < 0n ? `(${value})` : `${value}`),
  typed: (placeholder, isString) => `${placeholder}::${isString ? 'text' : 'bigint'}`,
  scaled: (op, a, b) => postgresOperation(op, `${a}::numeric`, b),
  whole: (op, a, b) => postgresOperation(op, `${a}::bigint`, b),
  quotient: (a, b, shift) => {
    const n = shift > 0 ? `${a}::numeric * ${pow10(shift)}` : `${a}::numeric`
    const d = shift < 0 ? `${b}::numeric * ${pow10(-shift)}` : `${b}::numeric`
    // OFFSET 0 keeps the planner from writing both sides out several times, which nested quotients would multiply.
    return `(select sign(n) * sign(d) * div(2 * abs(n) + abs(d), 2 * abs(d)) from (select ${n} as n, ${d} as d offset 0) as quotient)`
  },
  rescale: (value, from, to, rounding) => {
    if (to >= from) return `(${value}::numeric * ${pow10(to - from)})`
    const round = rounding === 'half' ? 'round' : rounding
    return `${round}(${value}::numeric * 0.${'0'.repeat(from - to - 1)}1)`
  },
  narrowed: (value) => `${value}::bigint`,
  ordered: (op, a, b) => `(${a} ${op} ${b})`,
  bytewise: (text) => `${text} collate "C"`,
  absolute: (value) => `abs(${value})`,
  extreme: (name, args, kind) => {
    const [first = '', ...rest] = args
    const list = [isText(kind) ? `${first} collate "C"` : first, ...rest].join(', ')
    return `${name === 'min' ? 'least' : 'greatest'}(${list})`
  },
}

import { decimalToNumber, formatDecimal, parseDecimal, pow10 } from '../base/money.ts'
import type { Field } from './field.ts'
import type { ColumnValue, ExpressionKind, FieldType, Value } from './field-type.ts'
import { NUMBER_FORM } from './frappe-form.ts'
import { ORDERED_OPERATORS } from './number.ts'
import {
  assertInRange,
  bounds,
  described,
  pointlessKeys,
  rangeProblems,
  refusal,
  type SpecialKey,
} from './problem.ts'

interface DecimalOptions {
  readonly kind: ExpressionKind
  readonly scale: number
  readonly keys: readonly SpecialKey[]
  /** Bounds that hold where the field declares none. */
  readonly min?: number
  readonly max?: number
  readonly widget?: string
}

/** Most decimal places: more leave too little room before the point in 64 bits. */
const MAX_SCALE = 9
/** Most digits: scaled values stay below 10^18, so that every one fits a 64-bit column. */
const MAX_DIGITS = 18
const LIMIT = pow10(MAX_DIGITS)
/** Limit below which a scaled value has at most 15 digits and a double division is exact to the last of them. */
const EXACT = 1e15

/** An amount of money: four decimals cover the minor unit of every currency (rules.md §3). */
export const currency = decimal('currency', {
  kind: 'money',
  scale: 4,
  keys: ['min', 'max', 'currency'],
})

/** A quantity, a rate, or with a currency the price of one piece, which is not rounded as an amount is. */
export const float = decimal('float', {
  kind: 'decimal',
  scale: 6,
  keys: ['min', 'max', 'scale', 'currency'],
})

/** A percentage: 12.5 means 12.5 %; more than 100 only where the field declares a larger `max` (contract §3). */
export const percent = decimal('percent', {
  kind: 'decimal',
  scale: 6,
  keys: ['min', 'max', 'scale'],
  min: 0,
  max: 100,
})

/** Stars as a share of one: 0.8 is four of five. */
export const rating = decimal('rating', { kind: 'decimal', scale: 2, keys: [], min: 0, max: 1 })

/** Exact decimals, held and stored as integers of 1/10^scale (rules.md §3). */
function decimal(name: string, options: DecimalOptions): FieldType {
  const { kind, scale: ownScale, keys } = options
  const scaleOf = ({ scale }: Field): number => scale ?? ownScale
  const lowest = ({ min }: Field): number | undefined => min ?? options.min
  const highest = ({ max }: Field): number | undefined => max ?? options.max
  /** The largest whole number that its digits before the point can hold. */
  const most = (field: Field): number => 10 ** (MAX_DIGITS - scaleOf(field)) - 1

  return {
    name,
    storage: 'integer',
    kind,
    operators: ORDERED_OPERATORS,
    searchable: false,
    inList: true,
    secret: false,
    widget: options.widget ?? name,
    optionsMean: 'nothing',
    scaleOf,
    schema: (field) => ({
      type: 'number',
      // Generated clients without it hold numbers in 32 bits, which lose cents.
      format: 'double',
      ...bounds(lowest(field), highest(field)),
      ...described(field),
    }),
    limits: (field) => bounds(-most(field), most(field)),
    read(input, field) {
      if (typeof input !== 'number') throw refusal('a number', input)
      const value = toScaled(input, scaleOf(field))
      assertInRange(input, lowest(field), highest(field))
      return value
    },
    readText: (text, field) => parsed(text, scaleOf(field)),
    toWire: (value, field) => decimalToNumber(value as bigint, scaleOf(field)),
    toColumn: (value) => value as bigint,
    fromColumn: toBigInt,
    frappe: NUMBER_FORM,
    check: (field) => [
      ...pointlessKeys(field, keys),
      ...scaleProblems(field),
      ...rangeProblems({ ...field, ...bothBounds(lowest(field), highest(field)) }),
    ],
    example(field, n) {
      const from = lowest(field) ?? 0
      const to = highest(field)
      const steps = to === undefined ? Number.POSITIVE_INFINITY : Math.floor((to - from) * 100) + 1
      const hundredths = steps > 0 ? (n * 125 + 50) % steps : 0
      const places = Math.min(2, scaleOf(field))
      return Number((from + Number(hundredths) / 100).toFixed(places))
    },
  }
}

function bothBounds(
  min: number | undefined,
  max: number | undefined,
): { readonly min?: number; readonly max?: number } {
  return { ...(min === undefined ? {} : { min }), ...(max === undefined ? {} : { max }) }
}

function scaleProblems({ scale }: Field): { key: string; message: string }[] {
  if (scale === undefined || (Number.isInteger(scale) && scale >= 0 && scale <= MAX_SCALE))
    return []
  return [{ key: 'scale', message: `expected 0 to ${MAX_SCALE} decimal places, got ${scale}` }]
}

/**
 * The scaled integer whose nearest double is the input. The quotient of two integers below 2^53 is rounded
 * correctly, so equality proves that the decimal text of the input is exactly `scaled`; all else goes the
 * long way through the digits.
 */
function toScaled(input: number, scale: number): bigint {
  const factor = 10 ** scale
  const scaled = Math.round(input * factor)
  if (scaled < EXACT && scaled > -EXACT && scaled / factor === input) return BigInt(scaled)
  return parsed(input, scale)
}

function parsed(input: number | string, scale: number): bigint {
  const result = parseDecimal(input, scale)
  if (!result.ok) throw refusal(EXPECTED[result.problem](scale), input)
  if (result.value >= LIMIT || result.value <= -LIMIT) {
    throw refusal(`a number below ${formatDecimal(LIMIT, scale)}`, input, 'out_of_range')
  }
  return result.value
}

const EXPECTED = {
  'not-a-number': () => 'a number',
  'too-many-decimals': (scale: number) =>
    scale === 0
      ? 'a whole number'
      : `a number with at most ${scale} ${scale === 1 ? 'decimal' : 'decimals'}`,
  'too-many-digits': () => 'a number of at most 15 digits',
} as const

function toBigInt(column: ColumnValue): Value {
  return typeof column === 'bigint' || column === null ? column : BigInt(column)
}

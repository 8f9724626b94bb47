import type { Field } from './field.ts'
import type { ColumnValue, FieldType, Operator, Value } from './field-type.ts'
import { NUMBER_FORM } from './frappe-form.ts'
import {
  assertInRange,
  bounds,
  described,
  pointlessKeys,
  rangeProblems,
  refusal,
} from './problem.ts'

export const ORDERED_OPERATORS: readonly Operator[] = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'between',
  'in',
]

const DIGITS = /^[+-]?\d{1,16}$/

/** Whole numbers within ±(2^53-1), the range a JSON number keeps. */
export const int = wholeNumber('int', 'a whole number', undefined)

/** A length of time in whole seconds (contract §3). */
export const duration = wholeNumber('duration', 'a whole number of seconds', 0)

function wholeNumber(name: string, expected: string, least: number | undefined): FieldType {
  const lowest = ({ min }: Field): number | undefined => min ?? least

  function safe(input: number, got: unknown): number {
    if (Number.isSafeInteger(input)) return input + 0
    if (Number.isInteger(input))
      throw refusal(`${expected} between -(2^53-1) and 2^53-1`, got, 'out_of_range')
    throw refusal(expected, got)
  }

  return {
    name,
    storage: 'integer',
    kind: 'int',
    operators: ORDERED_OPERATORS,
    searchable: false,
    inList: true,
    secret: false,
    widget: name === 'int' ? 'number' : name,
    optionsMean: 'nothing',
    scaleOf: () => 0,
    schema: (field) => ({
      type: 'integer',
      ...bounds(lowest(field), field.max),
      ...described(field),
    }),
    limits: () => bounds(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    read(input, field) {
      if (typeof input !== 'number') throw refusal(expected, input)
      const value = safe(input, input)
      assertInRange(value, lowest(field), field.max)
      return value
    },
    readText(text) {
      const trimmed = text.trim()
      if (!DIGITS.test(trimmed)) throw refusal(expected, text)
      return safe(Number(trimmed), text)
    },
    toWire: (value) => value,
    toColumn: (value) => value as number,
    fromColumn: toNumber,
    frappe: NUMBER_FORM,
    check: (field) => [
      ...pointlessKeys(field, ['min', 'max']),
      ...(['min', 'max'] as const)
        .filter((key) => field[key] !== undefined && !Number.isSafeInteger(field[key]))
        .map((key) => ({ key, message: `expected ${expected}, got ${field[key]}` })),
      ...rangeProblems(field),
    ],
    example(field, n) {
      const from = lowest(field) ?? 0
      const room = field.max === undefined ? Number.POSITIVE_INFINITY : field.max - from + 1
      return field.max !== undefined && field.max < from ? field.max : from + (n % room)
    },
  }
}

/** Value of a column: SQLite and PostgreSQL give integers as BigInt; within 2^53 they are plain numbers here. */
function toNumber(column: ColumnValue): Value {
  return typeof column === 'number' || column === null ? column : Number(column)
}

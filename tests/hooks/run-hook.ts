import * as assert from 'uvu/assert'
import { AppError } from '../../engine/base/errors.ts'
import { parseDecimal } from '../../engine/base/money.ts'
import {
  type HookKind,
  isRows,
  kindOf,
  type RowsKind,
  type Shape,
} from '../../engine/definition/model/hook.ts'
import { hooks } from '../../hooks/index.ts'

type Plain = string | number | boolean
/** Values as people write them; amounts are numbers or texts of decimals. */
export type PlainRecord = { readonly [name: string]: Plain | readonly PlainRecord[] }

/** Records by DocType and name. */
type Records = Readonly<Record<string, Readonly<Record<string, PlainRecord>>>>

/** Runs a hook on values as people write them; amounts and quantities come back as numbers. */
export function runHook(
  name: string,
  input: PlainRecord,
  records: Records = {},
): readonly Readonly<Record<string, Plain>>[] {
  const hook = hooks.get(name)
  assert.ok(hook, name)
  const given = Object.fromEntries(
    Object.entries(input).map(([key, value]) => [key, inKind(hook.inputs[key]!, value)]),
  )
  const outputs = hook.run(given, (doctype, id) => {
    const record = records[doctype]?.[id]
    return record && recordOf(hook.reads[doctype]!, record)
  })
  return outputs.map((row) =>
    Object.fromEntries(
      Object.entries(row).map(([key, value]) => [key, shown(hook.outputs[key]!, value!)]),
    ),
  )
}

/** The message that a hook refuses its input with. */
export function refusalOf(name: string, input: PlainRecord, records?: Records): string {
  try {
    runHook(name, input, records)
  } catch (error) {
    if (error instanceof AppError) return error.message
    throw error
  }
  throw new Error(`${name} did not refuse`)
}

/** What of a record is in the shape; what it does not say is unset, or absent where it may be. */
function recordOf(shape: Shape, record: PlainRecord): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(shape).flatMap(([name, kind]) => {
      const value = record[name]
      if (value !== undefined) return [[name, inKind(kind, value)]]
      if (isRows(kind)) return [[name, []]]
      return kindOf(kind).optional ? [] : [[name, UNSET[kindOf(kind).kind]]]
    }),
  )
}

const UNSET = {
  str: '',
  date: '',
  datetime: '',
  time: '',
  int: 0,
  decimal: 0n,
  money: 0n,
  bool: false,
}
const SCALES: Readonly<Record<string, number>> = { money: 4, decimal: 6 }

function inKind(kind: HookKind | RowsKind, value: Plain | readonly PlainRecord[]): unknown {
  if (isRows(kind)) return (value as readonly PlainRecord[]).map((row) => recordOf(kind.rows, row))
  const scale = SCALES[kindOf(kind).kind]
  if (scale === undefined) return value
  const decimal = parseDecimal(value as number | string, scale)
  assert.ok(decimal.ok, `${value} is no decimal`)
  return decimal.value
}

function shown(kind: string, value: Plain | bigint): Plain {
  const scale = SCALES[kind]
  return scale === undefined ? (value as Plain) : Number(value) / 10 ** scale
}

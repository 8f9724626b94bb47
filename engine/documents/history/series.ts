import type { Hook, HookValue } from '../../definition/model/hook.ts'
import { isRows, type kindOf } from '../../definition/model/hook.ts'
import {
  ADJUSTS,
  REVERSES,
  VOUCHER_NO,
  VOUCHER_TYPE,
} from '../../definition/model/ledger-fields.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import { unsetValue } from '../../expression/tree/types.ts'
import { hookType } from '../../rules/base/hook-type.ts'
import { valueType } from '../../rules/base/scopes.ts'
import type { Db } from '../../storage/database/database.ts'
import {
  rowsOfSeries,
  type SeriesRow,
  type SeriesSource,
  type SeriesValues,
  sumsBefore,
} from '../../storage/finding/ledger-series.ts'
import type { DocTypeParts } from '../work/context.ts'

/** A ledger that looks back, with what values the rows of a series. */
export interface History extends SeriesSource {
  readonly hook: Hook
  /** Fields that are read of a row. */
  readonly fields: ReadonlySet<string>
}

/** A row of a series that nothing takes back, with what was posted of it since. */
export interface LiveRow {
  readonly name: string
  readonly place: string
  /** The same for rows that a document posted together. */
  readonly group: string
  readonly row: SeriesRow
  readonly quantity: bigint
  readonly value: bigint
}

/** Rows of a series, and what they begin with. */
export interface Series {
  readonly values: SeriesValues
  /** Place of the first; undefined for all rows. */
  readonly from: string | undefined
  readonly quantity: bigint
  readonly value: bigint
  readonly rows: readonly LiveRow[]
}

/** What the hook says of a row. */
export interface Valued {
  readonly quantity: bigint
  readonly value: bigint
}

export const NOTHING: Valued = { quantity: 0n, value: 0n }

/** The history of a ledger; undefined where it does not look back. */
export function historyOf(
  { definition }: Pick<DocTypeParts, 'definition'>,
  registry: Registry,
): History | undefined {
  const declared = definition.behaviour.ledger?.looks_back
  const hook = declared && registry.vocabulary.hooks.get(declared.hook)
  if (!declared || !hook) return undefined
  const { series, place, quantity, value, basis, whole, flow, takes, may_lack } = declared
  const words = [...series, place, quantity, value, basis, whole, flow, takes, may_lack]
  const rows = hook.inputs.rows
  const inputs = [...Object.keys(hook.inputs), ...Object.keys(isRows(rows!) ? rows.rows : {})]
  const copied = definition.behaviour.ledger?.split?.copy ?? []
  const fields = new Set([...words, ...inputs, ...copied].filter((name) => name !== undefined))
  return { definition, declared, hook, fields }
}

/** A series from a place on; whole where its values follow from all rows before. */
export async function readSeries(
  db: Db,
  history: History,
  values: SeriesValues,
  from: string | undefined,
): Promise<Series> {
  const posted = await rowsOfSeries(db, history, values, from, history.fields)
  const { whole } = history.declared
  const isWhole = whole !== undefined && (posted.at(-1)?.[whole] ?? '') !== ''
  if (from !== undefined && isWhole) return readSeries(db, history, values, undefined)
  const [quantity, value] =
    from === undefined ? [0n, 0n] : await sumsBefore(db, history, values, from)
  return { values, from, quantity, value, rows: livingRows(history, posted) }
}

/** Rows that are not taken back, each with the difference rows that brought it right. */
function livingRows({ declared }: History, posted: readonly SeriesRow[]): readonly LiveRow[] {
  const undone = new Set(posted.map((row) => row[REVERSES]).filter((name) => name !== null))
  const living = new Map<string, LiveRow>()
  const differences: SeriesRow[] = []
  let group = 0
  let voucher = ''
  for (const row of posted) {
    const name = String(row.name)
    if (row[REVERSES] !== null || undone.has(name)) continue
    if (row[ADJUSTS] !== null) {
      differences.push(row)
      continue
    }
    const place = String(row[declared.place] ?? '')
    const of = `${row[VOUCHER_TYPE]}\0${row[VOUCHER_NO]}\0${place}`
    if (of !== voucher) group += 1
    voucher = of
    const amounts = { quantity: amount(row, declared.quantity), value: amount(row, declared.value) }
    living.set(name, { name, place, group: String(group), row, ...amounts })
  }
  for (const row of differences) {
    const adjusted = living.get(String(row[ADJUSTS]))
    if (!adjusted) continue
    living.set(adjusted.name, {
      ...adjusted,
      quantity: adjusted.quantity + amount(row, declared.quantity),
      value: adjusted.value + amount(row, declared.value),
    })
  }
  return [...living.values()]
}

function amount(row: SeriesRow, name: string): bigint {
  return BigInt((row[name] ?? 0) as bigint | number)
}

/** Quantity and value of rows in their order, where this was there before; `taken` is what a row gets from others. */
export function valuesOf(
  { hook, declared, definition }: History,
  rows: readonly LiveRow[],
  opening: Valued,
  taken: (row: LiveRow) => Valued,
): readonly Valued[] {
  if (rows.length === 0) return []
  const { rows: shape, ...scalars } = hook.inputs
  const reader = readerOf(definition)
  const input: Record<string, unknown> = {}
  for (const [name, kind] of Object.entries(scalars)) {
    if (name === 'opening_qty') input[name] = opening.quantity
    else if (name === 'opening_value') input[name] = opening.value
    else if (!isRows(kind)) input[name] = reader(name, kind)(rows.at(-1)!.row)
  }
  const columns = Object.entries(isRows(shape!) ? shape.rows : {}).map(([name, kind]) => {
    if (name === 'group') return [name, ({ group }: LiveRow) => group] as const
    if (name === 'taken') return [name, (row: LiveRow) => taken(row).value] as const
    if (name === 'taken_qty') return [name, (row: LiveRow) => taken(row).quantity] as const
    if (name === declared.quantity) return [name, ({ quantity }: LiveRow) => quantity] as const
    if (name === declared.value) return [name, ({ value }: LiveRow) => value] as const
    const read = reader(name, kind)
    return [name, ({ row }: LiveRow) => read(row)] as const
  })
  input.rows = rows.map((row) =>
    Object.fromEntries(columns.map(([name, read]) => [name, read(row)])),
  )
  return hook
    .run(input, () => undefined)
    .map(({ qty, value }) => ({ quantity: qty as bigint, value: value as bigint }))
}

type Kind = Parameters<typeof kindOf>[0]

function readerOf({ fields }: History['definition']) {
  return (name: string, kind: Kind): ((row: SeriesRow) => HookValue) => {
    const field = fields.find((candidate) => candidate.name === name)
    const type = hookType(kind)
    const unset = unsetValue(type.kind) as HookValue
    if (!field) return () => unset
    const from = valueType(field)
    if (from.kind === type.kind && from.scale === type.scale)
      return (row) => (row[name] ?? unset) as HookValue
    return (row) => {
      const value = row[name] ?? null
      return ((value === null ? null : assignValue(value, from, type)) ?? unset) as HookValue
    }
  }
}

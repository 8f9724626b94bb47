import { AppError, validationError } from '../../base/errors.ts'
import { REVERSES, VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import {
  type SeriesValues,
  sumsOfFlows,
  takersOfFlows,
} from '../../storage/finding/ledger-series.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Work, Written } from '../work/work.ts'
import { type Difference, postDifferences } from './differences.ts'
import { giversOfFlows, holdSeries, lastPlaceOf } from './keepers.ts'
import { type LookBackInput, lookLater, MOST_AT_ONCE } from './look-later.ts'
import {
  type History,
  historyOf,
  type LiveRow,
  NOTHING,
  readSeries,
  type Series,
  type Valued,
  valuesOf,
} from './series.ts'

/** Times that series are valued anew for one posting; more are taken for values that depend on each other. */
const MOST_PASSES = 10_000

/** A series in which something has come to stand before other rows, or was taken back there. */
interface Touched {
  readonly values: SeriesValues
  from: string
  /** What this posting adds at which place. */
  readonly added: { readonly place: string; readonly quantity: bigint }[]
}

/** One looking back: what differs so far, and what was read. */
interface LookBack {
  readonly work: Work
  readonly history: History
  readonly touched: ReadonlyMap<string, Touched>
  readonly read: Map<string, Series>
  /** Series that are still to be valued, with the place to begin at. */
  readonly waiting: Map<string, { readonly values: SeriesValues; from: string }>
  readonly differences: Map<string, Difference>
  /** What flows give to those that take them, as it was posted and as it differs now. */
  readonly flows: Map<string, Valued>
}

/**
 * Brings right what stands behind the rows of these writes, in every ledger that looks back (`ledger.looks_back`): a
 * row whose value is another one now gets a difference row. What is posted at the end of time has nothing behind it and
 * asks no further. Throws VALIDATION_ERROR where more would have left than was there.
 */
export async function lookBack(work: Work, writes: Written[]): Promise<void> {
  const { services } = work.context
  const posted = Map.groupBy(
    writes.filter(
      ({ parts, before, after }) =>
        parts.definition.behaviour.ledger?.looks_back && !before && after,
    ),
    ({ parts }) => parts,
  )
  for (const [ledger, rows] of posted) {
    const history = historyOf(ledger, services.registry)
    if (!history) continue
    const touched = await touchedSeries(
      work,
      ledger,
      history,
      rows.map(({ after }) => after!),
    )
    if (touched.size === 0) continue
    const differences = await differencesOf(work, history, touched)
    const [first] = rows
    if (differences.length > MOST_AT_ONCE) {
      const series = [...touched.values()].map(({ values, from }) => ({ values, from }))
      await lookLater(work, ledger, first!.after!, series, differences.length)
    } else if (differences.length > 0)
      await postDifferences(work, ledger, history, differences, writes)
  }
}

/**
 * Posts the first of the difference rows that are still to be posted in these series, at least `most` of them with the rest
 * of their documents; returns how many. What has been posted of them counts, so doing it again goes on.
 */
export async function lookBackOn(
  work: Work,
  { ledger: doctype, series }: LookBackInput,
  most: number,
  writes: Written[],
): Promise<number> {
  const { services } = work.context
  const ledger = services.partsOf(services.registry.byDoctype(doctype)!)
  const history = historyOf(ledger, services.registry)
  if (!history) return 0
  const touched = new Map<string, Touched>(
    series.map(({ values, from }) => [keyOfSeries(values), { values, from, added: [] }] as const),
  )
  const placeOf = ({ row }: Difference): string => String(row[history.declared.place] ?? '')
  const all = await differencesOf(work, history, touched)
  const sorted = [...all].sort((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  const wanted = new Set(sorted.slice(0, most).map(voucherOf))
  const some = sorted.filter((one) => wanted.has(voucherOf(one)))
  if (some.length > 0) await postDifferences(work, ledger, history, some, writes)
  return some.length
}

function voucherOf({ row }: Difference): string {
  return `${row[VOUCHER_TYPE]}\0${row[VOUCHER_NO]}`
}

/** Series with something behind the rows that were posted; all of those of which a row was taken back. */
async function touchedSeries(
  work: Work,
  ledger: DocTypeParts,
  { declared }: History,
  rows: readonly Doc[],
): Promise<ReadonlyMap<string, Touched>> {
  const { series, place, quantity, flow = '', takes = '', guessed = '' } = declared
  const given = new Set(rows.map((row) => row[flow]))
  const { split } = ledger.definition.behaviour.ledger ?? {}
  const last = lastPlaceOf(work, ledger, declared)
  const touched = new Map<string, Touched & { isBehind: boolean }>()
  for (const row of rows) {
    const values = series.map((name) => valueIn(row, name))
    const from = String(row[place] ?? '')
    const key = keyOfSeries(values)
    const known = touched.get(key) ?? { values, from, added: [], isBehind: false }
    if (from < known.from) known.from = from
    known.added.push({ place: from, quantity: BigInt((row[quantity] ?? 0) as bigint) })
    // What it takes from an earlier document may have been brought right since.
    const isTaken = (row[takes] ?? '') !== '' && !given.has(row[takes]!)
    // What was given together is not what each of them is worth.
    const isPart = split !== undefined && row[split.link] !== null
    known.isBehind ||= row[REVERSES] !== null || isTaken || isPart || row[guessed] === true
    if (last && !known.isBehind) known.isBehind = (await last(row)) > from
    touched.set(key, known)
  }
  for (const [key, { isBehind }] of touched) if (!isBehind) touched.delete(key)
  return touched
}

async function differencesOf(
  work: Work,
  history: History,
  touched: ReadonlyMap<string, Touched>,
): Promise<readonly Difference[]> {
  const waiting = new Map(
    [...touched].map(([key, { values, from }]) => [key, { values, from }] as const),
  )
  const back: LookBack = {
    work,
    history,
    touched,
    read: new Map(),
    waiting,
    differences: new Map(),
    flows: new Map(),
  }
  for (let pass = 0; waiting.size > 0; pass += 1) {
    if (pass >= MOST_PASSES)
      throw new AppError('CONFLICT', 'values of the ledger depend on each other in a circle', {})
    const [key, next] = firstOf(waiting)
    waiting.delete(key)
    await valueAnew(back, key, next.values, next.from)
  }
  for (const [key, series] of back.read) guardQuantities(back, key, series)
  return [...back.differences.values()].filter(
    ({ quantity, value }) => quantity !== 0n || value !== 0n,
  )
}

function firstOf<T extends { readonly from: string }>(
  waiting: ReadonlyMap<string, T>,
): readonly [string, T] {
  let first: readonly [string, T] | undefined
  for (const one of waiting) if (!first || one[1].from < first[1].from) first = one
  return first!
}

/** Values the rows of a series from a place on; what others take from those that differ is valued next. */
async function valueAnew(
  back: LookBack,
  key: string,
  values: SeriesValues,
  from: string,
): Promise<void> {
  const { work, history, differences, flows } = back
  let series = back.read.get(key)
  if (!series || (series.from !== undefined && series.from > from)) {
    await holdSeries(work, history, [values])
    series = await readSeries(work.tx, history, values, from)
    back.read.set(key, series)
  }
  const opening = { quantity: series.quantity, value: series.value }
  let start = 0
  if (series.from !== undefined)
    for (; start < series.rows.length && series.rows[start]!.place < from; start += 1) {
      const now = asItIs(back, series.rows[start]!)
      opening.quantity += now.quantity
      opening.value += now.value
    }
  const rows = series.rows.slice(start).map((row) => asItIs(back, row))
  const { flow, takes } = history.declared
  await readFlows(back, rows)
  const taken = ({ row }: LiveRow): Valued =>
    (takes === undefined ? undefined : flows.get(String(row[takes] ?? ''))) ?? NOTHING
  const passed = new Set<string>()
  for (const [at, valued] of valuesOf(history, rows, opening, taken).entries()) {
    const row = rows[at]!
    const more = valued.value - row.value
    if (valued.quantity === row.quantity && more === 0n) continue
    const before = differences.get(row.name)
    differences.set(row.name, {
      name: row.name,
      row: row.row,
      quantity: (before?.quantity ?? 0n) + valued.quantity - row.quantity,
      value: (before?.value ?? 0n) + more,
    })
    const name = flow === undefined ? '' : String(row.row[flow] ?? '')
    if (name === '' || more === 0n) continue
    const known = flows.get(name)
    if (known !== undefined) flows.set(name, { ...known, value: known.value - more })
    passed.add(name)
  }
  await passOn(back, [...passed])
}

/** A row with what differs of it so far. */
function asItIs({ differences }: LookBack, row: LiveRow): LiveRow {
  const known = differences.get(row.name)
  return known
    ? { ...row, quantity: row.quantity + known.quantity, value: row.value + known.value }
    : row
}

/** Reads what flows give that rows take and that are not known yet. */
async function readFlows(
  { work, history, flows, differences }: LookBack,
  rows: readonly LiveRow[],
): Promise<void> {
  const { flow, takes } = history.declared
  if (flow === undefined || takes === undefined) return
  const wanted = new Set(rows.map(({ row }) => String(row[takes] ?? '')))
  const missing = [...wanted].filter((name) => name !== '' && !flows.has(name))
  for (let at = 0; at < missing.length; at += 500) {
    const some = missing.slice(at, at + 500)
    await holdSeries(work, history, await giversOfFlows(work, history, some))
    const sums = await sumsOfFlows(work.tx, history, some)
    for (const name of some) {
      const { quantity, value } = sums.get(name) ?? NOTHING
      flows.set(name, { quantity: -quantity, value: -value })
    }
  }
  if (missing.length === 0) return
  const isMissing = new Set(missing)
  for (const { row, value } of differences.values()) {
    const name = String(row[flow] ?? '')
    const known = flows.get(name)!
    if (isMissing.has(name)) flows.set(name, { ...known, value: known.value - value })
  }
}

/** What these flows give has changed: the series of who takes it are valued from there on. */
async function passOn(
  { work, history, waiting }: LookBack,
  flows: readonly string[],
): Promise<void> {
  if (flows.length === 0) return
  for (const { values, from } of await takersOfFlows(work.tx, history, flows)) {
    const key = keyOfSeries(values)
    const other = waiting.get(key)
    if (!other) waiting.set(key, { values, from })
    else if (from < other.from) other.from = from
  }
}

/**
 * Throws VALIDATION_ERROR where less than nothing is there once a document has taken what it takes, and less than before this
 * posting: what it brings comes behind that, as when it was posted.
 */
function guardQuantities(back: LookBack, key: string, series: Series): void {
  const { declared } = back.history
  const added = [...(back.touched.get(key)?.added ?? [])]
  let { quantity } = series
  let least = quantity
  let more = 0n
  for (const [at, live] of series.rows.entries()) {
    const now = asItIs(back, live)
    quantity += now.quantity
    if (now.quantity < 0n) least += now.quantity
    more += now.quantity - live.quantity
    const next = series.rows[at + 1]
    if (next?.group === live.group) continue
    const gained = added.reduce(
      (sum, one) => (one.place <= live.place ? sum + one.quantity : sum),
      more,
    )
    const mayLack = declared.may_lack !== undefined && live.row[declared.may_lack] === true
    if (least < 0n && gained < 0n && !mayLack)
      throw lacking(back.history, series.values, live, least)
    least = quantity
  }
}

function lacking(
  { definition, declared }: History,
  values: SeriesValues,
  { row, place }: LiveRow,
  quantity: bigint,
): AppError {
  const { scale = 6 } = { scale: 6 }
  const shown = Number(-quantity) / 10 ** scale
  const of = `${row.voucher_type} ${row.voucher_no} (${place.slice(0, 10)})`
  const named = values.filter((_, at) => !isComputed(definition, declared.series[at]!))
  const pieces = (definition.behaviour.ledger?.split?.copy ?? []).flatMap((name) => row[name] ?? [])
  const what = [named.join(' in '), ...(pieces.length === 0 ? [] : [`(${pieces.join(', ')})`])]
  const message = `${declared.message}: ${shown} of ${what.join(' ')} would be missing at ${of}`
  return validationError([{ field: '', message: `${definition.label}: ${message}`, code: 'rule' }])
}

function isComputed({ fields }: History['definition'], name: string): boolean {
  return fields.find((field) => field.name === name)?.formula !== undefined
}

function keyOfSeries(values: SeriesValues): string {
  return values.join('\0')
}

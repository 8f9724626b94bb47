import type { ReportAnswer, ReportColumn, ReportRow } from '../report/report-types.ts'
import { headOf } from '../report/report-values.ts'

/** How a chart is drawn. */
export type ChartKind = 'bar' | 'line' | 'area' | 'donut'

/** A named row of numbers, one for each place of the axis. */
export interface Series {
  readonly label: string
  readonly values: readonly number[]
}

/** What a chart draws. */
export interface ChartData {
  /** Places of the axis, in their order. */
  readonly places: readonly string[]
  readonly series: readonly Series[]
  /** Kind of the numbers: that of their column. */
  readonly type: string
  /** Whether the series are parts of a whole, and stand on each other. */
  readonly isStacked: boolean
}

/** Places and series that are drawn; what is beyond them is gathered in one more. */
const MOST_PLACES = 12
const MOST_SERIES = 5

/** What the chart of a report draws; undefined where it has none, or nothing to draw. */
export function chartData(
  { chart, columns, data }: ReportAnswer,
  nameOf: (column: ReportColumn, row: ReportRow) => string,
  others: string,
): ChartData | undefined {
  if (!chart || data.length === 0) return undefined
  const y = chart.y.flatMap((name) => columns.find((one) => one.name === name) ?? [])
  const rows = data.filter(({ indent = 0 }) => indent === 0)
  const isTree = data.some(({ indent }) => indent !== undefined)
  const type = y[0]?.type ?? 'float'
  if (typeof chart.x === 'string') {
    const heading = columns.find(({ name }) => name === chart.x)
    if (!heading) return undefined
    return { ...byHeading(heading, y, rows, nameOf, others), type, isStacked: false }
  }
  const places = chart.x
  const count = places.length
  const bases = count === 0 ? 0 : Math.floor(y.length / count)
  if (bases === 0) return undefined
  if (bases > 1) {
    const series = Array.from({ length: bases }, (_, base) => {
      const own = y.slice(base * count, (base + 1) * count)
      const label = headOf({ label: own[0]!.label.replace(` ${places[0]}`, '') })
      return { label, values: own.map(({ name }) => sum(rows, name)) }
    })
    return { ...trimmed(places, series), type, isStacked: false }
  }
  const named = Map.groupBy(rows, (row) => nameOf(columns[0]!, row))
  const all = [...named].map(([label, own]) => ({
    label,
    values: y.map(({ name }) => sum(own, name)),
  }))
  const series = gathered(all, isTree ? all.length : MOST_SERIES, others)
  const isPositive = series.every(({ values }) => values.every((value) => value >= 0))
  return { ...trimmed(places, series), type, isStacked: !isTree && isPositive }
}

/** Periods without those at the beginning and the end in which there is nothing. */
function trimmed(
  places: readonly string[],
  series: readonly Series[],
): Pick<ChartData, 'places' | 'series'> {
  const isUsed = (_: string, at: number): boolean =>
    series.some(({ values }) => values[at] !== 0 && values[at] !== undefined)
  const first = Math.max(0, places.findIndex(isUsed) - 1)
  const last = places.findLastIndex(isUsed)
  if (last < 0) return { places, series }
  return {
    places: places.slice(first, last + 1),
    series: series.map(({ label, values }) => ({ label, values: values.slice(first, last + 1) })),
  }
}

/** Rows with the same heading as one place; the largest first unless they are days. */
function byHeading(
  heading: ReportColumn,
  y: readonly ReportColumn[],
  rows: readonly ReportRow[],
  nameOf: (column: ReportColumn, row: ReportRow) => string,
  others: string,
): Pick<ChartData, 'places' | 'series'> {
  const groups = Map.groupBy(rows, (row) => nameOf(heading, row) || '–')
  const isOfDays = heading.type === 'date'
  const size = (own: readonly ReportRow[]): number =>
    y.reduce((all, { name }) => all + Math.abs(sum(own, name)), 0)
  const sorted = isOfDays
    ? [...groups]
    : [...groups].sort(([, one], [, other]) => size(other) - size(one))
  const kept = sorted.length > MOST_PLACES ? sorted.slice(0, MOST_PLACES - 1) : sorted
  const rest = sorted.slice(kept.length).flatMap(([, own]) => own)
  const places = rest.length > 0 ? [...kept, [others, rest] as const] : kept
  return {
    places: places.map(([name]) => name),
    series: y
      .map((column) => ({
        label: headOf(column),
        values: places.map(([, own]) => sum(own, column.name)),
      }))
      .filter(({ values }, at) => at === 0 || values.some((value) => value !== 0)),
  }
}

/** The largest series, and all others together. */
function gathered(all: readonly Series[], most: number, others: string): readonly Series[] {
  const size = ({ values }: Series): number =>
    values.reduce((total, value) => total + Math.abs(value), 0)
  const sorted = all.filter((one) => size(one) > 0).sort((one, other) => size(other) - size(one))
  if (sorted.length <= most + 1) return sorted
  const rest = sorted.slice(most)
  const values = rest[0]!.values.map((_, at) =>
    rest.reduce((total, one) => total + (one.values[at] ?? 0), 0),
  )
  return [...sorted.slice(0, most), { label: others, values }]
}

function sum(rows: readonly ReportRow[], name: string): number {
  return rows.reduce((all, row) => all + numberIn(row, name), 0)
}

function numberIn(row: ReportRow, name: string): number {
  const value = row[name]
  return typeof value === 'number' ? value : 0
}

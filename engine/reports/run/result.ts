import { interpret } from '../../expression/run/interpret.ts'
import { assignValue } from '../../expression/syntax/assign.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import { isText } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { ColumnValue, Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { valueType } from '../../rules/base/scopes.ts'
import type { Period } from '../declare/periods.ts'
import type { QueryPlan, Report } from '../declare/report.ts'
import type { DrillDown } from './drill-down.ts'
import { inPeriod, type LiveColumn } from './live-columns.ts'
import { type Run, scalarKind } from './statement.ts'
import { ABOVE, inTreeOrder } from './tree-sql.ts'

/** A column as clients see it. */
export interface ResultColumn {
  readonly name: string
  readonly label: string
  readonly type: string
  readonly description?: string
  /** DocType of a link, the column that names it of a dynamic link, values of a select. */
  readonly options?: string | readonly string[]
  /** The column that names the currency of its amounts. */
  readonly currency?: string
  /** The list its numbers add up. */
  readonly link?: DrillDown
}

export type WireRow = Readonly<Record<string, unknown>>

/** The answer of a report (contract §3, Reports). */
export interface ReportResult {
  readonly columns: readonly ResultColumn[]
  readonly data: readonly WireRow[]
  /** Column → sum over all rows; null where the report has none. */
  readonly totals: WireRow | null
  readonly totalLabel: string | undefined
  readonly summary: readonly {
    readonly name: string
    readonly label: string
    readonly type: string
    readonly value: unknown
  }[]
  readonly chart:
    | {
        readonly type: string
        readonly x: string | readonly string[]
        readonly y: readonly string[]
      }
    | undefined
  readonly total: number
  readonly currency: string | undefined
  readonly params: WireRow
}

/** A row as the database gives it. */
export type RawRow = Readonly<Record<string, ColumnValue>>

/** Names that stand beside the columns in every row of the answer. */
export const COUNT = '_count'
export const THERE = '_there'
export const totalName = (column: string): string => `total ${column}`
export const summaryName = (name: string): string => `summary ${name}`

/** The names a column has in a statement, with the period of each. */
export function namesOf(
  run: Run,
  { columns }: QueryPlan,
  column: string,
): readonly { readonly name: string; readonly period: Period | undefined }[] {
  const plan = columns.find(({ name }) => name === column)
  if (!plan?.isPeriodic) return [{ name: column, period: undefined }]
  return run.periods.map((period) => ({ name: inPeriod(column, period), period }))
}

export function plainRows(columns: readonly LiveColumn[], rows: readonly RawRow[]): WireRow[] {
  return rows.filter((row) => row[THERE] !== null).map((row) => shownRow(columns, row))
}

export function treeRows(
  { tree }: Report,
  columns: readonly LiveColumn[],
  rows: readonly RawRow[],
): WireRow[] {
  const nodes = rows
    .filter((row) => row[THERE] !== null)
    .map((row) => ({
      row,
      name: String(row[tree!.column]),
      above: row[ABOVE] === null ? null : String(row[ABOVE]),
    }))
  return inTreeOrder(nodes).map(({ row, indent }) => ({ ...shownRow(columns, row.row), indent }))
}

function shownRow(columns: readonly LiveColumn[], row: RawRow): WireRow {
  const shown: Record<string, unknown> = {}
  for (const { name, plan } of columns)
    if (!plan.hidden) shown[name] = wire(plan.field, fromRaw(plan.field, row[name] ?? null))
  return shown
}

/** Value of a statement's output: PostgreSQL gives a `numeric` as text, and so does SQLite beyond 64 bits. */
function fromRaw({ type }: Field, raw: ColumnValue): Value {
  const kind = scalarKind(type)
  if (isText(kind)) return raw === null || raw === '' ? null : String(raw)
  if (kind === 'bool') return Number(raw ?? 0) !== 0
  // SQLite's integers come as BigInt, and beyond 64 bits they are floats; PostgreSQL has small ones as numbers.
  if (typeof raw === 'number' && !Number.isSafeInteger(raw))
    throw new ExpressionError('the number is too large to show')
  return kind === 'int' ? Number(raw ?? 0) : BigInt(raw ?? 0)
}

export function wire(field: Field, value: Value): unknown {
  return value === null ? null : fieldType(field.type).toWire(value, field)
}

/** The columns that clients see; `{range1}` in a label is what the parameter of that name is. */
export function shownColumns(
  columns: readonly LiveColumn[],
  params: WireRow,
  links: ReadonlyMap<string, DrillDown>,
): ResultColumn[] {
  const filled = (text: string): string =>
    text.replace(/\{(\w+)\}/g, (written, name: string) =>
      Object.hasOwn(params, name) ? String(params[name] ?? '') : written,
    )
  const shown = columns.filter(({ plan }) => !plan.hidden)
  const periodic = new Set(shown.flatMap(({ plan }) => (plan.isPeriodic ? [plan.name] : [])))
  return shown.map(({ name, plan, period }) => {
    const { field, currency } = plan
    const { type, description, link, linkFrom, options } = field
    const label = filled(field.label)
    const named = link ?? linkFrom ?? options
    // Where one number stands for each period, the period says all.
    const inPeriods = periodic.size > 1 ? `${label} ${period?.label}` : period?.label
    return {
      name,
      label: period ? inPeriods! : label,
      type,
      ...(description === undefined ? {} : { description }),
      ...(named === undefined ? {} : { options: named }),
      ...(currency === undefined ? {} : { currency }),
      ...(links.has(name) ? { link: links.get(name)! } : {}),
    }
  })
}

export function totalsOf({ totals }: Report, columns: readonly LiveColumn[], row: RawRow): WireRow {
  const names = new Set(totals.map(({ column }) => column))
  return Object.fromEntries(
    columns
      .filter(({ plan }) => names.has(plan.name))
      .map(({ name, plan: { field } }) => [
        name,
        wire(field, fromRaw(field, row[totalName(name)] ?? null)),
      ]),
  )
}

export function summaryOf({ summary }: Report, run: Run, row: RawRow): ReportResult['summary'] {
  const values: Record<string, Value> = {}
  return summary.map(({ name, field, is, node }) => {
    values[name] =
      is === 'sum'
        ? fromRaw(field, row[summaryName(name)] ?? null)
        : assignValue(
            interpret(node, values, { ...run.environment, records: { param: run.params } }),
            node,
            valueType(field),
          )
    return { name, label: field.label, type: field.type, value: wire(field, values[name]!) }
  })
}

export function chartOf({ chart, main }: Report, run: Run): ReportResult['chart'] {
  if (!chart) return undefined
  const y = chart.y.flatMap((name) => namesOf(run, main, name).map((one) => one.name))
  return {
    type: chart.type,
    x: chart.x === 'periods' ? run.periods.map(({ label }) => label) : chart.x,
    y,
  }
}

import type BetterSqlite3 from 'better-sqlite3'
import type { Books } from '../books.ts'

/** A report as somebody would write it for this one database: its SQL, and the JSON of a page of its rows. */
export interface HandWrittenReport {
  /** The slug of the report, and in brackets what of it, where it is measured more than once. */
  readonly name: string
  readonly slug: string
  readonly books: Books
  readonly params: Readonly<Record<string, string>>
  readonly run: RunByHand
}

export type RunByHand = (database: BetterSqlite3.Database, company: string) => HandWrittenResult

export interface HandWrittenResult {
  /** The first 100; columns that the report has too have its names and values. */
  readonly rows: readonly Row[]
  readonly totals?: Readonly<Record<string, number>>
  readonly profit?: number
}

export type Row = Record<string, number | string | null>

/** A report by its name: `{params, run}`. */
export type ByName = Readonly<Record<string, Pick<HandWrittenReport, 'params' | 'run'>>>

/** The reports over some books; `sales-analytics (orders)` is a run of `sales-analytics`. */
export function over(books: Books, reports: ByName): HandWrittenReport[] {
  return Object.entries(reports).map(([name, report]) => ({
    ...report,
    name,
    slug: name.replace(/ .*/, ''),
    books,
  }))
}

export const FROM = '2026-01-01'
export const TO = '2026-12-31'

/** Money is kept in ten-thousandths, quantities in millionths. */
export const MONEY = 10_000
export const FLOAT = 1_000_000

export const money = (value: number | string | null | undefined): number =>
  Number(value ?? 0) / MONEY

export const totalOf = (rows: readonly Row[], column: string): number =>
  rows.reduce((sum, row) => sum + Number(row[column]), 0)

/** Rows with the values of some columns in their units; `columns` say how many parts each has. */
export function inUnits(rows: readonly Row[], columns: Readonly<Record<string, number>>): Row[] {
  const parts = Object.entries(columns)
  return rows.map((row) => {
    const shown = { ...row }
    for (const [column, of] of parts) if (column in row) shown[column] = Number(row[column]) / of
    return shown
  })
}

/** A page of all the rows, with the sums of some columns over all of them. */
export function pageOf(
  rows: readonly Row[],
  columns: Readonly<Record<string, number>>,
  totals: readonly string[] = [],
): HandWrittenResult {
  return {
    rows: inUnits(rows.slice(0, 100), columns),
    totals: Object.fromEntries(
      totals.map((column) => [column, totalOf(rows, column) / (columns[column] ?? 1)]),
    ),
  }
}

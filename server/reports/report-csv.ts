import { csvLine, spreadsheetCell } from '../../engine/base/csv-line.ts'
import type { ReportResult } from '../../engine/reports/run/result.ts'

/** What a CSV of a report has beside its columns. */
interface Parts {
  /** Whether a column says how deep in the tree a row stands: groups and what is in them are told apart by it. */
  readonly isTree: boolean
  /** Whether the totals stand below. */
  readonly totals: boolean
}

/** Lines of a report as CSV for a spreadsheet: labels above, the rows, and its totals below. */
export function* reportCsv(
  { columns, data, totals, totalLabel }: ReportResult,
  parts: Parts,
): Generator<string, void> {
  const indent = (cell: string): readonly string[] => (parts.isTree ? [cell] : [])
  yield csvLine([...columns.map(({ label }) => label), ...indent('Indent')])
  for (const row of data)
    yield csvLine([
      ...columns.map(({ name }) => spreadsheetCell(row[name])),
      ...indent(String(row.indent ?? 0)),
    ])
  if (!totals || !parts.totals) return
  yield csvLine([
    ...columns.map(({ name }, index) =>
      name in totals ? spreadsheetCell(totals[name]) : index === 0 ? (totalLabel ?? 'Total') : '',
    ),
    ...indent(''),
  ])
}

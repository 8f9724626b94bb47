import { csvLine } from '../../engine/base/csv-line.ts'
import type { ReportResult } from '../../engine/reports/run/result.ts'

/** Lines of a report as CSV for a spreadsheet: labels above, the rows, and its totals below. */
export function* reportCsv({
  columns,
  data,
  totals,
  totalLabel,
}: ReportResult): Generator<string, void> {
  yield csvLine(columns.map(({ label }) => label))
  for (const row of data) yield csvLine(columns.map(({ name }) => cell(row[name])))
  if (!totals) return
  yield csvLine(
    columns.map(({ name }, index) =>
      name in totals ? cell(totals[name]) : index === 0 ? (totalLabel ?? 'Total') : '',
    ),
  )
}

/** Cell of a value; a text that spreadsheets would take for a formula gets an apostrophe (OWASP, CSV injection). */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
}

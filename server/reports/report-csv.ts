import { csvLine } from '../../engine/base/csv-line.ts'
import type { ReportResult } from '../../engine/reports/run/result.ts'

/** A report as CSV for a spreadsheet: labels above, the rows, and its totals below. */
export function reportCsv({ columns, data, totals, totalLabel }: ReportResult): string {
  const lines = data.map((row) => csvLine(columns.map(({ name }) => cell(row[name]))))
  const sums = totals
    ? [
        csvLine(
          columns.map(({ name }, index) =>
            name in totals ? cell(totals[name]) : index === 0 ? (totalLabel ?? 'Total') : '',
          ),
        ),
      ]
    : []
  return [csvLine(columns.map(({ label }) => label)), ...lines, ...sums].join('')
}

/** Cell of a value; a text that spreadsheets would take for a formula gets an apostrophe (OWASP, CSV injection). */
function cell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value !== 'string') return String(value)
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
}

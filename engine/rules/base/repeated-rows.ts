import type { Row } from '../../storage/database/document.ts'

/**
 * Indexes of the rows that agree with an earlier one in all of these columns; empty values agree with each other
 * (docs/doctypes/cookbook/validations.md).
 */
export function repeatedRows(
  rows: readonly Row[],
  columns: readonly string[],
): ReadonlySet<number> {
  const seen = new Set<string>()
  const repeated = new Set<number>()
  for (const [index, row] of rows.entries()) {
    const key = JSON.stringify(columns.map((column) => String(row[column] ?? '')))
    if (seen.has(key)) repeated.add(index)
    seen.add(key)
  }
  return repeated
}

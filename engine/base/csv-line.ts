/** A row of a table (RFC 4180), with the line end that spreadsheets and programs both read. */
export function csvLine(cells: readonly string[]): string {
  const quoted = cells.map((cell) =>
    /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell,
  )
  return `${quoted.join(',')}\r\n`
}

/** Byte order mark: with it Excel reads a CSV as UTF-8. */
export const BYTE_ORDER_MARK = '\uFEFF'

/**
 * Cell of a value for a spreadsheet: a text that would be taken for a formula gets an apostrophe (OWASP, CSV injection), tables
 * and other structures are JSON.
 */
export function spreadsheetCell(value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'object') return JSON.stringify(value)
  if (typeof value !== 'string') return String(value)
  return /^[=+\-@\t\r]/.test(value) ? `'${value}` : value
}

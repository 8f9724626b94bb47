/** Rows as a table that spreadsheets open (RFC 4180). */
export function csvOf(rows: readonly (readonly string[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(',')}\r\n`).join('')
}

function quoted(text: string): string {
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Delimiters a table may have; its first line has most of its own. */
const DELIMITERS = [',', ';', '\t']

/** Rows of a table, its head first; lines without anything in them are left out. A quote that is left open ends with the text. */
export function rowsOfCsv(text: string): string[][] {
  const plain = text.replace(/^\uFEFF/, '')
  const head = plain.split(/\r\n|\n|\r/, 1)[0] ?? ''
  const count = (one: string): number => head.split(one).length
  const delimiter = DELIMITERS.reduce((best, one) => (count(one) > count(best) ? one : best))
  const rows: string[][] = []
  let row: string[] = []
  let cell = ''
  let isQuoted = false
  const endRow = (): void => {
    row.push(cell)
    if (row.some((one) => one !== '')) rows.push(row)
    row = []
    cell = ''
  }
  for (let at = 0; at < plain.length; at += 1) {
    const sign = plain[at]!
    if (isQuoted) {
      if (sign !== '"') cell += sign
      else if (plain[at + 1] === '"') {
        cell += '"'
        at += 1
      } else isQuoted = false
    } else if (sign === '"' && cell === '') isQuoted = true
    else if (sign === delimiter) {
      row.push(cell)
      cell = ''
    } else if (sign === '\n' || sign === '\r') {
      if (sign === '\r' && plain[at + 1] === '\n') at += 1
      endRow()
    } else cell += sign
  }
  if (cell !== '' || row.length > 0) endRow()
  return rows
}

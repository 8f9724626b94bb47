/** A statement as the server reads it (`serves: bank_statements`). */
export interface StatementFile {
  readonly file_name: string
  readonly file_format: string
  readonly content: string
  readonly date_format?: string
  readonly decimal_separator?: string
}

/** Reads the file of a bank: its text, which kind of file it is, and how a table of it writes days and amounts. */
export async function readStatement(file: File): Promise<StatementFile> {
  const content = textOf(new Uint8Array(await file.arrayBuffer())).replace(/^\ufeff/, '')
  const file_format = formatOf(content)
  const shared = { file_name: file.name.slice(0, 140), file_format, content }
  return file_format === 'CSV' ? { ...shared, ...tableForms(content) } : shared
}

/** Banks write UTF-8, or what Windows wrote before. */
function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (_otherBytes) {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

function formatOf(content: string): string {
  const head = content.slice(0, 4_000)
  if (/camt\.05\d|<BkToCstmr/i.test(head)) return 'CAMT.053'
  if (/OFXHEADER|<OFX>/i.test(head)) return 'OFX'
  return /^:20:|\{1:F01|^:25:/m.test(head) ? 'MT940' : 'CSV'
}

/** How the cells of a table write days and amounts, by those that are in it. */
function tableForms(content: string): Pick<StatementFile, 'date_format' | 'decimal_separator'> {
  const rows = content.split(/\r?\n/).slice(1, 40).join('\n')
  const days = /(?<!\d)(\d{4}|\d{1,2})([-./])(\d{1,2})\2(\d{4}|\d{1,2})(?!\d)/.exec(rows)
  const isComma = /\d,\d{2}(?!\d)/.test(rows) && !/\d\.\d{2}(?!\d|[-./])/.test(rows)
  return {
    ...(days ? { date_format: dayForm(days, rows) } : {}),
    decimal_separator: isComma ? 'Comma' : 'Point',
  }
}

function dayForm(
  [, first = '', separator = '', , last = '']: RegExpExecArray,
  rows: string,
): string {
  if (first.length === 4) return `YYYY${separator}MM${separator}DD`
  const year = last.length === 4 ? 'YYYY' : 'YY'
  // With slashes both orders are written: a number above 12 tells which.
  const isMonthFirst =
    separator === '/' &&
    ![...rows.matchAll(/(?<!\d)(\d{1,2})\/\d{1,2}\/\d{2,4}/g)].some(([, one]) => Number(one) > 12)
  return isMonthFirst ? `MM/DD/${year}` : `DD${separator}MM${separator}${year}`
}

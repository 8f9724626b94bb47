import { csvLibrary } from '../engine/base/lazy-libraries.ts'
import { refuse } from '../engine/definition/model/hook.ts'
import {
  type BankTransaction,
  MAX_TRANSACTIONS,
  readAmount,
  readDate,
  transactionOf,
} from './bank-transaction.ts'

/** Layout of a bank's tables; what is empty is found out. */
export interface CsvLayout {
  readonly delimiter: string
  readonly columns: Readonly<Record<CsvColumn, string>>
  readonly dateFormat: string
  readonly decimalSeparator: string
}

export type CsvColumn =
  | 'date'
  | 'description'
  | 'reference'
  | 'deposit'
  | 'withdrawal'
  | 'amount'
  | 'transaction_id'
  | 'currency'

/** Names that banks give their columns, in small letters. */
const USUAL: Readonly<Record<CsvColumn, readonly string[]>> = {
  date: [
    'date',
    'booking date',
    'transaction date',
    'posting date',
    'value date',
    'buchungstag',
    'datum',
  ],
  description: [
    'description',
    'details',
    'narrative',
    'memo',
    'text',
    'verwendungszweck',
    'particulars',
  ],
  reference: [
    'reference',
    'reference number',
    'ref',
    'cheque number',
    'check number',
    'kundenreferenz',
  ],
  deposit: ['deposit', 'deposits', 'credit', 'credit amount', 'paid in', 'money in', 'haben'],
  withdrawal: [
    'withdrawal',
    'withdrawals',
    'debit',
    'debit amount',
    'paid out',
    'money out',
    'soll',
  ],
  amount: ['amount', 'betrag', 'transaction amount'],
  transaction_id: ['transaction id', 'transaction_id', 'id', 'unique id', 'bank reference'],
  currency: ['currency', 'währung', 'ccy'],
}

/** The transactions of a table with a line of headers. Throws AppError naming the line. */
export function csvTransactions(content: string, layout: CsvLayout): readonly BankTransaction[] {
  const [header, ...lines] = readLines(content, layout.delimiter)
  if (!header) return refuse('expected a line of headers, got an empty file')
  const columns = columnsOf(header.cells, layout.columns)
  const read = createDateReader(layout.dateFormat)
  const separator = layout.decimalSeparator === ',' ? ',' : '.'
  return lines.flatMap(({ cells, line }) => {
    if (cells.every((cell) => cell.trim() === '')) return []
    const where = `line ${line}`
    const cell = (column: CsvColumn): string => cells[columns[column] ?? -1]?.trim() ?? ''
    const amount = (column: CsvColumn): bigint =>
      cell(column) === '' ? 0n : readAmount(cell(column), separator, where)
    const transaction = transactionOf(amountOf(columns, amount, where), {
      date: read(cell('date'), where),
      description: cell('description'),
      reference_number: cell('reference'),
      transaction_id: cell('transaction_id'),
      currency: cell('currency'),
    })
    return [transaction]
  })
}

type Columns = Readonly<Partial<Record<CsvColumn, number>>>

interface Line {
  readonly cells: readonly string[]
  /** Its place in the file, from 1. */
  readonly line: number
}

function readLines(content: string, delimiter: string): readonly Line[] {
  const first = content.slice(0, content.search(/[\r\n]|$/))
  const { parse, CsvError } = csvLibrary()
  try {
    const records: unknown = parse(content, {
      bom: true,
      info: true,
      relax_column_count: true,
      skip_empty_lines: true,
      // One more than are taken, so that it shows.
      to: MAX_TRANSACTIONS + 2,
      delimiter:
        delimiter === '' ? likelyDelimiter(first) : delimiter.replace(/^(tab|\\t)$/i, '\t'),
    })
    return (records as readonly { record: string[]; info: { lines: number } }[]).map(
      ({ record, info }) => ({ cells: record, line: info.lines }),
    )
  } catch (error) {
    if (error instanceof CsvError) return refuse(`the table cannot be read: ${error.message}`)
    throw error
  }
}

/** Delimiter of the usual ones that the headers have most of. */
function likelyDelimiter(header: string): string {
  const count = (delimiter: string): number => header.split(delimiter).length
  return [',', ';', '\t'].reduce((best, next) => (count(next) > count(best) ? next : best))
}

function columnsOf(headers: readonly string[], wanted: CsvLayout['columns']): Columns {
  const known = headers.map((header) => header.trim().toLowerCase())
  const columns: Partial<Record<CsvColumn, number>> = {}
  for (const column of Object.keys(USUAL) as CsvColumn[]) {
    const name = wanted[column]
    const names = name === '' ? USUAL[column] : [name.trim().toLowerCase()]
    const index = names.map((candidate) => known.indexOf(candidate)).find((found) => found >= 0)
    if (index !== undefined) columns[column] = index
    else if (name !== '')
      refuse(`no column ${JSON.stringify(name)}; the headers are ${headers.join(', ')}`)
  }
  if (columns.date === undefined)
    refuse(`which column holds the date? The headers are ${headers.join(', ')}`)
  if ((columns.deposit ?? columns.withdrawal ?? columns.amount) === undefined)
    refuse(`which column holds the amount? The headers are ${headers.join(', ')}`)
  return columns
}

/** Amount that came in less what went out: of two columns, or of one with a sign. Withdrawals may have either sign. */
function amountOf(
  { deposit, withdrawal }: Columns,
  amount: (column: CsvColumn) => bigint,
  where: string,
): bigint {
  if (deposit === undefined && withdrawal === undefined) return amount('amount')
  const paidIn = amount('deposit')
  const paidOut = amount('withdrawal')
  if (paidIn !== 0n && paidOut !== 0n)
    refuse(`${where}: expected either a deposit or a withdrawal, got both`)
  if (paidIn < 0n) refuse(`${where}: expected a deposit of 0 or more`)
  return paidIn - (paidOut < 0n ? -paidOut : paidOut)
}

/** Reads dates of a format such as DD.MM.YYYY. Throws AppError for a format that is none. */
function createDateReader(format: string): (text: string, where: string) => string {
  const parts = {
    YYYY: '(?<year>\\d{4})',
    YY: '(?<year>\\d{2})',
    MM: '(?<month>\\d{1,2})',
    DD: '(?<day>\\d{1,2})',
  }
  const written = format === '' ? 'YYYY-MM-DD' : format.toUpperCase()
  const kinds = (written.match(/YYYY|YY|MM|DD|[^-./ ]/g) ?? []).map((part) => part.slice(0, 2))
  if (kinds.sort().join() !== 'DD,MM,YY')
    refuse(
      `expected a date format of YYYY or YY, MM and DD, each once, got ${JSON.stringify(format)}`,
    )
  const tight = !/[-./ ]/.test(written)
  const source = written
    .replace(/[.]/g, '\\.')
    .replace(/YYYY|YY|MM|DD/g, (part) => parts[part as keyof typeof parts])
  // A time may follow.
  const pattern = new RegExp(`^${tight ? source.replaceAll('{1,2}', '{2}') : source}(?:$|[T ])`)
  return (text, where) => {
    const { year, month, day } = pattern.exec(text)?.groups ?? {}
    if (year && month && day) return readDate(year, month, day, where)
    return refuse(`${where}: expected a date like ${written}, got ${JSON.stringify(text)}`)
  }
}

import type { Parser } from 'csv-parse'
import { csvStreamLibrary } from '../../engine/base/lazy-libraries.ts'
import { BrokenSource } from './incoming.ts'

/** A row of a table and the line where it begins. */
export interface CsvRow {
  readonly line: number
  readonly cells: readonly string[]
  /** Bytes of the table up to its end. */
  readonly end: number
}

/** Characters of one row, so that an open quote does not draw a whole file into memory. */
const MAX_ROW = 16 * 1024 * 1024

/**
 * The rows of a table (RFC 4180), the header first. The delimiter is the one of `,`, `;` and tab that the
 * header has most of. Throws BrokenSource where quotes do not match: rows before it have been given.
 */
export async function* csvRows(text: AsyncIterable<string>): AsyncGenerator<CsvRow> {
  const rows: CsvRow[] = []
  let line = 1
  let parser: Parser | undefined
  let broken: Error | undefined
  const take = (cells: string[], { bytes }: { readonly bytes: number }): null => {
    rows.push({ line, cells, end: bytes })
    line += 1 + lineBreaks(cells)
    return null
  }
  for await (const piece of headed(text)) {
    parser ??= openParser(delimiterOf(piece), take, (error) => {
      broken = error
    })
    const open = parser
    await new Promise<void>((done) => open.write(piece, () => done()))
    yield* rows.splice(0)
    if (broken) break
  }
  if (parser && !broken) {
    const open = parser
    await new Promise<void>((done) => open.end(() => done()))
    yield* rows.splice(0)
  }
  if (broken) throw brokenAt(line, broken)
}

function openParser(
  delimiter: string,
  take: (cells: string[], about: { readonly bytes: number }) => null,
  onError: (error: Error) => void,
): Parser {
  const { Parser } = csvStreamLibrary()
  const parser = new Parser({
    delimiter,
    bom: true,
    relax_column_count: true,
    record_delimiter: ['\r\n', '\n', '\r'],
    max_record_size: MAX_ROW,
    // Rows are taken here and not from the stream, which would throw away those before an error.
    on_record: take,
  })
  parser.on('error', onError)
  return parser
}

/** The text, its first piece long enough to hold the header. */
async function* headed(text: AsyncIterable<string>): AsyncGenerator<string> {
  let head: string | undefined = ''
  for await (const piece of text) {
    if (head === undefined) yield piece
    else {
      head += piece
      if (!/[\r\n]/.test(piece) && head.length <= MAX_ROW) continue
      yield head
      head = undefined
    }
  }
  if (head) yield head
}

const DELIMITERS = [',', ';', '\t']

function delimiterOf(head: string): string {
  const [header = ''] = head.replace(/"[^"]*"/g, '').split(/[\r\n]/, 1)
  const counts = DELIMITERS.map((one) => header.split(one).length)
  return DELIMITERS[counts.indexOf(Math.max(...counts))]!
}

function lineBreaks(cells: readonly string[]): number {
  let count = 0
  for (const cell of cells)
    if (cell.includes('\n') || cell.includes('\r')) count += cell.match(/\r\n|\n|\r/g)!.length
  return count
}

const WHY: Readonly<Record<string, string>> = {
  CSV_QUOTE_NOT_CLOSED: 'a quoted cell that begins here is not closed',
  CSV_INVALID_CLOSING_QUOTE:
    'a quoted cell goes on behind its closing quote; a quote inside one is written ""',
  INVALID_OPENING_QUOTE:
    'a quote stands inside a cell that is not quoted; quote the cell and write the quote as ""',
  CSV_MAX_RECORD_SIZE: 'a row is longer than 16 million characters; is a quote not closed?',
}

function brokenAt(line: number, error: Error): BrokenSource {
  const { CsvError } = csvStreamLibrary()
  const known = error instanceof CsvError ? WHY[error.code] : undefined
  return new BrokenSource(line, known ?? error.message)
}

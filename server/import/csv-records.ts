import type { Detail } from '../../engine/base/errors.ts'
import { findUnsafeJson } from '../../engine/base/json-text.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { cellToWire } from '../../engine/fields/cell.ts'
import type { Field } from '../../engine/fields/field.ts'
import { FieldProblem } from '../../engine/fields/field-type.ts'
import { refusal } from '../../engine/fields/problem.ts'
import { type Column, columnsOf, type Mapping } from './columns.ts'
import type { CsvRow } from './csv-rows.ts'
import { FileRefused } from './file-refused.ts'
import { differingNames, type Incoming } from './incoming.ts'

/** Content of a table: its columns, and its records one after the other. */
export interface CsvFile {
  readonly headings: readonly string[]
  readonly columns: readonly Column[]
  readonly records: AsyncIterable<Incoming>
}

/**
 * Records of a table whose first row names the columns. A record begins with a row that has a cell of its
 * own; rows below it that have only cells of its tables are further rows of these, side by side. Throws
 * Failure for headings that name nothing, BrokenSource from `records`.
 */
export async function csvRecords(
  definition: DocTypeDefinition,
  rows: AsyncIterator<CsvRow>,
  mapping?: Mapping,
): Promise<CsvFile> {
  const first = await rows.next()
  if (first.done) throw new FileRefused('the file is empty; expected a row of column names')
  const headings = first.value.cells
  const columns = columnsOf(definition, headings, mapping)
  return { headings, columns, records: grouped(columns, rows) }
}

/** The rows of one record. */
async function* grouped(
  columns: readonly Column[],
  rows: AsyncIterator<CsvRow>,
): AsyncGenerator<Incoming> {
  const isOwn = columns.map((column) => column.kind !== 'note' && !('table' in column))
  const isRows = columns.map((column) => 'table' in column)
  const has = (row: CsvRow, which: readonly boolean[]): boolean =>
    row.cells.some((cell, at) => cell !== '' && which[at] === true)
  let current: CsvRow[] = []
  for (let next = await nextOrBroken(rows); ; next = await nextOrBroken(rows)) {
    if ('broken' in next || next.done) {
      const isOpen = 'broken' in next && isRows.includes(true)
      if (current.length > 0) yield recordOf(columns, current, isOpen)
      if ('broken' in next) throw next.broken
      return
    }
    const row = next.value
    const isContinued = !has(row, isOwn)
    const isLonger = row.cells.slice(columns.length).some((cell) => cell !== '')
    if (isContinued && !has(row, isRows) && !isLonger) continue
    // What stands behind all columns belongs to no other record where none has further rows.
    if (isContinued && current.length > 0 && isRows.includes(true)) {
      current.push(row)
      continue
    }
    if (current.length > 0) yield recordOf(columns, current)
    current = [row]
  }
}

async function nextOrBroken(
  rows: AsyncIterator<CsvRow>,
): Promise<IteratorResult<CsvRow> | { readonly broken: unknown }> {
  try {
    return await rows.next()
  } catch (broken) {
    return { broken }
  }
}

/** `isOpen`: the file breaks off behind these rows, and the record may have had more of them. */
function recordOf(columns: readonly Column[], rows: readonly CsvRow[], isOpen = false): Incoming {
  const reading: Reading = { body: {}, problems: [], lines: new Map() }
  const { body, problems, lines } = reading
  const [first] = rows as readonly [CsvRow]
  if (isOpen)
    problems.push({
      field: '',
      message: 'the file breaks off behind it, so rows of it may be missing',
      code: 'wrong_type',
    })
  const uneven = rows.find(({ cells }) => cells.length !== columns.length)
  if (uneven) {
    const message = `expected ${columns.length} cells, got ${uneven.cells.length}`
    problems.push({ field: '', message, code: 'wrong_type' })
    lines.set('', uneven.line)
  } else {
    for (const [at, column] of columns.entries()) readOwn(reading, column, first.cells[at]!)
    for (const row of rows) readRows(reading, columns, row)
    const nameIn = (wanted: string): string | undefined =>
      first.cells[
        columns.findIndex((column) => column.kind === 'name' && column.heading === wanted)
      ]
    problems.push(...differingNames(nameIn('id'), nameIn('name')))
  }
  return {
    line: first.line,
    end: rows.at(-1)!.end,
    body,
    problems,
    lineOf: (path) => lines.get(path.split('.', 1)[0]!) ?? first.line,
    original: rows.map(({ cells }) => cells),
  }
}

interface Reading {
  readonly body: Record<string, unknown>
  readonly problems: Detail[]
  /** Line of `items[2]`. */
  readonly lines: Map<string, number>
}

function readOwn({ body, problems }: Reading, column: Column, cell: string): void {
  if (column.kind === 'field') read(body, column.field, cell, column.field.name, problems)
  else if (column.kind === 'table') readTable(body, column.field, cell, problems)
  else if (column.kind === 'name' && cell !== '') body.name = cell
  // Without any row the table is empty.
  else if (column.kind === 'rows' || column.kind === 'row-id') rowsIn(body, column.table)
}

function rowsIn(body: Record<string, unknown>, table: string): unknown[] {
  body[table] ??= []
  return body[table] as unknown[]
}

/** The row's part of each table, where it has one. */
function readRows(
  { body, problems, lines }: Reading,
  columns: readonly Column[],
  row: CsvRow,
): void {
  const made = new Map<string, Record<string, unknown>>()
  for (const [at, column] of columns.entries()) {
    if (!('table' in column) || row.cells[at] === '' || made.has(column.table)) continue
    if (column.kind === 'rows-set-by-svc' && column.isWholeTable) continue
    const into: Record<string, unknown> = {}
    const rows = rowsIn(body, column.table)
    made.set(column.table, into)
    lines.set(`${column.table}[${rows.length}]`, row.line)
    rows.push(into)
  }
  for (const [at, column] of columns.entries()) {
    if (column.kind !== 'rows' && column.kind !== 'row-id') continue
    const into = made.get(column.table)
    if (!into) continue
    const cell = row.cells[at]!
    if (column.kind === 'row-id') {
      if (cell !== '') into.row_id = cell
      continue
    }
    const index = rowsIn(body, column.table).length - 1
    read(into, column.field, cell, `${column.table}[${index}].${column.field.name}`, problems)
  }
}

/**
 * An empty cell unsets its field. Where a new record gets a value by itself it says nothing: the same file
 * imported twice would take away what the first time has filled in.
 */
function read(
  into: Record<string, unknown>,
  field: Field,
  cell: string,
  path: string,
  problems: Detail[],
): void {
  if (cell === '' && isFilledByItself(field)) return
  try {
    into[field.name] = cellToWire(field, cell)
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error
    problems.push({ field: path, message: error.message, code: error.code })
  }
}

function isFilledByItself({ default: initial, defaultFrom, lookup, call, fetch }: Field): boolean {
  return [initial, defaultFrom, lookup, call, fetch].some((source) => source !== undefined)
}

function readTable(
  body: Record<string, unknown>,
  { name }: Field,
  cell: string,
  problems: Detail[],
): void {
  if (cell.trim() === '') {
    body[name] = []
    return
  }
  let rows: unknown
  try {
    rows = JSON.parse(cell)
  } catch {
    const { message, code } = refusal('a list of rows as JSON, [{…}, …]', cell)
    problems.push({ field: name, message, code })
    return
  }
  const unsafe = findUnsafeJson(rows, name)
  if (unsafe) problems.push({ field: unsafe.path, message: unsafe.message, code: unsafe.code })
  else body[name] = rows
}

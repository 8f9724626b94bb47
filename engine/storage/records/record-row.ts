import { blankObject } from '../../base/blank-object.ts'
import type { Doc } from '../database/document.ts'
import { type WrittenProperty, writtenWhenWarm } from '../database/written-object.ts'
import {
  type DocTable,
  decode,
  encode,
  type FieldColumn,
  STANDARD_INTEGER_COLUMNS,
  STANDARD_TEXT_COLUMNS,
} from './tables.ts'

/** A row as the database gives it. */
export type RawRow = Readonly<Record<string, unknown>>

/** Columns that every table of records has. */
export const STANDARD_COLUMNS = ['rid', ...STANDARD_TEXT_COLUMNS, ...STANDARD_INTEGER_COLUMNS]

/** Makes a record of a row. */
export type RowDecoder = (raw: RawRow) => Doc

/** Decoders of rows that have the standard columns and some others; each set of columns gets one. */
export function rowDecoders(): (columns: readonly FieldColumn[]) => RowDecoder {
  const decoders = new WeakMap<readonly FieldColumn[], RowDecoder>()
  return (columns) => {
    let decoder = decoders.get(columns)
    if (!decoder) {
      decoder = rowDecoder(columns)
      decoders.set(columns, decoder)
    }
    return decoder
  }
}

/**
 * A decoder of rows with these columns. Names in `tables` are there from the beginning too, where the rows of the tables
 * follow: V8 would make a hash table of a large record that gets them afterwards.
 */
export function rowDecoder(
  columns: readonly FieldColumn[],
  tables: readonly string[] = [],
): RowDecoder {
  const names = [...columns.map(({ name }) => name), ...tables]
  const blank = blankObject([...STANDARD_COLUMNS, ...names])
  const decodeEach: RowDecoder = (raw) => {
    const doc = blank() as Doc
    doc.rid = Number(raw.rid)
    for (const name of STANDARD_TEXT_COLUMNS) doc[name] = raw[name] as string
    for (const name of STANDARD_INTEGER_COLUMNS) doc[name] = Number(raw[name])
    for (const column of columns) doc[column.name] = decode(column, raw[column.name])
    return doc
  }
  return writtenWhenWarm(decodeEach, () => ({
    parameters: ['raw'],
    properties: [
      ['rid', 'Number(raw.rid)'],
      ...STANDARD_TEXT_COLUMNS.map((name): WrittenProperty => [name, `raw.${name}`]),
      ...STANDARD_INTEGER_COLUMNS.map((name): WrittenProperty => [name, `Number(raw.${name})`]),
      ...decodedColumns(columns),
      ...tables.map((name): WrittenProperty => [name, 'null']),
    ],
    known: { columns, decode },
  }))
}

/** Properties of the values of columns, of which `raw` is a row. */
export function decodedColumns(columns: readonly FieldColumn[]): readonly WrittenProperty[] {
  return columns.map(({ name, type }, at) => {
    const column = `raw[${JSON.stringify(name)}]`
    return [name, type.verbatim ? `${column} ?? null` : `decode(columns[${at}], ${column})`]
  })
}

/** Values of a new record for the standard columns but `rid`, and for these others. */
export function insertedValues(columns: readonly FieldColumn[], doc: Doc): unknown[] {
  const values: unknown[] = STANDARD_TEXT_COLUMNS.map((name) => doc[name])
  for (const name of STANDARD_INTEGER_COLUMNS) values.push(doc[name])
  for (const column of columns) values.push(encode(column, doc[column.name] as never))
  return values
}

/** The columns in which two images of a record differ, with the later values. */
export function changedValues(
  { columns }: DocTable,
  before: Doc,
  after: Doc,
): Readonly<Record<string, unknown>> {
  const changes: Record<string, unknown> = {}
  for (const name of STANDARD_TEXT_COLUMNS)
    if (before[name] !== after[name]) changes[name] = after[name]
  for (const name of STANDARD_INTEGER_COLUMNS)
    if (before[name] !== after[name]) changes[name] = after[name]
  for (const column of columns) {
    const value = after[column.name] ?? null
    if ((before[column.name] ?? null) !== value)
      changes[column.name] = encode(column, value as never)
  }
  return changes
}

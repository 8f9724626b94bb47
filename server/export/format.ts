import { csvLine } from '../../engine/base/csv-line.ts'
import { wireToCell } from '../../engine/fields/cell.ts'
import type { Field } from '../../engine/fields/field.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import type { Format } from '../import/format.ts'
import type { SelectedTable, Selection } from './selection.ts'

type Exported = Readonly<Record<string, unknown>>

/** Form of records as text, one after the other. */
export interface RecordFormat {
  readonly head: string
  /** `at` counts from 0. */
  record(record: Exported, at: number): string
  readonly foot: string
}

/** The text of records in this format; records have the fields of the selection. */
export function recordFormat(format: Format, selection: Selection): RecordFormat {
  return {
    jsonl: {
      head: '',
      record: (record: Exported) => `${JSON.stringify(selected(record, selection))}\n`,
      foot: '',
    },
    json: {
      head: '[',
      record: (record: Exported, at: number) =>
        `${at === 0 ? '\n' : ',\n'}${JSON.stringify(selected(record, selection))}`,
      foot: '\n]\n',
    },
    csv: {
      head: csvLine([
        ...selection.own.map(({ name }) => name),
        ...selection.tables.flatMap((table) => columnNames(table)),
      ]),
      record: (record: Exported) => csvLines(record, selection).map(csvLine).join(''),
      foot: '',
    },
  }[format]
}

function columnNames({ field, hasRowId, columns }: SelectedTable): string[] {
  const names = columns.map(({ name }) => name)
  return (hasRowId ? ['row_id', ...names] : names).map((name) => `${field.name}.${name}`)
}

/** The record with only the wanted fields in the rows of its tables. */
function selected(record: Exported, { tables }: Selection): Exported {
  const partial = tables.filter(
    ({ field, hasRowId, columns }) =>
      !hasRowId || columns.length < publicFields(field.child!).length,
  )
  if (partial.length === 0) return record
  const rows = partial.map(({ field, hasRowId, columns }) => {
    const keys = [...(hasRowId ? ['row_id'] : []), ...columns.map(({ name }) => name)]
    return [
      field.name,
      rowsOf(record, field).map((row) => Object.fromEntries(keys.map((key) => [key, row[key]]))),
    ] as const
  })
  return { ...record, ...Object.fromEntries(rows) }
}

/**
 * A record is one line and further ones for the second and later rows of its tables, which stand side by side;
 * the cells of the record itself are empty in these.
 */
function csvLines(record: Exported, { own, tables }: Selection): string[][] {
  const height = Math.max(1, ...tables.map(({ field }) => rowsOf(record, field).length))
  return Array.from({ length: height }, (_, at) => [
    ...own.map((field) => (at === 0 ? wireToCell(field, record[field.name]) : '')),
    ...tables.flatMap((table) => rowCells(table, rowsOf(record, table.field)[at])),
  ])
}

function rowCells({ hasRowId, columns }: SelectedTable, row: Exported | undefined): string[] {
  const cells = columns.map((field) => wireToCell(field, row?.[field.name]))
  return hasRowId ? [row === undefined ? '' : String(row.row_id), ...cells] : cells
}

function rowsOf(record: Exported, { name }: Field): readonly Exported[] {
  const rows = record[name]
  return Array.isArray(rows) ? rows : []
}

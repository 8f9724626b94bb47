import type { PrintColumn, PrintTable } from '../../engine/definition/model/print.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { WireRecord } from '../../engine/documents/work/present.ts'
import type { Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { textIn } from './card.ts'
import type { Formats } from './formats.ts'
import { type Printed, shownTitles } from './printed.ts'
import type { Cell, Grid } from './sheet.ts'

/** Columns of a table that does not say which. */
const MOST_COLUMNS = 6

export interface GridScene {
  readonly context: Context
  readonly formats: Formats
  /** Currency of the record; amounts in it stand without its sign where the sums have it. */
  readonly currency: string | undefined
  readonly isBare: boolean
}

interface Column {
  readonly field: Field
  readonly label: string
  readonly under: Field | undefined
  readonly isMoney: boolean
}

/** A table of a record, with the numbers of its rows; undefined where it has none. */
export async function gridOf(
  scene: GridScene,
  printed: Printed,
  declared: PrintTable,
): Promise<Grid | undefined> {
  const table = printed.definition.fields.find(({ name }) => name === declared.table)
  const rows = rowsIn(printed.record, declared.table)
  if (!table?.child || rows.length === 0) return undefined
  const { fields } = table.child
  const columns = declared.columns
    .flatMap((column) => columnOf(column, fields))
    .filter(({ field, under }) => rows.some((row) => isTold(row, field) || isTold(row, under)))
  const { context, formats } = scene
  const links = columns.map(({ field }) => field)
  const titles = await shownTitles(context, { ...printed.definition, fields: links }, rows)
  const { label } = formats
  return {
    table: declared.table,
    ...(declared.label === undefined ? {} : { title: label(declared.label) }),
    columns: [
      { label: '#', isNumber: false },
      ...columns.map(({ field, label: own, isMoney }) => ({
        field: field.name,
        label: label(own),
        isNumber: isMoney || isNumber(field),
      })),
    ],
    rows: rows.map((row, index) => [
      { text: String(index + 1) },
      ...columns.map((column) => cellOf(scene, printed, row, column, titles[index] ?? {})),
    ]),
  }
}

/** A table with those of its columns that tell something, for records that do not say how they are printed. */
export function plainTable({ record }: Printed, { name, label, child }: Field): PrintTable {
  const rows = rowsIn(record, name)
  const columns = (child ? publicFields(child) : []).filter(
    (field) =>
      !field.hidden && fieldType(field.type).inList && rows.some((row) => isTold(row, field)),
  )
  return { table: name, label, columns: columns.slice(0, MOST_COLUMNS).map((field) => field.name) }
}

/** The rows of a table of a record. */
export function rowsIn(record: WireRecord, table: string): readonly WireRecord[] {
  const rows = record[table]
  return Array.isArray(rows) ? rows : []
}

/** Whether a value is worth ink: unset, 0 and "no" are not. */
export function isTold(row: WireRecord, field: Field | undefined): boolean {
  const value = field && row[field.name]
  return value !== undefined && value !== null && value !== '' && value !== 0 && value !== false
}

function columnOf(declared: string | PrintColumn, fields: readonly Field[]): readonly Column[] {
  const column: PrintColumn = typeof declared === 'string' ? { field: declared } : declared
  const find = (name: string | undefined): Field | undefined =>
    fields.find((field) => field.name === name)
  const field = find(column.field)
  if (!field) return []
  const { label = field.label, under, money = false } = column
  return [{ field, label, under: find(under), isMoney: money }]
}

function cellOf(
  { formats, currency, isBare }: GridScene,
  { record }: Printed,
  row: WireRecord,
  { field, under, isMoney }: Column,
  titles: Readonly<Record<string, string>>,
): Cell {
  const value = titles[field.name] ?? row[field.name]
  const text = (): string => {
    if (!isMoney && fieldType(field.type).kind !== 'money') return formats.value(field, value)
    if (typeof value !== 'number') return ''
    const name = field.currencyField ?? ''
    const own = isMoney ? currency : (textIn(row[name]) ?? textIn(record[name]))
    return formats.money(value, own, isBare && own === currency)
  }
  const more = under ? formats.value(under, row[under.name]) : ''
  return { text: text(), ...(more === '' || more === value ? {} : { under: more }) }
}

function isNumber({ type }: Field): boolean {
  return ['money', 'decimal', 'int'].includes(fieldType(type).kind)
}

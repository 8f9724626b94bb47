import { AppError } from '../../base/errors.ts'
import { suggest } from '../../base/suggest.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { standardFields } from '../../definition/model/standard-fields.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { publicField, publicFields } from '../../fields/public-fields.ts'
import { type Doc, type Row, rowsOf, valueIn } from '../../storage/database/document.ts'

/** One value of a record: that of a field, or of a column in one of its rows. */
export interface Cell {
  readonly doc: Doc
  readonly field: Field
  /** Table and row of a column. */
  readonly table?: Field
  readonly row?: Row
  /** Place of the row, from 0. */
  readonly index?: number
}

/** Name of a cell: `currency`, `items[0].amount`. */
export function placeOf({ field, table, index }: Cell): string {
  return table === undefined ? field.name : `${table.name}[${index}].${field.name}`
}

/** Path of a cell as rules name it: `currency`, `items.amount`. */
export function pathOf({ field, table }: Pick<Cell, 'field' | 'table'>): string {
  return table === undefined ? field.name : `${table.name}.${field.name}`
}

/** Path of a cell's declaration in the YAML. */
export function declaredAt({ field, table }: Pick<Cell, 'field' | 'table'>): readonly string[] {
  const level = table === undefined ? [] : ['fields', table.name]
  // A column that the loader made stands nowhere itself: its find does, or the link that it looks through.
  const find = field.made && (field.lookup?.find ?? field.fetch?.find)
  if (find !== undefined) return [...level, 'find', find]
  return [...level, 'fields', field.made?.of ?? field.partOf ?? field.name]
}

/** Value of a cell. */
export function storedValue({ doc, row, field }: Cell): Value {
  if (row) return row[field.name] ?? null
  return field.name === 'id' ? doc.name : valueIn(doc, field.name)
}

/** Value as GET shows it. */
export function shownValue(field: Field, value: Value): unknown {
  const type = fieldType(field.type)
  if (type.secret) return null
  return value === null ? (type.unset ?? null) : type.toWire(value, field)
}

const IN_ROW = /^(?<table>\w+)(?:\.(?<id>[^.[\]]+)|\[(?<index>\d+)\])\.(?<column>\w+)$/

/**
 * The cell that a caller names: `grand_total`, `items.<row_id>.amount`, or `items[0].amount` as inputs are named.
 * Throws NOT_FOUND for one there is not, with the nearest name there is.
 */
export function cellAt(
  registry: Registry,
  definition: DocTypeDefinition,
  doc: Doc,
  named: string,
): Cell {
  const groups = IN_ROW.exec(named)?.groups
  if (groups) return cellInRow(definition, doc, groups as unknown as RowName)
  const standard = standardFields(definition)
  const field =
    publicField(definition, named) ??
    (standard.some(({ name }) => name === named) ? registry.fieldOf(definition, named) : undefined)
  if (field) return { doc, field }
  const known = [...publicFields(definition), ...standard].map(({ name }) => name)
  throw unknownField(definition.labelPlural, named, known)
}

interface RowName {
  readonly table: string
  readonly id: string | undefined
  readonly index: string | undefined
  readonly column: string
}

function cellInRow(
  definition: DocTypeDefinition,
  doc: Doc,
  { table: name, id, index: at, column }: RowName,
): Cell {
  const table = publicField(definition, name)
  if (!table?.child) {
    const tables = publicFields(definition).flatMap((one) => (one.child ? [one.name] : []))
    throw unknownField(definition.labelPlural, name, tables, 'table')
  }
  const field = publicField(table.child, column)
  if (!field) {
    const known = publicFields(table.child).map((one) => one.name)
    throw unknownField(`rows of ${name}`, column, known)
  }
  const rows = rowsOf(doc, name)
  const index = id === undefined ? Number(at) : rows.findIndex(({ row_id }) => row_id === id)
  const row = rows[index]
  if (row) return { doc, field, table, row, index }
  const which = id === undefined ? `no row ${at}` : `no row ${JSON.stringify(id.slice(0, 60))}`
  throw new AppError(
    'NOT_FOUND',
    `${name} of ${definition.label} ${JSON.stringify(doc.name)} has ${which}; expected the row_id of one of its ${rows.length} rows`,
  )
}

/** Longest name that may be a slip of another. */
const LONGEST_SLIP = 60

function unknownField(
  owners: string,
  name: string,
  known: readonly string[],
  what = 'field',
): AppError {
  const near = name.length > LONGEST_SLIP ? undefined : suggest(name, known)
  const hint = near === undefined ? `they have ${known.join(', ')}` : `did you mean ${near}?`
  return new AppError(
    'NOT_FOUND',
    `${owners} have no ${what} ${JSON.stringify(name.slice(0, LONGEST_SLIP))}; ${hint}`,
  )
}

import { suggest } from '../../engine/base/suggest.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { isStandardField, standardFields } from '../../engine/definition/model/standard-fields.ts'
import type { Field } from '../../engine/fields/field.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { isWritable } from '../../engine/schema/shapes/json-schema.ts'
import { FileRefused } from './file-refused.ts'

/** Purpose of a column of a table. */
export type Column =
  | { readonly kind: 'field'; readonly field: Field }
  | { readonly kind: 'rows'; readonly table: string; readonly field: Field }
  /** A whole table as JSON in one cell. */
  | { readonly kind: 'table'; readonly field: Field }
  /** Names a row of a table that is there already. */
  | { readonly kind: 'row-id'; readonly table: string }
  /** The name of the record: of a new one where it is given, of the one to change with `--upsert`. */
  | { readonly kind: 'name'; readonly heading: string }
  /** The workspace sets it. */
  | { readonly kind: 'set-by-svc'; readonly heading: string }
  /** The workspace sets it in each row of a table, or the whole table. */
  | {
      readonly kind: 'rows-set-by-svc'
      readonly table: string
      readonly heading: string
      readonly isWholeTable: boolean
    }
  /** `_line` and `_error` of an error file. */
  | { readonly kind: 'note' }

/** Fields of columns whose headings do not say them, by heading; null leaves a column out. */
export type Mapping = Readonly<Record<string, string | null>>

/** The field of each column, by heading, as `columnsOf` has found or was told it; null where it is left out. */
export function mappingOf(headings: readonly string[], columns: readonly Column[]): Mapping {
  return Object.fromEntries(headings.map((heading, at) => [heading.trim(), fieldIn(columns[at]!)]))
}

function fieldIn(column: Column): string | null {
  switch (column.kind) {
    case 'field':
    case 'table':
      return column.field.name
    case 'rows':
      return `${column.table}.${column.field.name}`
    case 'row-id':
      return `${column.table}.row_id`
    case 'name':
      return 'id'
    default:
      return null
  }
}

/** Columns of an error file; they come first in it and are passed over when it is imported again. */
export const NOTE_COLUMNS: readonly string[] = ['_line', '_error']

/** Headings a message names: of a file that is none of ours all are unknown. */
const MAX_PROBLEMS = 20

/** Characters of a heading that a message shows. */
const MAX_SHOWN = 80

/**
 * Column of each heading: a field by its name, or by its label where only one has it; `items.qty` for a field of
 * the rows of a table; or what `mapping` says instead. Throws FileRefused that names the headings that are unknown, ambiguous or there twice, with
 * what may be meant.
 */
export function columnsOf(
  definition: DocTypeDefinition,
  headings: readonly string[],
  mapping: Mapping = {},
): readonly Column[] {
  const problems = Object.keys(mapping)
    .filter((heading) => !headings.some((one) => one.trim() === heading))
    .map((heading) => `the file has no column ${quoted(heading)} to map`)
  const columns = headings.map((heading): Column => {
    const wanted = heading.trim()
    const mapped = Object.hasOwn(mapping, wanted) ? mapping[wanted]! : wanted
    if (mapped === null) return { kind: 'note' }
    const found = columnOf(definition, mapped)
    if (typeof found !== 'string') return found
    problems.push(found)
    return { kind: 'note' }
  })
  const seen = new Map<string, string>()
  for (const [at, column] of columns.entries()) {
    const key = keyOf(column)
    const heading = headings[at]!
    const twin = seen.get(key)
    if (key !== '' && twin !== undefined)
      problems.push(`columns ${quoted(twin)} and ${quoted(heading)} are the same field`)
    seen.set(key, heading)
  }
  for (const column of columns) {
    if (
      column.kind === 'table' &&
      columns.some((one) => 'table' in one && one.table === column.field.name)
    )
      problems.push(
        `${column.field.name} is there whole and as ${column.field.name}.… columns; expected one of both`,
      )
  }
  if (problems.length > 0) {
    const more = problems.length - MAX_PROBLEMS
    throw new FileRefused(
      `${problems.slice(0, MAX_PROBLEMS).join('; ')}${more > 0 ? `; and ${more} more` : ''}`,
    )
  }
  return columns
}

function keyOf(column: Column): string {
  if (column.kind === 'field' || column.kind === 'table') return column.field.name
  if (column.kind === 'rows') return `${column.table}.${column.field.name}`
  return column.kind === 'row-id' ? `${column.table}.row_id` : ''
}

/** The column, or what is wrong with its heading. */
function columnOf(definition: DocTypeDefinition, heading: string): Column | string {
  if (NOTE_COLUMNS.includes(heading)) return { kind: 'note' }
  if (heading === '') return 'a column has no heading'
  if (heading === 'id' || heading === 'name') return { kind: 'name', heading }
  const known = [
    ...publicFields(definition),
    ...standardFields(definition).filter(({ name }) => name !== 'id' && name !== 'name'),
  ]
  const field = matching(known, heading)
  // A label may have a dot in it: `Order No.`
  const dot = heading.indexOf('.')
  if (Array.isArray(field))
    return dot > 0
      ? columnOfTable(definition, heading, dot)
      : unknown(heading, field, namesOf(definition))
  if (isStandardField(field.name) || !isWritable(field, 'create'))
    return { kind: 'set-by-svc', heading: field.name }
  return field.child ? { kind: 'table', field } : { kind: 'field', field }
}

function columnOfTable(
  definition: DocTypeDefinition,
  heading: string,
  dot: number,
): Column | string {
  const tables = publicFields(definition).filter(({ child }) => child)
  const table = matching(tables, heading.slice(0, dot))
  if (Array.isArray(table)) return unknown(heading, table, namesOf(definition))
  return columnOfRows(table, heading, heading.slice(dot + 1).trim())
}

function columnOfRows(table: Field, heading: string, wanted: string): Column | string {
  if (!isWritable(table, 'create'))
    return {
      kind: 'rows-set-by-svc',
      table: table.name,
      heading: table.name,
      isWholeTable: true,
    }
  if (wanted === 'row_id') return { kind: 'row-id', table: table.name }
  const fields = publicFields(table.child!)
  const field = matching(fields, wanted)
  if (Array.isArray(field))
    return unknown(
      heading,
      field,
      fields.map(({ name }) => `${table.name}.${name}`),
    )
  return isWritable(field, 'create')
    ? { kind: 'rows', table: table.name, field }
    : {
        kind: 'rows-set-by-svc',
        table: table.name,
        heading: `${table.name}.${field.name}`,
        isWholeTable: false,
      }
}

/** The field of that name or label; else all that have the label. */
function matching(fields: readonly Field[], wanted: string): Field | Field[] {
  const named = fields.find(({ name }) => name === wanted)
  if (named) return named
  const lower = wanted.toLowerCase()
  const labelled = fields.filter(
    ({ name, label }) => label.toLowerCase() === lower || name.toLowerCase() === lower,
  )
  return labelled.length === 1 ? labelled[0]! : labelled
}

function unknown(heading: string, found: readonly Field[], names: readonly string[]): string {
  if (found.length > 1)
    return `column ${quoted(heading)} may be ${found.map(({ name }) => name).join(' or ')}; use the field's name`
  const near = suggest(heading, names)
  return `unknown column ${quoted(heading)}${near === undefined ? '' : `; did you mean ${near}?`}`
}

function namesOf(definition: DocTypeDefinition): string[] {
  return publicFields(definition).flatMap(({ name, child }) => [
    name,
    ...(child ? publicFields(child).map((field) => `${name}.${field.name}`) : []),
  ])
}

function quoted(text: string): string {
  return JSON.stringify(text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text)
}

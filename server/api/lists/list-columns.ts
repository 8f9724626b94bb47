import type { QueryScope } from '../../../engine/documents/lists/query-scope.ts'
import type { QueryColumn } from '../../../engine/storage/query/query-source.ts'
import { fieldNotPermitted } from '../data-error.ts'

/** Columns by the names that clients of Frappe know them by. */
const RECORD_NAMES: Readonly<Record<string, string>> = { creation: 'created' }
const ROW_NAMES: Readonly<Record<string, string>> = { ...RECORD_NAMES, name: 'row_id' }

/** Standard columns in the order Frappe has them. */
const STANDARD = ['name', 'creation', 'modified', 'modified_by', 'owner', 'docstatus', 'idx']
const STANDARD_OF_ROWS = [...STANDARD, 'parent', 'parentfield', 'parenttype']

/** Longest name of a field: longer texts name none. */
const MAX_LENGTH = 300

const PLAIN = /^`?(\w+)`?$/
const DOTTED = /^`?(\w+)`?\.`?(\w+)`?$/
const OF_DOCTYPE = /^`?tab([^`.]+)`?\.`?(\w+|\*)`?$/

/** A field as a client writes it: its key in the answer, and where it is. */
export interface NamedColumn {
  readonly key: string
  readonly column: QueryColumn
}

/**
 * The column named by `field`, `table_field.field`, `link_field.field` or `` `tabDocType`.`field` ``. Throws
 * DataError where there is none or it may not be read, 403 for a linked DocType that the caller may not read.
 */
export function namedColumn(scope: QueryScope, text: string): NamedColumn {
  const found = text.length <= MAX_LENGTH ? find(scope, text.trim()) : undefined
  if (!found) throw fieldNotPermitted(text)
  return found
}

function find(scope: QueryScope, text: string): NamedColumn | undefined {
  const ofDoctype = OF_DOCTYPE.exec(text)
  const column = ofDoctype && columnOfDoctype(scope, ofDoctype[1]!, ofDoctype[2]!)
  if (column) return { key: ofDoctype[2]!, column }
  const [, place, name] = DOTTED.exec(text) ?? [undefined, '', PLAIN.exec(text)?.[1]]
  if (name === undefined) return undefined
  if (place === '') return named(name, ownColumn(scope, name))
  const [table] = scope.tables(place!)
  return named(
    name,
    table === undefined
      ? scope.ofLinked(place!, RECORD_NAMES[name] ?? name)
      : scope.ofRows(table, ROW_NAMES[name] ?? name),
  )
}

function named(key: string, column: QueryColumn | undefined): NamedColumn | undefined {
  return column && { key, column }
}

function ownColumn(scope: QueryScope, name: string): QueryColumn | undefined {
  const names = scope.isOfRows ? ROW_NAMES : RECORD_NAMES
  return scope.own(names[name] ?? name)
}

function columnOfDoctype(
  scope: QueryScope,
  doctype: string,
  name: string,
): QueryColumn | undefined {
  if (doctype === scope.doctype) return ownColumn(scope, name)
  const [table] = scope.tables(doctype)
  return table === undefined ? undefined : scope.ofRows(table, ROW_NAMES[name] ?? name)
}

/**
 * The column a condition is about: `field` of the named DocType (the one listed, or that of its rows), else as
 * `namedColumn`, or a field of the rows of a table that was left out. Throws as `namedColumn`.
 */
export function filteredColumn(
  scope: QueryScope,
  doctype: string | undefined,
  field: string,
): QueryColumn {
  const text = field.trim()
  const plain = text.length <= MAX_LENGTH ? PLAIN.exec(text)?.[1] : undefined
  if (doctype !== undefined && doctype !== scope.doctype) {
    const column = plain === undefined ? undefined : columnOfDoctype(scope, doctype, plain)
    if (!column) throw fieldNotPermitted(`${doctype}.${field}`)
    return column
  }
  const own = plain === undefined ? undefined : ownColumn(scope, plain)
  const ofRows = own || plain === undefined ? undefined : scope.ofSomeRows(plain)
  return own ?? ofRows ?? namedColumn(scope, text).column
}

/** Whether the text means all fields: `*`, or that of the DocType itself. */
export function isEverything(scope: QueryScope, text: string): boolean {
  const [, doctype, name] = OF_DOCTYPE.exec(text) ?? []
  return text === '*' || (name === '*' && doctype === scope.doctype)
}

/** All fields with a column, the standard ones first; secret ones are no fields here. */
export function everyColumn(scope: QueryScope): NamedColumn[] {
  const standard = scope.isOfRows ? STANDARD_OF_ROWS : STANDARD
  const names = [...standard, ...scope.fields.map(({ name }) => name)]
  return [...new Set(names)].map((name) => namedColumn(scope, name))
}

import { blankObject, copierOf } from '../../base/blank-object.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Value } from '../../fields/field-type.ts'

/**
 * A row of a child table; `row_id` is stable for its life and unique in its table. `idx` is its place, from
 * 1, while rules look at it.
 */
export interface Row {
  row_id: string
  idx?: number
  [field: string]: Value
}

/**
 * A record as the engine holds it: standard columns and field values flat beside each other, so that
 * expressions see one scope; tables are arrays of rows. `rid` is the row's number in its table and is
 * never shown; `version` counts the changes.
 */
export interface Doc {
  rid: number
  name: string
  owner: string
  created: string
  modified: string
  modified_by: string
  docstatus: number
  version: number
  [field: string]: Value | Row[]
}

/** The rows of a table field; an unset table is empty. */
export function rowsOf(doc: Doc, field: string): Row[] {
  const rows = doc[field]
  return Array.isArray(rows) ? rows : []
}

/** The value of a scalar field; unset is null. */
export function valueIn(doc: Doc, field: string): Value {
  const value = doc[field]
  return value === undefined || Array.isArray(value) ? null : value
}

/** The standard columns of a record with nothing set: version 1, draft. */
const UNSET = {
  rid: 0,
  name: '',
  owner: '',
  created: '',
  modified: '',
  modified_by: '',
  docstatus: 0,
  version: 1,
}

/** Makes new records with nothing set. Times and names are filled by `applyChange`. */
export function docMaker(definition: DocTypeDefinition): () => Doc {
  const { fields } = definition
  const blank = blankObject(namesOf(definition), UNSET)
  const tables = fields.filter(({ child }) => child).map(({ name }) => name)
  return () => {
    const doc = blank() as Doc
    for (const name of tables) doc[name] = []
    return doc
  }
}

/** Makes copies, as `cloneDoc`, of the records of one DocType. */
export function docCloner(definition: DocTypeDefinition): typeof cloneDoc {
  const copied = copierOf([...Object.keys(UNSET), ...namesOf(definition)])
  const tables = definition.fields.filter(({ child }) => child).map(({ name }) => name)
  return (doc, values = {}) => {
    const copy = copied(doc)
    for (const name of tables) copyRows(copy, name)
    return Object.assign(copy, values)
  }
}

/** Names of what a record has beside what every record has. */
function namesOf({ fields, submittable }: DocTypeDefinition): readonly string[] {
  return [...fields.map(({ name }) => name), ...(submittable ? ['amended_from'] : [])]
}

function copyRows(doc: Doc, name: string): void {
  const rows = doc[name]
  if (Array.isArray(rows)) doc[name] = rows.map((row) => ({ ...row }))
}

/** A copy with other `values`, whose rows may be changed without changing those of the original. */
export function cloneDoc(doc: Doc, values: Readonly<Record<string, unknown>> = {}): Doc {
  const copy = { ...doc }
  for (const name in copy) copyRows(copy, name)
  // One by one: with a spread of them too, V8 would copy a large document twice.
  return Object.assign(copy, values)
}

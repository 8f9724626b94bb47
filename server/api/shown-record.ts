import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { standardFields } from '../../engine/definition/model/standard-fields.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { ChildDefinition, Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import type { Dialect } from '../../engine/schema/dialect/dialect.ts'
import { addShownNames } from '../../engine/schema/dialect/shown-names.ts'

/** Standard fields whose names differ. */
const FRAPPE_NAMES: Readonly<Record<string, string>> = { created: 'creation' }

type Shown = Record<string, unknown>
type Stored = Readonly<Shown>

export interface ShownOptions {
  /** Names that the fields have for the clients beside their own. */
  readonly dialect?: Dialect
  /** Frappe's v1 answers of single documents leave unset fields out; lists and methods keep them as null. */
  readonly omitUnset?: boolean
}

/**
 * A record (the shape of GET, contract §3) as Frappe's clients know it: its standard fields by Frappe's names,
 * rows with `name`, `parent`, `idx` and so on, values in Frappe's form. Secret fields are absent.
 */
export function shownRecord(
  definition: DocTypeDefinition,
  record: Stored,
  { omitUnset = false, dialect }: ShownOptions = {},
): Shown {
  const { doctype, submittable } = definition
  const fields = publicFields(definition)
  const shown: Shown = {
    name: record.name,
    ...writtenBy(definition, record),
    idx: 0,
    ...shownFields(fields, record),
  }
  if (submittable) shown.amended_from = record.amended_from ?? null
  shown.doctype = doctype
  addShownNames(dialect?.of(doctype), shown)
  if (omitUnset) dropUnset(shown)
  for (const { name, child } of fields) {
    if (!child) continue
    const rows = shownRows(definition, name, child, record, dialect)
    if (omitUnset) for (const row of rows) dropUnset(row)
    shown[name] = rows
  }
  return shown
}

/** A record as the caller's client knows it, with the names of the workspace's dialect. */
export function shownFor(
  { services }: Context,
  definition: DocTypeDefinition,
  record: Stored,
  options: Omit<ShownOptions, 'dialect'> = {},
): Shown {
  return shownRecord(definition, record, { ...options, dialect: services.dialect() })
}

/** The rows of one table of a record, in their order. */
export function shownRows(
  definition: DocTypeDefinition,
  parentfield: string,
  child: ChildDefinition,
  record: Stored,
  dialect?: Dialect,
): Shown[] {
  const rows = (record[parentfield] ?? []) as readonly Stored[]
  const fields = publicFields(child)
  const words = dialect?.of(child.name)
  return rows.map((row, index) => {
    const shown: Shown = {
      name: row.row_id,
      ...writtenBy(definition, record),
      idx: index + 1,
      ...shownFields(fields, row),
      parent: record.name,
      parentfield,
      parenttype: definition.doctype,
      doctype: child.name,
    }
    addShownNames(words, shown)
    return shown
  })
}

/** Rows have no owner and times of their own: they change with their record. */
function writtenBy(definition: DocTypeDefinition, record: Stored): Shown {
  const shown: Shown = {}
  for (const { name, type } of standardFields(definition)) {
    if (name !== 'id' && name !== 'name' && name !== 'amended_from')
      shown[FRAPPE_NAMES[name] ?? name] = fieldType(type).frappe.show(record[name] ?? null)
  }
  shown.docstatus ??= 0
  return shown
}

function shownFields(fields: readonly Field[], record: Stored): Shown {
  const shown: Shown = {}
  for (const { name, type } of fields) {
    const { storage, secret, frappe } = fieldType(type)
    if (storage !== 'rows' && !secret) shown[name] = frappe.show(record[name] ?? null)
  }
  return shown
}

function dropUnset(shown: Shown): void {
  for (const [name, value] of Object.entries(shown)) if (value === null) delete shown[name]
}

import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import { standardFields } from '../../engine/definition/model/standard-fields.ts'
import type { ChildDefinition, Field } from '../../engine/fields/field.ts'
import { fieldType } from '../../engine/fields/index.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'

/** Standard fields whose names differ. */
const FRAPPE_NAMES: Readonly<Record<string, string>> = { created: 'creation' }

type Shown = Record<string, unknown>
type Stored = Readonly<Shown>

export interface ShownOptions {
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
  { omitUnset = false }: ShownOptions = {},
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
  if (omitUnset) dropUnset(shown)
  for (const { name, child } of fields) {
    if (!child) continue
    const rows = shownRows(definition, name, child, record)
    if (omitUnset) for (const row of rows) dropUnset(row)
    shown[name] = rows
  }
  return shown
}

/** The rows of one table of a record, in their order. */
export function shownRows(
  definition: DocTypeDefinition,
  parentfield: string,
  child: ChildDefinition,
  record: Stored,
): Shown[] {
  const rows = (record[parentfield] ?? []) as readonly Stored[]
  const fields = publicFields(child)
  return rows.map((row, index) => ({
    name: row.row_id,
    ...writtenBy(definition, record),
    idx: index + 1,
    ...shownFields(fields, row),
    parent: record.name,
    parentfield,
    parenttype: definition.doctype,
    doctype: child.name,
  }))
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

import { validationError } from '../../engine/base/errors.ts'
import { suggest } from '../../engine/base/suggest.ts'
import type { DocTypeDefinition } from '../../engine/definition/model/definition.ts'
import type { Field } from '../../engine/fields/field.ts'
import { publicFields } from '../../engine/fields/public-fields.ts'
import { shownFields } from '../../engine/schema/shapes/doctype-schemas.ts'

/** A table in an export, with the fields of its rows; `row_id` is there where the whole table is. */
export interface SelectedTable {
  readonly field: Field
  readonly hasRowId: boolean
  readonly columns: readonly Field[]
}

/** Fields of each record that are exported: `id` and `name` always, so that records can be found again. */
export interface Selection {
  readonly own: readonly Field[]
  readonly tables: readonly SelectedTable[]
}

/**
 * Selection of all fields of a resource, or of those in a list such as `customer,items,taxes.rate` in its order, tables
 * last. Throws 422 that names every one that is unknown.
 */
export function selectionOf(definition: DocTypeDefinition, asked: string | undefined): Selection {
  const fields = shownFields(definition)
  const wanted = asked === undefined ? undefined : wantedFields(fields, asked)
  const own = fields.filter(
    ({ name, child }) => !child && (wanted === undefined || wanted.has(name) || isIdentity(name)),
  )
  const order = [...(wanted ?? [])].filter((name) => !isIdentity(name))
  return {
    own: wanted === undefined ? own : own.toSorted((a, b) => placeIn(order, a) - placeIn(order, b)),
    tables: fields.flatMap((field) => selectedTable(field, wanted)),
  }
}

/** Place of a field in the order asked for; the identity, which need not be asked for, comes first. */
function placeIn(order: readonly string[], { name }: Field): number {
  return order.indexOf(name)
}

function isIdentity(name: string): boolean {
  return name === 'id' || name === 'name'
}

function selectedTable(
  field: Field,
  wanted: ReadonlySet<string> | undefined,
): readonly SelectedTable[] {
  if (!field.child) return []
  const isWhole = wanted?.has(field.name) ?? true
  const columns = publicFields(field.child).filter(
    ({ name }) => isWhole || wanted?.has(`${field.name}.${name}`),
  )
  const hasRowId = isWhole || wanted?.has(`${field.name}.row_id`) === true
  return columns.length > 0 || hasRowId ? [{ field, hasRowId, columns }] : []
}

function wantedFields(fields: readonly Field[], asked: string): ReadonlySet<string> {
  const names = new Set(
    fields.flatMap(({ name, child }) => [
      name,
      ...(child
        ? ['row_id', ...publicFields(child).map((one) => one.name)].map((one) => `${name}.${one}`)
        : []),
    ]),
  )
  const wanted = asked.split(',').map((name) => name.trim())
  const unknown = wanted.filter((name) => !names.has(name))
  if (unknown.length > 0)
    throw validationError(
      unknown.map((name) => {
        const near = suggest(name, names)
        const hint = near === undefined ? '' : ` (did you mean ${near}?)`
        const message = `there is no field ${JSON.stringify(name.slice(0, 80))}${hint}`
        return { field: 'fields', message, code: 'unknown_field' }
      }),
    )
  return new Set(wanted)
}

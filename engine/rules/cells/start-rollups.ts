import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isNumeric, unsetValue } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, rowsOf } from '../../storage/database/document.ts'
import { valueType } from '../base/scopes.ts'

/**
 * What sets the rollups of what is new of a DocType: 0, or unset for `min` and `max`. Only the engine changes them
 * afterwards.
 */
export function rollupStarter({
  fields,
}: DocTypeDefinition): (doc: Doc, before: Doc | undefined) => void {
  const own = emptyRollups(fields)
  const tables = fields
    .map(({ name, child }) => ({ name, columns: emptyRollups(child?.fields ?? []) }))
    .filter(({ columns }) => columns.length > 0)
  return (doc, before) => {
    if (!before) for (const [name, value] of own) doc[name] = value
    for (const { name, columns } of tables) {
      const known = new Set((before ? rowsOf(before, name) : []).map(({ row_id }) => row_id))
      for (const row of rowsOf(doc, name))
        if (!known.has(row.row_id)) for (const [column, value] of columns) row[column] = value
    }
  }
}

function emptyRollups(fields: readonly Field[]): readonly (readonly [string, Value])[] {
  return fields.filter(({ rollup }) => rollup).map((field) => [field.name, emptyRollup(field)])
}

/** Value of a rollup before anything is added up. */
export function emptyRollup(field: Field): Value {
  const { kind } = valueType(field)
  const { operation } = field.rollup!
  if (operation === 'min' || operation === 'max' || !isNumeric(kind)) return null
  return unsetValue(kind)
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { isNumeric, unsetValue } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, rowsOf } from '../../storage/database/document.ts'
import { valueType } from '../base/scopes.ts'

/** Sets the rollups of what is new: 0, or unset for `min` and `max`. Only the engine changes them afterwards. */
export function startRollups(
  { fields }: DocTypeDefinition,
  doc: Doc,
  before: Doc | undefined,
): void {
  for (const field of fields) {
    if (field.rollup && !before) doc[field.name] = emptyRollup(field)
    const columns = field.child?.fields.filter(({ rollup }) => rollup !== undefined) ?? []
    if (columns.length === 0) continue
    const known = new Set((before ? rowsOf(before, field.name) : []).map(({ row_id }) => row_id))
    for (const row of rowsOf(doc, field.name)) {
      if (known.has(row.row_id)) continue
      for (const column of columns) row[column.name] = emptyRollup(column)
    }
  }
}

/** Value of a rollup before anything is added up. */
export function emptyRollup(field: Field): Value {
  const { kind } = valueType(field)
  const { operation } = field.rollup!
  if (operation === 'min' || operation === 'max' || !isNumeric(kind)) return null
  return unsetValue(kind)
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import { type Doc, type Row, rowsOf } from '../../storage/database/document.ts'

/**
 * The cells that differ between two images, as rules name them: `paid_amount`, `items` and `items.billed_qty`. A check
 * that was unset and is false now has not changed: who reads it, and sends it back, has seen false before.
 */
export function changedCells(
  { fields }: DocTypeDefinition,
  before: Doc,
  after: Doc,
): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const field of fields) {
    const { name, child } = field
    if (!child) {
      if (read(field, before) !== read(field, after)) changed.add(name)
      continue
    }
    const old = rowsOf(before, name)
    const now = rowsOf(after, name)
    if (old.length !== now.length) changed.add(name)
    for (const [index, row] of now.entries()) {
      const was = old[index]
      for (const column of child.fields) {
        if (read(column, was) === read(column, row)) continue
        changed.add(name)
        changed.add(`${name}.${column.name}`)
      }
    }
  }
  return changed
}

function read({ name, type }: Field, values: Doc | Row | undefined): unknown {
  return values?.[name] ?? fieldType(type).unset ?? null
}

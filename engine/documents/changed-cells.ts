import type { DocTypeDefinition } from '../definition/definition.ts'
import { type Doc, rowsOf } from '../storage/document.ts'

/** The cells that differ between two images, as rules name them: `paid_amount`, `items` and `items.billed_qty`. */
export function changedCells(
  { fields }: DocTypeDefinition,
  before: Doc,
  after: Doc,
): ReadonlySet<string> {
  const changed = new Set<string>()
  for (const { name, child } of fields) {
    if (!child) {
      if ((before[name] ?? null) !== (after[name] ?? null)) changed.add(name)
      continue
    }
    const old = rowsOf(before, name)
    const now = rowsOf(after, name)
    if (old.length !== now.length) changed.add(name)
    for (const [index, row] of now.entries()) {
      const was = old[index]
      for (const column of child.fields) {
        if ((was?.[column.name] ?? null) === (row[column.name] ?? null)) continue
        changed.add(name)
        changed.add(`${name}.${column.name}`)
      }
    }
  }
  return changed
}

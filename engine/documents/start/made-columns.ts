import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { isoDateTime } from '../../base/clock.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { cloneDoc, type Doc, rowsOf } from '../../storage/database/document.ts'
import { recordPages } from '../../storage/records/record-pages.ts'
import { eachLocked } from '../verify/verify-records.ts'
import { rewrite } from '../verify/verify-repair.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { createReads } from '../work/reads.ts'

/** The made columns of a DocType among columns that were added, as cells: `items.item_code__is_stock_item`. */
export function madeCells(
  { table, fields }: DocTypeDefinition,
  added: ReadonlySet<string>,
): ReadonlySet<string> {
  const cells = new Set<string>()
  for (const { name, made, child } of fields) {
    if (made && added.has(`${table}.${name}`)) cells.add(name)
    for (const column of child?.fields ?? [])
      if (column.made && added.has(`${table}__${name}.${column.name}`))
        cells.add(`${name}.${column.name}`)
  }
  return cells
}

/** Fills these made columns in all records of a DocType from what there is now; returns how many it changed. */
export async function fillMadeColumns(
  services: Services,
  parts: DocTypeParts,
  cells: ReadonlySet<string>,
): Promise<number> {
  const { database, clock } = services
  const { rules } = parts.behaviour
  const environment = rules.environment(isoDateTime(clock), SYSTEM_ACTOR.name)
  let changed = 0
  for await (const docs of recordPages(database.read, parts.store)) {
    const names = docs.map(({ name }) => name)
    const written = await database.write((tx) => {
      const known = createReads(tx, services, new Map(), async () => undefined)
      // Nobody waits for a moment at which this must be true, so nothing else is locked.
      const reads = { ...known, locked: known.get }
      return eachLocked(tx, parts, names, async (doc) => {
        let after: Doc
        do {
          after = cloneDoc(doc)
          rules.fillMade(after, reads, environment, cells)
        } while (await known.fill())
        if (isSame(doc, after, cells)) return false
        await rewrite(tx, services, parts, doc, after)
        return true
      })
    })
    changed += written.filter(Boolean).length
  }
  return changed
}

function isSame(before: Doc, after: Doc, cells: ReadonlySet<string>): boolean {
  return [...cells].every((cell) => {
    const [name = '', column] = cell.split('.')
    if (column === undefined) return (before[name] ?? null) === (after[name] ?? null)
    const rows = rowsOf(after, name)
    return rowsOf(before, name).every(
      (row, index) => (row[column] ?? null) === (rows[index]?.[column] ?? null),
    )
  })
}

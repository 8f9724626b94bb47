import { SYSTEM_ACTOR } from '../../access/actor.ts'
import { isoDateTime } from '../../base/clock.ts'
import type { Db } from '../../storage/database/database.ts'
import { cloneDoc, type Doc, rowsOf } from '../../storage/database/document.ts'
import { rewrite } from '../verify/verify-repair.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import { createReads } from '../work/reads.ts'

/**
 * What fills made columns (`items.item_code__is_stock_item`) of locked records from what there is now. It tells of each
 * record whether that changed it.
 */
export function madeColumnFiller(
  tx: Db,
  services: Services,
  parts: DocTypeParts,
  cells: ReadonlySet<string>,
): (doc: Doc) => Promise<boolean> {
  const { rules } = parts.behaviour
  const environment = rules.environment(isoDateTime(services.clock), SYSTEM_ACTOR.name)
  const known = createReads(tx, services, new Map())
  // Nobody waits for a moment at which this must be true, so nothing else is locked.
  const reads = { ...known, locked: known.get }
  return async (doc) => {
    let after: Doc
    do {
      after = cloneDoc(doc)
      rules.fillMade(after, reads, environment, cells)
    } while (await known.fill())
    if (isSame(doc, after, cells)) return false
    await rewrite(tx, services, parts, doc, after)
    return true
  }
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

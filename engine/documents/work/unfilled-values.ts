import { isoDateTime } from '../../base/clock.ts'
import type { Db } from '../../storage/database/database.ts'
import { cloneDoc, type Doc, rowsOf } from '../../storage/database/document.ts'
import type { Waiting } from '../../storage/migration/unfilled.ts'
import type { DocTypeParts, Services } from './context.ts'

/**
 * A record (with its rows) with the values that its waiting columns have yet to get: rollups added up from what is
 * there, formulas and status over them; the same image where nothing of its DocType waits, or nothing differs. What adds
 * up waiting columns of others is as right as these are; whoever fills them comes by again.
 */
export async function withAllValues(
  db: Db,
  services: Services,
  waiting: Waiting,
  parts: DocTypeParts,
  doc: Doc,
): Promise<Doc> {
  const { clock, computedSince } = services
  const { definition, behaviour } = parts
  if (definition.behaviour.ledger || !waiting.waits(definition)) return doc
  const whole = cloneDoc(doc)
  await addWaiting(db, services, waiting, parts, whole)
  const { rules } = behaviour
  const environment = rules.environment(isoDateTime(clock), doc.modified_by, computedSince)
  rules.recompute(whole, doc, environment)
  return whole
}

/** Adds up the waiting rollups of a record (with its rows) from what is there now; changes `doc`. */
export async function addWaiting(
  db: Db,
  { rollups, program }: Services,
  waiting: Waiting,
  { definition }: DocTypeParts,
  doc: Doc,
): Promise<void> {
  if (definition.behaviour.ledger || !waiting.waits(definition)) return
  for (const { table, field, compiled } of program.partsOf(definition).rollups) {
    const { plan } = compiled()
    if (!plan || !waiting.has(definition, table, field.name)) continue
    if (table === undefined) doc[field.name] = await rollups.ofKey(db, plan, doc.name)
    else
      for (const row of rowsOf(doc, table))
        row[field.name] = await rollups.ofKey(db, plan, row.row_id)
  }
}

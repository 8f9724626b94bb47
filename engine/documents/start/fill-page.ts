import type { Db } from '../../storage/database/database.ts'
import { cloneDoc, type Doc, rowsOf } from '../../storage/database/document.ts'
import { lockTable } from '../../storage/database/key-lock.ts'
import { recordsAfter } from '../../storage/finding/record-names.ts'
import type { ComputedCells } from '../verify/verify-cells.ts'
import { madeSourcesOf } from '../verify/verify-made.ts'
import { eachLocked, judge } from '../verify/verify-records.ts'
import { makeRecords, repairRecord, rewrite, suspectsAmong } from '../verify/verify-repair.ts'
import { makesRecords } from '../verify/verify-rollups.ts'
import type { DocTypeParts, Services } from '../work/context.ts'
import type { FillTask } from './fill-tasks.ts'
import { madeColumnFiller } from './made-columns.ts'

/** What was done with some records. */
export interface FilledPage {
  /** `rid` of the last of them; undefined where there was none left. */
  readonly last: number | undefined
  readonly changed: number
}

/**
 * Does a task for the records behind `after`, at most `size` of them, in the transaction that notes that it is done.
 * Each record is computed under its lock, from what is there then, so whoever changes it before or afterwards does so
 * on whole values.
 */
export async function fillPage(
  tx: Db,
  services: Services,
  task: FillTask,
  computed: ComputedCells,
  { after, size }: { readonly after: number; readonly size: number },
): Promise<FilledPage> {
  const parts = services.partsOf(task.definition)
  if (after === 0) await makeMissing(tx, services, parts, task)
  const records = await recordsAfter(tx, task.definition, after, size)
  const last = records.at(-1)?.rid
  if (last === undefined) return { last, changed: 0 }
  const names = records.map(({ name }) => name)
  const changed = await eachLocked(
    tx,
    parts,
    isOfFormulas(task) ? await suspectsAmong(tx, services, parts, computed, names) : names,
    fillerOf(tx, services, parts, task, computed),
  )
  return { last, changed: changed.filter(Boolean).length }
}

function isOfFormulas({ made, rollups }: FillTask): boolean {
  return made.size === 0 && rollups.length === 0
}

function fillerOf(
  tx: Db,
  services: Services,
  parts: DocTypeParts,
  task: FillTask,
  computed: ComputedCells,
): (doc: Doc) => Promise<boolean> {
  if (task.made.size > 0) return madeColumnFiller(tx, services, parts, task.made)
  if (task.rollups.length === 0) return (doc) => repairRecord(tx, services, parts, computed, doc)
  return (doc) => fillRollups(tx, services, parts, task, computed, doc)
}

/** Adds rollups up for one record, and computes what follows from them. */
async function fillRollups(
  tx: Db,
  services: Services,
  parts: DocTypeParts,
  { rollups }: FillTask,
  computed: ComputedCells,
  doc: Doc,
): Promise<boolean> {
  const added = cloneDoc(doc)
  let isOther = false
  for (const plan of rollups) {
    const { name } = plan.field
    const cells = plan.targetTable === undefined ? [added] : rowsOf(added, plan.targetTable)
    for (const cell of cells) {
      const key = plan.targetTable === undefined ? doc.name : String(cell.row_id)
      const value = await services.rollups.ofKey(tx, plan, key)
      isOther ||= (cell[name] ?? null) !== value
      cell[name] = value
    }
  }
  const sources = await madeSourcesOf(tx, services, computed, [added])
  const { after, differences, lagging } = judge(services, computed, added, sources)
  if (!isOther && differences.length + lagging.length === 0) return false
  await rewrite(tx, services, parts, doc, after)
  return true
}

/** Makes the records of an `upsert_from` DocType that its source names and that are not there. */
async function makeMissing(
  tx: Db,
  services: Services,
  parts: DocTypeParts,
  { rollups, definition }: FillTask,
): Promise<void> {
  for (const plan of rollups) {
    if (!makesRecords(plan)) continue
    await lockTable(tx, services.database.kind, definition.table)
    await makeRecords(tx, services, parts, plan)
  }
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { cloneDoc } from '../../storage/database/document.ts'
import { inWork } from '../operations/operation.ts'
import { cascade, recompute } from '../work/cascade.ts'
import type { Context } from '../work/context.ts'
import { finishWork } from '../work/finish.ts'
import { lockRecord } from '../work/work.ts'

/**
 * Computes formulas and statuses of these records anew, because the day changed or rows were repaired; what
 * follows from a change follows (rollups, events). One transaction, records in the order of their names.
 * Returns how many changed. Throws VALIDATION_ERROR when one does not hold any more.
 */
export function rederiveDocuments(
  context: Context,
  definition: DocTypeDefinition,
  names: readonly string[],
): Promise<number> {
  const parts = context.services.partsOf(definition)
  return inWork(context, async (work) => {
    let changed = 0
    for (const name of names.toSorted()) {
      const entry = await lockRecord(work, parts, name)
      const before = entry?.current
      if (!entry || !before) continue
      if (!(await recompute(work, entry, before, cloneDoc(before)))) continue
      changed += 1
      await cascade(work, [{ parts, before, after: entry.current }])
    }
    await finishWork(work)
    return changed
  })
}

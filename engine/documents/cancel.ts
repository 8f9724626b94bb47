import { assertCan } from '../access/can.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import { assertNotLinked } from './blocked.ts'
import { applyChange } from './change.ts'
import type { Context, DocumentResult } from './context.ts'
import { assertDocstatus, assertSubmittable, lockRecord } from './locked.ts'
import { mergeInput } from './record-input.ts'

const NOTHING_SENT = { values: {}, tables: {} }

/**
 * Submitted → cancelled (POST …/cancel). Throws 401/403, 404, 412, 422 where it is not submittable, 409 when
 * it is not submitted or submitted documents link to it (`linked`).
 */
export async function cancelDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  assertCan(context, definition, 'cancel')
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'cancelled')
  return context.services.database.write(async (tx) => {
    const before = await lockRecord(tx, context, parts, id)
    assertDocstatus(
      parts,
      before,
      1,
      'cancel',
      before.docstatus === 0 ? 'a draft is deleted instead' : 'nothing is left to do',
    )
    await assertNotLinked(tx, context.services, definition, id, {
      from: 'submitted',
      verb: 'cancel',
    })
    const after = { ...mergeInput(definition, before, NOTHING_SENT), docstatus: 2 }
    return applyChange(tx, context, { parts, before, after, kind: 'cancelled' })
  })
}

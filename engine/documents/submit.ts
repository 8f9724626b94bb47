import { assertCan } from '../access/can.ts'
import type { DocTypeDefinition } from '../definition/definition.ts'
import { applyChange } from './change.ts'
import type { Context, DocumentResult } from './context.ts'
import { assertDocstatus, assertSubmittable, lockRecord } from './locked.ts'
import { mergeInput } from './record-input.ts'

const NOTHING_SENT = { values: {}, tables: {} }

/** Draft → submitted (POST …/submit). Throws 401/403, 404, 412, 422 where it is not submittable or not valid, 409 when not a draft. */
export async function submitDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  assertCan(context, definition, 'submit')
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'submitted')
  return context.services.database.write(async (tx) => {
    const before = await lockRecord(tx, context, parts, id)
    assertDocstatus(
      parts,
      before,
      0,
      'submit',
      before.docstatus === 1 ? 'nothing is left to do' : 'amend it and submit the amendment',
    )
    const after = { ...mergeInput(definition, before, NOTHING_SENT), docstatus: 1 }
    return applyChange(tx, context, { parts, before, after, kind: 'submitted' })
  })
}

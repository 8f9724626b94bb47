import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assertSubmittable } from '../effects/locked.ts'
import { cancelWithin } from '../effects/within.ts'
import { assertMay } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { createdBy } from '../work/journal.ts'
import type { DocumentResult } from '../work/present.ts'
import { runOperation } from './operation.ts'

/**
 * Submitted → cancelled (POST …/cancel). Throws 401/403, 404, 412, 422 where it is not submittable, 409 when
 * it is not submitted or submitted documents link to it (`linked`).
 */
export async function cancelDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  assertMay(context, definition, 'cancel')
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'cancelled')
  return runOperation(context, async (work) => {
    const own = await createdBy(work.tx, { doctype: definition.doctype, name: id })
    return cancelWithin(work, parts, id, own)
  })
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assertSubmittable } from '../effects/locked.ts'
import { cancelWithin } from '../effects/within.ts'
import { assertNoFields } from '../record/record-input.ts'
import { assertMay } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
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
  sent?: unknown,
): Promise<DocumentResult> {
  assertMay(context, definition, 'cancel')
  assertNoFields(sent)
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'cancelled')
  return runOperation(context, (work) => cancelWithin(work, parts, id))
}

import { assertCan } from '../../access/can.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assertSubmittable } from '../effects/locked.ts'
import { submitWithin } from '../effects/within.ts'
import type { Context } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import { runOperation } from './operation.ts'

/** Submits a draft (POST …/submit). Throws 401/403, 404, 412, 409 (no draft), 422 (not submittable or not valid). */
export async function submitDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  assertCan(context, definition, 'submit')
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'submitted')
  return runOperation(context, (work) => submitWithin(work, parts, id))
}

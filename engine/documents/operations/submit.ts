import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assertSubmittable } from '../effects/locked.ts'
import { submitWithin } from '../effects/within.ts'
import { assertNoFields } from '../record/record-input.ts'
import { assertMay } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import { runOperation } from './operation.ts'

/** Submits a draft (POST …/submit). Throws 401/403, 404, 412, 409 (no draft), 422 (not submittable or not valid). */
export async function submitDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  sent?: unknown,
): Promise<DocumentResult> {
  assertMay(context, definition, 'submit')
  assertNoFields(sent)
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'submitted')
  return runOperation(context, (work) => submitWithin(work, parts, id), {
    together: `submit ${definition.slug}`,
  })
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { removeWithin } from '../effects/within.ts'
import { assertMay } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import { runOperation } from './operation.ts'

/**
 * Deletes a record (DELETE /v1/{resource}/{id}), and gives its last state. Throws 401/403, 404, 412, and 409 when it is submitted or
 * other documents link to it (`linked`; spec §3).
 */
export async function removeDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  assertMay(context, definition, 'delete')
  const parts = context.services.partsOf(definition)
  return runOperation(context, (work) => removeWithin(work, parts, id))
}

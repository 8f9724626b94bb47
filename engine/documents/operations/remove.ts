import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { removeWithin } from '../effects/within.ts'
import { assertMay } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import { runOperation } from './operation.ts'

/**
 * Deletes a record (DELETE /v1/{resource}/{id}). Throws 401/403, 404, 412, and 409 when it is submitted or
 * other documents link to it (`linked`; spec §3).
 */
export async function removeDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<void> {
  assertMay(context, definition, 'delete')
  const parts = context.services.partsOf(definition)
  await runOperation(context, (work) => removeWithin(work, parts, id))
}

import { recordNotFound } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assertMay, assertMayWith } from '../rights/door.ts'
import type { Context } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import { presentResult } from '../work/present.ts'

/** One record with its tables (GET /v1/{resource}/{id}). Throws 401/403, 404. */
export async function getDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  assertMay(context, definition, 'read')
  const { read } = context.services.database
  const parts = context.services.partsOf(definition)
  const { store, presenter } = parts
  const doc = await store.find(read, id)
  if (!doc) throw recordNotFound(definition.label, id)
  await assertMayWith(context, read, parts, doc, 'read')
  await store.loadRows(read, [doc])
  return presentResult(presenter, doc)
}

import { assertCan } from '../../access/can.ts'
import { recordNotFound } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { assertFollowed } from '../rights/followed.ts'
import { assertRow } from '../rights/row-rights.ts'
import type { Context } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import { presentResult } from '../work/present.ts'

/** One record with its tables (GET /v1/{resource}/{id}). Throws 401/403, 404. */
export async function getDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  assertCan(context, definition, 'read')
  const { read } = context.services.database
  const parts = context.services.partsOf(definition)
  const { store, presenter } = parts
  const doc = await store.find(read, id)
  if (!doc) throw recordNotFound(definition.label, id)
  assertRow(context, parts, doc, 'read')
  await assertFollowed(context, read, parts, doc)
  await store.loadRows(read, [doc])
  return presentResult(presenter, doc)
}

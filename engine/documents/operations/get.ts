import { recordNotFound } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Doc } from '../../storage/database/document.ts'
import { assertMay, assertMayWith, knownParts } from '../rights/door.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult, WireRecord } from '../work/present.ts'
import { presentResult } from '../work/present.ts'

/** One record with its tables (GET /v1/{resource}/{id}). Throws 401/403, 404. */
export async function getDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<DocumentResult> {
  const { doc, parts } = await readDocument(context, definition, id)
  return presentResult(knownParts(context, parts).presenter, doc)
}

/** The same record with its internal fields too, but none that the caller may not read, for papers. Throws as `getDocument`. */
export async function getWhole(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<WireRecord> {
  const { doc, parts } = await readDocument(context, definition, id)
  return knownParts(context, parts).presenter.whole(doc)
}

/** The record as it is stored, with its tables and internal fields. Throws as `getDocument`. */
export async function readDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
): Promise<{ readonly doc: Doc; readonly parts: DocTypeParts }> {
  assertMay(context, definition, 'read')
  const { read } = context.services.database
  const parts = context.services.partsOf(definition)
  const doc = await parts.store.whole(read, id)
  if (!doc) throw recordNotFound(definition.label, id)
  await assertMayWith(context, read, parts, doc, 'read')
  return { doc, parts }
}

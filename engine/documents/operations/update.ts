import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { DocumentInput } from '../../schema/shapes/validator.ts'
import { assertDocstatus, lockRecord } from '../effects/locked.ts'
import { assertAllowedOnSubmit } from '../record/after-submit.ts'
import { mergeInput } from '../record/record-input.ts'
import { assertMay, assertMayLeave } from '../rights/door.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'
import { runOperation } from './operation.ts'

/**
 * Changes the sent fields of a record (PATCH). Throws 401/403, 404, 412, 422 and 409 on a submitted or
 * cancelled document: it is cancelled, then amended (spec §3, contract §3).
 */
export async function updateDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  body: unknown,
): Promise<DocumentResult> {
  assertMay(context, definition, 'update')
  const parts = context.services.partsOf(definition)
  const input = parts.validator.read('update', body)
  return runOperation(context, (work) => updateWithin(work, parts, id, input))
}

/** Changes a draft, or what may change of a submitted document, inside a transaction. Throws 403, 404, 409, 412, 422. */
export async function updateWithin(
  work: Work,
  parts: DocTypeParts,
  id: string,
  input: DocumentInput,
): Promise<Touched> {
  const before = await lockRecord(work, parts, id, 'update')
  if (before.docstatus === 2) assertDocstatus(parts, before, 0, 'change', 'amend it')
  const after = mergeInput(parts.definition, before, input)
  if (before.docstatus === 1) assertAllowedOnSubmit(parts, before, after, input)
  const entry = await work.apply(work, { parts, before, after, kind: 'updated' })
  assertMayLeave(work.context, parts, 'update', { before, after: entry.current! })
  return entry
}

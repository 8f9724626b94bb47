import { AppError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import { amendmentOf } from '../../storage/finding/record-names.ts'
import { assertDocstatus, assertSubmittable, lockForChange } from '../effects/locked.ts'
import { copyOf } from '../record/copied-record.ts'
import { assertNoFields, leftEmpty } from '../record/record-input.ts'
import { assertMay, assertMayLeave } from '../rights/door.ts'
import type { Context, DocTypeParts } from '../work/context.ts'
import type { DocumentResult } from '../work/present.ts'
import type { Touched } from '../work/touched.ts'
import type { Work } from '../work/work.ts'
import { runOperation } from './operation.ts'

/**
 * A new draft from a cancelled document (POST …/amend, 201): a copy named `<name>-1`, `<name>-2`, … that
 * says where it came from in `amended_from` (erp-semantics.md §1.6). Throws 409 when the document is not
 * cancelled or has been amended already.
 */
export async function amendDocument(
  context: Context,
  definition: DocTypeDefinition,
  id: string,
  sent?: unknown,
): Promise<DocumentResult> {
  assertMay(context, definition, 'amend')
  assertNoFields(sent)
  const parts = context.services.partsOf(definition)
  assertSubmittable(parts, 'amended')
  return runOperation(context, (work) => amendWithin(work, parts, id))
}

/** The same inside a transaction. */
export async function amendWithin(work: Work, parts: DocTypeParts, id: string): Promise<Touched> {
  const cancelled = await lockForChange(work, parts, id, 'amend')
  await assertAmendable(work, parts, cancelled)
  const after: Doc = { ...copyOf(parts, cancelled), amended_from: cancelled.name }
  const entry = await work.apply(work, {
    parts,
    after,
    kind: 'created',
    empty: leftEmpty(parts.definition, after),
    name: amendedName(cancelled),
    nameIsFinal: true,
  })
  assertMayLeave(work.context, parts, 'amend', { after: entry.current! })
  return entry
}

/** Refuses to amend what is not cancelled, or was amended before. Throws CONFLICT. */
export async function assertAmendable(work: Work, parts: DocTypeParts, doc: Doc): Promise<void> {
  const { definition } = parts
  assertDocstatus(parts, doc, 2, 'amend', 'cancel it first')
  const already = await amendmentOf(work.tx, definition, doc.name)
  if (already === undefined) return
  const { slug: resource, doctype, label } = definition
  throw new AppError(
    'CONFLICT',
    `${label} ${JSON.stringify(doc.name)} has been amended already, by ${already}`,
    { linked: [{ resource, doctype, id: already, field: 'amended_from' }] },
  )
}

/** Name of an amendment: `SO-1` → `SO-1-1` → `SO-1-2`, one of an amendment counts on. */
function amendedName(cancelled: Doc): string {
  const source = valueIn(cancelled, 'amended_from')
  if (typeof source === 'string') {
    const match = /^(.*)-(\d+)$/.exec(cancelled.name)
    if (match && (source === match[1] || source.startsWith(`${match[1]}-`)))
      return `${match[1]}-${Number(match[2]) + 1}`
  }
  return `${cancelled.name}-1`
}

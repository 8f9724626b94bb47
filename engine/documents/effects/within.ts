import { AppError } from '../../base/errors.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { cloneDoc, type Doc, valueIn } from '../../storage/database/document.ts'
import { goesWith, namesLinking } from '../../storage/finding/links.ts'
import { createdBy } from '../../storage/records/journal.ts'
import { assertNotLinked } from '../links/blocked.ts'
import { guardPeople } from '../rights/people-guard.ts'
import { cascade } from '../work/cascade.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Touched } from '../work/touched.ts'
import { lockRecord, nested, noteWrite, type Work } from '../work/work.ts'
import { assertDocstatus, lockForChange } from './locked.ts'

/** Draft → submitted inside a transaction. Throws 404, 412, 409 when it is not a draft, 422 when it does not hold. */
export async function submitWithin(work: Work, parts: DocTypeParts, id: string): Promise<Touched> {
  const before = await lockForChange(work, parts, id, 'submit')
  assertSubmittableNow(parts, before)
  const after = parts.store.clone(before, { docstatus: 1 })
  return work.apply(work, { parts, before, after, kind: 'submitted' })
}

/** Refuses to submit what is no draft. Throws CONFLICT. */
export function assertSubmittableNow(parts: DocTypeParts, doc: Doc): void {
  const advice = doc.docstatus === 1 ? 'nothing is left to do' : 'amend it and submit the amendment'
  assertDocstatus(parts, doc, 0, 'submit', advice)
}

/**
 * Submitted → cancelled inside a transaction. Throws 404, 412, and 409 when it is not submitted or other
 * submitted documents link to it, those apart that its own submit created: they are cancelled with it.
 */
export async function cancelWithin(work: Work, parts: DocTypeParts, id: string): Promise<Touched> {
  const before = await lockForChange(work, parts, id, 'cancel', 'end')
  await assertCancellable(work, parts, before)
  const { status } = parts.definition.behaviour
  const moved = status?.cancelled === undefined ? {} : { [status.field]: status.cancelled }
  const after = cloneDoc(before, { docstatus: 2, ...moved })
  return work.apply(work, { parts, before, after, kind: 'cancelled', moves: true })
}

/** Refuses to cancel what is not submitted, and what other submitted documents link to. Throws CONFLICT. */
export async function assertCancellable(work: Work, parts: DocTypeParts, doc: Doc): Promise<void> {
  const { name } = doc
  const advice = doc.docstatus === 0 ? 'a draft is deleted instead' : 'nothing is left to do'
  assertDocstatus(parts, doc, 1, 'cancel', advice)
  const own = await createdBy(work.tx, { doctype: parts.definition.doctype, name })
  await assertNotLinked(work, parts.definition, name, { from: 'submitted', verb: 'cancel', own })
}

/** Deletes a record inside a transaction. Throws 404, 412, and 409 when it is submitted or others link to it. */
export async function removeWithin(work: Work, parts: DocTypeParts, id: string): Promise<Touched> {
  const { definition, store } = parts
  const locked = await lockForChange(work, parts, id, 'delete', 'end')
  await assertRemovable(work, parts, locked)
  await removeFollowers(work, definition, id)
  // What followed it may have been counted in it.
  const doc = (await lockRecord(work, parts, id))?.current ?? locked
  await store.remove(work.tx, doc)
  await guardPeople(work, definition, doc, undefined)
  await work.context.services.search.remove(work.tx, definition, doc)
  const entry = noteWrite(work, parts, doc, undefined, 'deleted')
  await cascade(work, [{ parts, before: doc, after: undefined }])
  return entry
}

/** Refuses to delete what is submitted, has a number for ever, or is linked to. Throws CONFLICT. */
export async function assertRemovable(
  work: Work,
  { definition, behaviour }: DocTypeParts,
  doc: Doc,
): Promise<void> {
  const { name, docstatus } = doc
  for (const step of behaviour.effects) {
    const number = step.kind === 'number' ? valueIn(doc, step.field.name) : null
    if (number === null || docstatus === 1) continue
    throw new AppError(
      'CONFLICT',
      `cannot delete ${definition.label} ${JSON.stringify(name)}: it has the number ${String(number)}, which would leave a gap; it stays cancelled`,
      { linked: [] },
    )
  }
  if (docstatus === 1) {
    throw new AppError(
      'CONFLICT',
      `cannot delete ${definition.label} ${JSON.stringify(name)}: it is submitted; cancel it first`,
      {
        details: [{ field: 'docstatus', message: 'expected 0 or 2, got 1', code: 'wrong_state' }],
        linked: [],
      },
    )
  }
  await assertNotLinked(work, definition, name, { from: 'any', verb: 'delete' })
}

/** Deletes what goes with the record: nobody could read what belongs to it, and what was made of it means nothing more. */
async function removeFollowers(
  work: Work,
  { doctype }: DocTypeDefinition,
  id: string,
): Promise<void> {
  const { services } = work.context
  for (const link of services.registry.linksTo(doctype)) {
    const { def, table, field } = link
    if (table !== undefined || !goesWith(def, field)) continue
    const followers = await namesLinking(work.tx, link, { doctype, name: id })
    const parts = services.partsOf(def)
    for (const name of followers) await nested(work, () => removeWithin(work, parts, name))
  }
}

import type { Lookup } from '../definition/definition.ts'
import type { Doc } from '../storage/document.ts'

/** Whether what is taken `at` a moment is taken in this write. */
export function isMoment(
  at: Lookup['at'],
  doc: Doc,
  before: Doc | undefined,
  isNew: boolean,
): boolean {
  const submitting = doc.docstatus === 1 && before?.docstatus !== 1
  if (at === 'create') return isNew
  // What is over keeps what it had.
  if (at === 'always') return doc.docstatus < 2
  return submitting || (at === 'draft' && doc.docstatus === 0)
}

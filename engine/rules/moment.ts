import type { Doc } from '../storage/document.ts'

/** Whether what is taken `at` a moment is taken in this write. */
export function isMoment(
  at: 'create' | 'draft' | 'submit',
  doc: Doc,
  before: Doc | undefined,
  isNew: boolean,
): boolean {
  if (at === 'create') return isNew
  const submitting = doc.docstatus === 1 && before?.docstatus !== 1
  return submitting || (at === 'draft' && doc.docstatus === 0)
}

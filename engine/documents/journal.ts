import type { Db } from '../storage/database.ts'

/**
 * What a submit did beside posting to ledgers, so that a cancel can undo exactly that (rules.md §4.2). Rows
 * of the system table `svc_journal`; values are JSON of the wire form.
 */
export interface JournalEntry {
  readonly kind: 'created' | 'set'
  /** The record that was created, or the document itself. */
  readonly target_doctype: string
  readonly target_name: string
  readonly field: string | null
  readonly old_value: string | null
  readonly new_value: string | null
}

/** The document whose submit is told of. */
export interface JournalOwner {
  readonly doctype: string
  readonly name: string
}

/** Adds entries in the transaction of the submit. */
export async function writeJournal(
  tx: Db,
  { doctype, name }: JournalOwner,
  entries: readonly JournalEntry[],
): Promise<void> {
  if (entries.length === 0) return
  const rows = entries.map((entry) => ({ doctype, name, ...entry }))
  await tx.insertInto('svc_journal').values(rows).execute()
}

/** The entries of a document, latest first: the order in which they are undone. */
export async function readJournal(tx: Db, owner: JournalOwner): Promise<readonly JournalEntry[]> {
  const rows = await tx
    .selectFrom('svc_journal')
    .select(['kind', 'target_doctype', 'target_name', 'field', 'old_value', 'new_value'])
    .where('doctype', '=', owner.doctype)
    .where('name', '=', owner.name)
    .orderBy('seq', 'desc')
    .execute()
  return rows as unknown as readonly JournalEntry[]
}

/** Whether a document was created by the submit of this one, so that it is cancelled together with it. */
export async function createdBy(
  tx: Db,
  owner: JournalOwner,
): Promise<(doctype: string, name: string) => boolean> {
  const entries = await readJournal(tx, owner)
  return (doctype, name) =>
    entries.some(
      (entry) =>
        entry.kind === 'created' && entry.target_doctype === doctype && entry.target_name === name,
    )
}

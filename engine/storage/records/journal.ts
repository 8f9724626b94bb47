import type { Db } from '../database/database.ts'

/**
 * Entry of the journal: one thing a submit did beside posting to ledgers, so that a cancel can undo exactly that
 * (rules.md §4.2). A row of the system table `svc_journal`; values are JSON of the wire form.
 */
export interface JournalEntry {
  readonly kind: 'created' | 'submitted' | 'set'
  /** The record that was created, submitted or changed, or the document itself. */
  readonly target_doctype: string
  readonly target_name: string
  readonly field: string | null
  readonly old_value: string | null
  readonly new_value: string | null
}

/** Document whose submit a journal is about. */
export interface JournalOwner {
  readonly doctype: string
  readonly name: string
}

/** Rows of one insert: they stay under the parameter limits of both databases. */
const ROWS_PER_INSERT = 1_000

/** Adds entries in the transaction of the submit. */
export async function writeJournal(
  tx: Db,
  { doctype, name }: JournalOwner,
  entries: readonly JournalEntry[],
): Promise<void> {
  const rows = entries.map((entry) => ({ doctype, name, ...entry }))
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const some = rows.slice(at, at + ROWS_PER_INSERT)
    await tx.insertInto('svc_journal').values(some).execute()
  }
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

/** Documents that the submit of this one created or submitted, so that they are cancelled together with it. */
export interface CreatedDocuments {
  readonly size: number
  has(doctype: string, name: string): boolean
}

export async function createdBy(tx: Db, owner: JournalOwner): Promise<CreatedDocuments> {
  const keyOf = (doctype: string, name: string): string => `${doctype}\0${name}`
  const created = new Set(
    (await readJournal(tx, owner))
      .filter(({ kind }) => kind !== 'set')
      .map(({ target_doctype, target_name }) => keyOf(target_doctype, target_name)),
  )
  return { size: created.size, has: (doctype, name) => created.has(keyOf(doctype, name)) }
}

import type { Path } from '../yaml/parse.ts'

/** Text of an expression, and where it is written. */
export interface WrittenText {
  readonly doctype: string
  readonly path: Path
  readonly text: string
}

/** Name for an expression of a record or row. */
export interface Let extends WrittenText {
  readonly name: string
}

/** Document or table with its lets. */
export interface LetLevel {
  readonly lets: ReadonlyMap<string, Let>
  /** Lists of names, which `copy` alone says; they are in place already. */
  readonly lists: ReadonlyMap<string, Let>
  /** Tables of a document by name. */
  readonly tables: ReadonlyMap<string, LetLevel>
}

/**
 * Record that names are read from where an expression stands, and what is written before them there: of a row of items
 * in `items.sum(i, …)` `i.` before its own names and nothing before those of its document. Without it they cannot be read.
 */
export interface Frame {
  readonly level: LetLevel
  /** What stands before its own names. */
  readonly self: string | undefined
  /** Document of a row. */
  readonly document?: LetLevel
  readonly ofDocument?: string | undefined
  /** What stands before names of the record as it was, and before those of its document. */
  readonly old?: string | undefined
  readonly oldDocument?: string | undefined
}

/** Frame of what `parent`, `old` or `old_parent` names, seen from one; undefined where there is no such record. */
export function frameBehind(frame: Frame, head: string): Frame | undefined {
  const { level, document, ofDocument, old, oldDocument } = frame
  if (head === 'old')
    return { level, self: old, ...(document ? { document } : {}), ofDocument: oldDocument }
  if (!document) return undefined
  if (head === 'parent') return { level: document, self: ofDocument, old: oldDocument }
  return head === 'old_parent' ? { level: document, self: oldDocument } : undefined
}

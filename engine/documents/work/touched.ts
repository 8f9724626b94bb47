import type { EventKind } from '../../events/log.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { DocTypeParts } from './context.ts'
import type { DocumentResult } from './present.ts'

/** A record that one transaction has locked, and what became of it. */
export interface Touched {
  readonly parts: DocTypeParts
  readonly name: string
  /** Image before the transaction; undefined for one it created. */
  readonly start: Doc | undefined
  /** Image as it is now, with its rows; undefined once it is deleted. */
  current: Doc | undefined
  /** Kinds of changes that were made to it, in the words of the event log; empty while it was only read. */
  readonly kinds: EventKind[]
  /** Its shape for clients, and of which image it is. */
  shown?: { readonly of: Doc; readonly result: DocumentResult }
}

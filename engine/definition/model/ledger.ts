import type { LooksBackDeclaration } from './looks-back.ts'
import type { SplitDeclaration } from './split.ts'

/** Declaration that makes a DocType append-only: only submits and actions write it, cancel adds mirror rows. */
export interface LedgerDeclaration {
  /** Debit and credit: their sums are equal in every posting, a mirror row swaps them. */
  readonly balance?: readonly string[]
  /** Further pairs a mirror row swaps: `[a, b, c, d]` swaps a with b and c with d. */
  readonly swap?: readonly string[]
  /** Fields a mirror row has with the opposite sign. */
  readonly negate?: readonly string[]
  /** Fields taken from the document's field of the same name unless a posting sets them. */
  readonly copy?: readonly string[]
  /** The field with the posting date; `posting_date` unless it says otherwise. */
  readonly date?: string
  /** Date of mirror rows: that of the row while it takes postings (`open`, the default), that of the cancel, that of the row. */
  readonly reverse_date?: 'open' | 'today' | 'original'
  /** DocTypes of documents whose mirror rows bear the day of the row in any case. */
  readonly keep_date?: readonly string[]
  /** Field that tells what stands on the other side of a posting: the first of these fields that such a row has. */
  readonly contra?: { readonly field: string; readonly names: readonly string[] }
  /** Fields that only documents set which an invariant of the ledger counts. */
  readonly counts?: readonly string[]
  /** Links whose records nobody changes between the checks of a posting and its commit. */
  readonly hold?: readonly string[]
  readonly looks_back?: LooksBackDeclaration
  readonly split?: SplitDeclaration
}

/** Terms over all records that add up to zero, for each value of `by` (rules.md §4.1, invariants). */
export interface InvariantDeclaration {
  readonly name: string
  readonly by?: readonly string[]
  readonly terms: readonly InvariantTerm[]
}

/** Sum of an invariant: what it adds or subtracts, of which records. */
export interface InvariantTerm {
  /** DocType, or Doctype.table. */
  readonly from?: string
  /** Instead of it every DocType that declares this. */
  readonly declaring?: string
  readonly where?: string
  readonly add?: string
  readonly subtract?: string
  /** Name of `by` → expression of it here; without it the field of that name. */
  readonly by?: Readonly<Record<string, string>>
}

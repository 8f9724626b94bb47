/** Messages between a server and its reader processes; they travel as V8 serialises them, so BigInts stay what they are. */

/** Word by which the single binary is told to be a reader (cli/main.ts); a checkout has a file for it. */
export const READER_WORD = 'svc-reader'

/** First message to a reader: the file it reads, and where the single binary may unpack SQLite's library. */
export interface OpenFile {
  readonly do: 'open'
  readonly file: string
  readonly libraryFolders: readonly string[]
}

/** Statement to run; a reader runs one at a time. */
export interface RunStatement {
  readonly do: 'run'
  readonly text: string
  readonly parameters: readonly unknown[]
}

/** Wish for the next page of the statement that runs. */
export interface NextPage {
  readonly do: 'next'
}

/** Word to give up the statement whose pages nobody wants any more. */
export interface Forget {
  readonly do: 'forget'
}

export type ToReader = OpenFile | RunStatement | NextPage | Forget

/** Word of a reader that it has opened the file. */
export interface Ready {
  readonly is: 'ready'
}

/** Page of rows, each as the values of the columns; the first page has their names. */
export interface Page {
  readonly is: 'page'
  readonly columns: readonly string[] | undefined
  readonly rows: readonly (readonly unknown[])[]
  readonly done: boolean
  /** CPU time it took for this page, in ms. */
  readonly ms: number
}

/** Error of a statement, or of the file at the beginning. */
export interface Failed {
  readonly is: 'failed'
  readonly message: string
  /** Code of SQLite's, where it is one. */
  readonly code: string | undefined
  /** Whether the values are at fault: an expression cannot be computed of them. */
  readonly isExpression: boolean
  readonly ms: number
}

export type FromReader = Ready | Page | Failed

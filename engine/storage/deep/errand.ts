/**
 * Errand of a read that may take long: on whose behalf, and what a person can do about it when it takes too long.
 *
 *     { person: 'sales@example.com', narrow: 'ask for a shorter period or set more filters' }
 */
export interface Errand {
  /** Whose turn it takes and whose time it uses: the login of a person, else the id of the principal. */
  readonly person: string
  /** Advice for the message, a clause in the imperative: what would make the work less. */
  readonly narrow: string
}

/** Row as the database gives it. */
export type DeepRow = Readonly<Record<string, unknown>>

/** Taker of one page of rows; what it throws ends the read. */
export type TakePage = (rows: readonly DeepRow[]) => void

/**
 * Lane in which one statement runs at a time, away from the serving thread. It gives the rows page by page, in order,
 * and resolves to the time that the database worked, in ms. Throws UNAVAILABLE for a statement that passed its budget,
 * which it has really stopped then.
 */
export interface Lane {
  read(
    errand: Errand,
    text: string,
    parameters: readonly unknown[],
    take: TakePage,
  ): Promise<number>
}

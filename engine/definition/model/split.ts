/** Declaration of a ledger of which a row that names a record is posted as several, one for each of that record's rows. */
export interface SplitDeclaration {
  /** Link of the row to the record. */
  readonly link: string
  /** Table of the record, and its column of the share. */
  readonly rows: string
  readonly share: string
  /** Fields that come from those rows. */
  readonly copy: readonly string[]
  /** Amounts of which each gets its part by the share; with `message` the shares must add up to the first, the quantity. */
  readonly parts: readonly string[]
  /** Field that grows by what the rows before it have got of the quantity. */
  readonly advance?: string
  /** Field of the quantity that earlier rows of the posting have in the same series. */
  readonly before?: string
  /** What is told where the shares do not add up to the quantity; without it they need not. */
  readonly message?: string
}

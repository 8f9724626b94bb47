/** The two fields of a posting that a difference is booked on: what gains it and what gives it. */
export interface DifferenceBooks {
  /** Ledger that it is posted to. */
  readonly post: string
  /** Field of that ledger that names an account. */
  readonly account: string
  /** Fields of the row with the accounts of both sides: that of the value, and the other. */
  readonly debit: string
  readonly credit: string
  /** Check of that ledger that is set in what is posted so. */
  readonly mark?: string
}

/** Declaration of a ledger whose rows stand at places in time: what comes before others brings their values right. */
export interface LooksBackDeclaration {
  /** Fields in which the rows agree whose values follow from each other. */
  readonly series: readonly string[]
  /** Text that the rows are ordered by. */
  readonly place: string
  /** Hook that values the rows of a series in their order. */
  readonly hook: string
  readonly quantity: string
  readonly value: string
  /** Text; a row that has it is kept, though its amounts are 0. */
  readonly basis?: string
  /** Text that is set where values follow from all rows before, not from their sums alone. */
  readonly whole?: string
  /** Text that names the rows whose value goes on into others, and the text by which those take it. */
  readonly flow?: string
  readonly takes?: string
  /** Check: more may leave than is there. */
  readonly may_lack?: string
  /** Check: the document could not tell the value for certain, so it is valued anew at once. */
  readonly guessed?: string
  /** What is told when more would have left than was there. */
  readonly message: string
  readonly books?: DifferenceBooks
}

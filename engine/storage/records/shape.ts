/** Wanted shape of a column, as data: shapes are the input of `diff.ts` and the same for both databases. */
export interface ColumnShape {
  readonly name: string
  /** Type of the column: `text` is TEXT (PostgreSQL: `collate "C"`), `integer` is INTEGER (PostgreSQL: BIGINT). */
  readonly type: 'text' | 'integer'
  readonly notNull: boolean
  /** Constant default, for adding a NOT NULL column to a table with rows. */
  readonly default?: string | number
  /** Decimal places of its scaled integers; a change of it changes the stored values. */
  readonly scale?: number
  /** Column this one replaces (`renamed_from` of its field). */
  readonly renamedFrom?: string
}

export interface IndexShape {
  readonly name: string
  readonly columns: readonly string[]
  readonly unique: boolean
  /** Column that must be set for a row to be in the index. */
  readonly whereNotNull?: string
  /**
   * Condition that rows in the index meet. Databases write it down in words of their own, so the name of the index
   * has its checksum: what is called the same has the same condition.
   */
  readonly where?: IndexCondition
}

/** Comparisons of columns with literals, as SQL without parameters. */
export interface IndexCondition {
  readonly sql: string
  readonly columns: readonly string[]
}

export interface TableShape {
  readonly name: string
  /** Table this one replaces. */
  readonly renamedFrom?: string
  /**
   * The primary key: one of `columns`, or, when not among them (`rid`, `seq`), an integer that the database
   * fills (INTEGER PRIMARY KEY, AUTOINCREMENT for a system table whose numbers must never come again /
   * BIGINT identity).
   */
  readonly primaryKey: string
  readonly columns: readonly ColumnShape[]
  readonly indexes: readonly IndexShape[]
  /** Whether the rows are the engine's own; a document table's columns are never dropped by themselves. */
  readonly system: boolean
  /** Whether it is a ledger: rows are history, nothing is ever dropped, even by `--allow-drop` (rules.md §4.5). */
  readonly ledger?: boolean
}

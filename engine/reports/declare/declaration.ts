/** A report as its YAML says it (docs/doctypes/cookbook/report.md), checked for its shape. */
export interface ReportDeclaration extends QueryDeclaration {
  readonly report: string
  readonly module: string
  readonly description: string
  readonly icon?: string
  readonly roles?: readonly string[]
  readonly params?: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly validate?: readonly ParameterCheck[]
  /** Names for expressions: each means what its text would mean where it is used. */
  readonly let?: Readonly<Record<string, string>>
  readonly currency?: string
  readonly with?: Readonly<Record<string, QueryDeclaration>>
  readonly tree?: string
  readonly periods?: PeriodsDeclaration
  readonly totals?: readonly string[] | Readonly<Record<string, string>>
  readonly total_label?: string
  readonly summary?: Readonly<Record<string, SummaryDeclaration>>
  readonly chart?: ChartDeclaration
  readonly limit?: number
}

/** A query: what is selected from where; the report's own, or a named one of `with`. */
export interface QueryDeclaration extends SourceDeclaration {
  readonly columns: Readonly<Record<string, ColumnDeclaration>>
  readonly sources?: readonly SourceDeclaration[]
  readonly having?: string
  readonly order?: readonly string[]
}

export interface SourceDeclaration {
  readonly from?: string
  /** Fields that equal the parameter of their name, or field → parameter. */
  readonly filter?: readonly string[] | Readonly<Record<string, string>>
  /** A condition, or several that must all hold. */
  readonly where?: string | readonly string[]
  /** Column → expression, for a source among several. */
  readonly set?: Readonly<Record<string, string>>
}

export interface ColumnDeclaration {
  readonly value?: string
  readonly sum?: string | true
  readonly min?: string | true
  readonly max?: string | true
  readonly count?: true
  readonly formula?: string
  readonly running?: string
  readonly total?: string
  readonly by?: readonly string[]
  readonly of_node?: string
  readonly in_period?: string
  readonly until_period?: string
  /** Expression with a column for each of its values. */
  readonly for_each?: string
  readonly label?: string
  readonly description?: string
  readonly type?: string
  readonly options?: string | readonly string[]
  readonly scale?: number
  readonly currency?: string
  readonly hidden?: boolean
}

export interface ParameterCheck {
  readonly check: string
  readonly field: string
  readonly message: string
}

/** Names of parameters; `every` may be one of the words of `EVERY` itself. */
export interface PeriodsDeclaration {
  readonly from: string
  readonly to: string
  readonly every: string
}

export interface SummaryDeclaration {
  readonly label: string
  readonly sum?: string
  readonly formula?: string
  readonly type?: string
  readonly scale?: number
}

export interface ChartDeclaration {
  readonly type: 'bar' | 'line' | 'pie'
  /** A column, or `periods`. */
  readonly x: string
  readonly y: readonly string[]
}

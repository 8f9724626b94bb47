import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Expression } from '../../expression/expression.ts'
import type { Node } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { ChartDeclaration, PeriodsDeclaration } from './declaration.ts'

/** A report that was read, checked and compiled; what it needs of its parameters is put in when it runs. */
export interface Report {
  readonly slug: string
  /** The name people know it by; surface A's `report_name`. */
  readonly label: string
  readonly module: string
  readonly description: string
  readonly icon?: string
  /** Roles that alone may run it; undefined: whoever may report on all that it reads. */
  readonly roles?: readonly string[]
  readonly params: readonly Parameter[]
  readonly checks: readonly {
    readonly rule: Expression
    readonly field: string
    readonly message: string
  }[]
  /** The currency of amounts without one of their own, from the parameters. */
  readonly currency?: Expression
  /** Named queries, each before those that take their rows from it. */
  readonly queries: readonly QueryPlan[]
  readonly main: QueryPlan
  readonly tree?: TreePlan
  readonly periods?: PeriodsDeclaration
  readonly totals: readonly TotalPlan[]
  readonly totalLabel?: string
  readonly summary: readonly SummaryPlan[]
  readonly chart?: ChartDeclaration
  /** Most rows of a tree. */
  readonly limit: number
  /** The DocTypes it takes rows from. */
  readonly sources: readonly DocTypeDefinition[]
  /** The DocTypes it looks at through links. */
  readonly linked: readonly DocTypeDefinition[]
  /** Lists of roles that alone may read fields it reads (`permissions.fields`): it is for who is in each of them. */
  readonly readers: readonly (readonly string[])[]
}

export interface Parameter {
  readonly field: Field
  /** Value when nobody gives one, from the parameters before it. */
  readonly initial?: Expression
  /** Condition on records of the DocType it links to; the oldest that meets it is the default. */
  readonly first?: Expression
}

/** One SELECT: rows of its sources, grouped where a column adds up, with what is computed of them. */
export interface QueryPlan {
  /** Its name in `with`; '' for the report's own. */
  readonly name: string
  readonly sources: readonly SourcePlan[]
  readonly columns: readonly ColumnPlan[]
  readonly isGrouped: boolean
  readonly having: Node | undefined
  readonly order: readonly OrderBy[]
}

export interface OrderBy {
  readonly column: string
  readonly isDown: boolean
}

/** Source of rows, and what each gives to the columns. */
export interface SourcePlan {
  /** Records, or rows of one of their tables; undefined for a named query. */
  readonly definition: DocTypeDefinition | undefined
  readonly table: string | undefined
  /** The named query it takes its rows from. */
  readonly query: string | undefined
  readonly filters: readonly FilterPlan[]
  readonly where: Node | undefined
  /** Links that its expressions look through: their field → DocType. */
  readonly links: ReadonlyMap<string, DocTypeDefinition>
  /** Values that columns take of a row, by the column's name; the date of a period column by `DATE_OF` and its name. */
  readonly values: ReadonlyMap<string, Node>
}

/** A field that has to equal a parameter, or to stand below it in its tree. */
export interface FilterPlan {
  readonly field: string
  /** Owner of the field: `doc`, `document`, or the link whose record has it. */
  readonly of: string
  readonly param: string
  readonly tree: { readonly definition: DocTypeDefinition; readonly parent: string } | undefined
}

export type ColumnRole = 'value' | Aggregate | 'formula' | 'running' | 'total' | 'node'
export type Aggregate = 'sum' | 'min' | 'max' | 'count'

export interface ColumnPlan {
  readonly name: string
  /** Field by which its values are typed, kept and shown. */
  readonly field: Field
  readonly role: ColumnRole
  /** Expression over the columns of the query: a formula, or what is added up by `running` and `total`. */
  readonly node: Node | undefined
  readonly by: readonly string[]
  /** Span of a column that stands once for each period: what lies in it, or all up to its end; or for each value. */
  readonly period: 'in' | 'until' | 'each' | undefined
  /** Whether it stands once for each period because what it is computed of does. */
  readonly isPeriodic: boolean
  /** The column that names the currency of its amounts. */
  readonly currency: string | undefined
  readonly hidden: boolean
  /** The field of a tree's record. */
  readonly ofNode: string | undefined
}

export interface TreePlan {
  readonly column: string
  readonly definition: DocTypeDefinition
  /** The link to the record above. */
  readonly parent: string
}

export interface TotalPlan {
  readonly column: string
  readonly node: Node
}

export interface SummaryPlan {
  readonly name: string
  readonly field: Field
  /** Kind of the number. `sum`: over the rows; `formula`: over the numbers before it. */
  readonly is: 'sum' | 'formula'
  readonly node: Node
}

/** Key of the date by which a row belongs to a period, among the values of a source. */
export const DATE_OF = 'date of '

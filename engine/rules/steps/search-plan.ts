import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Environment, ValueType } from '../../expression/tree/types.ts'
import type { Value } from '../../fields/field-type.ts'
import type { DatabaseKind, Db } from '../../storage/database/database.ts'
import type { CompiledRule, StepRule } from '../base/compiled-rule.ts'
import type { LinkPath } from '../base/reads.ts'

/** Records that one `each` goes through at most, where it says no `limit`. */
export const MOST_RESULTS = 5_000
/** Name of the record that a found row belongs to, in the fields of the row. */
export const RECORD_OF_ROW = 'parent'

/** Loop source of a step, by its variable: rows of a table of the document, or records that a query finds. */
export interface EachPlan {
  readonly as: string
  readonly if: StepRule | undefined
  readonly table: string | undefined
  readonly search: SearchPlan | undefined
}

/** A value of each record or group that a query finds. */
export interface SearchValue {
  readonly name: string
  readonly type: ValueType
  /** Aggregate of a group; undefined for a value its members agree in. */
  readonly operation: 'sum' | 'min' | 'max' | undefined
  readonly rule: CompiledRule
}

/** A query for records, or for rows of one of their tables. */
export interface SearchPlan {
  readonly source: DocTypeDefinition
  readonly sourceTable: string | undefined
  readonly where: CompiledRule | undefined
  /** Links of what is found that the query looks through. */
  readonly links: readonly LinkPath[]
  readonly order: readonly { readonly name: string; readonly isDown: boolean }[]
  readonly limit: number | undefined
  /** Values a group is known by and adds up; undefined where records or rows themselves are found. */
  readonly values: readonly SearchValue[] | undefined
  /** Fields of the variable that the expressions name: only they are read. */
  readonly used: ReadonlySet<string>
  readonly query: (kind: DatabaseKind) => EachQuery
  /** Key of the records that may find each other, where it looks among those of its own DocType (`own-kind.ts`). */
  readonly keyOf: ((environment: Environment) => string) | undefined
}

/** Record, row or group that a query found: the fields its variable is asked for. */
export type SearchResult = Readonly<Record<string, Value>>

/** The query of an `each` on one database. */
export interface EachQuery {
  /**
   * Finds the records, rows or groups there are now, in order; MOST_RESULTS + 1 when there are more than may be gone
   * through. `environment` has the records that its parameters are taken from.
   */
  find(tx: Db, environment: Environment): Promise<readonly SearchResult[]>
}

import type { ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { CompiledRule } from '../base/compiled-rule.ts'
import type { GraphNode } from '../base/graph.ts'
import type { LinkPath } from '../base/reads.ts'
import type { CallRule } from './hook-call.ts'
import type { FirstRecord, LookupRule } from './lookup.ts'
import type { RunningSum } from './running-sum.ts'

/** Computed cell with the sources that fill it, in this order of precedence. */
export interface Step extends GraphNode {
  readonly field: Field
  /** Table the field is a column of; undefined for the document's own. */
  readonly table: string | undefined
  readonly type: ValueType
  readonly formula: CompiledRule | undefined
  /** The same formula carried along from row to row, where it adds up earlier rows. */
  readonly running: RunningSum | undefined
  /** The link a fetch goes through. */
  readonly through: Field | undefined
  readonly lookup: LookupRule | undefined
  readonly call: CallRule | undefined
  readonly initial: CompiledRule | undefined
  /** Links that `initial` looks through. */
  readonly initialPaths: readonly LinkPath[]
  readonly first: FirstRecord | undefined
  /** Condition under which the value of a draft is taken anew. */
  readonly renew: CompiledRule | undefined
}

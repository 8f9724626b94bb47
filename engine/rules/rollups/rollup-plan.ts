import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { ValueType } from '../../expression/tree/types.ts'
import type { Field, Rollup } from '../../fields/field.ts'
import type { CompiledRule } from '../base/compiled-rule.ts'

/** Rollup field with its expressions compiled: the source it is kept from, and the place it is kept in. */
export interface RollupPlan {
  readonly target: DocTypeDefinition
  /** Table of the target whose rows hold the field; the key is then a `row_id`, else a record's name. */
  readonly targetTable: string | undefined
  readonly field: Field
  readonly type: ValueType
  readonly operation: Rollup['operation']
  readonly source: DocTypeDefinition
  readonly sourceTable: string | undefined
  readonly match: CompiledRule
  readonly value: CompiledRule | undefined
  readonly where: CompiledRule | undefined
}

/** Consecutive rollups of one DocType, which are filled together. */
export function runsOf(plans: readonly RollupPlan[]): readonly (readonly RollupPlan[])[] {
  const runs: RollupPlan[][] = []
  for (const plan of plans) {
    const last = runs.at(-1)
    if (last?.[0]?.target === plan.target) last.push(plan)
    else runs.push([plan])
  }
  return runs
}

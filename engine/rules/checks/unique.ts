import { CONDITION } from '../../expression/tree/types.ts'
import { indexProblem } from '../../storage/records/index-condition.ts'
import type { CompileContext, RuleProblem } from '../base/compiled-rule.ts'

/** Checks the conditions of `unique`: the database must be able to keep them in an index. */
export function checkUnique(
  { definition, scopes, compile }: CompileContext,
  problems: RuleProblem[],
): void {
  for (const [index, { where }] of (definition.behaviour.unique ?? []).entries()) {
    if (where === undefined) continue
    const path = ['unique', index, 'where']
    const rule = compile(where, scopes.of(definition).document, CONDITION, path)
    const refused = rule && indexProblem(rule.expression.tree)
    if (refused)
      problems.push({ path, source: where, offset: refused.offset, message: refused.message })
  }
}

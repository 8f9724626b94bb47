import { CONDITION } from '../../expression/tree/types.ts'
import { indexProblem } from '../../storage/records/index-condition.ts'
import { compilePart, type RuleProblem, type RuleSite } from '../base/compiled-rule.ts'

/** Checks the conditions of what is unique together: the database keeps them in an index. */
export function checkUnique(site: RuleSite): readonly RuleProblem[] {
  const { definition, scopes } = site
  return compilePart(site, ({ compile, problem }) => {
    for (const [index, { where }] of (definition.behaviour.unique ?? []).entries()) {
      if (where === undefined) continue
      const path = ['unique', index, 'where']
      const rule = compile(where, scopes.of(definition).document, CONDITION, path)
      const refused = rule && indexProblem(rule.expression.tree)
      if (refused) problem(path, refused.message, where, refused.offset)
    }
  }).problems
}

import type { ActionStep, EachDeclaration } from '../../definition/model/definition.ts'
import type { CompileContext, RuleProblem } from '../base/compiled-rule.ts'

/**
 * A step whose `each` is over every DocType that declares something, as one step for each of these, in the order of their
 * names; a `fill` replaces the rows once. Any other step is itself.
 *
 *     - {fill: overdue_payments, each: {declaring: receivable, as: d}, set: {reference_name: d.name}}
 */
export function stepsOver(
  { registry, problem }: CompileContext,
  step: ActionStep,
  path: RuleProblem['path'],
): readonly ActionStep[] {
  const each = 'each' in step ? step.each : undefined
  if (each === undefined || typeof each === 'string' || !('declaring' in each)) return [step]
  const { declaring, from, ...search } = each
  if (from !== undefined) {
    problem([...path, 'each'], 'needs either from or declaring')
    return []
  }
  const sources = registry.all
    .filter(({ declares }) => declares?.includes(declaring!))
    .map(({ doctype }) => doctype)
    .toSorted()
  return sources.map((source, index) => {
    const over: EachDeclaration = { ...search, from: source }
    const isMore = 'fill' in step && index > 0
    return { ...step, each: over, ...(isMore ? { keep: true } : {}) } as ActionStep
  })
}

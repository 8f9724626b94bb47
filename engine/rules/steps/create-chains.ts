import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import type { RuleProblem } from '../base/compiled-rule.ts'
import { type GraphNode, inDependencyOrder } from '../base/graph.ts'

/**
 * Mistake of a submit without an end: it always creates and submits a document whose submit, in the end, creates one
 * of the first kind again. A step with an `if` or an `each` may stop somewhere; the engine counts how deep it goes
 * (work.ts).
 */
export function createChains(
  registry: Registry,
): readonly { readonly definition: DocTypeDefinition; readonly problem: RuleProblem }[] {
  const nodes = registry.all.map(
    (definition): GraphNode => ({
      path: definition.doctype,
      reads: endlessCreates(definition).map(({ doctype }) => doctype),
    }),
  )
  const ordered = inDependencyOrder(nodes)
  if (ordered.ok) return []
  const [first = '', second] = ordered.cycle
  const definition = registry.byDoctype(first)!
  const step = endlessCreates(definition).find(({ doctype }) => doctype === second)!
  const message = `a submit would never end: ${ordered.cycle.join(' -> ')}`
  const path = ['effects', 'submit', step.index, 'create']
  return [{ definition, problem: { path, source: '', offset: 0, message } }]
}

function endlessCreates({
  behaviour,
}: DocTypeDefinition): readonly { readonly doctype: string; readonly index: number }[] {
  return (behaviour.effects?.submit ?? []).flatMap((step, index) =>
    'create' in step && step.submit === true && step.if === undefined && step.each === undefined
      ? [{ doctype: step.create, index }]
      : [],
  )
}

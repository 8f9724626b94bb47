import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { type RuleProblem, readsOf } from '../base/compiled-rule.ts'
import { type GraphNode, inDependencyOrder } from '../base/graph.ts'
import type { RollupPlan } from '../rollups/rollup-plan.ts'

/**
 * Dependencies across all DocTypes: formulas and statuses inside a document, rollups between them. Without a cycle
 * every change comes to rest (rules.md §4.2, Graph).
 */
export interface WorkspaceGraph {
  addNodes(definition: DocTypeDefinition, nodes: readonly GraphNode[]): void
  addRollup(plan: RollupPlan): void
  /** The first cycle, as a mistake of the rollup that closes it. */
  cycles(): readonly { readonly definition: DocTypeDefinition; readonly problem: RuleProblem }[]
}

export function createGraph(): WorkspaceGraph {
  const nodes: GraphNode[] = []
  const rollups = new Map<string, RollupPlan>()
  const inDocType =
    ({ doctype }: DocTypeDefinition) =>
    (cell: string): string =>
      `${doctype}.${cell}`

  return {
    addNodes(definition, list) {
      const name = inDocType(definition)
      for (const { path, reads } of list) nodes.push({ path: name(path), reads: reads.map(name) })
    },
    addRollup(plan) {
      const { target, targetTable, field, source, sourceTable, match, value, where } = plan
      const cell = targetTable === undefined ? field.name : `${targetTable}.${field.name}`
      const path = inDocType(target)(cell)
      const reads = [match, value, where].flatMap((rule) =>
        rule ? readsOf(rule.expression, sourceTable) : [],
      )
      rollups.set(path, plan)
      nodes.push({ path, reads: reads.map(inDocType(source)) })
    },
    cycles() {
      const ordered = inDependencyOrder(nodes)
      if (ordered.ok) return []
      const plan = ordered.cycle.map((path) => rollups.get(path)).find((found) => found)
      if (!plan) return []
      const { target, targetTable, field } = plan
      const table = targetTable === undefined ? [] : [targetTable, 'fields']
      const message = `the value follows from itself: ${ordered.cycle.join(' -> ')}`
      const path = ['fields', ...table, field.name, 'rollup', 'from']
      const source = field.rollup!.from
      return [{ definition: target, problem: { path, source, offset: 0, message } }]
    },
  }
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { readsOf } from '../base/compiled-rule.ts'
import { type GraphNode, inDependencyOrder } from '../base/graph.ts'
import type { Scopes } from '../base/scopes.ts'
import { compileRollup, rollupFields } from '../rollups/rollup.ts'
import type { RollupPlan } from '../rollups/rollup-plan.ts'
import type { CompiledRules } from './compute.ts'

interface Cell extends GraphNode {
  readonly rollup: RollupPlan | undefined
}

/**
 * All rollups of a workspace, each after those its value follows from, also by way of formulas. The registry
 * has been checked, so there is no cycle.
 */
export function rollupsInOrder(
  registry: Registry,
  scopes: Scopes,
  rulesOf: (definition: DocTypeDefinition) => CompiledRules,
): readonly RollupPlan[] {
  const cells: Cell[] = []
  for (const definition of registry.all) {
    const named = (path: string): string => `${definition.doctype}.${path}`
    for (const { path, reads } of rulesOf(definition).nodes)
      cells.push({ path: named(path), reads: reads.map(named), rollup: undefined })
    for (const { table, field } of rollupFields(definition)) {
      const { plan } = compileRollup(registry, scopes, definition, table, field)
      if (plan) cells.push(cellOf(plan))
    }
  }
  const ordered = inDependencyOrder(cells)
  return (ordered.ok ? ordered.order : cells).flatMap(({ rollup }) => (rollup ? [rollup] : []))
}

function cellOf(plan: RollupPlan): Cell {
  const { target, targetTable, field, source, sourceTable, match, value, where } = plan
  const cell = targetTable === undefined ? field.name : `${targetTable}.${field.name}`
  const reads = [match, value, where].flatMap((rule) =>
    rule ? readsOf(rule.expression, sourceTable) : [],
  )
  return {
    path: `${target.doctype}.${cell}`,
    reads: reads.map((path) => `${source.doctype}.${path}`),
    rollup: plan,
  }
}

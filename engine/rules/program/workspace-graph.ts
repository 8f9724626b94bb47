import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { type RuleProblem, readsOf } from '../base/compiled-rule.ts'
import { type GraphNode, inDependencyOrder } from '../base/graph.ts'
import type { RollupPlan } from '../rollups/rollup-plan.ts'
import type { BehaviourParts } from './behaviour.ts'

/** A mistake together with the definition whose YAML it is in. */
export interface DefinitionMistake {
  readonly definition: DocTypeDefinition
  readonly problem: RuleProblem
}

/**
 * Dependencies across all DocTypes: formulas and statuses inside a document, rollups between them. Without a cycle
 * every change comes to rest (rules.md §4.2, Graph).
 */
export interface WorkspaceGraph {
  /** All rollups, each after those its value follows from, also by way of formulas. */
  readonly rollups: readonly RollupPlan[]
  /** These cells (`Sales Invoice.outstanding_amount`) and all that follows from them. */
  follows(paths: Iterable<string>): ReadonlySet<string>
  /** The first cycle, as a mistake of the rollup that closes it. */
  readonly mistakes: readonly DefinitionMistake[]
}

/** Cell of a DocType: `Sales Invoice.outstanding_amount`. */
interface Cell extends GraphNode {
  /** Undefined for a formula or a status. */
  readonly rollup: RollupPlan | undefined
}

/** The graph of a registry whose parts have no mistakes of their own. */
export function workspaceGraph(
  registry: Registry,
  partsOf: (definition: DocTypeDefinition) => BehaviourParts,
): WorkspaceGraph {
  const cells = registry.all.flatMap((definition) => cellsOf(definition, partsOf(definition)))
  const ordered = inDependencyOrder(cells)
  const sorted = ordered.ok ? ordered.order : cells
  return {
    rollups: sorted.flatMap(({ rollup }) => rollup ?? []),
    follows(paths) {
      const found = new Set(paths)
      for (const { path, reads } of sorted)
        if (reads.some((read) => found.has(read))) found.add(path)
      return found
    },
    mistakes: ordered.ok ? [] : cycleMistakes(ordered.cycle, cells),
  }
}

function cellsOf(definition: DocTypeDefinition, { rules, rollups }: BehaviourParts): Cell[] {
  const name = inDocType(definition)
  const followed = rules().nodes.map(({ path, reads }) => ({
    path: name(path),
    reads: reads.map(name),
    rollup: undefined,
  }))
  return [...followed, ...rollups.flatMap(({ compiled }) => compiled().plan ?? []).map(rollupCell)]
}

function rollupCell(plan: RollupPlan): Cell {
  const { target, targetTable, field, source, sourceTable, match, value, where } = plan
  const cell = targetTable === undefined ? field.name : `${targetTable}.${field.name}`
  const reads = [match, value, where].flatMap((rule) =>
    rule ? readsOf(rule.expression, sourceTable) : [],
  )
  return { path: inDocType(target)(cell), reads: reads.map(inDocType(source)), rollup: plan }
}

function inDocType({ doctype }: DocTypeDefinition): (cell: string) => string {
  return (cell) => `${doctype}.${cell}`
}

function cycleMistakes(
  cycle: readonly string[],
  cells: readonly Cell[],
): readonly DefinitionMistake[] {
  const rollups = new Map(cells.flatMap(({ path, rollup }) => (rollup ? [[path, rollup]] : [])))
  const plan = cycle.map((path) => rollups.get(path)).find((found) => found)
  if (!plan) return []
  const { target, targetTable, field } = plan
  const table = targetTable === undefined ? [] : [targetTable, 'fields']
  const message = `the value follows from itself: ${cycle.join(' -> ')}`
  const path = ['fields', ...table, field.name, 'rollup', 'from']
  const source = field.rollup!.from
  return [{ definition: target, problem: { path, source, offset: 0, message } }]
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { type Parse, rememberingParser } from '../../expression/syntax/parse.ts'
import { CONDITION } from '../../expression/tree/types.ts'
import { columnOfDocument } from '../base/columns.ts'
import { compilePart, type RuleProblem, type RuleSite } from '../base/compiled-rule.ts'
import { checkUnique } from '../checks/unique.ts'
import { createChains } from '../steps/create-chains.ts'
import { eventSetProblems } from './events.ts'
import { createProgram, type Program } from './program.ts'
import type { DefinitionMistake } from './workspace-graph.ts'

/** Definitions that were compiled whole; where there is a mistake, the program must not run. */
export interface CheckedRegistry {
  readonly program: Program
  readonly mistakes: readonly DefinitionMistake[]
}

/** Compiles all definitions, and checks that no value follows from itself by way of other documents. */
export function checkRegistry(
  registry: Registry,
  parse: Parse = rememberingParser(),
): CheckedRegistry {
  const program: Program = { ...createProgram(registry, parse), isWhole: true }
  const mistakes = registry.all.flatMap((definition) =>
    checkBehaviour(program, definition).map((problem) => ({ definition, problem })),
  )
  const all =
    mistakes.length > 0 ? mistakes : [...program.graph().mistakes, ...createChains(registry)]
  return { program, mistakes: all }
}

/**
 * Compiles every expression of a definition, and checks what its behaviour names. Empty when all is well; else every
 * mistake, with the path of its text in the YAML.
 */
export function checkBehaviour(
  program: Program,
  definition: DocTypeDefinition,
): readonly RuleProblem[] {
  const { registry, scopes } = program
  const site = { definition, registry, scopes }
  const parts = program.partsOf(definition)
  const rules = parts.rules()
  const events = parts.events()
  return [
    ...rules.problems,
    ...parts.effects().problems,
    ...parts.actions().problems,
    ...events.problems,
    ...eventSetProblems(events.plan, rules.nodes),
    ...parts.brings().problems,
    ...parts.rollups.flatMap(({ compiled }) => compiled().problems),
    ...parts.invariants().problems,
    ...checkUnique(site),
    ...checkTick(site),
    ...checkProposed(site),
    ...parts.rows().problems,
    ...checkVisibility(site),
  ]
}

function checkTick(site: RuleSite): readonly RuleProblem[] {
  const { definition, scopes } = site
  const daily = definition.behaviour.status?.tick?.daily
  if (daily === undefined) return []
  const { document } = scopes.of(definition)
  return compilePart(site, ({ compile }) =>
    compile(daily, document, CONDITION, ['status', 'tick', 'daily'], columnOfDocument),
  ).problems
}

/** Whether records may be proposed is for links to them to ask (cells/lookup.ts). */
function checkProposed(site: RuleSite): readonly RuleProblem[] {
  const { definition, scopes } = site
  const { proposed } = definition
  if (proposed === undefined) return []
  const scope = { ...scopes.of(definition).document, records: new Map() }
  return compilePart(site, ({ compile }) =>
    compile(proposed, scope, CONDITION, ['proposed'], columnOfDocument),
  ).problems
}

/** Forms hide fields by these; the engine itself never evaluates them. */
function checkVisibility(site: RuleSite): readonly RuleProblem[] {
  const { definition, scopes } = site
  const { document, rows } = scopes.of(definition)
  return compilePart(site, ({ compile }) => {
    for (const { name, visibleWhen, child } of definition.fields) {
      if (visibleWhen !== undefined)
        compile(visibleWhen, document, CONDITION, ['fields', name, 'visible_when'])
      for (const column of child?.fields ?? []) {
        if (column.visibleWhen === undefined) continue
        const path = ['fields', name, 'fields', column.name, 'visible_when']
        compile(column.visibleWhen, rows.get(name)!, CONDITION, path)
      }
    }
  }).problems
}

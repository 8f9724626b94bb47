import { once } from '../../base/once.ts'
import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import type { Registry } from '../../definition/model/registry.ts'
import { CONDITION } from '../../expression/tree/types.ts'
import { columnOfDocument } from '../base/columns.ts'
import { type CompiledRule, type RuleProblem, ruleCompiler } from '../base/compiled-rule.ts'
import { createScopes, type Scopes } from '../base/scopes.ts'
import { compileInvariants } from '../checks/invariant-query.ts'
import { checkUnique } from '../checks/unique.ts'
import { compileRollup, rollupFields } from '../rollups/rollup.ts'
import { type ActionPlan, compileActions } from '../steps/actions.ts'
import { type BringsPlan, compileBrings } from '../steps/brings.ts'
import { createChains } from '../steps/create-chains.ts'
import { compileSteps } from '../steps/effects.ts'
import type { StepPlan } from '../steps/step-plans.ts'
import { compileRules, type Rules } from './compute.ts'
import { compileEvents, type EventPlan } from './events.ts'
import { createGraph, type WorkspaceGraph } from './workspace-graph.ts'

/** All declared behaviour of one DocType, compiled; each part at its first use. */
export interface Behaviour {
  readonly rules: Rules
  /** Steps of a submit. */
  readonly effects: readonly StepPlan[]
  readonly actions: ReadonlyMap<string, ActionPlan>
  readonly events: readonly EventPlan[]
  /** Records that a new record brings along. */
  readonly brings: BringsPlan | undefined
  /** Role → conditions on its records (`permissions.rows`). */
  readonly rows: ReadonlyMap<string, RowRules>
}

/** Conditions on the records a role may read, and on those it may change. */
export interface RowRules {
  readonly read: CompiledRule | undefined
  readonly write: CompiledRule | undefined
}

/** Compiles the behaviour of a definition that has been checked; its rules are compiled by `rules`. */
export function behaviourOf(
  definition: DocTypeDefinition,
  registry: Registry,
  scopes: Scopes,
  rules: () => Rules,
): Behaviour {
  const context = { definition, registry, scopes, compile: ruleCompiler([]) }
  const ignore = (): void => undefined
  const effects = once(() => effectsOf(context, ignore))
  const actions = once(() => compileActions(context, ignore))
  const events = once(() => compileEvents(context, ignore))
  const brings = once(() => compileBrings(context, ignore))
  const rows = once(() => rowPermissions(context))
  return {
    get rules() {
      return rules()
    },
    get effects() {
      return effects()
    },
    get actions() {
      return actions()
    },
    get events() {
      return events()
    },
    get brings() {
      return brings()
    },
    get rows() {
      return rows()
    },
  }
}

/** A mistake together with the definition whose YAML it is in. */
export interface DefinitionMistake {
  readonly definition: DocTypeDefinition
  readonly problem: RuleProblem
}

/** Checks all definitions, and that no value follows from itself by way of other documents. */
export function checkRegistry(registry: Registry): readonly DefinitionMistake[] {
  const scopes = createScopes(registry)
  const graph = createGraph()
  const mistakes = registry.all.flatMap((definition) =>
    checkBehaviour(definition, registry, scopes, graph).map((problem) => ({ definition, problem })),
  )
  return mistakes.length > 0 ? mistakes : [...graph.cycles(), ...createChains(registry)]
}

/**
 * Checks every expression of a definition and what its behaviour names. Empty when all is well; else every
 * mistake, with the path of its text in the YAML.
 */
export function checkBehaviour(
  definition: DocTypeDefinition,
  registry: Registry,
  scopes: Scopes = createScopes(registry),
  graph: WorkspaceGraph = createGraph(),
): readonly RuleProblem[] {
  const { problems: inRules, nodes } = compileRules(definition, registry, scopes)
  const problems: RuleProblem[] = [...inRules]
  graph.addNodes(definition, nodes)
  const problem = (path: RuleProblem['path'], message: string): void => {
    problems.push({ path, source: '', offset: 0, message })
  }
  const context = { definition, registry, scopes, compile: ruleCompiler(problems) }
  effectsOf(context, problem)
  compileActions(context, problem)
  compileEvents(context, problem)
  compileBrings(context, problem)
  for (const { table, field } of rollupFields(definition)) {
    const rollup = compileRollup(registry, scopes, definition, table, field)
    problems.push(...rollup.problems)
    if (rollup.plan) graph.addRollup(rollup.plan)
  }
  compileInvariants(context, problem)
  checkUnique(context, problems)
  checkTick(context)
  rowPermissions(context)
  checkVisibility(context)
  return problems
}

type Context = Parameters<typeof compileSteps>[0]

function effectsOf(
  context: Context,
  problem: Parameters<typeof compileSteps>[4],
): readonly StepPlan[] {
  const { definition, scopes } = context
  const steps = definition.behaviour.effects?.submit
  if (!steps) return []
  if (!definition.submittable)
    problem(['effects'], `${definition.doctype} is not submittable, so nothing ever has effects`)
  const scope = scopes.momentOf(definition).document
  return compileSteps(context, steps, scope, ['effects', 'submit'], problem)
}

function checkTick({ definition, scopes, compile }: Context): void {
  const daily = definition.behaviour.status?.tick?.daily
  if (daily !== undefined)
    compile(
      daily,
      scopes.of(definition).document,
      CONDITION,
      ['status', 'tick', 'daily'],
      columnOfDocument,
    )
}

/** Conditions a role's records must meet: SQL where lists are read, a function where one record is. */
function rowPermissions({ definition, scopes, compile }: Context): ReadonlyMap<string, RowRules> {
  const rules = new Map<string, RowRules>()
  const scope = scopes.of(definition).document
  const compiled = (condition: string | undefined, path: readonly string[]) =>
    condition === undefined
      ? undefined
      : compile(condition, scope, CONDITION, ['permissions', 'rows', ...path], columnOfDocument)
  for (const [role, limit] of Object.entries(definition.behaviour.permissions?.rows ?? {})) {
    if (typeof limit === 'string') {
      const rule = compiled(limit, [role])
      rules.set(role, { read: rule, write: rule })
    } else {
      const read = compiled(limit.read, [role, 'read'])
      rules.set(role, { read, write: compiled(limit.write, [role, 'write']) })
    }
  }
  return rules
}

/** Checks the conditions by which forms hide fields; the engine itself never evaluates them. */
function checkVisibility({ definition, scopes, compile }: Context): void {
  const { document, rows } = scopes.of(definition)
  for (const { name, visibleWhen, child } of definition.fields) {
    if (visibleWhen !== undefined)
      compile(visibleWhen, document, CONDITION, ['fields', name, 'visible_when'])
    for (const column of child?.fields ?? []) {
      if (column.visibleWhen === undefined) continue
      const path = ['fields', name, 'fields', column.name, 'visible_when']
      compile(column.visibleWhen, rows.get(name)!, CONDITION, path)
    }
  }
}

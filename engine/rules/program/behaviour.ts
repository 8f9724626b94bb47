import { once } from '../../base/once.ts'
import { CONDITION } from '../../expression/tree/types.ts'
import { columnOfDocument } from '../base/columns.ts'
import {
  type CompileContext,
  type Compiled,
  type CompiledRule,
  compilePart,
  type RuleSite,
} from '../base/compiled-rule.ts'
import { compileInvariants, type InvariantPlan } from '../checks/invariant-query.ts'
import { compileRollup, type DeclaredRollup } from '../rollups/rollup.ts'
import { rollupFields } from '../rollups/rollup-fields.ts'
import { type ActionPlan, compileActions } from '../steps/actions.ts'
import { type BringsPlan, compileBrings } from '../steps/brings.ts'
import { compileSteps } from '../steps/effects.ts'
import type { StepPlan } from '../steps/step-plans.ts'
import { type CompiledRules, compileRules, type Rules } from './compute.ts'
import { compileEvents, type EventPlan } from './events.ts'

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
  /** What holds over all records. */
  readonly invariants: readonly InvariantPlan[]
}

/** Conditions on the records a role may read, and on those it may change. */
export interface RowRules {
  readonly read: CompiledRule | undefined
  readonly write: CompiledRule | undefined
}

/** Parts of a DocType's behaviour with the mistakes in them, each compiled once, when it is first asked for. */
export interface BehaviourParts {
  readonly rules: () => CompiledRules
  readonly effects: () => Compiled<Behaviour['effects']>
  readonly actions: () => Compiled<Behaviour['actions']>
  readonly events: () => Compiled<Behaviour['events']>
  readonly brings: () => Compiled<Behaviour['brings']>
  readonly rows: () => Compiled<Behaviour['rows']>
  readonly invariants: () => Compiled<Behaviour['invariants']>
  readonly rollups: readonly DeclaredRollup[]
}

/** The parts of the behaviour that a DocType declares. */
export function behaviourParts(site: RuleSite): BehaviourParts {
  return {
    rules: once(() => compileRules(site)),
    effects: once(() => compilePart(site, effectsOf)),
    actions: once(() => compileActions(site)),
    events: once(() => compileEvents(site)),
    brings: once(() => compileBrings(site)),
    rows: once(() => compilePart(site, rowPermissions)),
    invariants: once(() => compileInvariants(site)),
    rollups: rollupFields(site.definition).map(({ table, field }) => ({
      table,
      field,
      compiled: once(() => compileRollup(site, table, field)),
    })),
  }
}

/** The behaviour that these parts come to, which have no mistakes. */
export function behaviourOf(parts: BehaviourParts): Behaviour {
  return {
    get rules() {
      return parts.rules().plan
    },
    get effects() {
      return parts.effects().plan
    },
    get actions() {
      return parts.actions().plan
    },
    get events() {
      return parts.events().plan
    },
    get brings() {
      return parts.brings().plan
    },
    get rows() {
      return parts.rows().plan
    },
    get invariants() {
      return parts.invariants().plan
    },
  }
}

function effectsOf(context: CompileContext): readonly StepPlan[] {
  const { definition, scopes, problem } = context
  const steps = definition.behaviour.effects?.submit
  if (!steps) return []
  if (!definition.submittable)
    problem(['effects'], `${definition.doctype} is not submittable, so nothing ever has effects`)
  const scope = scopes.momentOf(definition).document
  return compileSteps(context, steps, scope, ['effects', 'submit'])
}

/** Conditions a role's records must meet: SQL where lists are read, a function where one record is. */
function rowPermissions({
  definition,
  scopes,
  compile,
}: CompileContext): ReadonlyMap<string, RowRules> {
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

import type { ActionStep } from '../../definition/model/definition.ts'
import { fieldsOf, isFieldName, type Scope } from '../../expression/tree/scope.ts'
import type { CompileContext, RuleProblem } from '../base/compiled-rule.ts'
import { compileCreate } from './create-step.ts'
import { compileDuplicate } from './duplicate-step.ts'
import { stepsOver } from './each-declared.ts'
import { compileNumber } from './number-step.ts'
import {
  compileChange,
  compileFill,
  compilePost,
  compileSet,
  compileUpdate,
} from './step-compiler.ts'
import type { PostPlan, StepPlan } from './step-plans.ts'
import { conditionAt, type StepSite, withVariable } from './step-site.ts'

/** Kinds of steps, each by the key that only its steps have; `set` and `submit` are keys of others too. */
const KINDS = ['post', 'create', 'duplicate', 'update', 'fill', 'change', 'number'] as const

/** Compiles steps in order; what a step creates can be named by the later ones. */
export function compileSteps(
  context: CompileContext,
  steps: readonly ActionStep[],
  scope: Scope,
  path: RuleProblem['path'],
): readonly StepPlan[] {
  const { problem } = context
  const plans: StepPlan[] = []
  const created = new Set<string>()
  const input = scope.records.get('input')
  let known: StepSite = { context, scope, variables: new Map(), path }
  if (input) known = withVariable(known, 'input', input)
  const each = steps.flatMap((step, index) =>
    stepsOver(context, step, [...path, index]).map((one) => [index, one] as const),
  )
  for (const [index, step] of each) {
    const site: StepSite = { ...known, path: [...path, index] }
    const kinds = KINDS.filter((key) => key in step)
    if (kinds.length > 1) problem(site.path, `a step does one thing: ${kinds.join(' or ')}`)
    else if ('post' in step) push(plans, compilePost(site, step))
    else if ('create' in step) {
      push(plans, compileCreate(site, step))
      const { as, each } = step
      const target = context.registry.byDoctype(step.create)
      if (as !== undefined && each === undefined && target && isFieldName(as)) {
        known = withVariable(known, as, context.scopes.of(target).document.fields)
        created.add(as)
      }
    } else if ('duplicate' in step) {
      push(plans, compileDuplicate(site, step))
      const { as } = step
      // Of what kind it is, is known when it is made: it has a name.
      if (as !== undefined && isFieldName(as)) {
        known = withVariable(known, as, fieldsOf([{ name: 'name', kind: 'str' }]))
        created.add(as)
      }
    } else if ('update' in step) push(plans, compileUpdate(site, step))
    else if ('fill' in step) push(plans, compileFill(site, step))
    else if ('change' in step) push(plans, compileChange(site, step))
    else if ('submit' in step) {
      if (typeof step.submit !== 'string' || !created.has(step.submit))
        problem([...site.path, 'submit'], 'expected the `as` of an earlier step')
      else plans.push({ kind: 'submit', if: conditionAt(site, step.if), name: step.submit })
    } else if ('number' in step) push(plans, compileNumber(site, step))
    else if ('set' in step) plans.push(compileSet(site, step))
    else
      problem(
        site.path,
        'needs one of post, create, duplicate, update, fill, change, set, number or submit',
      )
  }
  return joinedPostings(plans)
}

/** The steps with each posting that is made together with a later one to the same ledger taken into that. */
function joinedPostings(plans: readonly StepPlan[]): readonly StepPlan[] {
  const waiting = new Set<PostPlan>()
  return plans.flatMap((plan, at): StepPlan[] => {
    if (plan.kind !== 'post') return [plan]
    const isSame = (other: StepPlan): other is PostPlan =>
      other.kind === 'post' && other.ledger === plan.ledger
    if (plan.together && plans.slice(at + 1).some(isSame)) {
      waiting.add(plan)
      return []
    }
    const before = [...waiting].filter(isSame)
    for (const one of before) waiting.delete(one)
    return [before.length === 0 ? plan : { ...plan, before }]
  })
}

function push<T>(list: T[], item: T | undefined): void {
  if (item !== undefined) list.push(item)
}

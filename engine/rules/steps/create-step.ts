import type { CreateStep } from '../../definition/model/definition.ts'
import { compileEach } from './each.ts'
import { compileTables } from './step-compiler.ts'
import type { CreatePlan } from './step-plans.ts'
import { assignmentsAt, at, complain, conditionAt, type StepSite } from './step-site.ts'

/** Compiles `create`: a record, or one for `each`. */
export function compileCreate(outer: StepSite, step: CreateStep): CreatePlan | undefined {
  const { registry } = outer.context
  const doctype = registry.byDoctype(step.create)
  if (!doctype || doctype.isChild || doctype.behaviour.ledger) {
    const message = `expected a DocType with records of its own, got ${JSON.stringify(step.create)}`
    complain(outer, ['create'], message)
    return undefined
  }
  if (step.submit === true && !doctype.submittable)
    complain(outer, ['submit'], `${step.create} is not submittable`)
  const each = step.each === undefined ? undefined : compileEach(outer, step.each)
  if (step.each !== undefined && !each) return undefined
  if (each && step.as !== undefined)
    complain(outer, ['as'], 'there is no single record to name; `as` inside `each` names the row')
  const site = each?.site ?? outer
  return {
    kind: 'create',
    if: conditionAt(outer, step.if),
    each: each?.each,
    doctype,
    as: each ? undefined : step.as,
    set: assignmentsAt(at(site, 'set'), step.set ?? {}, doctype.fields),
    tables: compileTables(site, doctype, step.rows),
    submit: step.submit === true,
  }
}

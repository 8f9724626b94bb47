import type { CreatedRows, CreateStep, Field } from '../definition/definition.ts'
import { compileEach } from './each.ts'
import { compileRows } from './step-compiler.ts'
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
    tables: Object.entries(step.rows ?? {}).flatMap(([table, declared]) => {
      const field = doctype.fields.find(({ name }) => name === table)
      if (field?.child) return [tableOf(at(site, 'rows', table), field, declared)]
      complain(site, ['rows', table], `${step.create} has no table ${table}`)
      return []
    }),
    submit: step.submit === true,
  }
}

function tableOf(
  site: StepSite,
  field: Field,
  declared: CreatedRows | readonly CreatedRows[],
): CreatePlan['tables'][number] {
  const isList = Array.isArray(declared)
  const list: readonly CreatedRows[] = isList ? declared : [declared as CreatedRows]
  const { fields } = field.child!
  return {
    field,
    rows: list.map((one, index) => compileRows(isList ? at(site, index) : site, one, fields)),
  }
}

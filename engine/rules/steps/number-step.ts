import type { NumberStep } from '../../definition/model/definition.ts'
import { valueType } from '../base/scopes.ts'
import type { NumberPlan } from './step-plans.ts'
import { at, complain, conditionAt, ruleAt, type StepSite } from './step-site.ts'

/** Compiles `number`: the next number of a series, given to a field of the document as it is submitted. */
export function compileNumber(site: StepSite, step: NumberStep): NumberPlan | undefined {
  const { definition } = site.context
  const field = definition.fields.find(({ name }) => name === step.number)
  if (!field || field.link !== undefined || valueType(field).kind !== 'str') {
    complain(site, ['number'], `expected a text field, got ${JSON.stringify(step.number)}`)
    return undefined
  }
  if (!field.readOnly || !field.noCopy)
    complain(site, ['number'], `${field.name} has to be readOnly and no_copy`)
  if (site.path[0] !== 'effects')
    complain(site, ['number'], 'is for the effects of a submit, after which it never changes')
  const pattern = ruleAt(at(site, 'pattern'), step.pattern, valueType(field))
  return { kind: 'number', if: conditionAt(site, step.if), field, pattern }
}

import type { DuplicateStep } from '../../definition/model/definition.ts'
import type { ValueType } from '../../expression/tree/types.ts'
import type { DuplicatePlan } from './step-plans.ts'
import { at, complain, conditionAt, ruleAt, type StepSite } from './step-site.ts'

const DAYS: ValueType = { kind: 'int', scale: 0 }

/** Compiles `duplicate`: another record like one that the document names. */
export function compileDuplicate(site: StepSite, step: DuplicateStep): DuplicatePlan | undefined {
  const { definition } = site.context
  const link = definition.fields.find(({ name }) => name === step.duplicate)
  if (!link || (link.link === undefined && link.linkFrom === undefined)) {
    complain(site, ['duplicate'], `expected a link, got ${JSON.stringify(step.duplicate)}`)
    return undefined
  }
  if (site.path[0] === 'effects')
    complain(site, ['duplicate'], 'is for actions: a cancel leaves what was made of others alone')
  const { days, as } = step
  return {
    kind: 'duplicate',
    if: conditionAt(site, step.if),
    link,
    days: days === undefined ? undefined : ruleAt(at(site, 'days'), days, DAYS),
    as,
  }
}

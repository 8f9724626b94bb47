import type { BringsDeclaration } from '../../definition/model/definition.ts'
import {
  type CompileContext,
  type Compiled,
  compilePart,
  type RuleSite,
  type StepRule,
} from '../base/compiled-rule.ts'
import { at, conditionAt, ruleAt, type StepSite } from './step-site.ts'

/** Compiled `brings`: the records that a new record brings along. */
export interface BringsPlan extends Pick<BringsDeclaration, 'sets'> {
  readonly owner: string | undefined
  readonly if: StepRule | undefined
  readonly suffix: StepRule | undefined
}

/** Compiles `brings`; the plan is undefined where a DocType has none. */
export function compileBrings(site: RuleSite): Compiled<BringsPlan | undefined> {
  return compilePart(site, bringsOf)
}

function bringsOf(context: CompileContext): BringsPlan | undefined {
  const { definition, scopes, problem } = context
  const { brings } = definition.behaviour
  if (!brings) return undefined
  for (const [index, { named, optional }] of brings.sets.entries()) {
    const path = ['brings', 'sets', index]
    if (
      named !== undefined &&
      !definition.fields.some(({ name, child }) => name === named && !child)
    )
      problem([...path, 'named'], `no field ${JSON.stringify(named)}`)
    if (named === undefined && optional === true)
      problem([...path, 'optional'], 'is for a set that is chosen by a field (`named`)')
  }
  const site: StepSite = {
    context,
    scope: scopes.momentOf(definition).document,
    variables: new Map(),
    path: ['brings'],
  }
  const { sets, owner, suffix } = brings
  return {
    sets,
    owner,
    if: conditionAt(site, brings.if),
    suffix: suffix === undefined ? undefined : ruleAt(at(site, 'suffix'), suffix, TEXT),
  }
}

const TEXT = { kind: 'str', scale: 0 } as const

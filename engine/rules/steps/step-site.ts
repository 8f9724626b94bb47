import type { SetDeclaration } from '../../definition/model/definition.ts'
import type { Expression } from '../../expression/expression.ts'
import { type Fields, type Scope, withRecord } from '../../expression/tree/scope.ts'
import { CONDITION, type ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { CompileContext, RuleProblem, StepRule } from '../base/compiled-rule.ts'
import { linkPathsOf } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import { sourceOf } from '../base/set-value.ts'
import type { Assignment } from './step-plans.ts'

/** A record that the steps bound to a name: the input of an action, what was created, what is gone through. */
export interface Variable {
  readonly fields: Fields
  /** Fields of it that some expression names. */
  readonly used: Set<string>
}

/** Where a part of a step stands: what its expressions may name, and the path of its mistakes. */
export interface StepSite {
  readonly context: CompileContext
  readonly scope: Scope
  readonly variables: ReadonlyMap<string, Variable>
  readonly path: RuleProblem['path']
}

/** The site of the value at a key of this one. */
export function at(site: StepSite, ...path: RuleProblem['path']): StepSite {
  return { ...site, path: site.path.concat(path) }
}

/** Reports a mistake at a key of the site. */
export function complain(site: StepSite, path: RuleProblem['path'], message: string): void {
  site.context.problem([...site.path, ...path], message)
}

/**
 * Site with one more record, whose expressions are evaluated `repeat` times at most. `guesses`: the fields it may
 * have been meant to have, where a mistake in them is reported.
 */
export function withVariable(
  site: StepSite,
  name: string,
  fields: Fields,
  repeat: number = site.scope.repeat,
  guesses: readonly Fields[] = [],
): StepSite {
  const scope = { ...withRecord(site.scope, name, fields), repeat }
  const guessed = guesses.map((guess) => ({ ...withRecord(site.scope, name, guess), repeat }))
  return {
    ...site,
    scope: guessed.length === 0 ? scope : { ...scope, guesses: guessed },
    variables: new Map(site.variables).set(name, { fields, used: new Set() }),
  }
}

/** Notes the fields of variables that an expression names. */
export function noteUse({ variables }: StepSite, { dependencies }: Expression): void {
  for (const name of dependencies) {
    const dot = name.indexOf('.')
    if (dot > 0) variables.get(name.slice(0, dot))?.used.add(name.slice(dot + 1))
  }
}

/** Compiles the expression at the site, or at a key of it. */
export function ruleAt(
  site: StepSite,
  source: string,
  type: ValueType,
  ...key: RuleProblem['path']
): StepRule | undefined {
  const { compile, definition, registry } = site.context
  const rule = compile(source, site.scope, type, site.path.concat(key))
  if (!rule) return undefined
  noteUse(site, rule.expression)
  return { ...rule, paths: linkPathsOf(rule.expression, definition.fields, registry) }
}

/** Compiles the condition at the key `if` of the site, where there is one. */
export function conditionAt(site: StepSite, source: string | undefined): StepRule | undefined {
  return source === undefined ? undefined : ruleAt(site, source, CONDITION, 'if')
}

/** Compiles the assignments at the site, whose target has these fields. */
export function assignmentsAt(
  site: StepSite,
  set: SetDeclaration,
  fields: readonly Field[],
): readonly Assignment[] {
  return Object.entries(set).flatMap(([name, source]): Assignment[] => {
    const field = fields.find((candidate) => candidate.name === name && !candidate.made)
    if (!field) {
      const known = fields
        .filter(({ made }) => !made)
        .map((candidate) => candidate.name)
        .join(', ')
      complain(site, [name], `no field ${JSON.stringify(name)} (have: ${known})`)
      return []
    }
    const computed = (['formula', 'rollup'] as const).find((key) => field[key] !== undefined)
    if (field.child || computed !== undefined) {
      const why = field.child ? 'is a table' : `has ${computed}`
      complain(site, [name], `cannot be set: it ${why}`)
      return []
    }
    const type = valueType(field)
    const meant = sourceOf(source, { field, beside: fields }, site.context.registry, site.scope)
    if (meant.message !== undefined) complain(site, [name], meant.message)
    const rule = meant.source === undefined ? undefined : ruleAt(site, meant.source, type, name)
    return rule ? [{ field, type, rule }] : []
  })
}

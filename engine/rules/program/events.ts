import type { EventDeclaration } from '../../definition/model/definition.ts'
import { CONDITION, type ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { fieldType } from '../../fields/index.ts'
import {
  type CompileContext,
  type Compiled,
  compilePart,
  type RuleProblem,
  type RuleSite,
  readsOf,
  type StepRule,
} from '../base/compiled-rule.ts'
import type { GraphNode } from '../base/graph.ts'
import { linkPathsOf } from '../base/reads.ts'
import { valueType } from '../base/scopes.ts'
import { sourceOf } from '../base/set-value.ts'
import type { Assignment } from '../steps/step-plans.ts'

/** Value that a declared event adds to the log entry, under its key. */
export interface EventValue {
  readonly key: string
  readonly rule: StepRule
}

/** A declared event, compiled (rules.md §4.4). */
export interface EventPlan {
  readonly name: string
  readonly trigger: EventDeclaration['trigger']
  /** The field of `trigger: change`. */
  readonly field: string | undefined
  readonly when: StepRule | undefined
  readonly set: readonly Assignment[]
  /** Keys beyond the record's own fields. */
  readonly values: readonly EventValue[]
}

/** Compiles the declared events of a DocType. */
export function compileEvents(site: RuleSite): Compiled<readonly EventPlan[]> {
  return compilePart(site, eventsOf)
}

function eventsOf(context: CompileContext): readonly EventPlan[] {
  const { definition, registry, scopes, compile, problem } = context
  const scope = scopes.momentOf(definition).document
  const plans: EventPlan[] = []
  const rule = (
    source: string,
    type: ValueType | undefined,
    path: RuleProblem['path'],
  ): StepRule | undefined => {
    const compiled = compile(source, scope, type, path)
    if (!compiled) return undefined
    const paths = linkPathsOf(compiled.expression, definition.fields, registry)
    return { ...compiled, paths }
  }
  for (const [name, event] of Object.entries(definition.behaviour.events ?? {})) {
    const path = ['events', name]
    const { trigger, field, when, set = {}, data } = event
    if (trigger === undefined && when === undefined) problem(path, 'needs trigger or when')
    if ((trigger === 'change') !== (field !== undefined))
      problem(path, 'trigger: change and field belong together')
    if ((trigger === 'submit' || trigger === 'cancel') && !definition.submittable)
      problem([...path, 'trigger'], `${definition.doctype} is not submittable`)
    const assignments = Object.entries(set).flatMap(([key, source]): Assignment[] => {
      const target = settable(context, key, [...path, 'set', key])
      const type = target && valueType(target)
      const beside = definition.fields
      const meant = target && sourceOf(source, { field: target, beside }, registry, scope)
      if (meant?.message !== undefined) problem([...path, 'set', key], meant.message)
      const compiled =
        type && meant?.source !== undefined
          ? rule(meant.source, type, [...path, 'set', key])
          : undefined
      return target && type && compiled ? [{ field: target, type, rule: compiled }] : []
    })
    const values =
      data === undefined || isList(data)
        ? []
        : Object.entries(data).flatMap(([key, source]): EventValue[] => {
            const compiled = rule(source, undefined, [...path, 'data', key])
            const secret = compiled && secretRead(context, compiled)
            if (secret !== undefined)
              problem([...path, 'data', key], `reads ${secret}, which is kept secret; leave it out`)
            return compiled ? [{ key, rule: compiled }] : []
          })
    const condition = when === undefined ? undefined : rule(when, CONDITION, [...path, 'when'])
    plans.push({ name, trigger, field, when: condition, set: assignments, values })
  }
  return plans
}

function isList(data: NonNullable<EventDeclaration['data']>): data is readonly string[] {
  return Array.isArray(data)
}

/** The first field an expression reads whose values nobody may see: its own, a row's, or one behind a link. */
function secretRead(
  { definition, registry }: CompileContext,
  { expression }: StepRule,
): string | undefined {
  return expression.dependencies.find((name) => {
    const [head = '', rest] = name.split('.')
    const through = definition.fields.find((field) => field.name === head)
    const target = through?.link === undefined ? undefined : registry.byDoctype(through.link)
    const behind = head === 'old' ? definition.fields : (through?.child ?? target)?.fields
    const read = rest === undefined ? through : behind?.find((field) => field.name === rest)
    return read !== undefined && fieldType(read.type).secret
  })
}

function settable(
  { definition, problem }: CompileContext,
  name: string,
  path: RuleProblem['path'],
): Field | undefined {
  const field = definition.fields.find((candidate) => candidate.name === name)
  if (!field) {
    problem(path, `no field ${JSON.stringify(name)}`)
    return undefined
  }
  const computed = (['formula', 'rollup', 'lookup', 'call', 'fetch'] as const).find(
    (key) => field[key] !== undefined,
  )
  if (!field.child && computed === undefined) return field
  problem(path, `cannot be set: it ${field.child ? 'is a table' : `has ${computed}`}`)
  return undefined
}

/**
 * What an event sets, and what is computed from it (`nodes`: formulas and the status), may not decide whether events
 * happen, or an event could cause itself (rules.md §4.2).
 */
export function eventSetProblems(
  plans: readonly EventPlan[],
  nodes: readonly GraphNode[],
): readonly RuleProblem[] {
  const set = new Set(plans.flatMap((plan) => plan.set.map(({ field }) => field.name)))
  if (set.size === 0) return []
  const following = followersOf(set, nodes)
  return plans.flatMap(({ name, when }) => {
    const read = when && readsOf(when.expression, undefined).find((cell) => following.has(cell))
    if (read === undefined) return []
    const why = set.has(read) ? 'which an event sets' : 'which is computed from what an event sets'
    const message = `reads ${read}, ${why}`
    return [{ path: ['events', name, 'when'], source: '', offset: 0, message }]
  })
}

/** These fields and every cell over them. */
function followersOf(set: ReadonlySet<string>, nodes: readonly GraphNode[]): ReadonlySet<string> {
  const following = new Set(set)
  for (let before = -1; before < following.size; ) {
    before = following.size
    for (const { path, reads } of nodes)
      if (reads.some((cell) => following.has(cell))) following.add(path)
  }
  return following
}

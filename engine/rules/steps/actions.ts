import type { ActionDeclaration, DocTypeDefinition } from '../../definition/model/definition.ts'
import { PART_ROWS } from '../../definition/normalise/part-rows.ts'
import { fieldsOf, type Scope, withRecord } from '../../expression/tree/scope.ts'
import { CONDITION } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import { columnOfDocument } from '../base/columns.ts'
import {
  type CompileContext,
  type Compiled,
  compilePart,
  type RuleProblem,
  type RuleSite,
  type StepRule,
} from '../base/compiled-rule.ts'
import { compileMessage, type Message, rulesOfMessage } from '../base/message.ts'
import { linkPathsOf } from '../base/reads.ts'
import { type Scopes, scopeFields } from '../base/scopes.ts'
import { compileSteps } from './effects.ts'
import type { StepPlan } from './step-plans.ts'

/** A declared action, compiled (rules.md §4.1). */
export interface ActionPlan {
  readonly name: string
  readonly declared: ActionDeclaration
  readonly input: readonly Field[]
  readonly when: StepRule | undefined
  /** What is told where `when` does not hold, and what it looks through links for. */
  readonly message: { readonly text: Message; readonly paths: StepRule['paths'] } | undefined
  /** Defaults of the input, where they are expressions. */
  readonly defaults: readonly { readonly field: Field; readonly rule: StepRule }[]
  readonly moves: string | undefined
  readonly steps: readonly StepPlan[]
}

/** Compiles the actions of a DocType, by name. */
export function compileActions(site: RuleSite): Compiled<ReadonlyMap<string, ActionPlan>> {
  return compilePart(site, actionsOf)
}

function actionsOf(context: CompileContext): ReadonlyMap<string, ActionPlan> {
  const { definition, scopes, problem } = context
  const plans = new Map<string, ActionPlan>()
  for (const [name, declared] of Object.entries(definition.behaviour.actions ?? {})) {
    const path = ['actions', name]
    const { input = [], moves, steps = [] } = declared
    for (const { name: field, child } of input)
      if (child && !(declared.parts !== undefined && field === PART_ROWS))
        problem([...path, 'input', field], 'the input of an action has no tables but that of parts')
    checkParts(context, declared, path)
    const moment = scopes.momentOf(definition).document
    const scope = withRecord(moment, 'input', fieldsOf(scopeFields(input)))
    checkMoves(context, moves, path)
    const when = conditionOf(context, declared.when, scope, [...path, 'when'])
    if (when || declared.when === undefined) checkScheduled(context, declared, path)
    plans.set(name, {
      name,
      declared,
      input,
      when,
      message: messageOf(context, declared.message, scope, [...path, 'message']),
      defaults: defaultsOf(context, input, moment, path),
      moves,
      steps: compileSteps(context, steps, scope, [...path, 'steps']),
    })
  }
  return plans
}

function conditionOf(
  { compile, definition, registry }: CompileContext,
  source: string | undefined,
  scope: Scope,
  path: RuleProblem['path'],
): StepRule | undefined {
  const rule = source === undefined ? undefined : compile(source, scope, CONDITION, path)
  return rule && { ...rule, paths: linkPathsOf(rule.expression, definition.fields, registry) }
}

function messageOf(
  context: CompileContext,
  source: string | undefined,
  scope: Scope,
  path: RuleProblem['path'],
): ActionPlan['message'] {
  const { definition, registry } = context
  if (source === undefined) return undefined
  const text = compileMessage(context, source, scope, undefined, path)
  if (!text) return undefined
  const paths = rulesOfMessage(text).flatMap(({ expression }) =>
    linkPathsOf(expression, definition.fields, registry),
  )
  return { text, paths }
}

function defaultsOf(
  { compile, definition, registry }: CompileContext,
  input: readonly Field[],
  scope: Scope,
  path: RuleProblem['path'],
): ActionPlan['defaults'] {
  return input.flatMap((field) => {
    if (field.default === undefined || field.defaultValue !== undefined) return []
    const [known] = scopeFields([field])
    const type = { kind: known!.kind, scale: known!.scale ?? 0 }
    const rule = compile(field.default, scope, type, [...path, 'input', field.name, 'default'])
    if (!rule) return []
    const paths = linkPathsOf(rule.expression, definition.fields, registry)
    return [{ field, rule: { ...rule, paths } }]
  })
}

function checkParts(
  { definition, problem }: CompileContext,
  { parts }: ActionDeclaration,
  path: RuleProblem['path'],
): void {
  if (parts === undefined || definition.fields.some(({ name, child }) => name === parts && child))
    return
  problem([...path, 'parts'], `no table ${JSON.stringify(parts)}`)
}

function checkMoves(
  { definition, problem }: CompileContext,
  moves: string | undefined,
  path: RuleProblem['path'],
): void {
  if (moves === undefined) return
  const { status } = definition.behaviour
  if (status?.flow) return
  problem(
    [...path, 'moves'],
    'only a chosen status (status.flow) can be moved; a derived one follows from fields that `set` changes',
  )
}

/** Checks an action with `every`: nobody sends it input, and its `when` can go by the records' own fields alone. */
function checkScheduled(
  { definition, scopes, compile, problem }: CompileContext,
  { every, when, input = [] }: ActionDeclaration,
  path: RuleProblem['path'],
): void {
  if (every === undefined) return
  if (when === undefined)
    problem([...path, 'every'], 'needs `when`, which says what records it is run for')
  else
    compile(
      when,
      scheduledScope(scopes, definition),
      CONDITION,
      [...path, 'when'],
      columnOfDocument,
    )
  for (const { name, required, default: fallback } of input)
    if (required && fallback === undefined)
      problem([...path, 'input', name], 'is required, but nobody sends input to a scheduled action')
}

/** Names that the `when` of a scheduled action may use. */
export function scheduledScope(scopes: Scopes, definition: DocTypeDefinition): Scope {
  const { fields, repeat } = scopes.of(definition).document
  return { fields, records: new Map(), repeat }
}

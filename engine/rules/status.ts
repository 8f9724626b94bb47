import type { DocTypeDefinition } from '../definition/definition.ts'
import { ExpressionError } from '../expression/problem.ts'
import { CONDITION, type Environment } from '../expression/types.ts'
import { type Doc, valueIn } from '../storage/document.ts'
import type { GraphNode } from './graph.ts'
import type { DocTypeScopes } from './scopes.ts'
import { type CompiledRule, type CompileRule, readsOf } from './steps.ts'

/** A declared status: derived from the document, or chosen along a flow (rules.md §4.1). */
export interface StatusRule extends GraphNode {
  readonly states: readonly { readonly name: string; readonly when: CompiledRule }[]
  readonly initial: string | undefined
}

export function statusRule(
  definition: DocTypeDefinition,
  { document }: DocTypeScopes,
  compile: CompileRule,
): StatusRule | undefined {
  const { status } = definition.behaviour
  if (!status) return undefined
  const states: { name: string; when: CompiledRule }[] = []
  for (const [name, source] of Object.entries(status.derive ?? {})) {
    const when = compile(source, document, CONDITION, ['status', 'derive', name])
    if (when) states.push({ name, when })
  }
  const reads = states.flatMap(({ when }) => readsOf(when.expression, undefined))
  return { path: status.field, reads, states, initial: status.initial }
}

/**
 * Sets the status: the first state that holds, or the flow's initial one where nothing is chosen yet. Returns
 * why that cannot be told, when a condition cannot go on with the data.
 */
export function deriveStatus(
  rule: StatusRule,
  doc: Doc,
  before: Doc | undefined,
  records: Environment,
): string | undefined {
  try {
    const state = rule.states.find(({ when }) => when.evaluate()(doc, records) === true)
    if (state) {
      doc[rule.path] = state.name
      return undefined
    }
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return error.message
  }
  if (
    rule.states.length === 0 &&
    !before &&
    valueIn(doc, rule.path) === null &&
    rule.initial !== undefined
  ) {
    doc[rule.path] = rule.initial
  }
  return undefined
}

import type { DocTypeDefinition } from '../../definition/model/definition.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import { CONDITION, type Environment } from '../../expression/tree/types.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import { type CompiledRule, type CompileRule, readsOf } from '../base/compiled-rule.ts'
import type { GraphNode } from '../base/graph.ts'
import type { DocTypeScopes } from '../base/scopes.ts'

/** A declared status: derived from the document, or chosen along a flow (rules.md §4.1). */
export interface StatusRule extends GraphNode {
  readonly states: readonly State[]
  readonly initial: string | undefined
  /** States that a chosen status moves to by itself. */
  readonly moves: readonly State[]
}

interface State {
  readonly name: string
  readonly when: CompiledRule
}

export function statusRule(
  definition: DocTypeDefinition,
  { document }: DocTypeScopes,
  compile: CompileRule,
): StatusRule | undefined {
  const { status } = definition.behaviour
  if (!status) return undefined
  const [states, moves] = (['derive', 'moves'] as const).map((key) =>
    Object.entries(status[key] ?? {}).flatMap(([name, source]): State[] => {
      const when = compile(source, document, CONDITION, ['status', key, name])
      return when ? [{ name, when }] : []
    }),
  ) as [State[], State[]]
  const reads = [...states, ...moves].flatMap(({ when }) => readsOf(when.expression, undefined))
  return { path: status.field, reads, states, initial: status.initial, moves }
}

/**
 * Sets the status: the first state that holds, or the flow's initial one where nothing is chosen yet, or where the
 * flow goes by itself. Returns a message when a condition cannot go on with the data.
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
    if (rule.states.length > 0 || rule.initial === undefined) return undefined
    if (!before && valueIn(doc, rule.path) === null) doc[rule.path] = rule.initial
    const moved = movedTo(rule, doc, before, records)
    if (moved !== undefined) doc[rule.path] = moved
    return undefined
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return error.message
  }
}

/**
 * State that a chosen status moves to by itself: the first of `moves` that holds, when it did not hold before; out of
 * a state that holds no longer, the first that does, else the initial one. undefined where it stays: what somebody
 * chose since stands. Throws ExpressionError.
 */
export function movedTo(
  { path, moves, initial }: StatusRule,
  doc: Doc,
  before: Doc | undefined,
  records: Environment,
): string | undefined {
  if (moves.length === 0 || doc.docstatus === 2) return undefined
  const holds = moves.map(({ when }) => when.evaluate()(doc, records) === true)
  const held = moves.map(({ when }) => !!before && when.evaluate()(before, records) === true)
  const first = holds.indexOf(true)
  const present = moves.findIndex(({ name }) => name === valueIn(doc, path))
  const isOver = present >= 0 && held[present] && !holds[present]
  if (first >= 0 && (isOver || !held[first])) return moves[first]!.name
  return isOver ? initial : undefined
}

import { checkAssignable } from './syntax/assign.ts'
import { checkExpression } from './syntax/check.ts'
import { assertKnownValues } from './syntax/known-values.ts'
import { type Parse, parseExpression } from './syntax/parse.ts'
import { factsOf, MAX_COST } from './tree/analyse.ts'
import { ExpressionProblem, type Problem } from './tree/problem.ts'
import { runningOf } from './tree/running.ts'
import type { Scope } from './tree/scope.ts'
import type { Node, Range, ScalarKind, TargetType } from './tree/types.ts'

/** A checked expression: plain data, from which `toJs`, `toSql` and `interpret` start. */
export interface Expression {
  readonly source: string
  /** The conditions it was joined of, whose places are in their own sources; undefined for one text. */
  readonly conditions?: readonly Expression[]
  readonly tree: Node
  readonly kind: ScalarKind
  readonly scale: number
  /** Names it reads: `grand_total`, `items`, `items.amount`, `parent.currency`, `old.status`, … */
  readonly dependencies: readonly string[]
  /** Upper bound of the steps it takes for one document. */
  readonly cost: number
}

export type CompileResult =
  | { readonly ok: true; readonly expression: Expression }
  | { readonly ok: false; readonly problem: Problem }

/**
 * Reads, names and types an expression. `expected` is the type of the field it is assigned to, or
 * `{kind: 'bool', scale: 0}` for a condition. Never throws for a bad expression: the problem says what
 * is wrong and where, `describeProblem` prints it with file, line and column. `parse` may remember texts.
 *
 *     const scope = documentScope([{ name: 'qty', kind: 'decimal' }, { name: 'rate', kind: 'decimal' }])
 *     const result = compileExpression('qty * rate', scope, { kind: 'money', scale: 4 })
 */
export function compileExpression(
  source: string,
  scope: Scope,
  expected?: TargetType,
  parse: Parse = parseExpression,
): CompileResult {
  try {
    const checked = checkExpression(parse(source), scope)
    const tree = expected ? checkAssignable(checked, expected) : checked
    if (expected?.choices) assertKnownValues(expected.choices, tree)
    const running = runningOf(tree)
    const isRunning = running !== undefined && running.table === scope.table
    const facts = factsOf(tree, isRunning ? 1 : undefined)
    const cost = facts.cost * scope.repeat
    if (cost > MAX_COST) {
      const message = `the expression may take ${cost} steps, at most ${MAX_COST} are allowed: lower max: of the tables it reads`
      throw new ExpressionProblem(message, [0, source.length])
    }
    const expression = {
      source,
      tree,
      kind: tree.kind,
      scale: tree.scale,
      dependencies: facts.dependencies,
      cost,
    }
    return { ok: true, expression }
  } catch (error) {
    if (!(error instanceof ExpressionProblem)) throw error
    const { offset, length, message } = error
    return { ok: false, problem: { offset, length, message } }
  }
}

/** Condition that holds while all of these do; what each reads and costs is that of all. */
export function allOf(conditions: readonly [Expression, ...Expression[]]): Expression {
  const at: Range = [0, 0]
  const [first, ...others] = conditions.map(({ tree }) => tree) as [Node, ...Node[]]
  const tree = others.reduce<Node>(
    (left, right) => ({ node: 'binary', op: '&&', kind: 'bool', scale: 0, at, left, right }),
    first,
  )
  return {
    source: conditions.map(({ source }) => source).join(' && '),
    conditions,
    tree,
    kind: 'bool',
    scale: 0,
    dependencies: factsOf(tree).dependencies,
    cost: conditions.reduce((sum, { cost }) => sum + cost, 0),
  }
}

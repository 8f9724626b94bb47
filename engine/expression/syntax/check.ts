import { ExpressionProblem } from '../tree/problem.ts'
import type { Scope } from '../tree/scope.ts'
import { isNumeric, type Node } from '../tree/types.ts'
import { checkCall } from './check-calls.ts'
import { assertKnownValues } from './known-values.ts'
import { type CheckContext, checkCondition, readNode, resolve } from './names.ts'
import { chooseNode, numberLiteral, operatorNode } from './operators.ts'
import type { Syntax } from './parse.ts'
import { describeKind, folded, literal, unify } from './promote.ts'

/** Names and types the syntax tree. Throws ExpressionProblem, with the range of what is wrong. */
export function checkExpression(syntax: Syntax, scope: Scope): Node {
  return check(syntax, { scope, rows: [], check })
}

function check(syntax: Syntax, context: CheckContext): Node {
  switch (syntax.op) {
    case 'number':
      return numberLiteral(syntax.text, syntax.at)
    case 'text':
      return literal(syntax.value, { kind: 'str', scale: 0 }, syntax.at)
    case 'bool':
      return literal(syntax.value, { kind: 'bool', scale: 0 }, syntax.at)
    case 'name':
    case 'member': {
      const { of, field } = resolve(syntax, context)
      return readNode(of, field, syntax.at)
    }
    case 'unary':
      return unary(syntax, context)
    case 'binary':
      return binary(syntax, context)
    case 'choose': {
      const when = checkCondition(syntax.when, context)
      return chooseNode(when, check(syntax.yes, context), check(syntax.no, context), syntax.at)
    }
    case 'call':
      return checkCall(syntax, context)
    case 'list':
      throw new ExpressionProblem(
        'a list can only stand after "in": status in ["Open", "Replied"]',
        syntax.at,
      )
  }
}

function unary(syntax: Extract<Syntax, { op: 'unary' }>, context: CheckContext): Node {
  if (syntax.operator === '!') {
    const value = checkCondition(syntax.value, context)
    return folded({ node: 'unary', op: '!', kind: 'bool', scale: 0, at: syntax.at, value })
  }
  const value = check(syntax.value, context)
  if (!isNumeric(value.kind)) {
    throw new ExpressionProblem(`operator - not defined for ${describeKind(value)}`, syntax.at)
  }
  return folded({
    node: 'unary',
    op: '-',
    kind: value.kind,
    scale: value.scale,
    at: syntax.at,
    value,
  })
}

type BinarySyntax = Extract<Syntax, { op: 'binary' }>

function binary(syntax: BinarySyntax, context: CheckContext): Node {
  const { operator: op, left, right, at } = syntax
  if (op === 'in') return membership(syntax, context)
  const part = op === '&&' || op === '||' ? checkCondition : check
  const a = part(left, context)
  const b = part(right, context)
  if (op === '==' || op === '!=') {
    assertCanBe(left, [b], context)
    assertCanBe(right, [a], context)
  }
  return operatorNode(op, a, b, at)
}

/** Refuses a comparison of a field with what it never holds. */
function assertCanBe(syntax: Syntax, compared: readonly Node[], context: CheckContext): void {
  if (syntax.op !== 'name' && syntax.op !== 'member') return
  const { told: name, values } = resolve(syntax, context).field
  if (values) for (const node of compared) assertKnownValues({ name, values }, node)
}

function membership(syntax: BinarySyntax, context: CheckContext): Node {
  if (syntax.right.op !== 'list' || syntax.right.items.length === 0) {
    throw new ExpressionProblem(
      '"in" needs a list of values: status in ["Open", "Replied"]',
      syntax.right.at,
    )
  }
  const value = check(syntax.left, context)
  const items = syntax.right.items.map((item) => check(item, context))
  assertCanBe(syntax.left, items, context)
  const unified = unify([value, ...items])
  if (!unified) {
    const odd = items.find((item) => !unify([value, item])) ?? value
    throw new ExpressionProblem(
      `the list must hold values of kind ${describeKind(value)}, got ${describeKind(odd)}`,
      odd.at,
    )
  }
  const [first, ...list] = unified.nodes
  return folded({ node: 'in', kind: 'bool', scale: 0, at: syntax.at, value: first!, list })
}

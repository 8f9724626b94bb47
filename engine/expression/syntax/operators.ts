import { ExpressionProblem } from '../tree/problem.ts'
import {
  type BinaryNode,
  type BinaryOperator,
  DIVISION_SCALE,
  isMoment,
  isNumeric,
  isScaled,
  type Node,
  type NumericKind,
  type Range,
  type ScalarKind,
} from '../tree/types.ts'
import { checkScale, describeKind, folded, higherKind, literal, toKind, unify } from './promote.ts'

/** The node of a binary operator other than `in`. Throws ExpressionProblem when it is not defined for the kinds. */
export function operatorNode(op: BinaryOperator, left: Node, right: Node, at: Range): Node {
  const node = nodeOf(op, left, right, at)
  if (!node) throw new ExpressionProblem(undefinedOperator(op, left, right), at)
  return folded(node)
}

function nodeOf(op: BinaryOperator, left: Node, right: Node, at: Range): BinaryNode | undefined {
  if (op === '&&' || op === '||') return binaryNode(op, left, right, 'bool', 0, at)
  return isComparison(op) ? comparison(op, left, right, at) : arithmetic(op, left, right, at)
}

function comparison(
  op: BinaryOperator,
  left: Node,
  right: Node,
  at: Range,
): BinaryNode | undefined {
  const unified = unify([left, right])
  if (!unified || (unified.kind === 'bool' && op !== '==' && op !== '!=')) return undefined
  return binaryNode(op, unified.nodes[0]!, unified.nodes[1]!, 'bool', 0, at)
}

function isComparison(op: BinaryOperator): boolean {
  return op === '==' || op === '!=' || op === '<' || op === '<=' || op === '>' || op === '>='
}

function arithmetic(
  op: BinaryOperator,
  left: Node,
  right: Node,
  at: Range,
): BinaryNode | undefined {
  if (op === '+' && left.kind === 'str' && right.kind === 'str')
    return binaryNode(op, left, right, 'str', 0, at)
  if (!isNumeric(left.kind) || !isNumeric(right.kind)) return undefined
  if ((op === '/' || op === '%') && right.node === 'literal' && BigInt(right.value) === 0n) {
    throw new ExpressionProblem('division by zero', right.at)
  }
  if (op === '/') {
    const scale = Math.max(DIVISION_SCALE, left.scale)
    return binaryNode(
      op,
      scaled(left),
      scaled(right),
      quotientKind(left.kind, right.kind),
      scale,
      at,
    )
  }
  if (op === '*') {
    const kind = higherKind(left.kind, right.kind)
    if (kind === 'int') return binaryNode(op, left, right, kind, 0, at)
    checkScale(left.scale + right.scale, at)
    return binaryNode(op, scaled(left), scaled(right), kind, left.scale + right.scale, at)
  }
  const unified = unify([left, right])!
  return binaryNode(op, unified.nodes[0]!, unified.nodes[1]!, unified.kind, unified.scale, at)
}

/** An int as a decimal without places, as products and quotients take it. */
function scaled(node: Node): Node {
  return isScaled(node.kind) ? node : toKind(node, 'decimal', 0)
}

/** Kind of a quotient: money per number is money, money per money is a ratio. */
function quotientKind(left: NumericKind, right: NumericKind): NumericKind {
  return left === 'money' && right !== 'money' ? 'money' : 'decimal'
}

function binaryNode(
  op: BinaryOperator,
  left: Node,
  right: Node,
  kind: ScalarKind,
  scale: number,
  at: Range,
): BinaryNode {
  return { node: 'binary', op, kind, scale, at, left, right }
}

function undefinedOperator(op: string, left: Node, right: Node): string {
  const message = `operator ${op} not defined for ${describeKind(left)} and ${describeKind(right)}`
  const kinds = [left.kind, right.kind]
  if (kinds.includes('bool') && kinds.includes('int'))
    return `${message}; a check is a condition by itself: x or !x`
  if (op === '+' && kinds.includes('str')) return `${message}; use concat(a, b)`
  if (kinds.includes('date') && kinds.includes('datetime')) return `${message}; use date(x)`
  if (kinds.some(isMoment) && (op === '+' || op === '-'))
    return `${message}; use add_days(x, n) or days_between(to, from)`
  return message
}

/** The node of `when ? yes : no`. Throws ExpressionProblem when both sides differ in kind. */
export function chooseNode(when: Node, yes: Node, no: Node, at: Range): Node {
  const unified = unify([yes, no])
  if (!unified) {
    const kinds = `${describeKind(yes)} and ${describeKind(no)}`
    throw new ExpressionProblem(`both values must be of one kind, got ${kinds}`, at)
  }
  const {
    nodes: [a, b],
    kind,
    scale,
  } = unified
  return folded({ node: 'choose', kind, scale, at, when, yes: a!, no: b! })
}

/** A number as written: a whole number, or a decimal with the places it has. Throws ExpressionProblem. */
export function numberLiteral(text: string, at: Range): Node {
  const [whole = '', fraction] = text.split('.')
  if (fraction !== undefined) {
    checkScale(fraction.length, at)
    return literal(BigInt(whole + fraction), { kind: 'decimal', scale: fraction.length }, at)
  }
  const value = Number(whole)
  if (!Number.isSafeInteger(value))
    throw new ExpressionProblem(`${text} is too large for a whole number`, at)
  return literal(value, { kind: 'int', scale: 0 }, at)
}

import { ExpressionError } from '../tree/problem.ts'
import type { EvalValue, FieldNode, HasNode, Literal, Node } from '../tree/types.ts'
import { interpret } from './interpret.ts'

/** Values known before a statement runs: the clock, and fields of records such as the parameters of a report. */
export interface Known {
  readonly today: string
  readonly now: string
  /** The value of a field; undefined where only the database knows it. */
  value(field: FieldNode): EvalValue | undefined
  /** Whether a field is set; undefined where only the database knows it. */
  isSet(field: HasNode): boolean | undefined
}

/**
 * The expression with everything computed that is known already: what is left of
 * `param.party == "" || party == param.party` is `party == "C-1"`, or nothing but `true`. So the database
 * gets conditions its indexes serve, and never what does not matter.
 */
export function fold(node: Node, known: Known): Node {
  if (node.node === 'field') return literal(node, known.value(node)) ?? node
  if (node.node === 'has') return literal(node, known.isSet(node)) ?? node
  if (node.node === 'clock') return literal(node, known[node.name])!
  return mapped(node, (child) => fold(child, known), known)
}

/** The same expression with its fields replaced, where `replace` gives another. */
export function withFields(node: Node, replace: (field: FieldNode) => Node): Node {
  if (node.node === 'field') return replace(node)
  return rebuilt(node, (child) => withFields(child, replace))
}

function mapped(node: Node, child: (node: Node) => Node, known: Known): Node {
  if (node.node === 'choose') {
    const when = child(node.when)
    if (when.node === 'literal') return child(when.value === true ? node.yes : node.no)
    return { ...node, when, yes: child(node.yes), no: child(node.no) }
  }
  if (node.node === 'binary' && (node.op === '&&' || node.op === '||')) {
    const decides = node.op === '||'
    const left = child(node.left)
    if (left.node === 'literal') return left.value === decides ? left : child(node.right)
    const right = child(node.right)
    if (right.node === 'literal') return right.value === decides ? right : left
    return { ...node, left, right }
  }
  const made = rebuilt(node, child)
  return isKnown(made) ? computed(made, known) : made
}

function rebuilt(node: Node, child: (node: Node) => Node): Node {
  switch (node.node) {
    case 'binary':
      return { ...node, left: child(node.left), right: child(node.right) }
    case 'unary':
    case 'rescale':
      return { ...node, value: child(node.value) }
    case 'choose':
      return { ...node, when: child(node.when), yes: child(node.yes), no: child(node.no) }
    case 'in':
      return { ...node, value: child(node.value), list: node.list.map(child) }
    case 'call':
      return { ...node, args: node.args.map(child) }
    default:
      return node
  }
}

function isKnown(node: Node): boolean {
  switch (node.node) {
    case 'binary':
      return node.left.node === 'literal' && node.right.node === 'literal'
    case 'unary':
    case 'rescale':
      return node.value.node === 'literal'
    case 'in':
      return [node.value, ...node.list].every((one) => one.node === 'literal')
    case 'call':
      return node.args.every((one) => one.node === 'literal')
    default:
      return false
  }
}

/** Constant for a node of constants. One that cannot be computed stays: a condition may keep it from being asked. */
function computed(node: Node, { today, now }: Known): Node {
  try {
    const value = interpret(node, {}, { today, now, records: {} })
    return literal(node, value)!
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    return node
  }
}

function literal({ kind, scale, at }: Node, value: EvalValue | undefined): Literal | undefined {
  if (value === undefined) return undefined
  return {
    node: 'literal',
    kind,
    scale,
    at,
    value: typeof value === 'bigint' ? value.toString() : value,
  }
}

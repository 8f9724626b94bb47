import { isDate, isTime, toDateTime } from '../run/calendar.ts'
import { interpret } from '../run/interpret.ts'
import { ExpressionError, ExpressionProblem } from '../tree/problem.ts'
import {
  childrenOf,
  type EvalValue,
  isMoment,
  isNumeric,
  isScaled,
  type Literal,
  type MomentKind,
  type Node,
  type NumericKind,
  type Range,
  type Rounding,
  type ScalarKind,
  type ValueType,
} from '../tree/types.ts'

/** Most decimal places without a `round()` first: a product adds the places of its factors. */
const MAX_SCALE = 60

const RANK: Readonly<Record<NumericKind, number>> = { int: 0, decimal: 1, money: 2 }

/** The higher of two numeric kinds: int → decimal → money. */
export function higherKind(a: NumericKind, b: NumericKind): NumericKind {
  return RANK[a] >= RANK[b] ? a : b
}

/** Name of a kind in messages. */
export function describeKind({ kind }: Pick<ValueType, 'kind'>): string {
  if (kind === 'rows') return 'table'
  if (kind === 'record') return 'record'
  return kind === 'str' ? 'text' : kind
}

/**
 * The constant that a node of constants stands for, so that `price * (1 / 8)` is computed once and a constant
 * division by zero is found when the expression is loaded; other nodes as they are. Throws ExpressionProblem.
 */
export function folded(node: Node): Node {
  const isField = node.node === 'field' || node.node === 'has' || node.node === 'clock'
  if (isField || node.node === 'literal' || node.node === 'aggregate') return node
  if (node.node === 'choose' && node.when.node === 'literal')
    return node.when.value ? node.yes : node.no
  if (!childrenOf(node).every((child) => child.node === 'literal')) return node
  try {
    return literal(interpret(node, {}, { today: '', now: '', records: {} }), node, node.at)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new ExpressionProblem(error.message, node.at)
  }
}

/** A constant node of a value. */
export function literal(
  value: EvalValue,
  type: { kind: ScalarKind; scale: number },
  at: Range,
): Literal {
  const plain = typeof value === 'bigint' ? value.toString() : value
  return { node: 'literal', kind: type.kind, scale: type.scale, at, value: plain }
}

/** The number at another kind and scale. Throws ExpressionProblem for more than 60 decimal places. */
export function toKind(
  node: Node,
  kind: NumericKind,
  scale: number,
  rounding: Rounding = 'half',
): Node {
  checkScale(scale, node.at)
  if (node.kind === kind && node.scale === scale) return node
  // Money and decimal differ in name only: same scale, same BigInt.
  if (isScaled(kind) && isScaled(node.kind) && node.scale === scale) return node
  return folded({ node: 'rescale', kind, scale, at: node.at, value: node, rounding })
}

/** Refuses a scale that only a chain of products reaches. */
export function checkScale(scale: number, at: Range): void {
  if (scale <= MAX_SCALE) return
  throw new ExpressionProblem(
    `the product has ${scale} decimal places, at most ${MAX_SCALE} are kept: round() a factor`,
    at,
  )
}

/**
 * Brings values that are compared, chosen between or listed together to one kind and scale: numbers
 * are promoted, a constant text beside a date must be a date or "". Undefined when they do not fit.
 */
export function unify(
  nodes: readonly Node[],
): { readonly nodes: Node[]; readonly kind: ScalarKind; readonly scale: number } | undefined {
  const [one] = nodes
  if (one && one.scale <= MAX_SCALE && nodes.every((node) => areAlike(node, one)))
    return { nodes: [...nodes], kind: one.kind, scale: one.scale }
  if (nodes.every((node) => isNumeric(node.kind))) {
    const kind = nodes.reduce<NumericKind>(
      (kind, node) => higherKind(kind, node.kind as NumericKind),
      'int',
    )
    const scale = nodes.reduce((most, node) => Math.max(most, node.scale), 0)
    return { nodes: nodes.map((node) => toKind(node, kind, scale)), kind, scale }
  }
  const moment = nodes.find((node) => isMoment(node.kind))?.kind as MomentKind | undefined
  const adapted = moment === undefined ? [...nodes] : nodes.map((node) => asMoment(node, moment))
  const [first] = adapted
  if (!first || adapted.some((node) => node.kind !== first.kind)) return undefined
  return { nodes: adapted, kind: first.kind, scale: 0 }
}

function areAlike(a: Node, b: Node): boolean {
  return a.kind === b.kind && a.scale === b.scale
}

/** A constant text as the moment it is compared with; other nodes as they are. Throws ExpressionProblem. */
export function asMoment(node: Node, kind: MomentKind): Node {
  if (node.node !== 'literal' || node.kind !== 'str') return node
  const text = String(node.value)
  const value = momentText(text, kind)
  if (value !== undefined) return literal(value, { kind, scale: 0 }, node.at)
  const forms = { date: 'YYYY-MM-DD', datetime: 'YYYY-MM-DDTHH:MM:SSZ', time: 'HH:MM:SS' }
  throw new ExpressionProblem(
    `${JSON.stringify(text)} is not a ${kind} (${forms[kind]}) or ""`,
    node.at,
  )
}

/** Whether a constant text could stand for a date, datetime or time. */
export function isMomentText(node: Node, kind: MomentKind): boolean {
  return (
    node.node === 'literal' &&
    node.kind === 'str' &&
    momentText(String(node.value), kind) !== undefined
  )
}

function momentText(text: string, kind: MomentKind): string | undefined {
  if (text === '') return text
  if (kind === 'datetime') return toDateTime(text)
  return (kind === 'date' ? isDate(text) : isTime(text)) ? text : undefined
}

import { rescale } from '../../base/money.ts'
import { toWhole } from '../run/runtime.ts'
import { ExpressionError, ExpressionProblem } from '../tree/problem.ts'
import {
  type EvalValue,
  isMoment,
  isNumeric,
  isScaled,
  isText,
  type Literal,
  type Node,
  type ValueType,
} from '../tree/types.ts'
import { asMoment, describeKind, toKind } from './promote.ts'

const INT64_MAX = 2n ** 63n - 1n

/**
 * Checks that an expression's value can be kept in a field of the target's type, and adapts constants
 * (a text for a date field must be a date). Numbers keep their scale here: they are rounded only once,
 * by `assignValue`. Throws ExpressionProblem.
 */
export function checkAssignable(node: Node, target: ValueType): Node {
  const adapted = isMoment(target.kind) ? asMoment(node, target.kind) : node
  if (isNumeric(target.kind) && isNumeric(adapted.kind)) {
    if (adapted.node === 'literal') assertFits(adapted, target)
    return adapted
  }
  if (adapted.kind === target.kind || (target.kind === 'str' && isText(adapted.kind)))
    return adapted
  throw new ExpressionProblem(
    `expected ${describeKind(target)}, got ${describeKind(node)}${hint(node, target)}`,
    node.at,
  )
}

/** Refuses a constant that the field can never hold: it is a mistake of the expression, not of the document. */
function assertFits(node: Literal, target: ValueType): void {
  try {
    assignValue(isScaled(node.kind) ? BigInt(node.value) : node.value, node, target)
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new ExpressionProblem(error.message, node.at)
  }
}

function hint(node: Node, target: ValueType): string {
  if (target.kind === 'str') return '; use concat(x)'
  if (target.kind === 'date' && node.kind === 'datetime') return '; use date(x)'
  if (target.kind === 'bool') return '; compare it, e.g. x > 0'
  return ''
}

/**
 * The result of an expression as the value of a field: the one rounding of rules.md §3, half away from
 * zero, to the field's scale or, for money, to the currency's minor unit (decimal places, e.g. 2 for
 * USD) when given; an empty text is unset. Throws ExpressionError when the number is too large to keep.
 */
export function assignValue(
  value: EvalValue,
  from: ValueType,
  target: ValueType,
  minorUnit?: number,
): bigint | number | boolean | string | null {
  if (value === '') return null
  if (isScaled(target.kind)) {
    const scaled = typeof value === 'bigint' ? value : BigInt(value as number)
    const places = minorUnit === undefined ? target.scale : Math.min(minorUnit, target.scale)
    const rounded = Math.min(places, from.scale)
    const kept = rescale(rescale(scaled, from.scale, rounded), rounded, target.scale)
    if (kept > INT64_MAX || kept < -INT64_MAX)
      throw new ExpressionError('the number is too large to keep')
    return kept
  }
  if (target.kind === 'int' && typeof value === 'bigint') return toWhole(value, from.scale, 'half')
  return value
}

/**
 * The expression with the rounding of an assignment built in, for SQL that writes or compares stored
 * values. Money is rounded to `minorUnit` places before it gets the target's scale.
 */
export function assignedNode(node: Node, target: ValueType, minorUnit?: number): Node {
  const adapted = checkAssignable(node, target)
  if (!isNumeric(target.kind) || !isNumeric(adapted.kind)) return adapted
  const places = minorUnit === undefined ? target.scale : Math.min(minorUnit, target.scale)
  const rounded = adapted.scale > places ? toKind(adapted, target.kind, places) : adapted
  return toKind(rounded, target.kind, target.scale)
}

import {
  type AggregateNode,
  type BinaryNode,
  type BinaryOperator,
  type Environment,
  type EvalValue,
  type FieldValues,
  isScaled,
  type Literal,
  type Node,
  type RescaleNode,
  type Rows,
  unsetValue,
} from '../tree/types.ts'
import { callFunction } from './functions.ts'
import * as runtime from './runtime.ts'

/**
 * Evaluates a typed expression without generating code, for browsers whose policy forbids it. Gives
 * what the function of `toJs` gives. Throws ExpressionError as that does.
 */
export function interpret(node: Node, doc: FieldValues, env: Environment): EvalValue {
  return evaluate(node, { doc, env, rows: [] })
}

interface Frame {
  readonly doc: FieldValues
  readonly env: Environment
  /** The row of each row macro around the node, outermost first. */
  readonly rows: readonly FieldValues[]
}

function evaluate(node: Node, frame: Frame): EvalValue {
  switch (node.node) {
    case 'literal':
      return literalValue(node)
    case 'field':
      return runtime.readField(recordOf(node.of, frame), node.name, unsetValue(node.kind))
    case 'has':
      return runtime.isSet(recordOf(node.of, frame), node.name)
    case 'clock':
      return node.name === 'today' ? frame.env.today : frame.env.now
    case 'binary':
      return binary(node, frame)
    case 'unary': {
      const value = evaluate(node.value, frame)
      if (node.op === '!') return !value
      return typeof value === 'bigint' ? -value : 0 - (value as number)
    }
    case 'choose':
      return evaluate(evaluate(node.when, frame) ? node.yes : node.no, frame)
    case 'in':
      return evaluateAll(node.list, frame).includes(evaluate(node.value, frame))
    case 'rescale':
      return rescaled(node, evaluate(node.value, frame))
    case 'call':
      return call(node.name, evaluateAll(node.args, frame))
    case 'aggregate':
      return aggregate(node, frame)
  }
}

function evaluateAll(nodes: readonly Node[], frame: Frame): EvalValue[] {
  return nodes.map((node) => evaluate(node, frame))
}

function literalValue(node: Literal): EvalValue {
  return isScaled(node.kind) ? BigInt(node.value) : node.value
}

function recordOf(of: string, frame: Frame): FieldValues | null | undefined {
  if (of === 'doc') return frame.doc
  if (of.startsWith('#')) return frame.rows[Number(of.slice(1))]
  return Object.hasOwn(frame.env.records, of) ? frame.env.records[of] : undefined
}

function binary(node: BinaryNode, frame: Frame): EvalValue {
  const left = evaluate(node.left, frame)
  if (node.op === '&&') return left === true && evaluate(node.right, frame) === true
  if (node.op === '||') return left === true || evaluate(node.right, frame) === true
  const right = evaluate(node.right, frame)
  if (typeof left === 'bigint' && typeof right === 'bigint') return scaledBinary(node, left, right)
  if (typeof left === 'number' && typeof right === 'number')
    return wholeBinary(node.op, left, right)
  if (node.op === '+') return `${left}${right}`
  if (node.op === '==') return left === right
  if (node.op === '!=') return left !== right
  return ordered(node.op, runtime.compareText(String(left), String(right)))
}

function scaledBinary(node: BinaryNode, a: bigint, b: bigint): EvalValue {
  switch (node.op) {
    case '+':
      return a + b
    case '-':
      return a - b
    case '*':
      return a * b
    case '/':
      return runtime.divide(a, b, node.scale + node.right.scale - node.left.scale)
    case '%':
      return runtime.remainder(a, b)
    default:
      return ordered(node.op, a < b ? -1 : a > b ? 1 : 0)
  }
}

function wholeBinary(op: BinaryOperator, a: number, b: number): EvalValue {
  switch (op) {
    case '+':
      return runtime.wholeNumber(a + b)
    case '-':
      return runtime.wholeNumber(a - b)
    case '*':
      return runtime.wholeNumber(a * b)
    case '%':
      return runtime.wholeRemainder(a, b)
    default:
      return ordered(op, a - b)
  }
}

function ordered(op: BinaryOperator, order: number): boolean {
  switch (op) {
    case '==':
      return order === 0
    case '!=':
      return order !== 0
    case '<':
      return order < 0
    case '<=':
      return order <= 0
    case '>':
      return order > 0
    case '>=':
      return order >= 0
    default:
      throw new TypeError(`operator ${op} does not compare`)
  }
}

function rescaled(node: RescaleNode, value: EvalValue): EvalValue {
  const from = node.value.scale
  const scaled = typeof value === 'bigint' ? value : BigInt(value as number)
  if (node.kind === 'int') return runtime.toWhole(scaled, from, node.rounding)
  return runtime.toScale(scaled, from, node.scale, node.rounding)
}

function call(name: string, args: readonly EvalValue[]): EvalValue {
  if (name === 'abs') return absolute(args[0] as bigint | number)
  if (name === 'min' || name === 'max') return runtime.extreme(name, args)
  return callFunction(name, args)
}

function absolute(value: bigint | number): bigint | number {
  return value < 0 ? -value : value
}

function aggregate(node: AggregateNode, frame: Frame): EvalValue {
  const { op, body, kind } = node
  let result: EvalValue | undefined
  let count = 0
  for (const inner of passing(node.rows, frame)) {
    count++
    if (body === null) continue
    const value = evaluate(body, inner)
    if (op === 'all' && value !== true) return false
    if (op === 'exists' && value === true) return true
    if (op === 'sum') result = result === undefined ? value : sum(result, value)
    if (op === 'min' && (result === undefined || isLess(value, result))) result = value
    if (op === 'max' && (result === undefined || isLess(result, value))) result = value
  }
  if (op === 'count') return count
  if (op === 'all' || op === 'exists') return op === 'all'
  return result ?? unsetValue(kind)
}

function isLess(a: EvalValue, b: EvalValue): boolean {
  return typeof a === 'string' ? runtime.compareText(a, String(b)) < 0 : a < b
}

function sum(a: EvalValue, b: EvalValue): EvalValue {
  return typeof a === 'bigint'
    ? a + (b as bigint)
    : runtime.wholeNumber((a as number) + (b as number))
}

function* passing(rows: Rows, frame: Frame): Generator<Frame> {
  for (const row of runtime.rowsOf(recordOf(rows.of, frame), rows.table)) {
    const inner = { ...frame, rows: [...frame.rows.slice(0, rows.level), row] }
    if (rows.filters.every((filter) => evaluate(filter, inner) === true)) yield inner
  }
}

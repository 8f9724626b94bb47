import { divideRounded, pow10 } from '../../base/money.ts'
import { isFieldName } from '../tree/scope.ts'
import {
  type AggregateNode,
  type BinaryNode,
  type Environment,
  type EvalValue,
  type FieldValues,
  isScaled,
  isText,
  type Literal,
  type Node,
  type RescaleNode,
  type Rows,
  type ScalarKind,
} from '../tree/types.ts'
import { FUNCTIONS } from './functions.ts'
import * as runtime from './runtime.ts'

/** A compiled expression, as a function. Throws ExpressionError on data it cannot compute with. */
export type Evaluate = (doc: FieldValues, env: Environment) => EvalValue

/**
 * Compiles a typed expression to a JavaScript function. The code is made from the tree's nodes only:
 * constants are JSON-escaped; names, operators, scales and constants are checked again here because a
 * tree may come from a cache. Throws TypeError for a tree that no expression has.
 */
export function toJs(node: Node): Evaluate {
  const code = `'use strict'; return (doc, env) => ${emit(node)}`
  return new Function('R', 'F', code)(LIBRARY, CALLS) as Evaluate
}

const LIBRARY = Object.freeze({ ...runtime, divideRounded })
const CALLS = Object.freeze(
  Object.fromEntries([...FUNCTIONS].map(([name, spec]) => [name, spec.js])),
)

const OPERATORS: ReadonlySet<string> = new Set([
  ...['+', '-', '*', '/', '%', '&&', '||'],
  ...['==', '!=', '<', '<=', '>', '>='],
])

function emit(node: Node): string {
  if (!Number.isSafeInteger(node.scale))
    throw new TypeError(`${JSON.stringify(node.scale)} is not a number of decimal places`)
  switch (node.node) {
    case 'literal':
      return emitLiteral(node)
    case 'field':
      return `(${read(node.of, node.name)} ?? ${unset(node.kind)})`
    case 'has':
      return `R.isSet(${record(node.of)}, ${quoted(node.name)})`
    case 'clock':
      return node.name === 'today' ? 'env.today' : 'env.now'
    case 'binary':
      return emitBinary(node)
    case 'unary':
      if (node.op === '!') return `(!${emit(node.value)})`
      return node.kind === 'int' ? `(0 - ${emit(node.value)})` : `(-${emit(node.value)})`
    case 'choose':
      return `(${emit(node.when)} ? ${emit(node.yes)} : ${emit(node.no)})`
    case 'in':
      return `[${node.list.map(emit).join(', ')}].includes(${emit(node.value)})`
    case 'rescale':
      return emitRescale(node)
    case 'call':
      return emitCall(node.name, node.args.map(emit))
    case 'aggregate':
      return emitAggregate(node)
  }
}

function emitLiteral(node: Literal): string {
  const { kind, value } = node
  if (isScaled(kind)) return `(${BigInt(value)}n)`
  if (typeof value === 'string') return quoted(value)
  if (typeof value === 'number' || typeof value === 'boolean') return `(${value})`
  throw new TypeError(`${JSON.stringify(value)} is not a constant of expressions`)
}

function quoted(text: string): string {
  return JSON.stringify(text)
}

/** A name as a property key; refuses what a plain object inherits, so that only own properties are read. */
function property(name: string): string {
  if (!isFieldName(name))
    throw new TypeError(`${JSON.stringify(name)} cannot be the name of a field`)
  return quoted(name)
}

function record(of: string): string {
  if (of === 'doc') return 'doc'
  if (of === '#0' || of === '#1') return `r${of.slice(1)}`
  // Behind the links of another record stands its path: `customer.customer_group`.
  for (const step of of.split('.')) property(step)
  return `env.records[${quoted(of)}]`
}

function read(of: string, name: string): string {
  const bound = of === 'doc' || of.startsWith('#')
  return `${record(of)}${bound ? '' : '?.'}[${property(name)}]`
}

function unset(kind: ScalarKind): string {
  if (isScaled(kind)) return '0n'
  if (kind === 'int') return '0'
  return kind === 'bool' ? 'false' : '""'
}

function emitBinary(node: BinaryNode): string {
  const left = emit(node.left)
  const right = emit(node.right)
  const { op } = node
  if (!OPERATORS.has(op)) throw new TypeError(`${JSON.stringify(op)} is not an operator`)
  const whole = node.left.kind === 'int'
  if (op === '/')
    return `R.divide(${left}, ${right}, ${node.scale + node.right.scale - node.left.scale})`
  if (op === '%')
    return whole ? `R.wholeRemainder(${left}, ${right})` : `R.remainder(${left}, ${right})`
  if (op === '==' || op === '!=') return `(${left} ${op}= ${right})`
  const arithmetic = op === '+' || op === '-' || op === '*'
  if (arithmetic && whole) return `R.wholeNumber(${left} ${op} ${right})`
  // Code units order unlike code points; dates and times are ASCII, where both agree.
  const plain = arithmetic || op === '&&' || op === '||' || node.left.kind !== 'str'
  return plain ? `(${left} ${op} ${right})` : `(R.compareText(${left}, ${right}) ${op} 0)`
}

function emitRescale(node: RescaleNode): string {
  const { value, kind, scale, rounding } = node
  const from = value.scale
  const inner = emit(value)
  const scaled = value.kind === 'int' ? `BigInt(${inner})` : inner
  if (kind === 'int')
    return value.kind === 'int' ? inner : `R.toWhole(${scaled}, ${from}, ${quoted(rounding)})`
  if (scale === from) return scaled
  if (scale > from) return `(${scaled} * ${pow10(scale - from)}n)`
  if (rounding === 'half') return `R.divideRounded(${scaled}, ${pow10(from - scale)}n)`
  return `R.toScale(${scaled}, ${from}, ${scale}, ${quoted(rounding)})`
}

function emitCall(name: string, args: readonly string[]): string {
  const list = args.join(', ')
  if (name === 'abs') return `((x) => x < 0 ? -x : x)(${list})`
  if (name === 'min' || name === 'max') return `R.extreme('${name}', [${list}])`
  if (!FUNCTIONS.has(name))
    throw new TypeError(`${JSON.stringify(name)} is not a function of expressions`)
  return `F[${quoted(name)}](${list})`
}

function emitAggregate(node: AggregateNode): string {
  const body = node.body === null ? '' : emit(node.body)
  const zero = unset(node.kind)
  switch (node.op) {
    case 'count':
      return loop(node.rows, 'let n = 0', 'n++', 'n')
    case 'all':
      return loop(node.rows, '', `if (!${body}) return false`, 'true')
    case 'exists':
      return loop(node.rows, '', `if (${body}) return true`, 'false')
    case 'sum':
      return loop(
        node.rows,
        `let s = ${zero}`,
        node.kind === 'int' ? `s = R.wholeNumber(s + ${body})` : `s += ${body}`,
        's',
      )
    case 'min':
    case 'max': {
      const wins = node.op === 'min' ? '<' : '>'
      const isBetter = isText(node.kind) ? `R.compareText(v, m) ${wins} 0` : `v ${wins} m`
      return loop(
        node.rows,
        'let m',
        `const v = ${body}; if (m === undefined || ${isBetter}) m = v`,
        `m ?? ${zero}`,
      )
    }
  }
}

function loop(rows: Rows, before: string, each: string, result: string): string {
  if (rows.level !== 0 && rows.level !== 1) throw new TypeError('row macros nest two deep at most')
  const filter = rows.filters.map((condition) => `if (!${emit(condition)}) continue; `).join('')
  const list = `R.rowsOf(${record(rows.of)}, ${property(rows.table)})`
  return `(() => { ${before}; for (const r${rows.level} of ${list}) { ${filter}${each} } return ${result} })()`
}

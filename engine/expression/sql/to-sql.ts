import { FUNCTIONS } from '../run/functions.ts'
import { interpret } from '../run/interpret.ts'
import { ExpressionProblem, type Problem } from '../tree/problem.ts'
import {
  type BinaryNode,
  childrenOf,
  type FieldNode,
  type HasNode,
  isScaled,
  isText,
  type Literal,
  type Node,
  type RescaleNode,
} from '../tree/types.ts'
import type { ColumnOf, SqlColumn, SqlFragment, SqlParameter } from './sql-fragment.ts'
import {
  type Dialect,
  isWrittenAsInteger,
  operatorsOf,
  type SqlOperators,
} from './sql-operators.ts'

/**
 * A condition for WHERE or FILTER (not CHECK, which lets NULL pass). Comparisons of a column with a
 * constant stay bare where a NULL counts as false just as the unset value does, so that indexes serve
 * them; so do those with a value of another record that `isSet` says is set whenever the text runs.
 * Throws ExpressionProblem for row macros and for functions that databases compute differently.
 */
export function toSqlCondition(
  node: Node,
  dialect: Dialect,
  columnOf: ColumnOf,
  isSet: IsSet = () => false,
  operators: SqlOperators = operatorsOf(dialect),
): SqlFragment {
  if (node.kind !== 'bool') throw new ExpressionProblem('expected a condition', node.at)
  const writer = { ...newWriter(dialect, columnOf), isSet, operators }
  return fragment(loose(node, writer), writer)
}

/**
 * A value: a whole number (scaled by the node's scale; bool as 1 or 0) or a text, never NULL. On SQLite
 * a number beyond 64 bits comes as text; give the node a stored type first (`assignedNode`).
 * SQLite needs SQLITE_FUNCTIONS registered. Throws as `toSqlCondition` does.
 */
export function toSqlValue(
  node: Node,
  dialect: Dialect,
  columnOf: ColumnOf,
  operators: SqlOperators = operatorsOf(dialect),
): SqlFragment {
  const writer = { ...newWriter(dialect, columnOf), operators }
  const text = write(node, writer)
  return fragment(node.kind === 'bool' ? `(case when ${text} then 1 else 0 end)` : text, writer)
}

/**
 * Problem of an expression that no database can compute (row macros, `lower`, `upper`, `has` of what is no column),
 * for those who only ever run it there to refuse when it is loaded; undefined when there is none.
 */
export function sqlProblem(node: Node, columnOf: ColumnOf): Problem | undefined {
  try {
    for (const dialect of ['sqlite', 'postgres'] as const) write(node, newWriter(dialect, columnOf))
    return undefined
  } catch (error) {
    if (error instanceof ExpressionProblem) return error
    throw error
  }
}

/** Whether a bound value of another record (`this`, `employee`) is set in every run of a text. */
export type IsSet = (of: string, name: string) => boolean

interface Writer {
  readonly dialect: Dialect
  readonly columnOf: ColumnOf
  readonly operators: SqlOperators
  /** Marks a parameter in the text; parts of the text may be put together in any order. */
  readonly bind: (parameter: SqlParameter) => string
  readonly bound: readonly SqlParameter[]
  readonly isSet: IsSet
}

const MARK = '\u0000'

function newWriter(dialect: Dialect, columnOf: ColumnOf): Writer {
  const bound: SqlParameter[] = []
  const bind = (parameter: SqlParameter) => `${MARK}${bound.push(parameter) - 1}${MARK}`
  return { dialect, columnOf, operators: operatorsOf(dialect), bind, bound, isSet: () => false }
}

function fragment(text: string, writer: Writer): SqlFragment {
  const pieces = text.split(MARK)
  const parts = pieces.filter((_, i) => i % 2 === 0)
  const parameters = pieces
    .filter((_, i) => i % 2 === 1)
    .map((index) => writer.bound[Number(index)]!)
  return { parts, parameters }
}

function write(node: Node, writer: Writer): string {
  const { operators } = writer
  switch (node.node) {
    case 'literal':
      return writeLiteral(node, writer)
    case 'field':
      return writeField(node, writer)
    case 'has':
      return writeHas(node, writer)
    case 'clock':
      return text(writer, { from: 'clock', name: node.name })
    case 'binary':
      return writeBinary(node, writer, write)
    case 'unary':
      if (node.op === '!') return `(not ${write(node.value, writer)})`
      return isScaled(node.kind)
        ? operators.scaled('-', '0', write(node.value, writer))
        : `(0 - ${write(node.value, writer)})`
    case 'choose': {
      const [yes, no] = [node.yes, node.no].map((part) => write(part, writer))
      return `(case when ${loose(node.when, writer)} then ${yes} else ${no} end)`
    }
    case 'in':
      return `(${write(node.value, writer)} in (${node.list.map((item) => write(item, writer)).join(', ')}))`
    case 'rescale':
      return writeRescale(node, writer)
    case 'call':
      return writeCall(node.name, node.args, node, writer)
    case 'aggregate':
      throw new ExpressionProblem(`${node.op}() over rows cannot run in the database`, node.at)
  }
}

function text(writer: Writer, parameter: SqlParameter): string {
  return writer.operators.typed(writer.bind(parameter), true)
}

function writeLiteral(node: Literal, writer: Writer): string {
  if (node.kind === 'bool') return node.value ? 'true' : 'false'
  if (isText(node.kind)) return text(writer, { from: 'constant', text: String(node.value) })
  return writer.operators.number(BigInt(node.value))
}

function writeField(node: FieldNode, writer: Writer): string {
  const column = writer.columnOf(node.of, node.name)
  const isString = isText(node.kind)
  const read = column
    ? withDefault(column, isString)
    : writer.operators.typed(
        writer.bind({ from: 'record', of: node.of, name: node.name, kind: node.kind }),
        isString,
      )
  return node.kind === 'bool' ? `(${read} <> 0)` : read
}

function withDefault({ sql, nullable }: SqlColumn, isString: boolean): string {
  return nullable ? `coalesce(${sql}, ${isString ? `''` : '0'})` : sql
}

function writeHas(node: HasNode, writer: Writer): string {
  const column = writer.columnOf(node.of, node.name)
  if (!column)
    throw new ExpressionProblem(
      `has() needs a column of the table in the database, ${node.of}.${node.name} is none`,
      node.at,
    )
  if (node.text) return `(${withDefault(column, true)} <> '')`
  return column.nullable ? `(${column.sql} is not null)` : 'true'
}

function writeBinary(
  node: BinaryNode,
  writer: Writer,
  part: (node: Node, writer: Writer) => string,
): string {
  const { op, left, right } = node
  const { operators } = writer
  if (op === '&&' || op === '||') {
    const a = part(left, writer)
    const b = part(right, writer)
    if (!mayRaise(right)) return `(${a} ${op === '&&' ? 'and' : 'or'} ${b})`
    // Databases may compute both sides of AND and OR; the side behind a guard must wait for it.
    return op === '&&'
      ? `(case when ${a} then ${b} else false end)`
      : `(case when ${a} then true else ${b} end)`
  }
  const a = write(left, writer)
  const b = write(right, writer)
  if (op === '/') return operators.quotient(a, b, node.scale + right.scale - left.scale)
  if (op === '+' || op === '-' || op === '*' || op === '%') {
    if (node.kind === 'str') return `(${a} || ${b})`
    return isScaled(node.kind) ? operators.scaled(op, a, b) : operators.whole(op, a, b)
  }
  if (op === '==' || op === '!=') return `(${a} ${op === '==' ? '=' : '<>'} ${b})`
  if (isText(left.kind)) return `(${operators.bytewise(a)} ${op} ${b})`
  return isScaled(left.kind) && !(isStored(left) && isStored(right))
    ? operators.ordered(op, a, b)
    : `(${a} ${op} ${b})`
}

/** Whether a number fits 64 bits for certain, so that the database compares it as the integer it is. */
function isStored(node: Node): boolean {
  if (node.node === 'field') return true
  return node.node === 'literal' && isWrittenAsInteger(BigInt(node.value))
}

/** SQL of a condition whose NULL counts as false. */
function loose(node: Node, writer: Writer): string {
  if (node.node !== 'binary') return write(node, writer)
  if (node.op === '&&' || node.op === '||') return writeBinary(node, writer, loose)
  if (!isFalseForNull(node, writer)) return write(node, writer)
  const bare: ColumnOf = (of, name) => {
    const column = writer.columnOf(of, name)
    return column && { ...column, nullable: false }
  }
  return write(node, { ...writer, columnOf: bare })
}

/** Whether a comparison of a column is false for the unset value, as SQL's NULL makes it. */
function isFalseForNull(node: BinaryNode, writer: Writer): boolean {
  const { left: a, right: b } = node
  const field =
    a.node === 'field' && b.node === 'literal'
      ? a
      : b.node === 'field' && a.node === 'literal'
        ? b
        : undefined
  if (!field) return isOverSetValue(node, writer)
  if (field.kind === 'bool' || holdsForUnset(node)) return false
  return !isScaled(field.kind) || (isStored(a) && isStored(b))
}

const TURNED: Partial<Record<BinaryNode['op'], BinaryNode['op']>> = {
  '==': '==',
  '<': '>',
  '<=': '>=',
}

/** Whether a column is equal to a set value of another record, or, of texts, not before it. */
function isOverSetValue({ op, left, right }: BinaryNode, writer: Writer): boolean {
  if (left.node !== 'field' || right.node !== 'field' || left.kind === 'bool') return false
  const isColumn = ({ of, name }: FieldNode): boolean => writer.columnOf(of, name) !== undefined
  if (isColumn(left) === isColumn(right)) return false
  const [value, operator] = isColumn(left) ? [right, op] : [left, TURNED[op]]
  if (!writer.isSet(value.of, value.name)) return false
  return operator === '==' || (isText(left.kind) && (operator === '>' || operator === '>='))
}

function holdsForUnset(node: BinaryNode): boolean {
  return interpret(node, {}, { today: '', now: '', records: {} }) === true
}

function writeRescale(node: RescaleNode, writer: Writer): string {
  const { rounded } = writer.operators
  const quotient = node.value
  if (rounded && quotient.node === 'binary' && quotient.op === '/') {
    const { left, right } = quotient
    const a = write(left, writer)
    const b = write(right, writer)
    const shift = node.scale + right.scale - left.scale
    return rounded(a, b, shift, quotient.scale, node.scale)
  }
  const value = write(node.value, writer)
  const from = node.value.scale
  const scaled =
    node.scale === from ? value : writer.operators.rescale(value, from, node.scale, node.rounding)
  return node.kind === 'int' ? writer.operators.narrowed(scaled) : scaled
}

function writeCall(name: string, nodes: readonly Node[], node: Node, writer: Writer): string {
  const args = nodes.map((arg) => write(arg, writer))
  if (name === 'abs') return writer.operators.absolute(args[0]!, isScaled(node.kind))
  if (name === 'min' || name === 'max') return writer.operators.extreme(name, args, node.kind)
  const template = FUNCTIONS.get(name)?.[writer.dialect]
  if (!template) throw new ExpressionProblem(`${name}() cannot run in the database`, node.at)
  const literal = (constant: string) => text(writer, { from: 'constant', text: constant })
  return template(
    args,
    nodes.map((arg) => arg.kind),
    literal,
  )
}

function mayRaise(node: Node): boolean {
  const raises =
    (node.node === 'binary' &&
      (node.op === '/' || node.op === '%' || (node.op === '*' && node.kind === 'int'))) ||
    (node.node === 'call' && FUNCTIONS.get(node.name)?.raises === true)
  return raises || childrenOf(node).some(mayRaise)
}

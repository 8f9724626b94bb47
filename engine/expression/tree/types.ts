/**
 * The typed expression tree: plain data that survives JSON, so that it can be cached and sent to a
 * browser. Every node knows its kind, its scale (decimal places; 0 unless money or decimal) and the
 * range of the source it came from.
 *
 * Values while an expression runs: money and decimal are BigInts at the node's scale, int is a safe
 * JS number, bool a boolean, all others text. There is no null inside an expression: an unset number
 * is 0, an unset text, date, datetime or time is "", an unset bool is false (rules.md §2).
 */
export type NumericKind = 'money' | 'decimal' | 'int'
export type MomentKind = 'date' | 'datetime' | 'time'
export type ScalarKind = NumericKind | MomentKind | 'str' | 'bool'
/** Kind of a field; `json` ones can be named only in `has()`, `rows` are the rows of a table, a `record` has fields. */
export type Kind = ScalarKind | 'json' | 'rows' | 'record'

/** Scale of a `money` value (1/10⁴, rules.md §3). */
export const MONEY_SCALE = 4
/** Scale of a `decimal` value unless its field has a scale of its own. */
export const DECIMAL_SCALE = 6
/**
 * Decimal places of a quotient (more only where the dividend already has more): so many that rounding it
 * once more, to a cent, gives what rounding the exact value would, and that `part / whole * amount` is
 * right to the cent for amounts of 15 digits.
 */
export const DIVISION_SCALE = 20

/** Start and end offset in the source, end exclusive. */
export type Range = readonly [start: number, end: number]

/** Type of the value of an expression or a field. */
export interface ValueType {
  readonly kind: Kind
  readonly scale: number
}

/** Type of a field that the value of an expression is assigned to. */
export interface TargetType extends ValueType {
  /** Values that a text may have, beside nothing, and the name of the field. */
  readonly choices?: { readonly name: string; readonly values: readonly string[] }
}

/** Type of a condition. */
export const CONDITION: ValueType = { kind: 'bool', scale: 0 }

interface Typed extends ValueType {
  readonly kind: ScalarKind
  readonly at: Range
}

/** A constant; money and decimal as the digits of their scaled integer. */
export interface Literal extends Typed {
  readonly node: 'literal'
  readonly value: string | number | boolean
}

/**
 * A field read: `of` is `doc` for the document itself, `#0` or `#1` for the row of the outer or inner
 * row macro, else the name of a record of the environment such as `parent`, `old`, `input`, `user`.
 */
export interface FieldNode extends Typed {
  readonly node: 'field'
  readonly of: string
  readonly name: string
}

/** Test whether a field is set (not null, not an empty text). `field` may be of kind `json`. */
export interface HasNode extends Typed {
  readonly node: 'has'
  readonly of: string
  readonly name: string
  readonly text: boolean
}

/** Reading of the environment's clock: `today()` or `now()`. */
export interface ClockNode extends Typed {
  readonly node: 'clock'
  readonly name: 'today' | 'now'
}

export type BinaryOperator =
  | '+'
  | '-'
  | '*'
  | '/'
  | '%'
  | '=='
  | '!='
  | '<'
  | '<='
  | '>'
  | '>='
  | '&&'
  | '||'

/**
 * A binary operator. Both sides were brought to one kind and scale by the checker, save for `*` and `/`, whose sides
 * are both ints or both scaled BigInts of any scale.
 */
export interface BinaryNode extends Typed {
  readonly node: 'binary'
  readonly op: BinaryOperator
  readonly left: Node
  readonly right: Node
}

export interface UnaryNode extends Typed {
  readonly node: 'unary'
  readonly op: '!' | '-'
  readonly value: Node
}

export interface ChooseNode extends Typed {
  readonly node: 'choose'
  readonly when: Node
  readonly yes: Node
  readonly no: Node
}

/** Membership, `value in [a, b]`: all of one kind and scale. */
export interface InNode extends Typed {
  readonly node: 'in'
  readonly value: Node
  readonly list: readonly Node[]
}

export type Rounding = 'half' | 'floor' | 'ceil'

/** A number brought to this node's kind and scale; `half` is half away from zero. */
export interface RescaleNode extends Typed {
  readonly node: 'rescale'
  readonly value: Node
  readonly rounding: Rounding
}

/** A call of the table in functions.ts. */
export interface CallNode extends Typed {
  readonly node: 'call'
  readonly name: string
  readonly args: readonly Node[]
}

/** Rows of a table that pass all filters; filters and body read the row as `#level`. */
export interface Rows {
  readonly of: string
  readonly table: string
  readonly level: number
  readonly maxRows: number
  readonly filters: readonly Node[]
}

export type AggregateOperation = 'sum' | 'min' | 'max' | 'count' | 'all' | 'exists'

/** A row macro; `count` has no body. An empty sum, min or max is the unset value of its kind. */
export interface AggregateNode extends Typed {
  readonly node: 'aggregate'
  readonly op: AggregateOperation
  readonly rows: Rows
  readonly body: Node | null
}

export type Node =
  | Literal
  | FieldNode
  | HasNode
  | ClockNode
  | BinaryNode
  | UnaryNode
  | ChooseNode
  | InNode
  | RescaleNode
  | CallNode
  | AggregateNode

/** A value while an expression runs, and its result. */
export type EvalValue = bigint | number | boolean | string

/** Field values of a document, row or record by name, as the engine holds them: unset is null, tables are arrays. */
export type FieldValues = Readonly<Record<string, unknown>>

/** Values an evaluation may read beside the document. Times are texts made from a clock by the caller. */
export interface Environment {
  /** Date of the clock, `YYYY-MM-DD`. */
  readonly today: string
  /** Moment of the clock, ISO 8601 UTC with milliseconds. */
  readonly now: string
  /** Records by name: `parent`, `old`, `input`, `user`, those bound by the caller; an absent one reads as all unset. */
  readonly records: Readonly<Record<string, FieldValues | null | undefined>>
}

/** Whether values of the kind are scaled BigInts while an expression runs. */
export function isScaled(kind: Kind): kind is 'money' | 'decimal' {
  return kind === 'money' || kind === 'decimal'
}

export function isNumeric(kind: Kind): kind is NumericKind {
  return kind === 'int' || isScaled(kind)
}

/** Whether values of the kind are texts while an expression runs. */
export function isText(kind: Kind): kind is MomentKind | 'str' {
  return kind === 'str' || isMoment(kind)
}

export function isMoment(kind: Kind): kind is MomentKind {
  return kind === 'date' || kind === 'datetime' || kind === 'time'
}

/** The value an unset field of the kind has inside an expression. */
export function unsetValue(kind: ScalarKind): EvalValue {
  if (isScaled(kind)) return 0n
  if (kind === 'int') return 0
  return kind === 'bool' ? false : ''
}

/** The nodes directly below a node, row filters included. */
export function childrenOf(node: Node): readonly Node[] {
  switch (node.node) {
    case 'binary':
      return [node.left, node.right]
    case 'unary':
    case 'rescale':
      return [node.value]
    case 'choose':
      return [node.when, node.yes, node.no]
    case 'in':
      return [node.value, ...node.list]
    case 'call':
      return node.args
    case 'aggregate':
      return node.body ? [...node.rows.filters, node.body] : node.rows.filters
    default:
      return NO_NODES
  }
}

const NO_NODES: readonly Node[] = []

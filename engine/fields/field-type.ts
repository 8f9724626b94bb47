import type { ProblemCode } from '../base/problem-codes.ts'
import type { Field } from './field.ts'

/** Value in the engine: `currency`, `float`, `percent` as scaled BigInts, datetimes as ISO text, unset as null. */
export type Value = string | number | bigint | boolean | null

/** Value that a column of either database gives or takes. */
export type ColumnValue = string | number | bigint | null

/** Form a field is kept in: TEXT (`collate "C"` on PostgreSQL), INTEGER/BIGINT, or rows of a table of its own. */
export type Storage = 'text' | 'integer' | 'rows'

/** The kind an expression sees (rules.md §2). */
export type ExpressionKind =
  | 'money'
  | 'decimal'
  | 'int'
  | 'bool'
  | 'str'
  | 'date'
  | 'datetime'
  | 'time'
  | 'json'
  | 'rows'

/** Filter suffixes of spec §4; `eq` is the bare field name. */
export type Operator = 'eq' | 'ne' | 'gt' | 'gte' | 'lt' | 'lte' | 'between' | 'like' | 'in'

export type JsonSchema = { readonly [key: string]: unknown }

/** Refused value, thrown by `read` and `readText`: says what was expected and what came, as one detail of a 422. */
export class FieldProblem extends Error {
  readonly code: ProblemCode

  constructor(message: string, code: ProblemCode = 'wrong_type') {
    super(message)
    this.code = code
  }
}

/**
 * Field type: all that it answers about itself. Code outside `engine/fields` asks these questions and never compares
 * type names; a new type is one file and one line in `index.ts`.
 */
export interface FieldType {
  readonly name: string
  readonly storage: Storage
  readonly kind: ExpressionKind
  readonly operators: readonly Operator[]
  /** Whether its text may be a target of `q`. */
  readonly searchable: boolean
  /** Whether it is one of the default list fields (scalars except long texts). */
  readonly inList: boolean
  /** Whether it is kept encrypted and never shown. */
  readonly secret: boolean
  /** The input Desk shows. */
  readonly widget: string
  /** Meaning of `options:` in the YAML: a select's values, a DocType, a sibling field's name, or the rows' DocType. */
  readonly optionsMean: 'values' | 'doctype' | 'field' | 'rows' | 'nothing'
  /** Decimal places of its scaled integers; 0 where values are not scaled. */
  scaleOf(field: Field): number
  /** Value an unset one has for who reads, where it has one: an unset check is false. Else it is null. */
  readonly unset?: Exclude<Value, null>
  /** JSON Schema of the wire form (without null). */
  schema(field: Field): JsonSchema
  /** Bounds that every value has by its type, declared or not, as a part of a JSON Schema. */
  limits?(field: Field): JsonSchema
  /** Wire form (already of the schema's JSON type, never null) → value. Throws FieldProblem. */
  read(input: unknown, field: Field): Value
  /** Text of a query parameter or a form → value. Throws FieldProblem. */
  readText(text: string, field: Field): Value
  /** Text of a cell of an imported table → value, where more is taken than by `readText`. Throws FieldProblem. */
  readCell?(text: string, field: Field): Value
  /** Whether column, value and wire form are one and the same text, so that lists show the column as it is. */
  readonly verbatim?: boolean
  /** Value → wire form. */
  toWire(value: Value, field: Field): unknown
  toColumn(value: Value, field: Field): ColumnValue
  fromColumn(column: ColumnValue, field: Field): Value
  /** Form of its values on surface A. */
  readonly frappe: FrappeForm
  /** Problems of the definition itself, as messages about one key of the field's YAML. */
  check(field: Field): readonly { readonly key: string; readonly message: string }[]
  /** A valid wire value for examples and generated data; `n` makes it differ. */
  example(field: Field, n: number): unknown
}

/**
 * Form of a type's values on surface A, after Frappe (docs/surface-a-lists.md). Clients of Frappe send texts for
 * everything; what is made of them here goes to the strict reader, which judges.
 */
export interface FrappeForm {
  /** Value of an unset one in a comparison, as a column keeps it: Frappe's columns hold '' and 0 there. */
  readonly unset: NonNullable<ColumnValue>
  /** Wire form, null for unset → surface A's form. */
  show(wire: unknown): unknown
  /**
   * Value a client sent, never null → the wire form meant by it; null = unset, undefined = leave it as it is. What
   * means nothing is handed on, as it came where that is no value either, for the strict reader to refuse.
   */
  loosen(input: unknown): unknown
}

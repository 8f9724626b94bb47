import type { EvalValue, ScalarKind } from '../tree/types.ts'

/**
 * One function of the language over whole numbers and texts. Numeric functions (round, abs, min, max,
 * floor, ceil) and those that look at a field or the clock (has, coalesce, changed, today, now) need
 * the checker's help and live in check-calls.ts.
 */
export interface FunctionSpec {
  readonly name: string
  /** Form of a call, for messages and documentation. */
  readonly usage: string
  /** Kinds each argument may have. */
  readonly params: readonly (readonly ScalarKind[])[]
  /** Whether further arguments of the last parameter's kinds are taken. */
  readonly variadic?: boolean
  /** Whether the arguments must be of one kind. */
  readonly alike?: boolean
  /** Kind of the result; `first` is that of the first argument. */
  readonly result: ScalarKind | 'first'
  /** Whether `x.contains(y)` may be written for `contains(x, y)`. */
  readonly method?: boolean
  /** Whether the call throws ExpressionError for some arguments. */
  readonly raises?: boolean
  readonly js: (...args: never[]) => EvalValue
  /** SQL of each database from the SQL of the arguments; null where no SQL gives the same as JavaScript. */
  readonly sqlite: SqlTemplate | null
  readonly postgres: SqlTemplate | null
}

/** SQL text of a call; `literal` binds a constant text and gives its placeholder. */
export type SqlTemplate = (
  args: readonly string[],
  kinds: readonly ScalarKind[],
  literal: (text: string) => string,
) => string

/** A SQLite function of the same name that runs the JavaScript (sqlite-functions.ts). */
export function viaJs(name: string): SqlTemplate {
  return (args) => `svc_${name}(${args.join(', ')})`
}

import { AppError } from '../../base/errors.ts'
import type { ScalarKind } from '../../expression/tree/types.ts'

/** Types of values inside a hook: money is in 1/10⁴, decimals in 1/10⁶; an unset value is 0, "" or false. */
interface ValueOfKind {
  readonly str: string
  readonly int: number
  readonly decimal: bigint
  readonly money: bigint
  readonly bool: boolean
  /** `YYYY-MM-DD` */
  readonly date: string
  /** ISO 8601 UTC with milliseconds */
  readonly datetime: string
  /** `HH:MM:SS` */
  readonly time: string
}

export type HookValue = ValueOfKind[ScalarKind]

/** Kind of a value; with `?` it may be left out, and is undefined then. */
export type HookKind = ScalarKind | `${ScalarKind}?`

/** Rows with these columns; an optional table may be left out. */
export interface RowsKind {
  readonly rows: Readonly<Record<string, HookKind>>
  readonly optional?: true
}

/** Fields that a hook is given, or reads of a record. */
export type Shape = Readonly<Record<string, HookKind | RowsKind>>

type Scalar<K> = K extends `${infer S extends ScalarKind}?`
  ? ValueOfKind[S] | undefined
  : K extends ScalarKind
    ? ValueOfKind[K]
    : never

type RowOf<C> = { readonly [K in keyof C]: Scalar<C[K]> }

/** The values that a shape describes. */
export type ValuesOf<S> = {
  readonly [K in keyof S]: S[K] extends { readonly rows: infer C }
    ? S[K] extends { readonly optional: true }
      ? readonly RowOf<C>[] | undefined
      : readonly RowOf<C>[]
    : Scalar<S[K]>
}

/** Reads a record by its name; undefined when there is none, or when it is not read yet and will be by the next run. */
export type ReadRecord<R> = <D extends keyof R & string>(
  doctype: D,
  name: string,
) => ValuesOf<R[D]> | undefined

/**
 * A hook as it is written. `run` is pure: the same inputs and records give the same outputs, and it changes
 * nothing. It may be run again whenever a record that it asked for had to be read first, so it goes on as if such
 * a record did not exist. What is wrong with the user's data is thrown by `refuse`; any other error is a bug.
 */
interface TypedHook<
  I extends Shape,
  R extends Readonly<Record<string, Shape>>,
  O extends Readonly<Record<string, ScalarKind>>,
> {
  readonly inputs: I
  /** Fields that it reads of records, by their DocType: the only place where code may name one. */
  readonly reads: R
  readonly outputs: O
  /** One record of outputs, or any number for a table. */
  readonly gives: 'values' | 'rows'
  run(input: ValuesOf<I>, read: ReadRecord<R>): readonly Partial<ValuesOf<O>>[]
}

/** A hook as the engine knows it. */
export interface Hook {
  readonly inputs: Shape
  readonly reads: Readonly<Record<string, Shape>>
  readonly outputs: Readonly<Record<string, ScalarKind>>
  readonly gives: 'values' | 'rows'
  run(
    input: Readonly<Record<string, unknown>>,
    read: (doctype: string, name: string) => Readonly<Record<string, unknown>> | undefined,
  ): readonly Readonly<Record<string, HookValue | undefined>>[]
}

/** Makes a hook of its description; the kinds it declares are the types that `run` sees. */
export function defineHook<
  const I extends Shape,
  const R extends Readonly<Record<string, Shape>>,
  const O extends Readonly<Record<string, ScalarKind>>,
>(hook: TypedHook<I, R, O>): Hook {
  const { inputs, reads, outputs, gives } = hook
  return {
    inputs,
    reads,
    outputs,
    gives,
    // The engine has checked that values are of the declared kinds; only their types were lost on the way.
    run: (input, read) =>
      hook.run(input as ValuesOf<I>, read as ReadRecord<R>) as ReturnType<Hook['run']>,
  }
}

/** A mistake in the user's data: answered as 422 on the field that calls the hook. */
export function refuse(message: string): never {
  throw new AppError('VALIDATION_ERROR', message)
}

/** The kind without `?`, and whether the value may be left out. */
export function kindOf(kind: HookKind): { readonly kind: ScalarKind; readonly optional: boolean } {
  const optional = kind.endsWith('?')
  return { kind: (optional ? kind.slice(0, -1) : kind) as ScalarKind, optional }
}

export function isRows(kind: HookKind | RowsKind): kind is RowsKind {
  return typeof kind === 'object'
}

import type { Detail } from '../base/errors.ts'
import type { ProblemCode } from '../base/problem-codes.ts'
import { shown } from '../base/shown.ts'
import type { Field } from './field.ts'
import { FieldProblem } from './field-type.ts'

/** A value that was refused: `expected a number, got "abc"`, what came cut to a readable length. */
export function refusal(expected: string, got: unknown, code?: ProblemCode): FieldProblem {
  return new FieldProblem(`expected ${expected}, got ${shown(got)}`, code)
}

/** Detail of a parameter whose text is no value of a field: of parameters only the type and the range are told apart. */
export function parameterProblem(field: string, { message, code }: FieldProblem): Detail {
  return { field, message, code: code === 'out_of_range' ? code : 'wrong_type' }
}

/** A problem of the definition, about one key of the field's YAML. */
export interface KeyProblem {
  readonly key: string
  readonly message: string
}

/** Keys of the YAML that only some types understand, with how to tell that one was written. */
const SPECIAL_KEYS = {
  min: ({ min }: Field) => min !== undefined,
  max: ({ max }: Field) => max !== undefined,
  length: ({ length }: Field) => length !== undefined,
  scale: ({ scale }: Field) => scale !== undefined,
  pattern: ({ pattern }: Field) => pattern !== undefined,
  currency: ({ currencyField }: Field) => currencyField !== undefined,
} as const

export type SpecialKey = keyof typeof SPECIAL_KEYS

const WRITTEN = Object.keys(SPECIAL_KEYS) as readonly SpecialKey[]

/** Keys written on a field whose type does not understand them: they would silently do nothing. */
export function pointlessKeys(field: Field, understood: readonly SpecialKey[]): KeyProblem[] {
  return WRITTEN.filter((key) => SPECIAL_KEYS[key](field) && !understood.includes(key)).map(
    (key) => ({ key, message: `${key} means nothing for the type ${field.type}; remove it` }),
  )
}

/** Problem of `min` above `max`, which would refuse every value. */
export function rangeProblems({ min, max }: Field): KeyProblem[] {
  if (min === undefined || max === undefined || min <= max) return []
  return [{ key: 'min', message: `expected min to be at most max (${max}), got ${min}` }]
}

/** The description as a part of a JSON Schema. */
export function described({ description }: Field): { readonly description?: string } {
  return description === undefined ? {} : { description }
}

/** Declared bounds as a part of a JSON Schema. */
export function bounds(
  min: number | undefined,
  max: number | undefined,
): Readonly<Record<string, number>> {
  return {
    ...(min === undefined ? {} : { minimum: min }),
    ...(max === undefined ? {} : { maximum: max }),
  }
}

/** Throws FieldProblem when a number is outside `min` … `max`. */
export function assertInRange(
  input: number,
  min: number | undefined,
  max: number | undefined,
): void {
  if (min !== undefined && input < min) throw refusal(`at least ${min}`, input, 'out_of_range')
  if (max !== undefined && input > max) throw refusal(`at most ${max}`, input, 'out_of_range')
}

import type { Field } from './field.ts'
import { FieldProblem } from './field-type.ts'

const MAX_SHOWN = 60

/** A value that was refused: `expected a number, got "abc"`, what came cut to a readable length. */
export function refusal(expected: string, got: unknown): FieldProblem {
  return new FieldProblem(`expected ${expected}, got ${shown(got)}`)
}

function shown(got: unknown): string {
  if (got === undefined) return 'nothing'
  if (typeof got === 'number') return String(got)
  if (Array.isArray(got)) return 'an array'
  if (typeof got === 'object' && got !== null) return 'an object'
  const text = typeof got === 'bigint' ? got.toString() : JSON.stringify(got)
  // A cut may not leave half of a surrogate pair.
  return text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN).toWellFormed()}…` : text
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

/** Keys written on a field whose type does not understand them: they would silently do nothing. */
export function pointlessKeys(field: Field, understood: readonly SpecialKey[]): KeyProblem[] {
  return Object.entries(SPECIAL_KEYS)
    .filter(([key, isWritten]) => isWritten(field) && !understood.includes(key as SpecialKey))
    .map(([key]) => ({
      key,
      message: `${key} means nothing for the type ${field.type}; remove it`,
    }))
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
  if (min !== undefined && input < min) throw refusal(`at least ${min}`, input)
  if (max !== undefined && input > max) throw refusal(`at most ${max}`, input)
}

import type { Field } from '../../fields/field.ts'
import { FieldProblem } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'
import { type Constants, meaningOf } from './constant.ts'

type Literal = string | number | boolean

/** Meaning of `default:` of a field, or the mistake in it. */
export type DefaultResult =
  | { readonly ok: true; readonly default: string; readonly defaultValue?: Literal }
  | { readonly ok: false; readonly message: string }

const TEXT_LITERAL = /^(?:"([^"\\]*)"|'([^'\\]*)')$/
const NUMBER_LITERAL = /^-?\d{1,15}(?:\.\d{1,15})?$/

/**
 * Reads a default: a number, a boolean or a constant (`constant.ts`) stands for itself, another text is an expression
 * (docs/doctypes/cookbook/defaults.md). An expression that is a plain literal is known now too, so that it can be
 * checked and needs no expression engine.
 */
export function readDefault(written: Literal, constants: Constants): DefaultResult {
  const { field } = constants
  if (typeof written !== 'string') return literal(written, JSON.stringify(written), field)
  const meaning = meaningOf(written, constants)
  if (meaning.kind === 'mistake') return { ok: false, message: meaning.message }
  if (meaning.kind === 'constant') return literal(written, JSON.stringify(written), field)
  const value = literalOf(written)
  return value === undefined ? { ok: true, default: written } : literal(value, written, field)
}

function literalOf(expression: string): Literal | undefined {
  const text = TEXT_LITERAL.exec(expression)
  if (text) return text[1] ?? text[2]
  if (expression === 'true' || expression === 'false') return expression === 'true'
  return NUMBER_LITERAL.test(expression) ? Number(expression) : undefined
}

function literal(value: Literal, source: string, field: Field): DefaultResult {
  if (value === '') return { ok: true, default: source }
  try {
    fieldType(field.type).read(value, field)
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error
    return { ok: false, message: error.message }
  }
  if (field.pattern !== undefined && !new RegExp(field.pattern, 'u').test(String(value))) {
    return {
      ok: false,
      message: `expected text that matches ${field.pattern}, got ${JSON.stringify(value)}`,
    }
  }
  return { ok: true, default: source, defaultValue: value }
}

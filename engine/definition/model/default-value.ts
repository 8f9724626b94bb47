import type { Field } from '../../fields/field.ts'
import { FieldProblem } from '../../fields/field-type.ts'
import { fieldType } from '../../fields/index.ts'

type Literal = string | number | boolean

/** Meaning of `default:` of a field, or the mistake in it. */
export type DefaultResult =
  | { readonly ok: true; readonly default: string; readonly defaultValue?: Literal }
  | { readonly ok: false; readonly message: string }

const TEXT_LITERAL = /^(?:"([^"\\]*)"|'([^'\\]*)')$/
const NUMBER_LITERAL = /^-?\d{1,15}(?:\.\d{1,15})?$/
const WORDS = /^[\p{L}\p{N}][\p{L}\p{N}_ -]*$/u

/**
 * Reads a default: a number, a boolean or an option stands for itself, another text is an expression
 * (docs/doctypes/cookbook/defaults.md). An expression that is a plain literal is known now too, so that it can be
 * checked and needs no expression engine. `names` are the fields an expression may mean.
 */
export function readDefault(
  written: Literal,
  field: Field,
  names: ReadonlySet<string>,
): DefaultResult {
  if (typeof written !== 'string') return literal(written, JSON.stringify(written), field)
  if (field.options?.includes(written)) return literal(written, JSON.stringify(written), field)
  const value = literalOf(written)
  if (value !== undefined) return literal(value, written, field)
  if (field.options && WORDS.test(written) && !names.has(written)) {
    return {
      ok: false,
      message: `expected one of ${field.options.join(', ')}, got ${JSON.stringify(written)}`,
    }
  }
  return { ok: true, default: written }
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

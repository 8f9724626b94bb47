import type { Field } from './field.ts'
import type { ColumnValue, FieldType } from './field-type.ts'
import { refusal } from './problem.ts'
import { storableText } from './storable-text.ts'

/**
 * The value of a filter of surface A as its column keeps it; null is unset. The bounds and forms of new
 * values are not asked: a filter looks for what there may be. Throws FieldProblem for what is no value of
 * the type.
 */
export function filterValue(type: FieldType, field: Field, input: unknown): ColumnValue {
  if (input === null || input === undefined) return null
  if (type.kind === 'json') return storableText(scalarText(input, 'text'))
  const loose = type.frappe.loosen(input)
  if (loose === null || loose === undefined) return null
  const text = scalarText(loose, type.kind === 'str' ? 'text' : `a value of ${field.label}`)
  if (type.kind === 'str') return storableText(text)
  const value = type.readText(text, field)
  return value === null ? null : type.toColumn(value, field)
}

function scalarText(input: unknown, expected: string): string {
  if (typeof input === 'object') throw refusal(expected, input)
  return String(input)
}

import type { Field } from './field.ts'
import { fieldType } from './index.ts'

/**
 * Wire form of the text of a table's cell, as bodies carry it: empty is unset, else as the field's type reads it. A
 * decimal goes digit by digit into a scaled integer and has at most 15 digits, so its JSON number is exact. Throws
 * FieldProblem.
 */
export function cellToWire(field: Field, text: string): unknown {
  if (text === '') return null
  const type = fieldType(field.type)
  const value = (type.readCell ?? type.readText)(text, field)
  if (value === null) return null
  // A secret has no wire form to be shown; what comes in is the text itself.
  return type.secret ? value : type.toWire(value, field)
}

/** The text of a wire value in a cell, such that `cellToWire` gives the value back. Unset is empty. */
export function wireToCell(field: Field, wire: unknown): string {
  if (wire === null || wire === undefined) return ''
  return fieldType(field.type).kind === 'json' ? JSON.stringify(wire) : String(wire)
}

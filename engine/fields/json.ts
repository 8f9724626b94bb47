import { findUnsafeJson } from '../base/json-text.ts'
import { FieldProblem, type FieldType } from './field-type.ts'
import { described, pointlessKeys, refusal } from './problem.ts'

/** Any JSON, held as its text without spaces. */
export const json: FieldType = {
  name: 'json',
  storage: 'text',
  kind: 'json',
  operators: [],
  searchable: false,
  inList: false,
  secret: false,
  widget: 'json',
  optionsMean: 'nothing',
  scaleOf: () => 0,
  schema: (field) => described(field),
  read(input) {
    const text = JSON.stringify(input)
    if (text === undefined) throw refusal('a JSON value', input)
    return text
  },
  readText(text) {
    if (text.trim() === '') return null
    try {
      return JSON.stringify(JSON.parse(text))
    } catch {
      throw refusal('JSON text', text)
    }
  },
  readCell(text) {
    const value = parsedText(text)
    return value === null ? null : JSON.stringify(value)
  },
  toWire: (value) => JSON.parse(value as string),
  toColumn: (value) => value as string,
  fromColumn: (column) => column,
  frappe: {
    unset: '',
    show: (wire) => (wire === null ? null : JSON.stringify(wire)),
    loosen: (input) => (typeof input === 'string' ? parsedText(input) : input),
  },
  check: (field) => pointlessKeys(field, []),
  example: (_field, n) => ({ example: n + 1 }),
}

/** The JSON in a text; what a body may not hold may not come in as text either. */
function parsedText(text: string): unknown {
  if (text.trim() === '') return null
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw refusal('JSON, or its text', text)
  }
  const problem = findUnsafeJson(value)
  if (problem) throw new FieldProblem(problem.message, problem.code)
  return value
}

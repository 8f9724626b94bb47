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
    if (input instanceof NoJson) throw input.problem
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
    loosen: (input) => (typeof input === 'string' ? parsedOrRefused(input) : input),
  },
  check: (field) => pointlessKeys(field, []),
  example: (_field, n) => ({ example: n + 1 }),
}

/** A text that is no JSON, as surface A hands it on for `read` to refuse: as it came it would be a value. */
class NoJson {
  readonly problem: FieldProblem

  constructor(problem: FieldProblem) {
    this.problem = problem
  }

  /** It is no value, so that it is like none that is stored. */
  toJSON(): undefined {
    return undefined
  }
}

function parsedOrRefused(text: string): unknown {
  try {
    return parsedText(text)
  } catch (error) {
    if (!(error instanceof FieldProblem)) throw error
    return new NoJson(error)
  }
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

import type { FieldType } from './field-type.ts'
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
  toWire: (value) => JSON.parse(value as string),
  toColumn: (value) => value as string,
  fromColumn: (column) => column,
  check: (field) => pointlessKeys(field, []),
  example: (_field, n) => ({ example: n + 1 }),
}

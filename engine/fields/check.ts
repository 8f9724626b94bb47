import type { FieldType } from './field-type.ts'
import { described, pointlessKeys, refusal } from './problem.ts'

const TEXTS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
])

/** Words of a table's cells: the same, and what people write there besides. */
const CELLS: ReadonlyMap<string, boolean> = new Map([...TEXTS, ['yes', true], ['no', false]])

/** Yes or no; 1 and 0 in the column. */
export const check: FieldType = {
  name: 'check',
  storage: 'integer',
  kind: 'bool',
  operators: ['eq', 'ne', 'in'],
  searchable: false,
  inList: true,
  secret: false,
  widget: 'checkbox',
  optionsMean: 'nothing',
  scaleOf: () => 0,
  unset: false,
  schema: (field) => ({ type: 'boolean', ...described(field) }),
  read(input) {
    if (typeof input !== 'boolean') throw refusal('true or false', input)
    return input
  },
  readText(text) {
    const value = TEXTS.get(text.trim().toLowerCase())
    if (value === undefined) throw refusal('true or false', text)
    return value
  },
  readCell(text) {
    const value = CELLS.get(text.trim().toLowerCase())
    if (value === undefined) throw refusal('true, false, yes, no, 1 or 0', text)
    return value
  },
  toWire: (value) => value,
  toColumn: (value) => (value === true ? 1 : 0),
  fromColumn: (column) => (column === null ? null : column === 1n || column === 1),
  frappe: {
    unset: 0,
    // Frappe knows no unset checkbox.
    show: (wire) => (wire === true ? 1 : 0),
    loosen(input) {
      const text = typeof input === 'number' ? String(input) : input
      if (typeof text !== 'string') return input
      if (text.trim() === '') return null
      return TEXTS.get(text.trim().toLowerCase()) ?? input
    },
  },
  check: (field) => pointlessKeys(field, []),
  example: (_field, n) => n % 2 === 0,
}

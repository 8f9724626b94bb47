import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Field } from '../../../engine/fields/field.ts'
import { FieldProblem } from '../../../engine/fields/field-type.ts'
import { filterValue } from '../../../engine/fields/filter-value.ts'
import { fieldType, fieldTypes } from '../../../engine/fields/index.ts'
import { aField } from './a-field.ts'

const SELECT: Partial<Field> = { options: ['Low', 'High', '5'] }
const aSelect = aField('select', SELECT)

/** What clients of Frappe send, and the value the strict reader makes of what is meant; an Error = refused. */
const LOOSE: readonly (readonly [type: string, input: unknown, value: unknown])[] = [
  ...['data', 'small_text', 'long_text', 'link', 'email', 'currency', 'int', 'check', 'date'].map(
    (type) => [type, '', null] as const,
  ),
  ...['datetime', 'time', 'json', 'select', 'percent', 'duration', 'rating'].map(
    (type) => [type, '', null] as const,
  ),
  ['data', 123, '123'],
  ['data', 1.5, '1.5'],
  ['data', true, Error],
  ['data', {}, Error],
  ['link', 42, '42'],
  ['select', 5, '5'],
  ['select', 'Middle', Error],
  ['int', '100', 100],
  ['int', ' -7 ', -7],
  ['int', '5.0', 5],
  ['int', true, 1],
  ['int', '5.5', Error],
  ['int', 'abc', Error],
  ['int', '1,000', Error],
  ['int', '0x10', Error],
  ['int', '9007199254740993', Error],
  ['currency', '93.99', 939900n],
  ['currency', '.5', 5000n],
  ['currency', '-0.5', -5000n],
  ['currency', '1e3', 10000000n],
  ['currency', '1e400', Error],
  ['currency', 'NaN', Error],
  ['currency', [], Error],
  ['float', 2, 2000000n],
  ['check', true, true],
  ['check', 1, true],
  ['check', '1', true],
  ['check', ' True ', true],
  ['check', 0, false],
  ['check', '0', false],
  ['check', 'false', false],
  ['check', 2, Error],
  ['check', 'maybe', Error],
  ['date', '2026-03-09', '2026-03-09'],
  ['date', '2026-03-09 10:00:00', '2026-03-09'],
  ['date', '2026-02-30', Error],
  ['date', '0000-00-00', Error],
  ['date', 20260309, Error],
  ['datetime', '2026-03-09', '2026-03-09T00:00:00.000Z'],
  ['datetime', '2026-03-09 10:00:00', '2026-03-09T10:00:00.000Z'],
  ['datetime', '2026-03-09 10:00:00.123456', '2026-03-09T10:00:00.123Z'],
  ['datetime', '2026-03-09T10:00:00+02:00', '2026-03-09T08:00:00.000Z'],
  ['datetime', '2026-03-09 25:00:00', Error],
  ['time', '9:30:00', '09:30:00'],
  ['time', '09:30', '09:30:00'],
  ['time', '9:30:00.000000', '09:30:00'],
  ['time', '24:00:00', Error],
  ['json', { a: 1 }, '{"a":1}'],
  ['json', '{"a": 1}', '{"a":1}'],
  ['json', [1], '[1]'],
  ['json', 'text', Error],
  ['json', '{"a":1e400}', Error],
  ['json', '['.repeat(40) + ']'.repeat(40), Error],
  ['password', 'secret', 'secret'],
  ['duration', '90', 90],
]

const forms = suite("Frappe's form of values")

for (const [type, input, expected] of LOOSE) {
  forms(`${type} ${JSON.stringify(input)?.slice(0, 50)} is ${describe(expected)}`, () => {
    const field = type === 'select' ? aSelect : aField(type)
    const read = (): unknown => {
      const loose = fieldType(type).frappe.loosen(input)
      return loose === null ? null : fieldType(type).read(loose, field)
    }
    if (expected === Error) assert.throws(read, (error: unknown) => error instanceof FieldProblem)
    else assert.is(read(), expected)
  })
}

forms('leaves a password alone that comes back as stars', () => {
  assert.is(fieldType('password').frappe.loosen('*****'), undefined)
  assert.is(fieldType('data').frappe.loosen('*****'), '*****')
})

forms('shows checks as 1 and 0, moments without T and zone, JSON as text', () => {
  const show = (type: string, wire: unknown): unknown => fieldType(type).frappe.show(wire)
  assert.equal(
    [true, false, null].map((wire) => show('check', wire)),
    [1, 0, 0],
  )
  assert.is(show('datetime', '2026-03-09T10:00:00.123Z'), '2026-03-09 10:00:00.123000')
  assert.is(show('date', '2026-03-09'), '2026-03-09')
  assert.is(show('time', '09:30:00'), '09:30:00')
  assert.is(show('json', { a: [1] }), '{"a":[1]}')
  assert.is(show('currency', 1.5), 1.5)
  for (const type of fieldTypes.keys())
    if (type !== 'check') assert.is(show(type, null), null, type)
})

forms('what is shown is read back as the same value, for every type', () => {
  for (const type of fieldTypes.values()) {
    if (type.storage === 'rows' || type.secret) continue
    const field = type.optionsMean === 'values' ? aSelect : aField(type.name)
    for (let n = 0; n < 20; n += 1) {
      const value = type.read(type.example(field, n), field)
      const shown = type.frappe.show(value === null ? null : type.toWire(value, field))
      for (const sent of [shown, String(shown)])
        assert.is(type.read(type.frappe.loosen(sent), field), value, `${type.name} ${sent}`)
    }
  }
})

const filters = suite('the value of a filter')

/** [type, what came, what its column keeps]. */
const FILTERS: readonly (readonly [type: string, input: unknown, column: unknown])[] = [
  ['data', null, null],
  ['data', '', null],
  ['data', 7, '7'],
  ['email', 'ann', 'ann'],
  ['select', 'Nowhere', 'Nowhere'],
  ['check', 'true', 1],
  ['check', 0, 0],
  ['int', '5', 5],
  ['int', null, null],
  ['percent', '150', 150000000n],
  ['percent', -1, -1000000n],
  ['currency', '0', 0n],
  ['datetime', '2026-03-09', '2026-03-09T00:00:00.000Z'],
  ['json', '{"a": 1}', '{"a": 1}'],
  ['int', 'abc', Error],
  ['int', '5.5', Error],
  ['currency', '1.00001', Error],
  ['date', 'tomorrow', Error],
  ['data', { a: 1 }, Error],
  ['data', ['a'], Error],
  ['data', 'a\0b', Error],
  ['data', 'a\ud800', Error],
  ['json', 'a\0b', Error],
  ['currency', {}, Error],
]

for (const [type, input, expected] of FILTERS) {
  filters(`of ${type} ${JSON.stringify(input)} is ${describe(expected)}`, () => {
    const read = (): unknown =>
      filterValue(fieldType(type), aField(type, type === 'select' ? SELECT : {}), input)
    if (expected === Error) assert.throws(read, (error: unknown) => error instanceof FieldProblem)
    else assert.is(read(), expected)
  })
}

function describe(expected: unknown): string {
  return expected === Error ? 'refused' : String(expected)
}

forms.run()
filters.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { cellToWire, wireToCell } from '../../../engine/fields/cell.ts'
import { FieldProblem } from '../../../engine/fields/field-type.ts'
import { fieldTypes } from '../../../engine/fields/index.ts'
import { aField } from './a-field.ts'

const cells = suite('the cell of a table')
const OPTIONS = { options: ['Open', 'Closed', 'a', 'A'] }

for (const [type, text, wire] of [
  ['check', 'Yes', true],
  ['check', ' no ', false],
  ['check', '1', true],
  ['select', 'closed', 'Closed'],
  ['select', 'A', 'A'],
  ['data', ' 007 ', ' 007 '],
  ['data', '=1+1', '=1+1'],
  ['currency', '99999999999.9999', 99999999999.9999],
  ['float', '+0.000001', 0.000001],
  ['date', '2026-12-31', '2026-12-31'],
  ['datetime', '2026-12-31 10:00', '2026-12-31T10:00:00.000Z'],
  ['json', '"1"', '1'],
  ['password', 'correct horse', 'correct horse'],
] as const) {
  cells(`of ${type} ${JSON.stringify(text)} means ${JSON.stringify(wire)}`, () => {
    assert.is(cellToWire(aField(type, type === 'select' ? OPTIONS : {}), text), wire)
  })
}

for (const [type, text, why] of [
  ['check', 'x', 'expected true, false, yes, no, 1 or 0, got "x"'],
  ['date', '31.12.2026', 'expected a day as YYYY-MM-DD, got "31.12.2026"'],
  ['float', '1,5', 'expected a number, got "1,5"'],
  ['currency', '0.00001', 'expected a number with at most 4 decimals, got "0.00001"'],
  ['currency', '1234567890.123456', 'at most 15 digits'],
  ['json', '{', 'expected JSON, or its text, got "{"'],
  ['json', '[1e999]', 'fits a double'],
] as const) {
  cells(`of ${type} cannot be ${JSON.stringify(text)}`, () => {
    assert.throws(
      () => cellToWire(aField(type, {}), text),
      (error: unknown) => error instanceof FieldProblem && error.message.includes(why),
    )
  })
}

cells('of a select is refused where none or several options are meant', () => {
  const field = aField('select', { options: ['Café', 'CAFÉ'] })
  for (const text of ['café', 'tea'])
    assert.throws(() => cellToWire(field, text), /expected one of Café, CAFÉ, got/)
})

cells('of every type carries its examples and is empty where nothing is set', () => {
  for (const type of fieldTypes.values()) {
    if (type.storage === 'rows') continue
    const field = aField(type.name, type.optionsMean === 'values' ? OPTIONS : {})
    assert.is(cellToWire(field, ''), null)
    assert.is(wireToCell(field, null), '')
    for (let n = 0; n < 20; n += 1) {
      const wire = type.example(field, n)
      assert.equal(cellToWire(field, wireToCell(field, wire)), wire, type.name)
    }
  }
})

cells.run()

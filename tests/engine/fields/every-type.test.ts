import { Ajv } from 'ajv'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Field } from '../../../engine/fields/field.ts'
import { FieldProblem, type FieldType } from '../../../engine/fields/field-type.ts'
import { fieldType, fieldTypes } from '../../../engine/fields/index.ts'
import { aField } from './a-field.ts'

const CONTRACT = `data small_text text long_text markdown html code int float currency percent check select link
  dynamic_link table date datetime time duration json attach attach_image rating color phone email url time_zone file_name password`

const DECLARED: Readonly<Record<string, Partial<Field>>> = {
  select: { options: ['Low', 'High'] },
  link: { link: 'Fleet Vehicle' },
  dynamic_link: { linkFrom: 'kind' },
  table: {
    child: {
      name: 'Row',
      minRows: 2,
      maxRows: 5,
      fields: [aField('data', { name: 'a', required: true })],
    },
  },
}
const ajv = new Ajv({ strict: false, validateFormats: false })
const fieldOf = (type: FieldType): Field => aField(type.name, DECLARED[type.name] ?? {})
const scalars = [...fieldTypes.values()].filter(({ storage }) => storage !== 'rows')

const types = suite('the field types')

types('are those of contract §1', () => {
  assert.equal([...fieldTypes.keys()].toSorted(), CONTRACT.split(/\s+/).toSorted())
})

types('an unknown one is refused with the known ones', () => {
  assert.throws(
    () => fieldType('curency'),
    /expected a field type \(data .* password\), got "curency"/,
  )
})

types('accept a plain field of theirs', () => {
  for (const type of fieldTypes.values()) assert.equal(type.check(fieldOf(type)), [], type.name)
})

types('refuse keys that mean nothing to them, naming the key', () => {
  assert.equal(fieldType('data').check(aField('data', { min: 1, scale: 2 })), [
    { key: 'min', message: 'min means nothing for the type data; remove it' },
    { key: 'scale', message: 'scale means nothing for the type data; remove it' },
  ])
  assert.is(fieldType('check').check(aField('check', { length: 3 }))[0]?.key, 'length')
  assert.is(fieldType('int').check(aField('int', { currencyField: 'x' }))[0]?.key, 'currency')
})

const examples = suite('an example')

examples(
  'is valid by the JSON Schema of its type and goes to the column and back unchanged',
  () => {
    for (const type of scalars) {
      const field = fieldOf(type)
      const isValid = ajv.compile(type.schema(field))
      for (const n of [0, 1, 2, 41, 999]) {
        const wire = type.example(field, n)
        assert.ok(isValid(wire), `${type.name}: ${JSON.stringify(wire)}`)
        const value = type.read(wire, field)
        const column = type.toColumn(value, field)
        assert.equal(type.fromColumn(column, field), value, type.name)
        if (!type.secret) assert.equal(type.toWire(value, field), wire, type.name)
      }
    }
  },
)

examples('differs from others, so that a unique field takes them', () => {
  for (const type of scalars.filter(
    ({ kind }) => kind === 'str' || kind === 'int' || kind === 'date',
  )) {
    if (type.optionsMean === 'values') continue
    const made = Array.from({ length: 200 }, (_, n) => type.example(fieldOf(type), n))
    assert.is(new Set(made).size, 200, type.name)
  }
})

examples('keeps to the length, bounds, scale and pattern a field declares', () => {
  const cases: readonly Field[] = [
    aField('data', { length: 3 }),
    aField('data', { pattern: '^[A-Z]{3}-\\d+$' }),
    aField('int', { min: 5, max: 7 }),
    aField('int', { min: -3, max: -1 }),
    aField('float', { min: -90, max: 90, scale: 1 }),
    aField('currency', { min: 100 }),
    aField('percent', { max: 250 }),
  ]
  for (const field of cases) {
    const type = fieldType(field.type)
    const isValid = ajv.compile(type.schema(field))
    for (let n = 0; n < 40; n += 1) {
      const wire = type.example(field, n)
      assert.ok(isValid(wire), `${JSON.stringify(field)}: ${JSON.stringify(wire)}`)
      type.read(wire, field)
    }
  }
})

examples('of a table has the rows it needs, each with its fields', () => {
  const table = fieldType('table')
  const field = fieldOf(table)
  const rows = table.example(field, 0) as { a: string }[]
  assert.is(rows.length, 2)
  assert.ok(ajv.compile(table.schema(field))(rows))
})

const integers = suite('a database column')

integers('gives the same value as a number and as a BigInt', () => {
  const pairs: readonly (readonly [string, number | bigint, unknown])[] = [
    ['int', 42n, 42],
    ['int', 42, 42],
    ['duration', 60n, 60],
    ['check', 1n, true],
    ['check', 1, true],
    ['check', 0n, false],
    ['currency', 939_900n, 939_900n],
    ['currency', 939_900, 939_900n],
  ]
  for (const [name, column, value] of pairs) {
    assert.is(fieldType(name).fromColumn(column, aField(name)), value, name)
  }
})

const refusals = suite('a value of the wrong JSON type')

refusals('is a FieldProblem for every type, never another error', () => {
  for (const type of scalars) {
    for (const input of [true, 1.5, 'no such value \u0001', ['a'], { a: 1 }]) {
      for (const reading of [
        () => type.read(input, fieldOf(type)),
        () => type.readText(String(input), fieldOf(type)),
      ]) {
        try {
          reading()
        } catch (error) {
          assert.instance(error, FieldProblem, `${type.name} ${JSON.stringify(input)}`)
        }
      }
    }
  }
})

refusals('says what was expected and what came', () => {
  const said = (name: string, input: unknown, more: Partial<Field> = {}): string => {
    try {
      fieldType(name).read(input, aField(name, more))
    } catch (error) {
      return (error as Error).message
    }
    return 'accepted'
  }
  assert.is(said('int', 1.5), 'expected a whole number, got 1.5')
  assert.is(
    said('int', 2 ** 53),
    'expected a whole number between -(2^53-1) and 2^53-1, got 9007199254740992',
  )
  assert.is(said('int', 3, { min: 5 }), 'expected at least 5, got 3')
  assert.is(said('duration', -1), 'expected at least 0, got -1')
  assert.is(said('check', 1), 'expected true or false, got 1')
  assert.is(said('select', 'C', { options: ['A', 'B'] }), 'expected one of A, B, got "C"')
  assert.is(said('data', 7), 'expected text, got 7')
  assert.is(said('date', '2026-02-30'), 'expected a day as YYYY-MM-DD, got "2026-02-30"')
  assert.is(said('link', { a: 1 }), 'expected the name of a record, got an object')
})

refusals('never echoes more than a line of what came', () => {
  assert.throws(
    () => fieldType('email').read('x'.repeat(139), aField('email')),
    (error: Error) => error.message.length < 160,
  )
})

const checks = suite('the text of a check')

checks('is true, false, 1 or 0', () => {
  const { readText } = fieldType('check')
  assert.equal(
    ['true', 'TRUE', '1', ' false ', '0'].map((text) => readText(text, aField('check'))),
    [true, true, true, false, false],
  )
  assert.throws(() => readText('yes', aField('check')), /expected true or false, got "yes"/)
})

const json = suite('a json value')

json('comes back as it was sent, and is kept without spaces', () => {
  const type = fieldType('json')
  const field = aField('json')
  for (const sent of [{ b: [1, 'x', null], a: { c: true } }, [], 'text', 0, false]) {
    assert.equal(type.toWire(type.read(sent, field), field), sent)
  }
  assert.is(type.readText(' { "a" : 1 } ', field), '{"a":1}')
  assert.throws(() => type.readText('{', field), /expected JSON text/)
})

for (const each of [types, examples, integers, refusals, checks, json]) each.run()

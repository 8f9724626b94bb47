import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Value } from '../../../engine/fields/field-type.ts'
import { fieldType } from '../../../engine/fields/index.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'
import { aField } from './a-field.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const read = (name: string, input: string): Value => fieldType(name).read(input, aField(name))

function refuses(name: string, inputs: readonly string[]): void {
  for (const input of inputs)
    assert.throws(() => read(name, input), /^FieldProblem|expected a/, `${name} ${input}`)
}

const date = suite('a date')

date('is a day of the calendar', () => {
  for (const day of ['2026-03-31', '2024-02-29', '2000-02-29', '0001-01-01', '9999-12-31'])
    assert.is(read('date', day), day)
  refuses('date', [
    '2026-02-29',
    '1900-02-29',
    '2026-04-31',
    '2026-13-01',
    '2026-00-10',
    '2026-01-00',
    '0000-01-01',
  ])
})

date('has no other form', () => {
  refuses('date', [
    '2026-3-1',
    '20260301',
    '2026/03/01',
    '2026-03-01T00:00:00Z',
    '26-03-01',
    ' 2026-03-01',
    '２０２６-03-01',
  ])
})

for (const seed of SEEDS)
  date(`agrees with the calendar of the machine on every day (seed ${seed})`, () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (day) => {
          const text = day.toISOString().slice(0, 10)
          assert.is(read('date', text), text)
        },
      ),
      { seed, numRuns: rounds(50) },
    )
  })

const time = suite('a time')

time('is HH:MM:SS, and HH:MM is completed', () => {
  assert.is(read('time', '23:59:59'), '23:59:59')
  assert.is(read('time', '09:30'), '09:30:00')
  refuses('time', [
    '24:00:00',
    '09:60',
    '09:30:60',
    '9:30',
    '09:30:00Z',
    '09-30-00',
    '09:3',
    '09:30:0',
  ])
})

const datetime = suite('a datetime')

datetime('is kept in UTC with milliseconds, whatever zone it came in', () => {
  const forms: Readonly<Record<string, string>> = {
    '2026-03-31T09:30:00.000Z': '2026-03-31T09:30:00.000Z',
    '2026-03-31T09:30:00Z': '2026-03-31T09:30:00.000Z',
    '2026-03-31T09:30Z': '2026-03-31T09:30:00.000Z',
    '2026-03-31T09:30:00.5Z': '2026-03-31T09:30:00.500Z',
    '2026-03-31T09:30:00.123456789Z': '2026-03-31T09:30:00.123Z',
    '2026-03-31T09:30:00+02:00': '2026-03-31T07:30:00.000Z',
    '2026-03-31T01:00:00+0530': '2026-03-30T19:30:00.000Z',
    '2026-12-31T23:30:00-01:00': '2027-01-01T00:30:00.000Z',
    '2026-03-31T09:30:00': '2026-03-31T09:30:00.000Z',
    '2026-03-31 09:30:00': '2026-03-31T09:30:00.000Z',
  }
  for (const [input, stored] of Object.entries(forms)) assert.is(read('datetime', input), stored)
})

datetime('needs a time of day and a real moment', () => {
  refuses('datetime', [
    '2026-03-31',
    '2026-02-30T00:00:00Z',
    '2026-03-31T24:00:00Z',
    '2026-03-31T09:30:60Z',
    '2026-03-31T09:30:00+25:00',
    '0001-01-01T00:00:00+01:00',
    '9999-12-31T23:59:59-01:00',
    '1774949400000',
    'now',
    `2026-03-31T09:30:00.${'1'.repeat(5000)}Z`,
  ])
})

const unset = suite('empty text')

unset('is an unset date, time or datetime', () => {
  for (const name of ['date', 'time', 'datetime']) {
    assert.is(read(name, ''), null)
    assert.is(fieldType(name).readText('  ', aField(name)), null)
  }
})

for (const each of [date, time, datetime, unset]) each.run()

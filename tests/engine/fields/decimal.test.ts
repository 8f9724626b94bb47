import fc from 'fast-check'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { Field } from '../../../engine/fields/field.ts'
import { fieldType } from '../../../engine/fields/index.ts'
import { rounds, seedsOf } from '../../helpers/random.ts'
import { aField } from './a-field.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const SCALES = { currency: 4, float: 6, percent: 6 } as const

function read(name: string, input: number, more: Partial<Field> = {}): bigint {
  return fieldType(name).read(input, aField(name, more)) as bigint
}

/** A decimal of at most 15 digits, with its exact scaled integer. */
const decimals = (scale: number, digits: number) =>
  fc
    .bigInt({ min: -(10n ** BigInt(digits)) + 1n, max: 10n ** BigInt(digits) - 1n })
    .map((scaled) => {
      const text = String(scaled < 0n ? -scaled : scaled).padStart(scale + 1, '0')
      const decimal = `${scaled < 0n ? '-' : ''}${text.slice(0, -scale)}.${text.slice(-scale)}`
      return { scaled, decimal }
    })

const exact = suite('an exact decimal')

for (const seed of SEEDS)
  exact(
    `of up to 15 digits is read to the last digit, written, stored and shown unchanged (seed ${seed})`,
    () => {
      for (const [name, scale] of Object.entries(SCALES)) {
        const type = fieldType(name)
        const field = aField(name, { min: -1e15, max: 1e15 })
        fc.assert(
          fc.property(decimals(scale, 15), ({ scaled, decimal }) => {
            const sent = JSON.parse(`{"x":${decimal}}`) as { x: number }
            const value = type.read(sent.x, field)
            assert.is(value, scaled)
            assert.is(type.readText(decimal, field), scaled)
            assert.is(type.fromColumn(type.toColumn(value, field), field), scaled)
            assert.is(JSON.stringify(type.toWire(value, field)), JSON.stringify(sent.x))
          }),
          { seed, numRuns: rounds(400) },
        )
      }
    },
  )

for (const seed of SEEDS)
  exact(
    `is never rounded on the way in: more decimals than the scale are refused (seed ${seed})`,
    () => {
      fc.assert(
        fc.property(decimals(5, 12), ({ scaled, decimal }) => {
          if (scaled % 10n === 0n) return
          assert.throws(
            () => read('currency', Number(decimal)),
            /expected a number with at most 4 decimals/,
          )
        }),
        { seed, numRuns: rounds(300) },
      )
    },
  )

exact('loses the noise of binary arithmetic', () => {
  assert.is(read('currency', 0.1 + 0.2), 3000n)
  assert.is(read('float', Number('4.1230000000000001')), 4_123_000n)
  assert.is(read('currency', 1.005), 10_050n)
  assert.is(read('currency', -0), 0n)
})

exact('beyond what a column or a JSON number keeps is refused', () => {
  assert.throws(
    () => read('currency', 1.23456),
    /^FieldProblem|expected a number with at most 4 decimals, got 1.23456/,
  )
  assert.throws(
    () => read('currency', 1e14),
    /expected a number below 100000000000000, got 100000000000000/,
  )
  assert.throws(() => read('float', 1e12), /expected a number below 1000000000000/)
  assert.throws(() => read('float', 1e300), /at most 15 digits/)
  assert.throws(() => read('float', Number.POSITIVE_INFINITY), /expected a number/)
  assert.throws(() => read('float', Number.NaN), /expected a number/)
  assert.is(read('currency', 9_999_999_999_999.99), 99_999_999_999_999_900n)
})

exact('of a text says no to what is none', () => {
  for (const text of ['', ' ', 'abc', '1,5', '0x10', '1e999', '--1', '1.2.3', 'NaN', 'Infinity']) {
    assert.throws(
      () => fieldType('float').readText(text, aField('float')),
      /expected a number/,
      text,
    )
  }
})

const bounds = suite('the bounds of a decimal')

bounds('of a percent are 0 and 100 unless it declares others', () => {
  assert.throws(() => read('percent', 100.5), /expected at most 100, got 100.5/)
  assert.throws(() => read('percent', -1), /expected at least 0, got -1/)
  assert.is(read('percent', 150, { max: 200 }), 150_000_000n)
  assert.throws(() => read('percent', 150, { min: -10 }), /at most 100/)
  assert.is(read('percent', -5, { min: -10 }), -5_000_000n)
})

bounds('hold for what is written, not for what is asked in a filter', () => {
  assert.is(fieldType('currency').readText('-5', aField('currency', { min: 0 })), -50_000n)
})

bounds('are in the JSON Schema', () => {
  assert.equal(fieldType('percent').schema(aField('percent')), {
    type: 'number',
    format: 'double',
    minimum: 0,
    maximum: 100,
  })
  assert.equal(fieldType('rating').schema(aField('rating')), {
    type: 'number',
    format: 'double',
    minimum: 0,
    maximum: 1,
  })
})

bounds('the wrong way round are a problem of the definition', () => {
  assert.is(fieldType('float').check(aField('float', { min: 3, max: 2 }))[0]?.key, 'min')
  assert.is(fieldType('percent').check(aField('percent', { min: 101 }))[0]?.key, 'min')
})

const scales = suite('the scale of a decimal')

scales('is 4 for money, 6 for quantities, 2 for ratings, or what a field declares', () => {
  assert.is(fieldType('currency').scaleOf(aField('currency')), 4)
  assert.is(fieldType('float').scaleOf(aField('float')), 6)
  assert.is(fieldType('rating').scaleOf(aField('rating')), 2)
  assert.is(fieldType('float').scaleOf(aField('float', { scale: 0 })), 0)
  assert.is(read('float', 2.5, { scale: 1 }), 25n)
  assert.throws(() => read('float', 2.55, { scale: 1 }), /at most 1 decimal, got 2.55/)
  assert.throws(() => read('float', 2.5, { scale: 0 }), /expected a whole number, got 2.5/)
})

scales('is 0 to 9 decimals', () => {
  for (const scale of [-1, 10, 1.5]) {
    assert.is(fieldType('float').check(aField('float', { scale }))[0]?.key, 'scale')
  }
})

for (const each of [exact, bounds, scales]) each.run()

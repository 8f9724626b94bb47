import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { writtenWhenWarm } from '../../../engine/storage/database/written-object.ts'

/** Doubles numbers, by a loop until code is written for it. */
function doubler(names: readonly string[], isWritten: () => void) {
  const double = (given: Readonly<Record<string, number>>, index: number): object =>
    Object.fromEntries([...names.map((name) => [name, (given[name] ?? 0) * 2]), ['place', index]])
  return writtenWhenWarm(double, () => {
    isWritten()
    return {
      parameters: ['given', 'index'],
      properties: [
        ...names.map((name): [string, string] => [
          name,
          `(given[${JSON.stringify(name)}] ?? 0) * factor`,
        ]),
        ['place', 'index'],
      ],
      known: { factor: 2 },
    }
  })
}

test('code that is written for an object makes the same as the loop before it', () => {
  let written = 0
  const names = ['a', 'toString', 'with "quotes"', '#', 'constructor', 'a\u2028b', 'if']
  const double = doubler(names, () => {
    written += 1
  })
  const given = Object.assign(Object.create(null), { a: 1, 'with "quotes"': 2, 'a\u2028b': 3 })
  const first = double(given, 7)
  for (let n = 0; n < 300; n += 1) {
    const made = double(given, 7)
    assert.equal(made, first)
    assert.equal(Object.keys(made), Object.keys(first))
  }
  assert.is(written, 1)
})

test('a name that would be the prototype is left to the loop', () => {
  const double = doubler(['__proto__', 'a'], () => undefined)
  for (let n = 0; n < 300; n += 1) {
    const made = double({ a: 1 })
    assert.is(Object.getPrototypeOf(made), Object.prototype)
    assert.is(Object.hasOwn(made, '__proto__'), true)
  }
})

test.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refusalOf, runHook } from './run-hook.ts'

const test = suite('the numbers of a text')

const numbers = (text: string) => runHook('listed_numbers', { text }).map(({ number }) => number)

test('stand one a line or between commas', () => {
  assert.equal(numbers(' A1\r\n\nB 2, C;'), ['A1', 'B 2', 'C'])
  assert.equal(numbers(''), [])
})

test('are counted from the first to the last of a range', () => {
  assert.equal(numbers('S-098..S-101'), ['S-098', 'S-099', 'S-100', 'S-101'])
  assert.equal(numbers('A1B08 .. A1B10\nX'), ['A1B08', 'A1B09', 'A1B10', 'X'])
  assert.equal(numbers('7..7'), ['7'])
})

test('are refused where a range makes no sense', () => {
  for (const text of ['S-1..T-3', 'S-09..S-100', 'S-3..S-1', 'S..', '..S1', 'S-a..S-b'])
    assert.match(
      refusalOf('listed_numbers', { text }),
      `expected a range such as S-098..S-102, got ${text}`,
    )
})

test('stand once, and are as many as a bundle takes', () => {
  assert.is(refusalOf('listed_numbers', { text: '1..3, 2' }), '2 stands twice')
  assert.is(numbers('0001..1000').length, 1000)
  assert.match(
    refusalOf('listed_numbers', { text: '0000..1000' }),
    'at most 1000 numbers, got 1001',
  )
  assert.match(
    refusalOf('listed_numbers', { text: '0001..1000, X' }),
    'at most 1000 numbers, got 1001',
  )
  const ranges = Array.from({ length: 9 }, (_, index) => `${index}X001..${index}X900`)
  assert.match(refusalOf('listed_numbers', { text: ranges.join() }), 'got 1800 so far')
  assert.match(
    refusalOf('listed_numbers', { text: '1..'.repeat(200) }),
    'expected numbers, got 600 characters',
  )
})

test.run()

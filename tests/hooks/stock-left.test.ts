import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runHook } from './run-hook.ts'

const test = suite('what stays is worth')

/** Quantity in whole units and value in whole money, the newest first; a third says how it came about. */
type Move = readonly [qty: number, value: number, more?: object]

function left(
  method: string,
  left: number,
  bin: readonly [number, number],
  ...moves: readonly Move[]
) {
  const movements = moves.map(([qty, value, more], index) => ({
    name: String(index),
    reverses: '',
    adjusts: '',
    basis: 'moved',
    actual_qty: String(qty),
    stock_value_difference: String(value),
    ...more,
  }))
  const [bin_qty, bin_value] = [String(bin[0]), String(bin[1])]
  const [given] = runHook('stock_left', {
    method,
    bin_qty,
    bin_value,
    left: String(left),
    movements,
  })
  return given && Number(given.value)
}

test('what came in last, or first', () => {
  const moves: Move[] = [
    [-1, -1],
    [2, 10],
    [2, 2],
  ]
  assert.is(left('FIFO', 2, [3, 11], ...moves), 10)
  assert.is(left('FIFO', 0, [3, 11], ...moves), 0)
  // LIFO would have sold one at 5: 2 at 1 and one at 5 are there
  assert.is(left('LIFO', 2, [3, 7], [-1, -5], [2, 10], [2, 2]), 2)
})

test('an average of what came before all that is known', () => {
  // 4 worth 8 were there
  assert.is(left('FIFO', 3, [6, 20], [2, 12]), 14)
  assert.is(left('LIFO', 3, [6, 20], [2, 12]), 6)
})

test('as if what was cancelled had never been', () => {
  const undone: Move[] = [
    [-2, -18, { reverses: '1' }],
    [2, 18],
    [2, 2],
  ]
  assert.is(left('FIFO', 1, [2, 2], ...undone), 1)
})

test('what a count says', () => {
  const count: Move = [1, 3, { basis: 'counted' }]
  // 2 worth 2, then counted as 3 worth 5
  assert.is(left('FIFO', 1.5, [3, 5], count, [2, 2]), 2.5)
})

test('its share of what made it worth more', () => {
  assert.is(left('FIFO', 2, [4, 18], [0, 6], [2, 10], [2, 2]), 13)
})

test('less what made good what had left too early', () => {
  // 2 too many left; of 5 worth 10, 3 worth 6 are there
  assert.is(left('FIFO', 1, [3, 6], [5, 10], [-2, -4]), 2)
})

test('no more than what is there, after a cancel took back more than the layers say', () => {
  assert.is(left('FIFO', 1, [2, 4], [2, 40], [1, -36]), 2)
})

test('nothing that this hook knows, for an item of another way or below 0', () => {
  assert.is(left('', 1, [2, 4], [2, 4]), undefined)
  assert.is(left('FIFO', -1, [2, 4], [2, 4]), undefined)
  assert.is(left('FIFO', 1, [-2, -4], [-2, -4]), undefined)
})

test.run()

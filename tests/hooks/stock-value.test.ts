import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { runHook } from './run-hook.ts'

const test = suite('what leaves is worth')

/** Quantity in whole units and value in whole money, the newest first; a third says how it came about. */
type Move = readonly [qty: number, value: number, more?: object]

/** Value of so many that leave a bin. */
function leaving(
  value_method: string,
  qty: number,
  bin: readonly [number, number],
  ...moves: readonly Move[]
) {
  const movements = moves.map(([actual, value, more], index) => ({
    name: String(index),
    reverses: '',
    adjusts: '',
    basis: 'moved',
    actual_qty: String(actual),
    stock_value_difference: String(value),
    ...more,
  }))
  const [bin_qty, bin_value] = [String(bin[0]), String(bin[1])]
  const [given] = runHook('stock_value', {
    company_currency: 'USD',
    value_method,
    bin_qty,
    bin_value,
    moved: String(-qty),
    before: '0',
    rate: '7',
    worth: '0',
    movements,
  })
  return -Number(given!.value)
}

test('what came in first, or last', () => {
  const moves: Move[] = [
    [-1, -1],
    [2, 10],
    [2, 2],
  ]
  assert.is(leaving('FIFO', 1, [3, 11], ...moves), 1)
  assert.is(leaving('FIFO', 3, [3, 11], ...moves), 11)
  // LIFO would have sold one at 5: 2 at 1 and one at 5 are there
  assert.is(leaving('LIFO', 1, [3, 7], [-1, -5], [2, 10], [2, 2]), 5)
})

test('an average of what came before all that is known', () => {
  // 4 worth 8 were there
  assert.is(leaving('FIFO', 3, [6, 20], [2, 12]), 6)
  assert.is(leaving('LIFO', 3, [6, 20], [2, 12]), 14)
})

test('as if what was cancelled had never been', () => {
  const undone: Move[] = [
    [-2, -18, { reverses: '1' }],
    [2, 18],
    [2, 2],
  ]
  assert.is(leaving('FIFO', 1, [2, 2], ...undone), 1)
})

test('with what brought it right since', () => {
  // 2 at 1 that were 2 at 4 all along
  const right: Move[] = [
    [0, 6, { adjusts: '2' }],
    [2, 10],
    [2, 2],
  ]
  assert.is(leaving('FIFO', 1, [4, 18], ...right), 4)
  // Of a row that is older than all that is known: 2 worth 8 were there
  assert.is(leaving('FIFO', 1, [4, 18], [0, 6, { adjusts: 'old' }], [2, 10]), 4)
})

test('what a count says', () => {
  const count: Move = [1, 3, { basis: 'counted' }]
  // 2 worth 2, then counted as 3 worth 5: of 5, 2.50 stay
  assert.is(leaving('FIFO', 1.5, [3, 5], count, [2, 2]), 2.5)
})

test('its share of what made it worth more', () => {
  assert.is(leaving('FIFO', 2, [4, 18], [0, 6], [2, 10], [2, 2]), 5)
})

test('less what made good what had left too early', () => {
  // 2 too many left; of 5 worth 10, 3 worth 6 are there
  assert.is(leaving('FIFO', 2, [3, 6], [5, 10], [-2, -4]), 4)
})

test('no less than nothing, and no more than all that is there, whatever layers are worth', () => {
  // Of 2 worth 2 one went back for 5: what is left of them is worth 3 less than nothing, beside one worth 10.
  const moves: Move[] = [
    [-1, -5, { basis: 'returned', takes: 'bought' }],
    [1, 10],
    [2, 2, { flow: 'bought' }],
  ]
  assert.is(leaving('FIFO', 1, [2, 7], ...moves), 0)
  assert.is(leaving('LIFO', 1, [2, 7], ...moves), 7)
  for (const method of ['FIFO', 'LIFO']) assert.is(leaving(method, 2, [2, 7], ...moves), 7)
})

test('an average, and what one counts where there is none', () => {
  assert.is(leaving('', 1, [3, 10]), 3.33)
  assert.is(leaving('', 5, [3, 9]), 15)
  assert.is(leaving('', 2, [0, 0]), 14)
  assert.is(leaving('FIFO', 1, [-2, -4], [-2, -4]), 2)
})

test.run()

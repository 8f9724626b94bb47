import { minorUnit } from '../engine/base/currency.ts'
import { divideRounded, pow10 } from '../engine/base/money.ts'
import { type StockState, valueLeft } from './stock-state.ts'

/** The decimal places that money has in hooks, and quantities. */
const MONEY = 4
const QUANTITY = 6

/** Goods that move. */
interface Moved {
  /** In stock units, below 0 for what leaves. */
  readonly actual_qty: bigint
  /** What the document has moved before. */
  readonly before: bigint
  /** What one counts where there is none. */
  readonly rate: bigint
}

/** The smallest coin of a currency, in the places that money has in hooks. */
export function coinOf(currency: string): bigint {
  return pow10(MONEY - minorUnit(currency === '' ? null : currency))
}

/**
 * What is there is worth more by goods that move. What leaves takes its share of what was there before the document
 * along, several rows one after the other, but no more than all that it is worth; what comes in has its `worth`, but below 0 first makes good what left too
 * cheap or dear.
 */
export function movedValue(state: StockState, row: Moved, worth: bigint, coin: bigint): bigint {
  const { actual_qty: moved, before, rate } = row
  if (moved === 0n) return 0n
  const after = before + moved
  const below = max(-state.qty, 0n)
  const ownBefore = min(before, below)
  const ownAfter = min(after, below)
  const share = (own: bigint): bigint =>
    state.qty === 0n
      ? atRate(own, rate, coin)
      : rounded(state.value * (state.qty + own), state.qty, coin)
  const left = (own: bigint, gone: bigint): bigint => {
    const value = valueLeft(state, state.qty + gone)
    return value === undefined ? share(own) : rounded(partOf(state.value, value), 1n, coin)
  }
  const valueBefore = before < 0n ? left(ownBefore, before) : share(ownBefore)
  const valueAfter = moved < 0n ? left(ownAfter, after) : share(ownAfter)
  const foreign = moved - ownAfter + ownBefore
  return rounded((valueAfter - valueBefore) * moved + worth * foreign, moved, coin)
}

/**
 * What is there is worth more by goods that go back for what they came in for, `worth`; but what is left is worth no less
 * than nothing, and nothing where none is left. `worthBefore` is what the rows before it went back for.
 */
export function returnedValue(
  { qty, value }: StockState,
  { actual_qty: moved, before }: Moved,
  worth: bigint,
  worthBefore: bigint,
): bigint {
  if (qty <= 0n) return worth
  const gone = (moved: bigint, worth: bigint): bigint =>
    qty + moved <= 0n ? -value : max(worth, -value)
  const first = before === 0n ? 0n : gone(before, worthBefore)
  return gone(before + moved, worthBefore + worth) - first
}

/** A value that is no less than nothing and no more than all: a layer may be worth less than nothing, what leaves may not. */
function partOf(all: bigint, value: bigint): bigint {
  return min(max(value, min(all, 0n)), max(all, 0n))
}

/** Whole coins of a fraction of money, half away from zero; 0 of nothing. */
export function rounded(over: bigint, under: bigint, coin: bigint): bigint {
  return under === 0n ? 0n : divideRounded(over, under * coin) * coin
}

/** Whole coins of so many at a rate. */
export function atRate(qty: bigint, rate: bigint, coin: bigint): bigint {
  return rounded(qty * rate, pow10(2 * QUANTITY - MONEY), coin)
}

export const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
export const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

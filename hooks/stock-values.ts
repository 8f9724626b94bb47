import { minorUnit } from '../engine/base/currency.ts'
import { divideRounded, pow10 } from '../engine/base/money.ts'
import { defineHook } from '../engine/definition/model/hook.ts'
import { moveStock, type StockState, stockState, valueLeft } from './stock-state.ts'

/** A row of the stock ledger, as the document that posted it said. */
interface StockRow {
  /** The same for rows of one document that stand together: each sees what was there before all of them. */
  readonly group: string
  /**
   * How quantity and value follow from what is there: `moved` by a document; `counted`, `counted_at` a price, `valued`
   * anew, and `set` by a count, the last of them as it was posted; `charged` with costs; else as they were posted.
   */
  readonly basis: string
  readonly actual_qty: bigint
  readonly stock_value_difference: bigint
  /** What moved before in the document; the quantity that was counted; what was charged before. */
  readonly before: bigint
  readonly rate: bigint
  readonly worth: bigint
  /** What comes from other rows, beside `worth`. */
  readonly taken: bigint
  readonly part_before: bigint
  readonly part_after: bigint
  readonly part_of: bigint
}

/** The decimal places that money has in hooks, and quantities. */
const MONEY = 4
const QUANTITY = 6

/**
 * Quantities and values of the rows of one item in one warehouse, in their order: what formulas of moved-goods,
 * counts and landed costs say when they are posted, said again.
 */
export const stockValues = defineHook({
  inputs: {
    company_currency: 'str',
    /** FIFO or LIFO; empty for a moving average. */
    value_method: 'str',
    opening_qty: 'decimal',
    opening_value: 'money',
    rows: {
      rows: {
        group: 'str',
        basis: 'str',
        actual_qty: 'decimal',
        stock_value_difference: 'money',
        before: 'decimal',
        rate: 'decimal',
        worth: 'money',
        taken: 'money',
        part_before: 'decimal',
        part_after: 'decimal',
        part_of: 'decimal',
      },
    },
  },
  reads: {},
  outputs: { qty: 'decimal', value: 'money' },
  gives: 'rows',
  run({ company_currency, value_method, opening_qty, opening_value, rows }) {
    const coin = pow10(MONEY - minorUnit(company_currency === '' ? null : company_currency))
    const state = stockState(value_method, opening_qty, opening_value)
    const found: { readonly qty: bigint; readonly value: bigint }[] = []
    for (let start = 0; start < rows.length; ) {
      let end = start
      while (end < rows.length && rows[end]!.group === rows[start]!.group) end += 1
      const group = rows.slice(start, end)
      const moved = group.map((row) => valued(state, row, coin))
      for (const [at, movement] of moved.entries())
        moveStock(state, { ...movement, isCount: isCounted(group[at]!) })
      found.push(...moved)
      start = end
    }
    return found
  },
})

function isCounted({ basis }: StockRow): boolean {
  return basis === 'set' || basis === 'valued' || basis.startsWith('counted')
}

interface Valued {
  readonly qty: bigint
  readonly value: bigint
}

/** A row where this is there. */
function valued(state: StockState, row: StockRow, coin: bigint): Valued {
  const { basis, actual_qty, before, rate, worth, part_of } = row
  if (basis === 'moved') return { qty: actual_qty, value: movedValue(state, row, coin) }
  if (basis === 'charged') {
    const left = min(max(state.qty - before, 0n), part_of)
    return { qty: 0n, value: rounded(worth * left, part_of, coin) }
  }
  if (basis === 'valued') return { qty: 0n, value: atRate(state.qty, rate, coin) - state.value }
  if (basis !== 'counted' && basis !== 'counted_at')
    return { qty: actual_qty, value: row.stock_value_difference }
  const isShare = basis === 'counted' && state.qty > 0n
  const amount = isShare
    ? rounded(state.value * before, state.qty, coin)
    : atRate(before, rate, coin)
  return { qty: before - state.qty, value: amount - state.value }
}

/**
 * What leaves takes its share of what is there along; what comes in has its own worth, but below 0 first makes good
 * what left too early.
 */
function movedValue(state: StockState, row: StockRow, coin: bigint): bigint {
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
    return value === undefined ? share(own) : toCoin(value, coin)
  }
  const valueBefore = before < 0n ? left(ownBefore, before) : share(ownBefore)
  const valueAfter = moved < 0n ? left(ownAfter, after) : share(ownAfter)
  const foreign = moved - ownAfter + ownBefore
  const change = valueAfter - valueBefore
  return rounded(change * moved + worthOf(row, coin) * foreign, moved, coin)
}

/** What comes in is worth: its own, and its part of what comes from other rows. */
function worthOf(
  { worth, taken, part_before, part_after, part_of }: StockRow,
  coin: bigint,
): bigint {
  const whole = worth + taken
  if (part_of === 0n) return whole
  return rounded(whole * part_after, part_of, coin) - rounded(whole * part_before, part_of, coin)
}

/** Whole coins of a fraction of money, half away from zero; 0 of nothing. */
function rounded(over: bigint, under: bigint, coin: bigint): bigint {
  return under === 0n ? 0n : divideRounded(over, under * coin) * coin
}

function atRate(qty: bigint, rate: bigint, coin: bigint): bigint {
  return rounded(qty * rate, pow10(2 * QUANTITY - MONEY), coin)
}

function toCoin(value: bigint, coin: bigint): bigint {
  return rounded(value, 1n, coin)
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)

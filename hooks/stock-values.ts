import { defineHook } from '../engine/definition/model/hook.ts'
import { atRate, coinOf, max, min, movedValue, returnedValue, rounded } from './stock-moved.ts'
import { type Movement, moveStock, type StockState, stockState } from './stock-state.ts'

/** A row of the stock ledger, as the document that posted it said. */
interface StockRow {
  /** The same for rows of one document that stand together: each sees what was there before all of them. */
  readonly group: string
  /**
   * How quantity and value follow from what is there: `moved` by a document; `returned` for what it came in for; `counted`, `counted_at` a price, `valued`
   * anew by a count; `charged` with costs; else as they were posted.
   */
  readonly basis: string
  readonly actual_qty: bigint
  readonly stock_value_difference: bigint
  /** What moved before in the document; the quantity that was counted; what was charged before. */
  readonly before: bigint
  readonly rate: bigint
  readonly worth: bigint
  readonly flow: string
  readonly takes: string
  /** Worth of all that has its part of `part_of`, beside what is `taken`. */
  readonly shared: bigint
  /** What comes from other rows, beside `worth`, and how much of it they moved. */
  readonly taken: bigint
  readonly taken_qty: bigint
  readonly part_before: bigint
  readonly part_of: bigint
}

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
        flow: 'str',
        takes: 'str',
        shared: 'money',
        taken: 'money',
        taken_qty: 'decimal',
        part_before: 'decimal',
        part_of: 'decimal',
      },
    },
  },
  reads: {},
  outputs: { qty: 'decimal', value: 'money' },
  gives: 'rows',
  run({ company_currency, value_method, opening_qty, opening_value, rows }) {
    const coin = coinOf(company_currency)
    const state = stockState(value_method, opening_qty, opening_value)
    const found: { readonly qty: bigint; readonly value: bigint }[] = []
    for (let start = 0; start < rows.length; ) {
      let end = start
      while (end < rows.length && rows[end]!.group === rows[start]!.group) end += 1
      const group = rows.slice(start, end)
      let worthBefore = 0n
      const moved = group.map((row) => {
        if (row.basis !== 'returned') return valued(state, row, coin)
        const worth = worthOf(row, coin)
        const value = returnedValue(state, row, worth, worthBefore)
        worthBefore += worth
        return { qty: row.actual_qty, value }
      })
      for (const [at, movement] of moved.entries())
        moveStock(state, movementOf(group[at]!, movement))
      found.push(...moved)
      start = end
    }
    return found
  },
})

function movementOf({ basis, flow, takes }: StockRow, { qty, value }: Valued): Movement {
  const isCount = basis === 'valued' || basis.startsWith('counted')
  return { qty, value, isCount, flow, backFrom: basis === 'returned' ? takes : '' }
}

interface Valued {
  readonly qty: bigint
  readonly value: bigint
}

/** A row where this is there. */
function valued(state: StockState, row: StockRow, coin: bigint): Valued {
  const { basis, actual_qty, before, rate, worth, part_of } = row
  if (basis === 'moved')
    return { qty: actual_qty, value: movedValue(state, row, worthOf(row, coin), coin) }
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

/** What goods are worth: their own, and their part of what is shared or comes from other rows. */
function worthOf(row: StockRow, coin: bigint): bigint {
  const { worth, shared, taken, taken_qty, part_before, part_of, actual_qty } = row
  if (part_of !== 0n) {
    const upTo = (part: bigint): bigint => rounded((shared + taken) * part, part_of, coin)
    return worth + upTo(part_before + actual_qty) - upTo(part_before)
  }
  return worth + (taken_qty === 0n ? taken : rounded(taken * actual_qty, taken_qty, coin))
}

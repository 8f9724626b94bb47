import { defineHook } from '../engine/definition/model/hook.ts'
import { coinOf, movedValue, returnedValue } from './stock-moved.ts'
import { type Movement, moveStock, type StockState, stockState } from './stock-state.ts'

/** What a document says of goods that it moves. */
interface Moved {
  readonly value_method: string
  readonly bin_qty: bigint
  readonly bin_value: bigint
  readonly movements: readonly Posted[]
}

interface Posted {
  readonly name: string | undefined
  readonly reverses: string
  readonly adjusts: string
  readonly basis: string
  readonly flow: string
  readonly takes: string
  readonly actual_qty: bigint
  readonly stock_value_difference: bigint
}

/**
 * What the stock is worth more by goods that a document moves: what leaves costs the average of what is there, or what
 * came in first (FIFO) or last (LIFO); what comes in has its own worth, but first makes good what left below 0. What was
 * there before the oldest movement that is known counts as one layer at its average.
 */
export const stockValue = defineHook({
  inputs: {
    company_currency: 'str',
    /** FIFO or LIFO; empty for a moving average. */
    value_method: 'str',
    bin_qty: 'decimal',
    bin_value: 'money',
    /** In stock units, below 0 for what leaves; and what the rows before it move. */
    moved: 'decimal',
    before: 'decimal',
    /** What one counts where there is none, and what the goods are worth if they come in. */
    rate: 'decimal',
    worth: 'money',
    /** Whether they go back for what they came in for: `worth`, and what the rows before it went back for. */
    goes_back: 'bool',
    worth_before: 'money',
    /** The newest first; of no matter where nothing is kept in layers. */
    movements: {
      rows: {
        name: 'str?',
        reverses: 'str',
        adjusts: 'str',
        basis: 'str',
        flow: 'str',
        takes: 'str',
        actual_qty: 'decimal',
        stock_value_difference: 'money',
      },
    },
  },
  reads: {},
  outputs: { value: 'money' },
  gives: 'values',
  run({ company_currency, moved, before, rate, worth, goes_back, worth_before, ...there }) {
    const row = { actual_qty: moved, before, rate }
    const state = stateOf(there)
    const value = goes_back
      ? returnedValue(state, row, worth, worth_before)
      : movedValue(state, row, worth, coinOf(company_currency))
    return [{ value }]
  },
})

function stateOf({ value_method, bin_qty, bin_value, movements }: Moved): StockState {
  const known = value_method === '' ? [] : livingMovements(movements)
  const state = stockState(
    value_method,
    known.reduce((rest, { qty }) => rest - qty, bin_qty),
    known.reduce((rest, { value }) => rest - value, bin_value),
  )
  for (const movement of known) moveStock(state, movement)
  return state
}

/** What is not taken back, each movement with what brought its value right, the oldest first. */
function livingMovements(movements: readonly Posted[]): readonly Movement[] {
  const known = new Set(movements.map(({ name }) => name))
  const undone = new Set(movements.map(({ reverses }) => reverses).filter((one) => known.has(one)))
  const living = new Map<string | undefined, Movement & { qty: bigint; value: bigint }>()
  const differences: Posted[] = []
  for (const row of movements.toReversed()) {
    if (undone.has(row.name ?? '') || undone.has(row.reverses)) continue
    if (row.adjusts !== '') differences.push(row)
    else
      living.set(row.name, {
        qty: row.actual_qty,
        value: row.stock_value_difference,
        isCount: COUNTED.has(row.basis),
        flow: row.flow,
        backFrom: row.basis === 'returned' ? row.takes : '',
      })
  }
  for (const { adjusts, actual_qty, stock_value_difference } of differences) {
    const adjusted = living.get(adjusts)
    // That of a row which is older than all that is known is in what was there before.
    if (!adjusted) continue
    adjusted.qty += actual_qty
    adjusted.value += stock_value_difference
  }
  return [...living.values()]
}

/** What `basis` says of rows of counts. */
const COUNTED: ReadonlySet<string> = new Set(['counted', 'counted_at', 'valued'])

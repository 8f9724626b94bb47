import { defineHook } from '../engine/definition/model/hook.ts'
import { moveStock, stockState, valueLeft } from './stock-state.ts'

/**
 * Value of what is left in a warehouse once some has left it, where what came in first (FIFO) or last (LIFO)
 * leaves first. What was there before the oldest movement that is known counts as one layer at its average.
 */
export const stockLeft = defineHook({
  inputs: {
    /** FIFO or LIFO; empty for an item that is valued otherwise. */
    method: 'str',
    bin_qty: 'decimal',
    bin_value: 'money',
    /** The quantity that stays. */
    left: 'decimal',
    /** The newest first. */
    movements: {
      rows: {
        name: 'str?',
        reverses: 'str',
        adjusts: 'str',
        basis: 'str',
        actual_qty: 'decimal',
        stock_value_difference: 'money',
      },
    },
  },
  reads: {},
  outputs: { value: 'money' },
  gives: 'values',
  run({ method, bin_qty, bin_value, left, movements }) {
    if (method === '' || movements.length === 0 || bin_qty <= 0n || left < 0n) return []
    const known = livingMovements(movements)
    const state = stockState(
      method,
      known.reduce((rest, { qty }) => rest - qty, bin_qty),
      known.reduce((rest, { value }) => rest - value, bin_value),
    )
    for (const movement of known) moveStock(state, movement)
    const value = valueLeft(state, left)
    return value === undefined ? [] : [{ value }]
  },
})

interface Posted {
  readonly name: string | undefined
  readonly reverses: string
  readonly adjusts: string
  readonly basis: string
  readonly actual_qty: bigint
  readonly stock_value_difference: bigint
}

/** What is not taken back, each movement with what brought its value right, the oldest first. */
function livingMovements(movements: readonly Posted[]) {
  const known = new Set(movements.map(({ name }) => name))
  const undone = new Set(movements.map(({ reverses }) => reverses).filter((one) => known.has(one)))
  const living = new Map<string | undefined, { qty: bigint; value: bigint; isCount: boolean }>()
  const differences: Posted[] = []
  for (const row of movements.toReversed()) {
    if (undone.has(row.name ?? '') || undone.has(row.reverses)) continue
    if (row.adjusts !== '') differences.push(row)
    else
      living.set(row.name, {
        qty: row.actual_qty,
        value: row.stock_value_difference,
        isCount: COUNTED.has(row.basis),
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
const COUNTED: ReadonlySet<string> = new Set(['counted', 'counted_at', 'valued', 'set'])

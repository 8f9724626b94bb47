import { divideRounded } from '../engine/base/money.ts'
import { defineHook } from '../engine/definition/model/hook.ts'

/** Goods that came in together and are still there. */
interface Layer {
  qty: bigint
  value: bigint
}

/** A movement of one item in one warehouse. */
interface Movement {
  readonly name: string | undefined
  readonly reverses: string
  readonly voucher_type: string
  readonly actual_qty: bigint
  readonly stock_value_difference: bigint
}

/** A count sets quantity and value: what is there afterwards is one layer, whatever came in when before. */
const COUNT = 'Stock Reconciliation'

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
        voucher_type: 'str',
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
    const layers = layersOf(method, bin_qty, bin_value, [...movements].reverse())
    const gone = layers.reduce((sum, { qty }) => sum + qty, 0n) - left
    take(layers, method, gone)
    const value = layers.reduce((sum, layer) => sum + layer.value, 0n)
    // A cancel may have taken value back that the layers still have; what leaves is then a share of what is there.
    const isThere = value <= bin_value
    return [{ value: isThere ? value : divideRounded(bin_value * left, bin_qty) }]
  },
})

function layersOf(
  method: string,
  qty: bigint,
  value: bigint,
  movements: readonly Movement[],
): Layer[] {
  const known = new Set(movements.map(({ name }) => name))
  const undone = new Set(movements.map(({ reverses }) => reverses).filter((one) => known.has(one)))
  const held = { qty, value }
  for (const row of movements) {
    held.qty -= row.actual_qty
    held.value -= row.stock_value_difference
  }
  const layers: Layer[] = []
  // Below 0, what comes in first makes good what left too early.
  let owed = 0n
  const put = (layer: Layer): void => {
    const own = layer.qty < owed ? layer.qty : owed
    owed -= own
    if (layer.qty > own)
      layers.push({
        qty: layer.qty - own,
        value: divideRounded(layer.value * (layer.qty - own), layer.qty),
      })
  }
  if (held.qty > 0n) layers.push({ ...held })
  else owed = -held.qty
  for (const { name, reverses, voucher_type, actual_qty, stock_value_difference } of movements) {
    held.qty += actual_qty
    held.value += stock_value_difference
    if (undone.has(name ?? '') || undone.has(reverses)) continue
    if (voucher_type === COUNT) {
      layers.splice(0, layers.length, ...(held.qty > 0n ? [{ ...held }] : []))
      owed = held.qty < 0n ? -held.qty : 0n
    } else if (actual_qty > 0n) put({ qty: actual_qty, value: stock_value_difference })
    else if (actual_qty < 0n) owed += take(layers, method, -actual_qty)
    else addValue(layers, stock_value_difference)
  }
  return layers
}

/** Takes a quantity away; what is not there is given back. */
function take(layers: Layer[], method: string, quantity: bigint): bigint {
  let rest = quantity
  while (rest > 0n) {
    const layer = layers.at(method === 'LIFO' ? -1 : 0)
    if (!layer) break
    if (layer.qty <= rest) {
      rest -= layer.qty
      if (method === 'LIFO') layers.pop()
      else layers.shift()
    } else {
      layer.value = divideRounded(layer.value * (layer.qty - rest), layer.qty)
      layer.qty -= rest
      rest = 0n
    }
  }
  return rest
}

/** Spreads a change of value over all that is there, in proportion. */
function addValue(layers: readonly Layer[], value: bigint): void {
  let qty = layers.reduce((sum, layer) => sum + layer.qty, 0n)
  let rest = value
  for (const layer of layers) {
    const share = divideRounded(rest * layer.qty, qty)
    layer.value += share
    rest -= share
    qty -= layer.qty
  }
}

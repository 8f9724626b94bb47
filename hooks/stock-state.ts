import { divideRounded } from '../engine/base/money.ts'

/** Goods that came in together and are still there. */
interface Layer {
  qty: bigint
  value: bigint
}

/**
 * What a warehouse holds of an item. Where what came in first (FIFO) or last (LIFO) leaves first, `layers` has what is
 * there, the oldest first; their values add up to `value`.
 */
export interface StockState {
  /** FIFO or LIFO; empty for a moving average. */
  readonly method: string
  qty: bigint
  value: bigint
  layers: Layer[]
}

/** A movement that has happened: what it brought, or took. */
export interface Movement {
  readonly qty: bigint
  readonly value: bigint
  /** A count: what is there afterwards is one layer, whatever came in when before. */
  readonly isCount: boolean
}

/** State of a warehouse that holds this, of which nothing more is known. */
export function stockState(method: string, qty: bigint, value: bigint): StockState {
  return { method, qty, value, layers: method !== '' && qty > 0n ? [{ qty, value }] : [] }
}

/** Brings a state behind a movement. */
export function moveStock(state: StockState, { qty, value, isCount }: Movement): void {
  const before = state.qty
  state.qty += qty
  state.value += value
  if (state.method === '') return
  if (state.qty <= 0n) state.layers = []
  // What comes in below 0 first makes good what left too early.
  else if (isCount || before <= 0n) state.layers = [{ qty: state.qty, value: state.value }]
  else if (qty > 0n) state.layers.push({ qty, value })
  else if (qty < 0n) leave(state, -qty)
  else spread(state.layers, value)
}

/** Value of what is left once all but `left` has gone; undefined where layers do not say it. */
export function valueLeft({ method, qty, layers }: StockState, left: bigint): bigint | undefined {
  if (method === '' || qty <= 0n || left < 0n) return undefined
  let rest = left
  let value = 0n
  for (let at = 0; at < layers.length && rest > 0n; at += 1) {
    // Those that leave last stay.
    const layer = layers[method === 'LIFO' ? at : layers.length - 1 - at]!
    value += layer.qty <= rest ? layer.value : divideRounded(layer.value * rest, layer.qty)
    rest -= layer.qty
  }
  return value
}

/** Takes a quantity away; the layer it ends in gets what rounding leaves. */
function leave(state: StockState, quantity: bigint): void {
  const { layers, method } = state
  let rest = quantity
  while (rest > 0n) {
    const layer = layers.at(method === 'LIFO' ? -1 : 0)
    if (!layer) break
    if (layer.qty > rest) {
      layer.qty -= rest
      break
    }
    rest -= layer.qty
    if (method === 'LIFO') layers.pop()
    else layers.shift()
  }
  const next = layers.at(method === 'LIFO' ? -1 : 0)!
  const others = layers.reduce((sum, layer) => (layer === next ? sum : sum + layer.value), 0n)
  next.value = state.value - others
}

/** Spreads a change of value over all that is there, in proportion. */
function spread(layers: readonly Layer[], value: bigint): void {
  let qty = layers.reduce((sum, layer) => sum + layer.qty, 0n)
  let rest = value
  for (const layer of layers) {
    const share = divideRounded(rest * layer.qty, qty)
    layer.value += share
    rest -= share
    qty -= layer.qty
  }
}

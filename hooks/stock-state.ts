import { divideRounded } from '../engine/base/money.ts'

/** Goods that came in together and are still there. */
interface Layer {
  /** The flow that it came in with; empty where nothing else takes from it. */
  readonly of: string
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
  /** The flow that it came in with, and the one that it goes back from. */
  readonly flow: string
  readonly backFrom: string
}

/** State of a warehouse that holds this, of which nothing more is known. */
export function stockState(method: string, qty: bigint, value: bigint): StockState {
  return { method, qty, value, layers: method !== '' && qty > 0n ? [{ of: '', qty, value }] : [] }
}

/** Brings a state behind a movement. */
export function moveStock(state: StockState, movement: Movement): void {
  const { qty, value, isCount, flow, backFrom } = movement
  const before = state.qty
  state.qty += qty
  state.value += value
  if (state.method === '') return
  if (state.qty <= 0n) state.layers = []
  // What comes in below 0 first makes good what left too early.
  else if (isCount || before <= 0n)
    state.layers = [{ of: flow, qty: state.qty, value: state.value }]
  else if (qty > 0n) state.layers.push({ of: flow, qty, value })
  else if (qty < 0n && backFrom !== '') goBack(state, -qty, value, backFrom)
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

/** Takes what came in with a flow away again, as far as it is there; the rest leaves like all else. */
function goBack(state: StockState, quantity: bigint, value: bigint, flow: string): void {
  const { layers } = state
  const at = layers.findIndex((layer) => layer.of === flow)
  const layer = layers[at]
  if (!layer) {
    leave(state, quantity)
    return
  }
  if (layer.qty > quantity) {
    layer.qty -= quantity
    layer.value += value
    return
  }
  layers.splice(at, 1)
  if (layer.qty < quantity) leave(state, quantity - layer.qty)
  else spread(layers, layer.value + value)
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

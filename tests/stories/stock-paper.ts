/**
 * The stock as a bookkeeper would keep it on paper, who writes everything anew from the first day whenever something is
 * told of late: plain arrays and whole cents, none of the engine's code, so that it can be held against the engine.
 */

/** How what leaves is valued. */
export type Method = 'Moving Average' | 'FIFO' | 'LIFO'

/** A row that moves whole units: from nowhere with a worth, to nowhere, or from one warehouse to another. */
export interface Move {
  readonly item: string
  /** Batch, each of which is a stock of its own. */
  readonly batch?: string | undefined
  readonly from?: string
  readonly to?: string
  readonly qty: bigint
  readonly worth?: bigint
  /** Whether it is made of all that the document takes from warehouses for good, and worth that. */
  readonly isMade?: boolean
  /** The row of an earlier document that it takes back a part of. */
  readonly back?: { readonly doc: PaperDoc; readonly row: number }
}

/** A document: what it moves, counts or charges. */
export interface PaperDoc {
  /** Day and time; those that are alike are in the order they came. */
  readonly moment: string
  readonly order: number
  readonly moves: readonly Move[]
  readonly count?: {
    readonly item: string
    readonly batch?: string | undefined
    readonly warehouse: string
    readonly qty?: bigint
    readonly cents?: bigint
  }
  readonly charge?: {
    readonly item: string
    readonly batch?: string | undefined
    readonly warehouse: string
    readonly qty: bigint
    readonly cents: bigint
  }
}

interface Layer {
  /** The row that brought it. */
  of?: Move | undefined
  qty: bigint
  /** In hundredths of a cent. */
  fine: bigint
}

interface Held {
  qty: bigint
  cents: bigint
  layers: Layer[]
}

/** What was written so far. */
export interface Paper {
  /** What each warehouse holds of each item, as `item::warehouse`, or `item::warehouse::batch`. */
  readonly bins: ReadonlyMap<string, Held>
  /** What the rows of documents were worth. */
  readonly given: ReadonlyMap<PaperDoc, readonly bigint[]>
}

export const EMPTY: Paper = { bins: new Map(), given: new Map() }

/** The paper with these documents behind what is there; undefined where somewhere less than nothing was there then. */
export function stockOnPaper(
  start: Paper,
  docs: readonly PaperDoc[],
  methodOf: (item: string) => Method,
  own?: PaperDoc,
): Paper | undefined {
  const bins = new Map(
    [...start.bins].map(([key, held]) => [
      key,
      { ...held, layers: held.layers.map((layer) => ({ ...layer })) },
    ]),
  )
  const given = new Map(start.given)
  const sorted = [...docs].sort((a, b) =>
    a.moment === b.moment ? a.order - b.order : a.moment < b.moment ? -1 : 1,
  )
  for (const doc of sorted) if (!write(bins, doc, methodOf, given, doc === own)) return undefined
  return { bins, given }
}

function write(
  bins: Map<string, Held>,
  doc: PaperDoc,
  methodOf: (item: string) => Method,
  given: Map<PaperDoc, readonly bigint[]>,
  isOwn: boolean,
): boolean {
  const of = (item: string, warehouse: string, batch?: string): Held => {
    const key = [item, warehouse, ...(batch === undefined ? [] : [batch])].join('::')
    const held = bins.get(key) ?? { qty: 0n, cents: 0n, layers: [] }
    bins.set(key, held)
    return held
  }
  const { count, charge } = doc
  if (count) {
    const held = of(count.item, count.warehouse, count.batch)
    const qty = count.qty ?? held.qty
    const cents =
      count.cents !== undefined
        ? qty * count.cents
        : held.qty > 0n
          ? half(held.cents * qty, held.qty)
          : 0n
    Object.assign(held, { qty, cents, layers: qty > 0n ? [{ qty, fine: cents * 100n }] : [] })
  }
  if (charge) {
    const held = of(charge.item, charge.warehouse, charge.batch)
    const isAll = charge.qty <= held.qty
    const left = isAll ? charge.qty : held.qty
    const cents = half(charge.cents * left, charge.qty)
    spread(held.layers, cents * 100n)
    held.cents += cents
  }
  // All rows see what was there before the document.
  const gone = new Map<Held, bigint>()
  const returned = new Map<Held, bigint>()
  const values: bigint[] = []
  for (const move of doc.moves) values.push(worthOf(move))
  function worthOf({ item, batch, from, qty, worth, isMade, back }: Move): bigint {
    if (isMade)
      return doc.moves.reduce((sum, one, at) => (one.from && !one.to ? sum + values[at]! : sum), 0n)
    const rate = back && half(given.get(back.doc)![back.row]! * qty, back.doc.moves[back.row]!.qty)
    if (from === undefined) return rate ?? worth!
    const held = of(item, from, batch)
    const before = gone.get(held) ?? 0n
    gone.set(held, before + qty)
    if (rate !== undefined) {
      // Goes back for what it came in for, but for no more than is there, and for all of it with the last.
      const upTo = (qty: bigint, cents: bigint): bigint =>
        qty >= held.qty || cents > held.cents ? held.cents : cents
      const first = returned.get(held) ?? 0n
      returned.set(held, first + rate)
      return upTo(before + qty, first + rate) - (before === 0n ? 0n : upTo(before, first))
    }
    return left(held, before, methodOf(item)) - left(held, before + qty, methodOf(item))
  }
  given.set(doc, values)
  // What it brings comes behind what it takes.
  for (const [held, qty] of gone) if (qty > held.qty) return false
  // Nothing is made of what is worth less than nothing: the last layer bears what differs, and may be.
  if (isOwn && doc.moves.some(({ isMade }, at) => isMade && values[at]! < 0n)) return false
  for (const [at, { item, batch, from, qty, back }] of doc.moves.entries())
    if (from !== undefined)
      takeOut(of(item, from, batch), qty, values[at]!, methodOf(item), back?.doc.moves[back.row])
  for (const [at, move] of doc.moves.entries())
    if (move.to !== undefined) {
      const { item, to, batch, qty } = move
      const held = of(item, to, batch)
      held.qty += qty
      held.cents += values[at]!
      // What comes in below 0 first makes good what left too early.
      if (held.qty > qty) held.layers.push({ of: move, qty, fine: values[at]! * 100n })
      else held.layers = [{ of: move, qty: held.qty, fine: held.cents * 100n }]
    }
  return [...bins.values()].every(({ qty }) => qty >= 0n)
}

/** What is left, in cents, once so many have gone. */
function left(held: Held, gone: bigint, method: Method): bigint {
  if (gone === 0n) return held.cents
  if (held.qty === 0n) return 0n
  // More than is there goes at the average.
  if (method === 'Moving Average' || gone > held.qty)
    return half(held.cents * (held.qty - gone), held.qty)
  const order = method === 'FIFO' ? held.layers : held.layers.toReversed()
  let [rest, fine] = [gone, 0n]
  for (const layer of order) {
    const leaves = layer.qty < rest ? layer.qty : rest
    rest -= leaves
    if (layer.qty > leaves) fine += half(layer.fine * (layer.qty - leaves), layer.qty)
  }
  // What leaves is worth no less than nothing, and no more than all that is there, whatever its layers are worth.
  const [, between] = [0n, half(fine, 100n), held.cents].toSorted((a, b) => (a < b ? -1 : 1))
  return between!
}

function takeOut(held: Held, qty: bigint, cents: bigint, method: Method, back?: Move): void {
  held.qty -= qty
  held.cents -= cents
  if (held.qty <= 0n) held.layers = []
  let rest = qty
  // What goes back is taken from what came in with its row, as far as that is there.
  const own = back && held.layers.find(({ of }) => of === back)
  if (own && own.qty > qty) {
    own.qty -= qty
    own.fine -= cents * 100n
    return
  }
  if (own) {
    held.layers.splice(held.layers.indexOf(own), 1)
    rest -= own.qty
    if (rest === 0n) {
      spread(held.layers, own.fine - cents * 100n)
      return
    }
  }
  const end = (): Layer => held.layers.at(method === 'LIFO' ? -1 : 0)!
  while (rest > 0n && held.layers.length > 0) {
    if (end().qty > rest) {
      end().qty -= rest
      break
    }
    rest -= end().qty
    held.layers.splice(method === 'LIFO' ? -1 : 0, 1)
  }
  if (held.layers.length === 0) return
  const others = held.layers.reduce((sum, layer) => (layer === end() ? sum : sum + layer.fine), 0n)
  end().fine = held.cents * 100n - others
}

/** Spreads what is worth more over all layers by their quantity. */
function spread(layers: readonly Layer[], fine: bigint): void {
  let rest = fine
  let qty = layers.reduce((sum, layer) => sum + layer.qty, 0n)
  // Where only what left too early came in, nothing is there to be worth more.
  if (qty === 0n) return
  for (const layer of layers) {
    const share = half(rest * layer.qty, qty)
    layer.fine += share
    rest -= share
    qty -= layer.qty
  }
}

/** Half away from zero; the second is above 0. */
function half(over: bigint, under: bigint): bigint {
  const sign = over < 0n ? -1n : 1n
  return sign * ((sign * over * 2n + under) / (under * 2n))
}

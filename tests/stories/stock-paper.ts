/**
 * The stock as a bookkeeper would keep it on paper, who writes everything anew from the first day whenever something is
 * told of late: plain arrays and whole cents, none of the engine's code, so that it can be held against the engine.
 */

/** How what leaves is valued. */
export type Method = 'Moving Average' | 'FIFO' | 'LIFO'

/** A row that moves whole units: from nowhere with a worth, to nowhere, or from one warehouse to another. */
export interface Move {
  readonly item: string
  readonly from?: string
  readonly to?: string
  readonly qty: bigint
  readonly worth?: bigint
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
    readonly warehouse: string
    readonly qty?: bigint
    readonly cents?: bigint
  }
  readonly charge?: {
    readonly item: string
    readonly warehouse: string
    readonly qty: bigint
    readonly cents: bigint
  }
}

interface Layer {
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
  /** What each warehouse holds of each item, as `item::warehouse`. */
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
  const of = (item: string, warehouse: string): Held => {
    const key = `${item}::${warehouse}`
    const held = bins.get(key) ?? { qty: 0n, cents: 0n, layers: [] }
    bins.set(key, held)
    return held
  }
  const { count, charge } = doc
  if (count) {
    const held = of(count.item, count.warehouse)
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
    const held = of(charge.item, charge.warehouse)
    const isAll = charge.qty <= held.qty
    const left = isAll ? charge.qty : held.qty
    const cents = half(charge.cents * left, charge.qty)
    let [rest, qty] = [cents * 100n, held.qty]
    for (const layer of held.layers) {
      const share = half(rest * layer.qty, qty)
      layer.fine += share
      rest -= share
      qty -= layer.qty
    }
    held.cents += cents
  }
  // All rows see what was there before the document.
  const gone = new Map<Held, bigint>()
  const values = doc.moves.map(({ item, from, qty, worth, back }) => {
    if (back) {
      const sold = back.doc.moves[back.row]!
      return half(given.get(back.doc)![back.row]! * qty, sold.qty)
    }
    if (from === undefined) return worth!
    const held = of(item, from)
    const before = gone.get(held) ?? 0n
    gone.set(held, before + qty)
    return left(held, before, methodOf(item)) - left(held, before + qty, methodOf(item))
  })
  given.set(doc, values)
  if (isOwn) for (const [held, qty] of gone) if (qty > held.qty) return false
  for (const [at, { item, from, qty }] of doc.moves.entries())
    if (from !== undefined) takeOut(of(item, from), qty, values[at]!, methodOf(item))
  for (const [at, { item, to, qty }] of doc.moves.entries())
    if (to !== undefined) {
      const held = of(item, to)
      held.qty += qty
      held.cents += values[at]!
      // What comes in below 0 first makes good what left too early.
      if (held.qty > qty) held.layers.push({ qty, fine: values[at]! * 100n })
      else held.layers = [{ qty: held.qty, fine: held.cents * 100n }]
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
  return half(fine, 100n)
}

function takeOut(held: Held, qty: bigint, cents: bigint, method: Method): void {
  held.qty -= qty
  held.cents -= cents
  if (held.qty <= 0n) held.layers = []
  let rest = qty
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

/** Half away from zero; the second is above 0. */
function half(over: bigint, under: bigint): bigint {
  const sign = over < 0n ? -1n : 1n
  return sign * ((sign * over * 2n + under) / (under * 2n))
}

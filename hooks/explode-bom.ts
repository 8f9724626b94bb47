import { divideRounded, pow10 } from '../engine/base/money.ts'
import { defineHook, type ReadRecord, refuse, type ValuesOf } from './hook.ts'

const ROW = {
  item_code: 'str',
  qty: 'decimal',
  stock_qty: 'decimal?',
  rate: 'decimal?',
  bom_no: 'str?',
  source_warehouse: 'str?',
  stock_uom: 'str?',
  uom: 'str?',
} as const
const READS = { BOM: { quantity: 'decimal', items: { rows: ROW } } } as const

type Material = ValuesOf<typeof ROW>

/** A share as an exact fraction: roundings of each level would add up. */
interface Share {
  readonly of: bigint
  readonly by: bigint
}

interface Part {
  readonly row: Material
  readonly bom: string
  readonly level: number
  /** Quantity as a fraction of 1/10⁶. */
  quantity: Share
}

const MAX_LEVELS = 20
/** Rows gone through before a product is taken for too large: each level may multiply them. */
const MAX_ROWS = 20_000
const UNIT = pow10(6)
const WHOLE: Share = { of: 1n, by: 1n }

/**
 * What goes into a product, down through all sub-assemblies: a row that is made by a BOM of its own is replaced
 * by what goes into it, in proportion. Equal rows are added up. Circles and more than 20 levels are refused.
 */
export const explodeBom = defineHook({
  inputs: {
    /** Of a product that is made; with `items` only the name under which those may not come again. */
    bom: 'str?',
    /** How much of the product; as much as the BOM makes without it. */
    quantity: 'decimal?',
    /** The rows of a BOM that is not saved yet. */
    items: { rows: ROW, optional: true },
    /** False: only the first level. */
    multi_level: 'bool?',
  },
  reads: READS,
  outputs: {
    item_code: 'str',
    qty: 'decimal',
    stock_qty: 'decimal',
    qty_consumed_per_unit: 'decimal',
    rate: 'decimal',
    amount: 'money',
    source_warehouse: 'str',
    stock_uom: 'str',
    bom_no: 'str',
    level: 'int',
  },
  gives: 'rows',
  run({ bom = '', quantity, items, multi_level = true }, read) {
    const parts = new Map<string, Part>()
    const made = read('BOM', bom)
    const rows = items ?? made?.items ?? []
    const makes = made?.quantity ?? UNIT
    const share = !quantity || items ? WHOLE : shareOf(bom, quantity, makes)
    addParts(rows, { parts, read, multi_level, visited: 0 }, bom, share, [bom])
    const product = quantity || makes
    return [...parts.values()].map(({ row, bom: from, level, quantity: { of, by } }) => {
      const stock_qty = divideRounded(of, by)
      const rate = row.rate ?? 0n
      return {
        item_code: row.item_code,
        qty: stock_qty,
        stock_qty,
        qty_consumed_per_unit: product === 0n ? 0n : divideRounded(of * UNIT, by * product),
        rate,
        // 1/10⁶ × 1/10⁶, as 1/10⁴
        amount: divideRounded(of * rate, by * pow10(8)),
        source_warehouse: row.source_warehouse ?? '',
        stock_uom: row.stock_uom || row.uom || '',
        bom_no: from,
        level,
      }
    })
  },
})

interface Explosion {
  readonly parts: Map<string, Part>
  readonly read: ReadRecord<typeof READS>
  readonly multi_level: boolean
  visited: number
}

function addParts(
  rows: readonly Material[],
  explosion: Explosion,
  bom: string,
  share: Share,
  trail: readonly string[],
): void {
  explosion.visited += rows.length
  if (explosion.visited > MAX_ROWS) refuse(`is made of more than ${MAX_ROWS} rows in all`)
  for (const row of rows) {
    const own = row.stock_qty || row.qty
    const quantity = { of: own * share.of, by: share.by }
    const below = row.bom_no ?? ''
    const made = explosion.multi_level ? explosion.read('BOM', below) : undefined
    if (!made) {
      addPart(explosion.parts, { row, bom, level: trail.length, quantity })
      continue
    }
    const path = [...trail, below]
    if (trail.includes(below))
      refuse(`${below} goes into itself: ${path.filter((name) => name !== '').join(' → ')}`)
    if (path.length > MAX_LEVELS)
      refuse(`goes down more than ${MAX_LEVELS} levels: ${path.slice(0, 5).join(' → ')} → …`)
    const { of, by } = shareOf(below, own, made.quantity)
    addParts(made.items, explosion, below, { of: of * share.of, by: by * share.by }, path)
  }
}

function shareOf(bom: string, quantity: bigint, makes: bigint): Share {
  if (makes <= 0n) refuse(`${bom} makes nothing: its quantity has to be above 0`)
  return { of: quantity, by: makes }
}

/** Adds the part, to an equal one where there is one. */
function addPart(parts: Map<string, Part>, part: Part): void {
  const { item_code, source_warehouse = '', rate = 0n } = part.row
  const key = JSON.stringify([item_code, source_warehouse, String(rate)])
  const known = parts.get(key)
  if (!known) {
    parts.set(key, part)
    return
  }
  known.quantity = sum(known.quantity, part.quantity)
}

function sum(a: Share, b: Share): Share {
  if (a.by === b.by) return { of: a.of + b.of, by: a.by }
  const of = a.of * b.by + b.of * a.by
  const by = a.by * b.by
  const common = commonDivisor(of, by)
  return { of: of / common, by: by / common }
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [larger, smaller] = [a < 0n ? -a : a, b]
  while (smaller !== 0n) [larger, smaller] = [smaller, larger % smaller]
  return larger
}

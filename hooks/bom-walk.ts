import { type ReadRecord, refuse, type ValuesOf } from '../engine/definition/model/hook.ts'

/** Fields that are read of the rows of a bill of materials. */
export const MATERIAL = {
  item_code: 'str',
  qty: 'decimal',
  stock_qty: 'decimal?',
  conversion_factor: 'decimal?',
  rate: 'decimal?',
  bom_no: 'str?',
  do_not_explode: 'bool?',
  source_warehouse: 'str?',
  stock_uom: 'str?',
  uom: 'str?',
} as const

export const BOMS = { BOM: { quantity: 'decimal', items: { rows: MATERIAL } } } as const

export type Material = ValuesOf<typeof MATERIAL>

/** A share as an exact fraction: roundings of each level would add up. */
export interface Share {
  readonly of: bigint
  readonly by: bigint
}

export const WHOLE: Share = { of: 1n, by: 1n }

/** A row on the way down: what is used up, or a part that is made by a BOM of its own. */
export interface Part {
  readonly row: Material
  /** The BOM the row stands in; empty for one that is not saved yet. */
  readonly bom: string
  /** Item that is made by that BOM; unset on the first level. */
  readonly above: string | undefined
  /** 1 for the rows of the product itself. */
  readonly level: number
  /** Quantity in stock units as a fraction of 1/10⁶. */
  readonly quantity: Share
  readonly isMade: boolean
}

export interface Walk {
  readonly read: ReadRecord<typeof BOMS>
  /** Whether parts with a BOM of their own are gone down to. */
  readonly multi_level: boolean
  visit(part: Part): void
}

const MAX_LEVELS = 20
/** Rows gone through before a product is taken for too large: each level may multiply them. */
const MAX_ROWS = 20_000

/**
 * Goes through all that the rows of the BOM `bom` are made of, each part before what goes into it. Circles, more
 * than 20 levels and more than 20,000 rows are refused.
 */
export function walkBom(
  { read, multi_level, visit }: Walk,
  rows: readonly Material[],
  bom: string,
  share: Share,
): void {
  let visited = 0
  down(rows, share, [bom], undefined)

  function down(
    some: readonly Material[],
    { of, by }: Share,
    trail: readonly string[],
    above: string | undefined,
  ): void {
    visited += some.length
    if (visited > MAX_ROWS) refuse(`is made of more than ${MAX_ROWS} rows in all`)
    for (const row of some) {
      const own = row.stock_qty || row.qty
      const below = row.bom_no ?? ''
      const made = multi_level && row.do_not_explode !== true ? read('BOM', below) : undefined
      const level = trail.length
      const quantity = { of: own * of, by }
      visit({ row, bom: trail.at(-1)!, above, level, quantity, isMade: made !== undefined })
      if (!made) continue
      const path = [...trail, below]
      assertAhead(path)
      const part = shareOf(below, own, made.quantity)
      down(made.items, { of: part.of * of, by: part.by * by }, path, row.item_code)
    }
  }
}

function assertAhead(path: readonly string[]): void {
  const below = path.at(-1)!
  if (path.indexOf(below) < path.length - 1)
    refuse(`${below} goes into itself: ${path.filter((name) => name !== '').join(' → ')}`)
  if (path.length > MAX_LEVELS)
    refuse(`goes down more than ${MAX_LEVELS} levels: ${path.slice(0, 5).join(' → ')} → …`)
}

/** The part of what a BOM makes that a quantity is. */
export function shareOf(bom: string, quantity: bigint, makes: bigint): Share {
  if (makes <= 0n) refuse(`${bom} makes nothing: its quantity has to be above 0`)
  return { of: quantity, by: makes }
}

/** Sum of two shares, in lowest terms. */
export function addShares(a: Share, b: Share): Share {
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

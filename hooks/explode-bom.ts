import { divideRounded, pow10 } from '../engine/base/money.ts'
import { defineHook } from '../engine/definition/model/hook.ts'
import { addShares, BOMS, MATERIAL, type Part, shareOf, WHOLE, walkBom } from './bom-walk.ts'

const UNIT = pow10(6)

/**
 * Materials that go into a product, down through all sub-assemblies: a row that is made by a BOM of its own is
 * replaced by what goes into it, in proportion. Equal rows are added up. Circles and more than 20 levels are refused.
 */
export const explodeBom = defineHook({
  inputs: {
    /** Bill of a product that is made; with `items` only the name under which those may not come again. */
    bom: 'str?',
    /** Quantity of the product; as much as the BOM makes without it. */
    quantity: 'decimal?',
    /** The rows of a BOM that is not saved yet, or products that are to be made. */
    items: { rows: MATERIAL, optional: true },
    /** False: only the first level. */
    multi_level: 'bool?',
    /** True: an item is one row, whatever it costs and wherever it is taken from. */
    by_item: 'bool?',
  },
  reads: BOMS,
  outputs: {
    item_code: 'str',
    qty: 'decimal',
    stock_qty: 'decimal',
    required_qty: 'decimal',
    qty_consumed_per_unit: 'decimal',
    rate: 'decimal',
    amount: 'money',
    source_warehouse: 'str',
    stock_uom: 'str',
    bom_no: 'str',
    level: 'int',
  },
  gives: 'rows',
  run({ bom = '', quantity, items, multi_level = true, by_item = false }, read) {
    const parts = new Map<string, Part>()
    const made = read('BOM', bom)
    const makes = made?.quantity ?? UNIT
    const share = !quantity || items ? WHOLE : shareOf(bom, quantity, makes)
    const visit = (part: Part): void => {
      if (part.isMade) return
      const key = by_item ? part.row.item_code : keyOf(part.row)
      const known = parts.get(key)
      const quantity = known ? addShares(known.quantity, part.quantity) : part.quantity
      parts.set(key, { ...(known ?? part), quantity })
    }
    walkBom({ read, multi_level, visit }, items ?? made?.items ?? [], bom, share)
    const product = quantity || makes
    return [...parts.values()].map((part) => {
      const { row, bom: from, level } = part
      const { of, by } = part.quantity
      const stock_qty = divideRounded(of, by)
      const rate = rateOf(row)
      return {
        item_code: row.item_code,
        qty: stock_qty,
        stock_qty,
        required_qty: stock_qty,
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

/** Rate of one stock unit; a row's own is that of the unit it counts in. */
function rateOf({ rate = 0n, conversion_factor: factor }: Part['row']): bigint {
  return factor ? divideRounded(rate * UNIT, factor) : rate
}

/** Key of a row: rows that agree in it are equal. */
function keyOf(row: Part['row']): string {
  return JSON.stringify([row.item_code, row.source_warehouse ?? '', String(rateOf(row))])
}

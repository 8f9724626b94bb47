import { divideRounded } from '../engine/base/money.ts'
import { defineHook } from '../engine/definition/model/hook.ts'
import { addShares, BOMS, MATERIAL, type Part, WHOLE, walkBom } from './bom-walk.ts'

/**
 * The sub-assemblies of products that are to be made: the parts below them that have a BOM of their own, equal
 * ones added up, those that are needed first before the others.
 */
export const planParts = defineHook({
  inputs: {
    /** The products, each with the BOM it is made by. */
    items: { rows: MATERIAL },
  },
  reads: BOMS,
  outputs: {
    production_item: 'str',
    parent_item_code: 'str',
    bom_no: 'str',
    bom_level: 'int',
    qty: 'decimal',
  },
  gives: 'rows',
  run({ items }, read) {
    const parts = new Map<string, Part>()
    const visit = (part: Part): void => {
      // The products themselves are on the first level.
      if (part.isMade && part.level > 1) addPart(parts, part)
    }
    walkBom({ read, multi_level: true, visit }, items, '', WHOLE)
    return [...parts.values()]
      .sort((a, b) => b.level - a.level)
      .map(({ row, above, level, quantity: { of, by } }) => ({
        production_item: row.item_code,
        parent_item_code: above ?? '',
        bom_no: row.bom_no ?? '',
        bom_level: level - 1,
        qty: divideRounded(of, by),
      }))
  },
})

/** Equal parts are made together, before the first product that needs them. */
function addPart(parts: Map<string, Part>, part: Part): void {
  const key = JSON.stringify([part.row.item_code, part.row.bom_no])
  const known = parts.get(key)
  if (!known) parts.set(key, part)
  else {
    const quantity = addShares(known.quantity, part.quantity)
    parts.set(key, { ...known, quantity, level: Math.max(known.level, part.level) })
  }
}

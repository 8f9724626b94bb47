import { divideRounded } from '../engine/base/money.ts'
import { defineHook, refuse } from '../engine/definition/model/hook.ts'
import { shareOf } from './bom-walk.ts'

/**
 * Materials that a subcontractor needs to make the rows of an order: those of the bill of each row, in proportion,
 * without going down to those of parts. Rows without a bill need nothing.
 */
export const subcontractedMaterials = defineHook({
  inputs: {
    /** False: the order is not subcontracted, so nothing is needed. */
    subcontracted: 'bool',
    items: { rows: { row_number: 'int', item_code: 'str', stock_qty: 'decimal', bom: 'str?' } },
  },
  reads: {
    BOM: {
      item: 'str',
      quantity: 'decimal',
      items: { rows: { item_code: 'str', stock_qty: 'decimal' } },
    },
  },
  outputs: {
    main_row: 'int',
    main_item_code: 'str',
    rm_item_code: 'str',
    required_qty: 'decimal',
  },
  gives: 'rows',
  run({ subcontracted, items }, read) {
    if (!subcontracted) return []
    return items.flatMap(({ row_number, item_code, stock_qty, bom = '' }) => {
      const made = read('BOM', bom)
      if (!made) return []
      if (made.item !== item_code) refuse(`${bom} makes ${made.item}; expected ${item_code}`)
      const { of, by } = shareOf(bom, stock_qty, made.quantity)
      const needed = new Map<string, bigint>()
      for (const row of made.items)
        needed.set(row.item_code, (needed.get(row.item_code) ?? 0n) + row.stock_qty)
      return [...needed].map(([rm_item_code, quantity]) => ({
        main_row: row_number,
        main_item_code: item_code,
        rm_item_code,
        required_qty: divideRounded(quantity * of, by),
      }))
    })
  },
})

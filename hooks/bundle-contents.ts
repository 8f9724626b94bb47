import { divideRounded, pow10 } from '../engine/base/money.ts'
import { defineHook } from '../engine/definition/model/hook.ts'

/**
 * Items that leave the stock for the bundles among the rows of a delivery: each of a bundle's items, as often as the
 * row has the bundle. Rows without a bundle give nothing; a return brings the same back.
 */
export const bundleContents = defineHook({
  inputs: {
    items: {
      rows: {
        item_code: 'str',
        product_bundle: 'str?',
        /** Bundles, in the item's own unit. */
        stock_qty: 'decimal',
        warehouse: 'str?',
      },
    },
  },
  reads: { 'Product Bundle': { items: { rows: { item_code: 'str', qty: 'decimal' } } } },
  outputs: {
    parent_item: 'str',
    /** Place of the row, from 1. */
    parent_row: 'int',
    item_code: 'str',
    qty: 'decimal',
    warehouse: 'str',
  },
  gives: 'rows',
  run({ items }, read) {
    return items.flatMap(({ item_code, product_bundle = '', stock_qty, warehouse = '' }, index) => {
      const parts =
        product_bundle === '' ? [] : (read('Product Bundle', product_bundle)?.items ?? [])
      return parts.map((part) => ({
        parent_item: item_code,
        parent_row: index + 1,
        item_code: part.item_code,
        // 1/10⁶ × 1/10⁶, as 1/10⁶
        qty: divideRounded(part.qty * stock_qty, pow10(6)),
        warehouse,
      }))
    })
  },
})

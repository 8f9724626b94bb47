import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type PlainRecord, runHook } from './run-hook.ts'

const test = suite('what is in the bundles of a delivery')

const RECORDS = {
  'Product Bundle': {
    DESKSET: {
      items: [
        { item_code: 'DESK', qty: 1 },
        { item_code: 'CHAIR', qty: 4 },
      ],
    },
    HALF: { items: [{ item_code: 'ROPE', qty: 0.333333 }] },
  },
}

const contents = (items: readonly PlainRecord[]) =>
  runHook('bundle_contents', { items }, RECORDS).map((row) => [
    row.parent_row,
    row.parent_item,
    row.item_code,
    row.qty,
    row.warehouse,
  ])

test('are its items, as often as the row has it, out of the warehouse of the row', () => {
  assert.equal(
    contents([
      { item_code: 'LAMP', stock_qty: 3, warehouse: 'Stores' },
      { item_code: 'SET', product_bundle: 'DESKSET', stock_qty: 2, warehouse: 'Shop' },
      { item_code: 'KIT', product_bundle: 'HALF', stock_qty: 3 },
    ]),
    [
      [2, 'SET', 'DESK', 2, 'Shop'],
      [2, 'SET', 'CHAIR', 8, 'Shop'],
      [3, 'KIT', 'ROPE', 0.999999, ''],
    ],
  )
})

test('come back with a return, and are nothing where there is no bundle', () => {
  assert.equal(contents([{ item_code: 'SET', product_bundle: 'DESKSET', stock_qty: -1 }]), [
    [1, 'SET', 'DESK', -1, ''],
    [1, 'SET', 'CHAIR', -4, ''],
  ])
  assert.equal(contents([{ item_code: 'LAMP', stock_qty: 3 }]), [])
  assert.equal(contents([{ item_code: 'SET', product_bundle: 'GONE', stock_qty: 3 }]), [])
})

test.run()

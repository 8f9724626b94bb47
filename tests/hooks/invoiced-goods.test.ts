import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type PlainRecord, runHook } from './run-hook.ts'

const test = suite('what the rows of an invoice move in the stock')

const RECORDS = {
  Item: {
    LAMP: {
      is_stock_item: true,
      default_warehouse: 'Shop',
      expense_account: 'Cost of Lamps',
    },
    ROPE: { is_stock_item: true },
    HOUR: { is_stock_item: false },
    KIT: { is_stock_item: false },
  },
  Company: {
    Acme: {
      default_cogs_account: 'Cost of Goods',
      default_inventory_account: 'Stock',
      stock_adjustment_account: 'Adjustment',
    },
  },
  'Product Bundle': {
    'PB-1': {
      items: [
        { item_code: 'LAMP', qty: 2 },
        { item_code: 'HOUR', qty: 1 },
        { item_code: 'ROPE', qty: 0.333333 },
      ],
    },
  },
}

function moved(direction: number, items: readonly PlainRecord[], warehouse = '') {
  const rows = items.map((row, index) => ({
    row_id: `r${index + 1}`,
    conversion_factor: 1,
    ...row,
  }))
  const given = { items: rows, direction, company: 'Acme', warehouse }
  return runHook('invoiced_goods', given, RECORDS)
}

test('is what is kept in stock, in stock units, from the warehouse and on the account that come first', () => {
  const rows = moved(
    -1,
    [
      { item_code: 'LAMP', qty: 2, conversion_factor: 12, expense_account: 'Gifts' },
      { item_code: 'HOUR', qty: 3 },
      { item_code: 'ROPE', qty: 1.5, conversion_factor: 0.333333, warehouse: 'Yard' },
    ],
    'Stores',
  )
  assert.equal(
    rows.map((row) => [
      row.parent_row,
      row.voucher_detail_no,
      row.item_code,
      row.moved_qty,
      row.named_warehouse || row.usual_warehouse,
      row.expense_account,
      row.is_bought,
    ]),
    [
      [1, 'r1', 'LAMP', -24, 'Stores', 'Gifts', false],
      // 1.5 × 0.333333 = 0.4999995, half away from zero
      [3, 'r3', 'ROPE', -0.5, 'Yard', 'Cost of Goods', false],
    ],
  )
  const [lamp] = moved(1, [{ item_code: 'LAMP', qty: -1, base_net_amount: -7.5 }])
  assert.equal(
    [lamp?.moved_qty, lamp?.usual_warehouse, lamp?.expense_account, lamp?.cost, lamp?.is_bought],
    [-1, 'Shop', 'Cost of Lamps', -7.5, true],
  )
})

test('is what a bundle contains', () => {
  const rows = moved(-1, [{ item_code: 'KIT', qty: 3, product_bundle: 'PB-1' }])
  assert.equal(
    rows.map(({ item_code, moved_qty, usual_warehouse }) => [
      item_code,
      moved_qty,
      usual_warehouse,
    ]),
    [
      ['LAMP', -6, 'Shop'],
      ['ROPE', -0.999999, ''],
    ],
  )
})

test.run()

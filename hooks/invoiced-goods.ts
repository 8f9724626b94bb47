import { divideRounded, pow10 } from '../engine/base/money.ts'
import { defineHook, type ReadRecord, type ValuesOf } from '../engine/definition/model/hook.ts'

const ROW = {
  row_id: 'str',
  item_code: 'str',
  qty: 'decimal',
  /** Stock units in one unit of the row. */
  conversion_factor: 'decimal',
  warehouse: 'str?',
  batch_no: 'str?',
  serial_no: 'str?',
  serial_and_batch_bundle: 'str?',
  expense_account: 'str?',
  /** Cost of goods that come in, and the taxes and charges in their value, in the company's currency. */
  base_net_amount: 'money?',
  item_tax_amount: 'money?',
  product_bundle: 'str?',
  /** The row of the invoice or bill that a row of a credit or debit note takes back. */
  sales_invoice_item: 'str?',
  purchase_invoice_item: 'str?',
} as const

const READS = {
  Item: {
    is_stock_item: 'bool',
    default_warehouse: 'str?',
    expense_account: 'str?',
    item_defaults: {
      rows: { company: 'str', default_warehouse: 'str?', expense_account: 'str?' },
    },
  },
  Account: { company: 'str?' },
  Warehouse: { company: 'str?' },
  Company: {
    default_warehouse: 'str?',
    default_cogs_account: 'str?',
    default_inventory_account: 'str?',
    stock_adjustment_account: 'str?',
  },
  'Product Bundle': { items: { rows: { item_code: 'str', qty: 'decimal' } } },
} as const

type Item = ValuesOf<(typeof READS)['Item']>
type Read = ReadRecord<typeof READS>

const ONE = pow10(6)

/**
 * Movements of stock by the rows of an invoice that moves its goods itself, out of the stock or into it: the rows of
 * items that are kept in stock, in stock units, and for a bundle each of its items. All else gives nothing.
 */
export const invoicedGoods = defineHook({
  inputs: {
    items: { rows: ROW },
    /** -1 for what is sold, 1 for what is bought. */
    direction: 'int',
    company: 'str',
    /** Warehouse for rows that name none. */
    warehouse: 'str?',
  },
  reads: READS,
  outputs: {
    /** Place of the row, from 1, and its id. */
    parent_row: 'int',
    voucher_detail_no: 'str',
    returned_row: 'str',
    /** The item of the row: what is billed, of which the goods may be parts. */
    parent_item: 'str',
    item_code: 'str',
    /** Quantity in stock units; below 0 for what leaves the stock. */
    moved_qty: 'decimal',
    /** Warehouse that the row or the document names, and the one that the item or the company otherwise takes. */
    named_warehouse: 'str',
    usual_warehouse: 'str',
    /** Account for the cost of what is sold: that of the row, else of the item, else of the company. */
    expense_account: 'str',
    inventory_account: 'str',
    stock_adjustment_account: 'str',
    is_bought: 'bool',
    cost: 'money',
    batch_no: 'str',
    serial_no: 'str',
    serial_and_batch_bundle: 'str',
  },
  gives: 'rows',
  run({ items, direction, company, warehouse = '' }, read) {
    const own = read('Company', company)
    return items.flatMap((row, index) => {
      const item = read('Item', row.item_code)
      if (!item) return []
      const moved = times(row.qty, row.conversion_factor) * BigInt(direction)
      const common = {
        parent_row: index + 1,
        voucher_detail_no: row.row_id,
        parent_item: row.item_code,
        returned_row: row.sales_invoice_item || row.purchase_invoice_item || '',
        inventory_account: own?.default_inventory_account ?? '',
        stock_adjustment_account: own?.stock_adjustment_account ?? '',
        is_bought: direction > 0,
        named_warehouse: row.warehouse || warehouse,
      }
      const fallback = own?.default_cogs_account ?? ''
      const warehouseFor = (one: Item): string =>
        saidBy(one, company, 'default_warehouse', read) || (own?.default_warehouse ?? '')
      const accountFor = (one: Item): string =>
        row.expense_account || saidBy(one, company, 'expense_account', read) || fallback
      if (item.is_stock_item)
        return [
          {
            ...common,
            item_code: row.item_code,
            moved_qty: moved,
            usual_warehouse: warehouseFor(item),
            expense_account: accountFor(item),
            cost: direction > 0 ? (row.base_net_amount ?? 0n) + (row.item_tax_amount ?? 0n) : 0n,
            batch_no: row.batch_no ?? '',
            serial_no: row.serial_no ?? '',
            serial_and_batch_bundle: row.serial_and_batch_bundle ?? '',
          },
        ]
      const bundle = row.product_bundle ? read('Product Bundle', row.product_bundle) : undefined
      return (bundle?.items ?? []).flatMap((part) => {
        const stocked = read('Item', part.item_code)
        if (!stocked?.is_stock_item) return []
        return [
          {
            ...common,
            item_code: part.item_code,
            moved_qty: times(part.qty, moved),
            usual_warehouse: warehouseFor(stocked),
            expense_account: accountFor(stocked),
          },
        ]
      })
    })
  },
})

/** What an item says for a company: its row for it, else what holds for all, unless that is another company's. */
function saidBy(
  item: Item,
  company: string,
  key: 'default_warehouse' | 'expense_account',
  read: Read,
): string {
  const own = item.item_defaults.find((row) => row.company === company)?.[key]
  if (own) return own
  const plain = item[key]
  if (!plain) return ''
  const owner = read(key === 'expense_account' ? 'Account' : 'Warehouse', plain)?.company
  return owner === undefined || owner === '' || owner === company ? plain : ''
}

/** 1/10⁶ × 1/10⁶, as 1/10⁶ */
function times(a: bigint, b: bigint): bigint {
  return divideRounded(a * b, ONE)
}

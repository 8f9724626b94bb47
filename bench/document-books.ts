import { CUSTOMERS, DAY, type FillBooks, ITEMS } from './book-values.ts'

interface Copies {
  readonly table: string
  readonly prefix: string
  /** The field of its day. */
  readonly day: string
  /** The field of its party, and the beginning of the names of the parties. */
  readonly party: string
  readonly parties: string
  readonly changed?: Readonly<Record<string, string>>
  readonly ofRow: Readonly<Record<string, string>>
}

const QTY = '(n.n % 19 + 1)'
const RATE = '(n.n % 83 + 5)'
const AMOUNT = `${QTY} * ${RATE} * 10000`
const OF_ORDER = {
  item_code: `printf('G-%03d', (n.n * 7 + t.idx) % ${ITEMS} + 1)`,
  qty: `${QTY} * 1000000`,
  rate: `${RATE} * 1000000`,
  amount: AMOUNT,
  net_amount: AMOUNT,
  billed_qty: `n.n % ${QTY} * 1000000`,
}
const OF_INVOICE = { ...OF_ORDER, base_net_amount: AMOUNT }

const TRADE: readonly Copies[] = [
  {
    table: 'sales_invoices',
    prefix: 'BSI',
    day: 'posting_date',
    party: 'customer',
    parties: 'CUST',
    changed: { base_net_total: AMOUNT, base_grand_total: AMOUNT, grand_total: AMOUNT },
    ofRow: OF_INVOICE,
  },
  {
    table: 'purchase_invoices',
    prefix: 'BPI',
    day: 'posting_date',
    party: 'supplier',
    parties: 'SUP',
    changed: { base_net_total: AMOUNT, base_grand_total: AMOUNT, grand_total: AMOUNT },
    ofRow: OF_INVOICE,
  },
  {
    table: 'sales_orders',
    prefix: 'BSO',
    day: 'transaction_date',
    party: 'customer',
    parties: 'CUST',
    changed: { conversion_rate: '1000000000 + n.n % 5 * 12345678' },
    ofRow: { ...OF_ORDER, delivered_qty: `n.n % ${QTY} * 1000000` },
  },
  {
    table: 'purchase_orders',
    prefix: 'BPO',
    day: 'transaction_date',
    party: 'supplier',
    parties: 'SUP',
    changed: { conversion_rate: '1000000000 + n.n % 5 * 12345678' },
    ofRow: { ...OF_ORDER, received_qty: `n.n % ${QTY} * 1000000` },
  },
  {
    table: 'delivery_notes',
    prefix: 'BDN',
    day: 'posting_date',
    party: 'customer',
    parties: 'CUST',
    ofRow: { ...OF_ORDER, cost: `${QTY} * 30000` },
  },
]

/** Invoices, orders and deliveries of two years with two rows each: of each kind a fifth as many rows as of a ledger. */
export const fillDocuments: FillBooks = ({ copy }, rows) => {
  const count = rows / 10
  for (const { table, prefix, day, party, parties, changed, ofRow } of TRADE) {
    copy(table, 't.rid = 1', count, {
      rid: '1000000 + n.n',
      name: `printf('${prefix}-%06d', n.n)`,
      [day]: DAY,
      [party]: `printf('${parties}-%05d', n.n % ${CUSTOMERS} + 1)`,
      ...changed,
    })
    for (const idx of [1, 2])
      copy(`${table}__items`, 't.parent = 1', count, {
        row_id: `'${prefix}' || n.n || '-${idx}'`,
        parent: '1000000 + n.n',
        ...ofRow,
        ...(ofRow.item_code === undefined
          ? {}
          : { item_code: ofRow.item_code.replace('t.idx', String(idx)) }),
        idx: String(idx),
      })
  }
}

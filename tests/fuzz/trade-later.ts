import type { Random } from '../helpers/random.ts'
import { amount, goods, list, type Owner, quantity, type TradeDocument } from './trade.ts'

/** Documents of the walk that follow from others or stand beside them: what is promised, made, brought in, and booked by months. */
export type LaterDoctype =
  | 'Blanket Order'
  | 'Landed Cost Voucher'
  | 'Opening Invoice'
  | 'Opening Bill'
  | 'Pick List'
  | 'POS Opening Entry'
  | 'POS Closing Entry'
  | 'Process Deferred Accounting'
  | 'Stock Reservation Entry'
  | 'Subcontracting Order'
  | 'Subcontracting Receipt'
  | 'Work Order'

const ORDERED = ['BOLT', 'NUT', 'PIN', 'CRATE', 'WORK']
/** Beginnings and ends of the months that the walk goes through. */
const MONTHS = ['2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30', '2026-07-31', '2026-08-31']

export const LATER: Readonly<Record<LaterDoctype, TradeDocument>> = {
  'Blanket Order': {
    body: (random, { customers, suppliers }) => ({
      ...(random.chance(0.5)
        ? { customer: random.one(customers) }
        : { blanket_order_type: 'Purchasing', supplier: random.one(suppliers) }),
      from_date: '2026-01-01',
      to_date: '2026-12-31',
      items: list(random, 2, () => ({
        item_code: random.one(ORDERED),
        qty: 2 * quantity(random),
        rate: amount(random, 40),
      })),
    }),
    actions: ['make_sales_order', 'make_purchase_order'],
  },
  // Made by what it is about; by itself it charges what lies in a warehouse.
  'Landed Cost Voucher': {
    body: (random, { suffix }) => ({
      distribute_charges_based_on: 'Qty',
      items: [{ ...goods(random), warehouse: `Stores${suffix}`, qty: 1 + random.below(9) }],
      taxes: [
        {
          description: 'Freight',
          expense_account: `Stock Adjustment${suffix}`,
          amount: amount(random, 30),
        },
      ],
    }),
    actions: [],
  },
  'Opening Invoice': {
    body: (random, { customers }) => ({
      customer: random.one(customers),
      invoice_no: `O-${random.below(1_000_000)}`,
      amount: amount(random, 300),
    }),
    actions: ['make_payment'],
  },
  'Opening Bill': {
    body: (random, { suppliers }) => ({
      supplier: random.one(suppliers),
      bill_no: `B-${random.below(1_000_000)}`,
      amount: amount(random, 300),
    }),
    actions: ['make_payment'],
  },
  'Pick List': { body: picked, actions: ['make_delivery_note', 'make_stock_entry'] },
  'POS Opening Entry': {
    body: (random, { till }) => ({
      pos_profile: till,
      balance_details: [{ mode_of_payment: 'Cash', opening_amount: amount(random, 90) }],
    }),
    actions: [],
  },
  'POS Closing Entry': {
    body: (random, { pool }) => ({
      pos_opening_entry: random.one((pool.get('POS Opening Entry') ?? ['none']).slice(-3)),
    }),
    actions: ['count_up'],
  },
  'Process Deferred Accounting': {
    body: (random) => ({ type: 'Income', end_date: random.one(MONTHS) }),
    actions: ['fetch_entries', 'fetch_entries'],
  },
  // Made by `reserve_stock` of orders alone.
  'Stock Reservation Entry': { actions: [] },
  'Subcontracting Order': {
    actions: ['make_transfer', 'make_transfer', 'make_receipt', 'make_receipt', 'close', 'reopen'],
  },
  'Subcontracting Receipt': { actions: [] },
  'Work Order': {
    body: (random, { bom, suffix }) => ({
      bom_no: bom,
      qty: 1 + random.below(5),
      source_warehouse: `Stores${suffix}`,
      fg_warehouse: `Stores${suffix}`,
      wip_warehouse: `Work In Progress${suffix}`,
      skip_transfer: random.chance(0.3),
    }),
    actions: [
      'make_material_transfer',
      'make_manufacture_entry',
      'make_manufacture_entry',
      'make_disassemble_entry',
      'stop',
      'resume',
      'close',
      'reopen',
    ],
  },
}

function picked(random: Random, { customers }: Owner): object {
  return {
    customer: random.one(customers),
    locations: list(random, 2, () => ({ item_code: random.one(ORDERED), qty: quantity(random) })),
  }
}

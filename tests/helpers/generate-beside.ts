import { createUnlessThere } from '../../cli/setup/masters.ts'
import { createDocument } from '../../engine/documents/operations/create.ts'
import { submitDocument } from '../../engine/documents/operations/submit.ts'
import type { Context } from '../../engine/documents/work/context.ts'
import type { DocumentResult } from '../../engine/documents/work/present.ts'
import type { Body } from './generate.ts'

type Made = DocumentResult['record']
type Row = { readonly item_code: string; readonly row_id: string }

/** What bodies of other DocTypes begin with once a record was made: they are about documents that nobody finds by chance. */
export async function madeBeside(
  context: Context,
  { doctype }: { readonly doctype: string },
  { id, record }: DocumentResult,
): Promise<Readonly<Record<string, Body>>> {
  if (doctype === 'Customer') return { Dunning: await owedLongAgo(context, id) }
  if (doctype === 'Delivery Note') return { 'Packing Slip': await leftToPack(context, record) }
  if (doctype === 'Sales Order')
    return { 'Stock Reservation Entry': await wantedFromStock(context, record) }
  if (doctype === 'Purchase Order')
    return { 'Subcontracting Order': await workThatIsBought(context, record) }
  if (doctype === 'Subcontracting Order') return { 'Subcontracting Receipt': partOf(id, record) }
  if (doctype === 'Payment Request') return { 'Payment Order': await askedBySupplier(context, id) }
  if (doctype === 'Period Closing Voucher')
    return { [doctype]: await yearBehind(context, Number(record.fiscal_year)) }
  if (doctype === 'Pricing Rule') return { 'Coupon Code': await onlyForCoupons(context) }
  return {}
}

/** A customer who has not paid an invoice that is due. */
async function owedLongAgo(context: Context, customer: string): Promise<Body> {
  await submitted(context, 'Sales Invoice', {
    customer,
    items: [{ description: 'Advice', qty: 1, rate: 90 }],
  })
  return { customer, posting_date: '2027-01-01' }
}

/** A draft of a delivery like this one, of which a part is packed. */
async function leftToPack(context: Context, { customer, items }: Made): Promise<Body> {
  const [{ item_code }] = rowsOf(items)
  const draft = await create(context, 'Delivery Note', {
    customer,
    items: [{ item_code, qty: 1000 }],
  })
  return { delivery_note: draft.id, items: [{ dn_detail: draft.rows[0].row_id, qty: 1 }] }
}

/** An order like this one from a warehouse that has the goods. */
async function wantedFromStock(context: Context, { customer, items }: Made): Promise<Body> {
  const [{ item_code }] = rowsOf(items)
  const order = await submitted(context, 'Sales Order', {
    customer,
    items: [{ item_code, qty: 500, warehouse: 'Stores' }],
  })
  return { voucher_detail_no: order.rows[0].row_id, reserved_qty: 1 }
}

/** Bought work on an item of this order, which is made of another one. */
async function workThatIsBought(context: Context, { supplier, items }: Made): Promise<Body> {
  const [{ item_code: fg_item }] = rowsOf(items)
  const itemType = context.services.registry.byDoctype('Item')!
  for (const [item_code, is_stock_item] of Object.entries({ [MATERIAL]: true, [WORK]: false }))
    await createUnlessThere(context, itemType, { item_code, item_name: item_code, is_stock_item })
  await submitted(context, 'Stock Entry', {
    stock_entry_type: 'Material Receipt',
    items: [{ item_code: MATERIAL, t_warehouse: 'Stores', qty: 10_000, basic_rate: 2 }],
  })
  const bom = await submitted(context, 'BOM', {
    item: fg_item,
    items: [{ item_code: MATERIAL, qty: 2 }],
  })
  const order = await submitted(context, 'Purchase Order', {
    supplier,
    is_subcontracted: true,
    supplier_warehouse: 'Work In Progress',
    set_warehouse: 'Finished Goods',
    items: [{ item_code: WORK, qty: 1_000_000, rate: 3, fg_item, fg_item_qty: 1_000_000 }],
  })
  return {
    purchase_order: order.id,
    reserve_warehouse: 'Stores',
    items: [{ purchase_order_item: order.rows[0].row_id, qty: 100, bom: bom.id }],
  }
}

/** One piece of what a subcontractor makes, of materials that are not counted. */
function partOf(subcontracting_order: string, { items }: Made): Body {
  const [{ row_id }] = rowsOf(items)
  const row = { subcontracting_order_item: row_id, qty: 1, warehouse: 'Finished Goods' }
  return { subcontracting_order, items: [row], supplied_items: [] }
}

/** A request of a supplier for a bill that nobody has paid; it is ordered once. */
async function askedBySupplier(context: Context, id: string): Promise<Body> {
  const supplier = await createDocument(context, context.services.registry.byDoctype('Supplier')!, {
    supplier_name: `Supplier of ${id}`,
  })
  const bill = await submitted(context, 'Purchase Invoice', {
    supplier: supplier.id,
    bill_no: id,
    items: [{ description: 'Electricity', qty: 1, rate: 50 }],
  })
  const request = await submitted(context, 'Payment Request', {
    reference_doctype: 'Purchase Invoice',
    reference_name: bill.id,
  })
  return { references: [{ payment_request: request.id }] }
}

/** The year behind one that is closed: years are closed one after the other. */
async function yearBehind(context: Context, closed: number): Promise<Body> {
  const year = String(closed + 1)
  await createUnlessThere(context, context.services.registry.byDoctype('Fiscal Year')!, {
    year,
    year_start_date: `${year}-01-01`,
    year_end_date: `${year}-12-31`,
  })
  return { fiscal_year: year }
}

/** A coupon is for a rule that nothing else uses. */
async function onlyForCoupons(context: Context): Promise<Body> {
  const { id } = await createDocument(
    context,
    context.services.registry.byDoctype('Pricing Rule')!,
    { title: 'Coupons', apply_on: 'All Items', coupon_code_based: true, discount_percentage: 5 },
  )
  return { pricing_rule: id }
}

/** Items that no link chooses by chance, since they are made after those that links know. */
const MATERIAL = 'MATERIAL'
const WORK = 'WORK'

interface WithRows {
  readonly id: string
  readonly rows: readonly [Row, ...Row[]]
}

async function create(context: Context, doctype: string, body: Body): Promise<WithRows> {
  const definition = context.services.registry.byDoctype(doctype)!
  const { id, record } = await createDocument(context, definition, body)
  return { id, rows: rowsOf(record.items) }
}

async function submitted(context: Context, doctype: string, body: Body): Promise<WithRows> {
  const made = await create(context, doctype, body)
  await submitDocument(context, context.services.registry.byDoctype(doctype)!, made.id)
  return made
}

function rowsOf(items: unknown): WithRows['rows'] {
  return items as WithRows['rows']
}

import { addDays } from '../../engine/expression/run/calendar.ts'
import { create, draftOf, type Flow, make, submit, until, update } from '../play/flow.ts'
import type { Shown } from '../world/hands.ts'
import { AT_COATER, STORES } from '../world/places.ts'
import type { World } from '../world/world.ts'
import { inputTaxOf } from './buying.ts'

/** Pieces of the order, how many of them are sent with the first van, and how many have come back. */
const ORDERED = 20
const SENT = 12
const BACK = 8

/** Frames go to a coater who colours them: part of them is back when the story ends, part is there, and part is still to be sent. */
export function* outwork(world: World): Flow {
  const { supplier, work, part, made } = world.company.outwork
  const seller = world.sellers.get(supplier)!
  yield* until(addDays(world.last, -45))
  yield* createItems(world)
  const order = yield* make('stock', 'Purchase Order', {
    supplier: seller.id,
    company: world.name,
    is_subcontracted: true,
    supplier_warehouse: AT_COATER,
    reserve_warehouse: STORES,
    set_warehouse: STORES,
    schedule_date: addDays(world.today(), seller.lead_days),
    ...inputTaxOf(world, seller),
    items: [
      {
        item_code: work.code,
        qty: ORDERED,
        rate: work.price,
        fg_item: made.code,
        fg_item_qty: ORDERED,
      },
    ],
  })
  const draft = yield* draftOf('stock', 'Purchase Order', order.id, 'make_subcontracting_order')
  const { id } = yield* submit('stock', 'Subcontracting Order', draft.id)
  yield* until(addDays(world.today(), 2))
  const sent = world.stock.take(part, STORES, SENT)
  if (sent === 0) return
  const van = yield* draftOf('stock', 'Subcontracting Order', id, 'make_transfer')
  yield* update('stock', 'Stock Entry', van.id, { items: rowsWith(van, sent) })
  yield* submit('stock', 'Stock Entry', van.id)
  yield* until(addDays(world.today(), 14))
  const rows = (draft.items as readonly Shown[]).map(({ row_id }) => ({
    row_id,
    qty: Math.min(BACK, sent),
  }))
  const back = yield* draftOf('stock', 'Subcontracting Order', id, 'make_receipt', { rows })
  yield* submit('stock', 'Subcontracting Receipt', back.id)
}

/** What is coated, and the work that is bought for it. */
function* createItems(world: World): Flow {
  const { work, part, made } = world.company.outwork
  const { cost } = world.company.parts.find(({ code }) => code === part)!
  yield* create('stock', 'Item', {
    item_code: made.code,
    item_name: made.name,
    item_group: 'Frames and Forks',
    stock_uom: 'Nos',
    standard_buying_rate: cost + work.price,
    is_sales_item: false,
    default_warehouse: STORES,
  })
  yield* create('stock', 'Item', {
    item_code: work.code,
    item_name: work.name,
    item_group: 'Running Costs',
    stock_uom: 'Unit',
    standard_buying_rate: work.price,
    is_stock_item: false,
    is_sales_item: false,
    expense_account: 'Purchases',
  })
  yield* make('stock', 'BOM', {
    item: made.code,
    company: world.name,
    is_default: true,
    items: [{ item_code: part, qty: 1 }],
  })
}

/** The rows of a draft with another quantity. */
function rowsWith(draft: Shown, qty: number): readonly object[] {
  return (draft.items as readonly Shown[]).map(({ row_id, item_code }) => ({
    row_id,
    item_code,
    qty,
  }))
}

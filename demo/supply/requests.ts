import { addDays } from '../../engine/expression/run/calendar.ts'
import {
  act,
  begin,
  create,
  draftOf,
  type Flow,
  make,
  submit,
  until,
  update,
} from '../play/flow.ts'
import type { Shown } from '../world/hands.ts'
import { FINISHED, IN_WORK, STORES } from '../world/places.ts'
import { priceIn, type World } from '../world/world.ts'
import { testRide } from './quality.ts'

/** Pieces of the largest bicycle that are planned for the next season, more than there are parts for. */
const PLANNED = 160

/** Towards the end: what is asked for, planned and begun for the next season. */
export function* requests(world: World): Flow {
  yield* begin(springGoods(world))
  yield* begin(nextSeason(world))
  yield* begin(onTheBench(world))
}

/** Accessories are asked for; two suppliers quote, and one gets the order. */
function* springGoods(world: World): Flow {
  yield* until(addDays(world.last, -24))
  const [helmet, , , , , seat] = world.company.accessories
  const goods = [helmet!, seat!]
  const wanted = yield* make('stock', 'Material Request', {
    company: world.name,
    schedule_date: addDays(world.today(), 30),
    set_warehouse: STORES,
    items: goods.map(({ code, lot }) => ({ item_code: code, qty: lot })),
  })
  const trade = world.sellers.get('trade')!
  const asked = yield* draftOf(
    'stock',
    'Material Request',
    wanted.id,
    'make_request_for_quotation',
    {
      supplier: trade.id,
    },
  )
  const others = [trade, world.sellers.get('wheels')!]
  yield* update('stock', 'Request for Quotation', asked.id, {
    suppliers: others.map(({ id }) => ({ supplier: id })),
  })
  yield* submit('stock', 'Request for Quotation', asked.id)
  const offers = []
  for (const [index, seller] of others.entries()) {
    yield* until(addDays(world.today(), 3))
    const offer = yield* draftOf(
      'stock',
      'Request for Quotation',
      asked.id,
      'make_supplier_quotation',
      {
        supplier: seller.id,
      },
    )
    yield* update('stock', 'Supplier Quotation', offer.id, {
      items: (offer.items as readonly Shown[]).map(({ row_id, item_code }, row) => ({
        row_id,
        item_code,
        rate: priceIn(world, seller.currency, goods[row]!.cost * (1 + index / 20)),
        lead_time_days: 8 + index * 6,
      })),
    })
    offers.push(yield* submit('stock', 'Supplier Quotation', offer.id))
  }
  yield* until(addDays(world.today(), 3))
  const order = yield* draftOf('stock', 'Supplier Quotation', offers[0]!.id, 'make_purchase_order')
  yield* submit('stock', 'Purchase Order', order.id)
}

/** Plans more than there are parts for, and asks for what is missing. */
function* nextSeason(world: World): Flow {
  yield* until(addDays(world.last, -12))
  const bicycle = world.company.bicycles.at(-1)!
  const plan = yield* make('stock', 'Production Plan', {
    company: world.name,
    for_warehouse: STORES,
    po_items: [
      {
        item_code: bicycle.code,
        bom_no: world.boms.get(bicycle.code),
        planned_qty: PLANNED,
        warehouse: FINISHED,
      },
    ],
    remarks: 'Cargo bicycles for the spring',
  })
  yield* act('stock', 'Production Plan', plan.id, 'make_material_requests')
}

/** A work order that waits, and one that a mechanic is at. */
function* onTheBench(world: World): Flow {
  yield* until(addDays(world.last, -2))
  const [city, trekking] = world.company.bicycles
  for (const [bicycle, qty] of [
    [city!, 8],
    [trekking!, 6],
  ] as const) {
    const order = yield* make('stock', 'Work Order', {
      bom_no: world.boms.get(bicycle.code),
      qty,
      company: world.name,
      planned_start_date: `${world.today()}T07:00:00.000Z`,
      planned_end_date: `${addDays(world.today(), 9)}T16:00:00.000Z`,
      source_warehouse: STORES,
      wip_warehouse: IN_WORK,
      fg_warehouse: FINISHED,
    })
    if (bicycle !== trekking) continue
    const card = yield* create('stock', 'Job Card', {
      work_order: order.id,
      operation: 'Assembly',
      employee: world.workers[6]!.id,
    })
    yield* act('stock', 'Job Card', card.id, 'start')
    yield* testRide(world, card, bicycle.code)
  }
}

import { addDays } from '../../engine/expression/run/calendar.ts'
import { begin, type Flow, make, until } from '../play/flow.ts'
import { FINISHED } from '../world/places.ts'
import { money, type World } from '../world/world.ts'
import { taxOf } from './basket.ts'
import { fulfil } from './fulfilling.ts'

/** Orders of deals are counted from here on, clear of those in twists.ts. */
const AGREED_ORDER = 4000

/** Percent that a deal is below the usual price. */
const DISCOUNT = 32

/** Before the season a shop agrees on many bicycles, and a supplier on many tyres: both are ordered bit by bit. */
export function* seasonDeals(world: World): Flow {
  yield* begin(sold(world))
  yield* begin(bought(world))
}

function* sold(world: World): Flow {
  yield* until(addDays(world.last, -50))
  const buyer = world.buyers.find(({ kindName }) => kindName === 'shop')!
  const [, trekking] = world.company.bicycles
  const rate = money((trekking!.price * (100 - DISCOUNT)) / 100)
  const deal = yield* make('sales', 'Blanket Order', {
    blanket_order_type: 'Selling',
    customer: buyer.id,
    company: world.name,
    from_date: world.today(),
    to_date: addDays(world.today(), 180),
    items: [{ item_code: trekking!.code, qty: 40, rate }],
  })
  yield* until(addDays(world.today(), 14))
  const order = yield* make('sales', 'Sales Order', {
    customer: buyer.id,
    company: world.name,
    delivery_date: addDays(world.today(), 21),
    taxes_and_charges: taxOf(buyer.country),
    items: [
      { item_code: trekking!.code, qty: 6, rate, warehouse: FINISHED, blanket_order: deal.id },
    ],
  })
  yield* fulfil(world, buyer, order, AGREED_ORDER)
}

function* bought(world: World): Flow {
  yield* until(addDays(world.last, -48))
  const tyre = world.company.parts.find(({ code }) => code === 'TY-28')!
  yield* make('stock', 'Blanket Order', {
    blanket_order_type: 'Purchasing',
    supplier: world.sellers.get(tyre.supplier)!.id,
    company: world.name,
    from_date: world.today(),
    to_date: addDays(world.today(), 150),
    items: [{ item_code: tyre.code, qty: tyre.lot * 4, rate: money(tyre.cost * 0.94) }],
  })
}

import { addDays, addMonths, monthEnd } from '../../engine/expression/run/calendar.ts'
import { act, begin, type Flow, make, until } from '../play/flow.ts'
import type { DemoAsset } from '../world/company.ts'
import { MACHINE } from '../world/places.ts'
import type { World } from '../world/world.ts'
import { payBill } from './paying.ts'

/** Supplier of machines to the company (`suppliers` of the data). */
const SUPPLIER = 'machines'

/** Months between two bookings of depreciation. */
export const BOOKING_MONTHS = 3

/** Number of parts an old asset is depreciated in, how many lie before the story, and when the next one is due. */
export function depreciationOf(
  { age = 0, months }: DemoAsset,
  first: string,
): { readonly bookings: number; readonly before: number; readonly next: string } {
  const bookings = months / BOOKING_MONTHS
  const before = Math.min(Math.floor(age / (30.4 * BOOKING_MONTHS)), bookings)
  return { bookings, before, next: monthEnd(addMonths(first, BOOKING_MONTHS - 1)) }
}

/** Old assets are depreciated, machines are bought in the story, and old ones are scrapped. */
export function* assets(world: World): Flow {
  yield* begin(depreciation(world))
  for (const asset of world.company.assets) {
    if (asset.bought !== undefined) yield* begin(buy(world, asset, asset.bought))
    const id = world.assets.get(asset.name)
    if (asset.scrapped !== undefined && id !== undefined) {
      yield* begin(scrap(world, id, asset.scrapped))
    }
  }
}

function* depreciation(world: World): Flow {
  for (const asset of world.company.assets) {
    const id = world.assets.get(asset.name)
    if (id !== undefined) yield* begin(depreciate(world, asset, id))
  }
}

function* depreciate(world: World, asset: DemoAsset, id: string): Flow {
  const { first, last } = world
  const { bookings, before, next } = depreciationOf(asset, first)
  const end = asset.scrapped === undefined ? last : addDays(first, asset.scrapped)
  for (let booking = before; booking < bookings; booking += 1) {
    const day = monthEnd(addMonths(next, (booking - before) * BOOKING_MONTHS))
    if (day > end) return
    yield* until(day)
    yield* act('accounts', 'Asset', id, 'post_depreciation')
  }
}

function* buy(world: World, asset: DemoAsset, day: number): Flow {
  const seller = world.sellers.get(SUPPLIER)!
  yield* until(addDays(world.first, day))
  const bill = yield* make('accounts', 'Purchase Invoice', {
    supplier: seller.id,
    company: world.name,
    bill_no: `W-${world.today().slice(0, 4)}-0381`,
    bill_date: world.today(),
    taxes_and_charges: 'Input VAT 20 %',
    remarks: asset.name,
    items: [{ item_code: MACHINE, qty: 1, rate: asset.amount }],
  })
  world.vat.paid += bill.base_total_taxes_and_charges
  yield* begin(payBill(world, seller.name, bill, world.dice.fork('machines')))
  yield* until(addDays(world.today(), 1))
  yield* make('accounts', 'Asset', {
    asset_name: asset.name,
    asset_category: asset.category,
    location: asset.location,
    company: world.name,
    purchase_date: bill.posting_date,
    available_for_use_date: world.today(),
    gross_purchase_amount: asset.amount,
    currency: world.company.company.default_currency,
    purchase_invoice: bill.id,
  })
}

function* scrap(world: World, id: string, day: number): Flow {
  yield* until(addDays(world.first, day))
  yield* act('accounts', 'Asset', id, 'scrap', { reason: 'Beyond repair' })
}

import { addDays } from '../../engine/expression/calendar.ts'
import type { DemoAsset } from './company.ts'
import { act, begin, type Flow, make, until } from './flow.ts'
import { payBill } from './paying.ts'
import { MACHINE } from './places.ts'
import type { World } from './world.ts'

/** Who sells machines to the company (`suppliers` of the data). */
const SUPPLIER = 'machines'

/** Machines that are bought in the story, and old ones that are scrapped. */
export function* assets(world: World): Flow {
  for (const asset of world.company.assets) {
    if (asset.bought !== undefined) yield* begin(buy(world, asset, asset.bought))
    const id = world.assets.get(asset.name)
    if (asset.scrapped !== undefined && id !== undefined) {
      yield* begin(scrap(world, id, asset.scrapped))
    }
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

import type { Dice } from '../../engine/base/dice.ts'
import type { Bicycle } from '../world/company.ts'
import { FINISHED, SHOWROOM, STORES } from '../world/places.ts'
import { type Buyer, priceIn, type World } from '../world/world.ts'

/** Sales within the country are taxed; deliveries abroad are free of tax. */
export function taxOf(country: string): string {
  return country === 'Austria' ? 'VAT 20 %' : 'Tax Free'
}

/** A row of an order or offer that is not written yet. */
export interface BasketRow {
  readonly item_code: string
  readonly qty: number
  readonly discount_percentage: number
  /** Price in the buyer's currency, discount taken off. */
  readonly rate: number
  /** Null for a service. */
  readonly warehouse: string | null
}

/** Rows as this kind of customer buys. */
export function basketOf(world: World, buyer: Buyer, dice: Dice): readonly BasketRow[] {
  const { bicycles, accessories, services } = world.company
  const { kind, currency } = buyer
  const isPrivate = kind.type === 'Individual'
  const rows = new Map<string, BasketRow>()

  function add(
    { code, price }: { readonly code: string; readonly price: number },
    qty: number,
    warehouse: string | null,
  ): void {
    const discount = warehouse === null ? 0 : kind.discount
    rows.set(code, {
      item_code: code,
      qty,
      discount_percentage: discount,
      rate: priceIn(world, currency, (price * (100 - discount)) / 100),
      warehouse,
    })
  }

  const models = dice.between(1, kind.models)
  for (let model = 0; model < models; model += 1) {
    const bicycle = dice.weighted<Bicycle>(bicycles, ({ share }) => share)
    add(bicycle, dice.between(kind.from, kind.to), isPrivate ? SHOWROOM : FINISHED)
  }
  if (dice.chance(kind.accessories)) add(dice.one(accessories), dice.between(1, kind.to), STORES)
  if (isPrivate && dice.chance(0.4)) add(dice.one(services), 1, null)
  return [...rows.values()]
}

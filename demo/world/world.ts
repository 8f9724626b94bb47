import type { Dice } from '../../engine/base/dice.ts'
import type { Bicycle, BuyerKind, DemoCompany, DemoEmployee, DemoSupplier } from './company.ts'
import { type StockRoom, stockRoom } from './stock-room.ts'

/** A customer as the flows know them. */
export interface Buyer {
  readonly id: string
  readonly name: string
  readonly country: string
  /** ISO 4217; undefined for the company's own. */
  readonly currency: string | undefined
  readonly kind: BuyerKind
  readonly kindName: string
  readonly buys: number
  readonly late: number
  readonly contact: string | null
  readonly address: string | null
}

export interface Seller extends DemoSupplier {
  readonly id: string
}

export interface Worker extends DemoEmployee {
  readonly id: string
  /** Working days are those from `from` to `to`, both included. */
  readonly from: string
  readonly to: string
}

/** World that all flows share: the company, and what they know of it while the story goes on. */
export interface World {
  readonly company: DemoCompany
  /** Its name, the link of all documents. */
  readonly name: string
  readonly dice: Dice
  readonly first: string
  readonly last: string
  /** Fiscal years that the story lies in, by name. */
  readonly years: readonly string[]
  today(): string
  /** Stock as the flows believe it to be; they take from it before they write. */
  readonly stock: StockRoom
  /** Grows as leads become customers. */
  readonly buyers: Buyer[]
  readonly sellers: Map<string, Seller>
  readonly workers: Worker[]
  /** Bill of materials of each bicycle, by item code. */
  readonly boms: Map<string, string>
  /** Assets of the first day, by what they are called. */
  readonly assets: Map<string, string>
  /** Bicycles that orders wait for, by item code. */
  readonly backlog: Map<string, number>
  /** Pieces that suppliers still owe, by item code. */
  readonly onOrder: Map<string, number>
  /** Bicycles that are being made, by item code. */
  readonly inWork: Map<string, number>
  /** Worth of one unit of a currency in the company's own, by its code. */
  readonly rates: Map<string, number>
  /** Value added tax of the running quarter, in the company's currency. */
  readonly vat: { collected: number; paid: number }
}

export function newWorld(
  company: DemoCompany,
  story: {
    readonly dice: Dice
    readonly first: string
    readonly last: string
    readonly years: readonly string[]
    readonly today: () => string
  },
): World {
  return {
    company,
    name: company.company.company_name,
    ...story,
    stock: stockRoom(),
    buyers: [],
    sellers: new Map(),
    workers: [],
    boms: new Map(),
    assets: new Map(),
    backlog: new Map(),
    onOrder: new Map(),
    inWork: new Map(),
    rates: new Map(Object.entries(company.exchange_rates)),
    vat: { collected: 0, paid: 0 },
  }
}

/** Adds to a count of the world. */
export function count(counts: Map<string, number>, key: string, more: number): void {
  counts.set(key, (counts.get(key) ?? 0) + more)
}

/** Money as a number that JSON carries: two decimals, without the noise of binary fractions. */
export function money(amount: number): number {
  return Math.round(amount * 100) / 100
}

/** A price in another currency, in whole cents as price lists have it. */
export function priceIn({ rates }: World, currency: string | undefined, price: number): number {
  return money(price / (currency === undefined ? 1 : rates.get(currency)!))
}

/** Cost of the parts of one bicycle, in the company's currency. */
export function costOf(company: DemoCompany, bicycle: Bicycle): number {
  return money(
    company.parts.reduce((sum, { code, cost }) => sum + cost * (bicycle.parts[code] ?? 0), 0),
  )
}

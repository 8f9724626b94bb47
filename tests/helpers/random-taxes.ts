import type { Random } from './random.ts'
import type { PlainDocument, PlainItem, PlainTax } from './tax-calculator.ts'

/** Item tax templates that random items have, and what their rates are. */
export const TEMPLATES: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  Reduced: { 'Output Tax': 7 },
  Exempt: { 'Output Tax': 0, 'Withheld Tax': 2.5 },
}
const ACCOUNTS = ['Output Tax', 'Freight Charged', 'Withheld Tax']

export interface RandomItem extends PlainItem {
  readonly rate: number
  readonly item_tax_template?: string
}

export interface RandomDocument extends PlainDocument {
  readonly items: readonly RandomItem[]
}

/** A document of one to five items and up to four taxes that make sense; a purchase has deductions and no discount. */
export function randomDocument(random: Random, isPurchase: boolean): RandomDocument {
  const any = Array.from({ length: 1 + random.below(5) }, () => randomItem(random))
  const taxes: PlainTax[] = []
  const count = random.below(5)
  while (taxes.length < count) taxes.push(randomTax(random, taxes, isPurchase))
  const items = any.map((item) => (isLeftUntaxed(item, taxes) ? withoutTemplate(item) : item))
  if (isPurchase || random.chance(0.4)) return { items, taxes }
  const apply_discount_on = random.one(['Net Total', 'Grand Total'])
  return random.chance(0.5)
    ? { items, taxes, apply_discount_on, percentage: random.one([5, 12.5, 33.33, 100]) }
    : { items, taxes, apply_discount_on, discount: random.below(500) / 100 }
}

/** Whether its template takes the item off a tax and onto one that the document has no row of, which is refused. */
function isLeftUntaxed({ item_tax_template }: RandomItem, taxes: readonly PlainTax[]): boolean {
  const has = (account: string, most = 0): boolean =>
    taxes.some(({ account_head, rate = 0 }) => account_head === account && rate >= most)
  return item_tax_template === 'Exempt' && has('Output Tax', 0.01) && !has('Withheld Tax')
}

function withoutTemplate({ qty, rate, amount }: RandomItem): RandomItem {
  return { qty, rate, amount }
}

function randomItem(random: Random): RandomItem {
  const qty = 1 + random.below(9)
  const cents = 100 + random.below(random.one([1000, 100_000]))
  const template = random.one([undefined, undefined, 'Reduced', 'Exempt'])
  return {
    qty,
    rate: cents / 100,
    amount: (qty * cents) / 100,
    ...(template === undefined ? {} : { item_tax_template: template, rates: TEMPLATES[template]! }),
  }
}

function randomTax(random: Random, before: readonly PlainTax[], isPurchase: boolean): PlainTax {
  const kinds = ['On Net Total', 'On Net Total', 'On Item Quantity', 'Actual']
  const onRows = ['On Previous Row Amount', 'On Previous Row Total']
  const charge_type = random.one(before.length > 0 ? [...kinds, ...onRows] : kinds)
  const isOnRow = onRows.includes(charge_type)
  const isCharge = charge_type === 'Actual' || charge_type === 'On Item Quantity'
  const reference_row = isOnRow ? 1 + random.below(before.length) : 0
  const category = isPurchase
    ? random.one(['Total', 'Total', 'Valuation and Total', 'Valuation'])
    : undefined
  const from = charge_type === 'On Previous Row Amount' ? reference_row - 1 : 0
  const mayBeIncluded =
    charge_type !== 'Actual' &&
    category !== 'Valuation' &&
    before.slice(from, reference_row).every((tax) => tax.included_in_print_rate)
  return {
    charge_type,
    account_head: random.one(ACCOUNTS),
    ...(isCharge ? { charge_amount: random.below(90) / 100 } : { rate: random.below(2500) / 100 }),
    ...(isOnRow ? { reference_row } : {}),
    included_in_print_rate: mayBeIncluded && random.chance(0.5),
    ...(category === undefined
      ? {}
      : { category, add_deduct_tax: random.chance(0.2) ? 'Deduct' : 'Add' }),
  }
}

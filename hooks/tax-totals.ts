import { minorUnit } from '../engine/base/currency.ts'
import { divideRounded, pow10 } from '../engine/base/money.ts'
import type { ValuesOf } from '../engine/definition/model/hook.ts'
import { dividedBy, type Fraction, fraction, minus, ONE, plus, sumOf, times } from './fraction.ts'
import { refuseMistakes, signInTotal, signOf, TAX, type Tax } from './tax-rules.ts'
import { netOf, type Rates, type Share, sharesOf } from './tax-shares.ts'

/** Inputs of the hooks of taxes, but for the document's discount. */
export const UNDISCOUNTED = {
  items: { rows: { amount: 'money', qty: 'decimal', item_tax_template: 'str?' } },
  taxes: { rows: TAX },
  currency: 'str?',
} as const

export const DOCUMENT = {
  ...UNDISCOUNTED,
  /** Grand Total, or the net total. */
  apply_discount_on: 'str?',
  discount: 'money?',
} as const

export type TaxedDocument = ValuesOf<typeof DOCUMENT>
type Plain = Omit<TaxedDocument, 'discount'>

/** Amounts of a document in 1/10⁴ of its currency, rounded to its smallest unit. */
export interface Totals {
  /** Net amount of each item, less the taxes in its price and its share of the discount. */
  readonly net: readonly bigint[]
  /** Amount of each tax; below 0 for what is deducted. */
  readonly taxes: readonly bigint[]
}

/** A document before its discount. */
interface Undiscounted {
  readonly groups: ReadonlyMap<string, Group>
  readonly exact: Exact
  readonly cent: bigint
  readonly taxes: readonly bigint[]
  readonly net: bigint
  readonly grand: bigint
}

/** Items that are taxed alike. */
interface Group {
  readonly shares: readonly Share[]
  amount: bigint
  qty: bigint
}

/** Amounts before any rounding: a part that a discount takes its share of, and one that it leaves. */
interface Exact {
  readonly net: Fraction
  readonly ofNet: readonly Fraction[]
  readonly fixed: readonly Fraction[]
}

/**
 * Net amounts and taxes of a document, calculated exactly and rounded once at the end, so that no cent is lost:
 * net amounts and included taxes are the sum of the amounts, and a discount on the grand total is what the grand
 * total shrinks by. `ratesOf` gives the rates of an item tax template. Throws VALIDATION_ERROR for tax rows that
 * make no sense.
 */
export function totalsOf(document: TaxedDocument, ratesOf: (template: string) => Rates): Totals {
  const { items, taxes, discount = 0n, apply_discount_on } = document
  const { groups, exact, cent, net, grand, ...full } = undiscounted(document, ratesOf)
  const isOffGrand = apply_discount_on === 'Grand Total' && discount !== 0n
  const left = isOffGrand ? leftOfGrand(exact, taxes, discount) : leftOf(fraction(net), discount)
  const discounted = discount === 0n ? full.taxes : taxesOf(exact, left, taxes, cent)
  const total = isOffGrand ? grand - discount - inTotal(discounted, taxes) : net - discount
  const nets = items.map(({ amount, qty, item_tax_template = '' }) =>
    times(left, netOf(amount, qty, taxes, groups.get(item_tax_template)!.shares)),
  )
  return { net: addingUpTo(total, nets, cent), taxes: discounted }
}

/** A discount of so many percent (in 1/10⁶) of the net or the grand total. Throws as `totalsOf`. */
export function discountOf(
  document: Plain,
  percentage: bigint,
  ratesOf: (template: string) => Rates,
): bigint {
  const { net, grand, cent } = undiscounted(document, ratesOf)
  const base = document.apply_discount_on === 'Grand Total' ? grand : net
  return rounded(fraction(base * percentage, pow10(8)), cent)
}

function undiscounted(document: Plain, ratesOf: (template: string) => Rates): Undiscounted {
  const { items, taxes: rows, currency = '' } = document
  refuseMistakes(rows)
  const groups = groupsOf(document, ratesOf)
  const exact = exactOf(rows, [...groups.values()])
  const cent = pow10(4 - minorUnit(currency))
  const taxes = taxesOf(exact, ONE, rows, cent)
  const included = taxes.filter((_, row) => rows[row]!.included_in_print_rate)
  const net = sum(items.map(({ amount }) => amount)) - sum(included)
  return { groups, exact, cent, taxes, net, grand: net + inTotal(taxes, rows) }
}

function groupsOf(
  { items, taxes }: Plain,
  ratesOf: (template: string) => Rates,
): ReadonlyMap<string, Group> {
  const groups = new Map<string, Group>()
  for (const { amount, qty, item_tax_template = '' } of items) {
    const known = groups.get(item_tax_template)
    const group = known ?? {
      shares: sharesOf(taxes, ratesOf(item_tax_template)),
      amount: 0n,
      qty: 0n,
    }
    if (!known) groups.set(item_tax_template, group)
    group.amount += amount
    group.qty += qty
  }
  return groups
}

function exactOf(taxes: readonly Tax[], groups: readonly Group[]): Exact {
  const nets = groups.map(({ amount, qty, shares }) => netOf(amount, qty, taxes, shares))
  const net = sumOf(nets)
  // What is worth nothing bears the fixed amounts as its first items do.
  const weight = (index: number): Fraction =>
    net.over === 0n ? fraction(index === 0 ? 1n : 0n) : dividedBy(nets[index]!, net)
  return {
    net,
    ofNet: taxes.map((_, row) =>
      sumOf(groups.map(({ shares }, index) => times(shares[row]!.ofNet, nets[index]!))),
    ),
    fixed: taxes.map((_, row) =>
      sumOf(
        groups.map(({ shares, qty }, index) =>
          plus(
            times(shares[row]!.perUnit, fraction(qty)),
            times(shares[row]!.fixed, weight(index)),
          ),
        ),
      ),
    ),
  }
}

function taxesOf(
  { ofNet, fixed }: Exact,
  left: Fraction,
  taxes: readonly Tax[],
  cent: bigint,
): readonly bigint[] {
  return taxes.map(
    (tax, row) => signOf(tax) * rounded(plus(times(ofNet[row]!, left), fixed[row]!), cent),
  )
}

function inTotal(amounts: readonly bigint[], taxes: readonly Tax[]): bigint {
  return sum(amounts.filter((_, row) => signInTotal(taxes[row]!) !== 0n))
}

/** Share of the whole that a discount leaves; where there is nothing to take it from, it stays whole. */
function leftOf(whole: Fraction, discount: bigint): Fraction {
  return whole.over === 0n ? ONE : minus(ONE, dividedBy(fraction(discount), whole))
}

/** Fixed charges have no part in a discount on the grand total. */
function leftOfGrand({ net, ofNet }: Exact, taxes: readonly Tax[], discount: bigint): Fraction {
  const parts = taxes.map((tax, row) => times(fraction(signInTotal(tax)), ofNet[row]!))
  return leftOf(plus(net, sumOf(parts)), discount)
}

/** The amounts rounded; the largest takes what the others miss of the total, so that what is free stays free. */
export function addingUpTo(total: bigint, exact: readonly Fraction[], cent: bigint): bigint[] {
  const amounts = exact.map((amount) => rounded(amount, cent))
  const sizes = amounts.map((amount) => (amount < 0n ? -amount : amount))
  const largest = sizes.reduce((found, size, at) => (size > sizes[found]! ? at : found), 0)
  if (amounts.length > 0) amounts[largest]! += total - sum(amounts)
  return amounts
}

function rounded({ over, under }: Fraction, cent: bigint): bigint {
  return divideRounded(over, under * cent) * cent
}

function sum(amounts: readonly bigint[]): bigint {
  return amounts.reduce((total, amount) => total + amount, 0n)
}

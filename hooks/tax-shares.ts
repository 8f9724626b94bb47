import { refuse } from '../engine/definition/model/hook.ts'
import { dividedBy, type Fraction, fraction, minus, ONE, plus, times, ZERO } from './fraction.ts'
import { isOnRow, ON_ROW_TOTAL, signInTotal, signOf, type Tax } from './tax-rules.ts'

/**
 * Share of an item in a tax: so much of its net amount, so much for each of its units, and so much of its share
 * in the net total, which fixed amounts are spread by. Without the sign of what is deducted.
 */
export interface Share {
  readonly ofNet: Fraction
  readonly perUnit: Fraction
  readonly fixed: Fraction
}

const NOTHING: Share = { ofNet: ZERO, perUnit: ZERO, fixed: ZERO }
const ALL: Share = { ...NOTHING, ofNet: ONE }

/** Rates by account, in 1/10⁶ percent: what an item tax template says. */
export type Rates = ReadonlyMap<string, bigint>

/** The share of each tax for items with these rates of their own. The rows have to be without mistakes. */
export function sharesOf(taxes: readonly Tax[], rates: Rates): readonly Share[] {
  const shares: Share[] = []
  for (const tax of taxes) {
    const { charge_type, charge, account_head } = tax
    const rate = fraction(rates.get(account_head) ?? tax.rate, 10n ** 8n)
    if (charge_type === 'Actual') shares.push({ ...NOTHING, fixed: fraction(charge) })
    else if (charge_type === 'On Item Quantity')
      // 1/10⁴ of the currency for a unit, of which a quantity has 10⁶
      shares.push({ ...NOTHING, perUnit: fraction(charge, 10n ** 6n) })
    else shares.push(scaled(baseOf(tax, taxes, shares), rate))
  }
  return shares
}

function baseOf(tax: Tax, taxes: readonly Tax[], shares: readonly Share[]): Share {
  if (!isOnRow(tax)) return ALL
  const { reference_row = 0, charge_type } = tax
  if (charge_type !== ON_ROW_TOTAL) return shares[reference_row - 1]!
  return taxes.slice(0, reference_row).reduce((total, earlier, index) => {
    return added(total, scaled(shares[index]!, fraction(signInTotal(earlier))))
  }, ALL)
}

/**
 * The net amount of an item, in the unit of its amount, once the taxes in its prices are taken out. Throws
 * VALIDATION_ERROR where they leave nothing.
 */
export function netOf(
  amount: bigint,
  qty: bigint,
  taxes: readonly Tax[],
  shares: readonly Share[],
): Fraction {
  const included = taxes.reduce(
    (total, tax, index) =>
      tax.included_in_print_rate
        ? added(total, scaled(shares[index]!, fraction(signOf(tax))))
        : total,
    NOTHING,
  )
  const whole = plus(ONE, included.ofNet)
  if (whole.over <= 0n) refuse('the taxes included in the prices deduct all of them')
  const rest = minus(fraction(amount), times(included.perUnit, fraction(qty)))
  return dividedBy(rest, whole)
}

function added(a: Share, b: Share): Share {
  return {
    ofNet: plus(a.ofNet, b.ofNet),
    perUnit: plus(a.perUnit, b.perUnit),
    fixed: plus(a.fixed, b.fixed),
  }
}

function scaled({ ofNet, perUnit, fixed }: Share, by: Fraction): Share {
  return { ofNet: times(ofNet, by), perUnit: times(perUnit, by), fixed: times(fixed, by) }
}

import { ON_ROW_AMOUNT, ON_ROW_TOTAL, signInTotal, type Tax } from './tax-rules.ts'
import type { Rates } from './tax-shares.ts'
import type { TaxedDocument, Totals } from './tax-totals.ts'

/** What a tax is taken of, in 1/10⁴ of the currency, and its rate in 1/10⁶ percent: 0 where items have several. */
export interface TaxBase {
  readonly taxable_amount: bigint
  readonly tax_rate: bigint
}

/**
 * The base of each tax of a document: of a percentage of the net total the net amounts of the items that it taxes. An item
 * that no row taxes is of those that say 0 % of themselves, unless its template names their account.
 */
export function basesOf(
  { items, taxes }: TaxedDocument,
  { net, taxes: amounts }: Totals,
  ratesOf: (template: string) => Rates,
): readonly TaxBase[] {
  const sums = taxes.map(() => 0n)
  const rates = taxes.map(() => new Set<bigint>())
  for (const [index, { item_tax_template = '' }] of items.entries()) {
    const own = ratesOf(item_tax_template)
    const taxed = taxes.map((tax) => own.get(tax.account_head) ?? tax.rate)
    const isFree = taxed.every((rate, row) => rate === 0n || !isOfNet(taxes[row]!))
    for (const [row, tax] of taxes.entries()) {
      const isFreeHere = isFree && tax.rate === 0n && !own.has(tax.account_head)
      if (!isOfNet(tax) || (taxed[row] === 0n && !isFreeHere)) continue
      sums[row]! += net[index]!
      rates[row]!.add(taxed[row]!)
    }
  }
  const total = net.reduce((sum, amount) => sum + amount, 0n)
  return taxes.map((tax, row) => {
    if (!isOfNet(tax))
      return { taxable_amount: onRows(tax, taxes, amounts, total), tax_rate: tax.rate }
    const [rate = tax.rate, ...others] = rates[row]!
    return { taxable_amount: sums[row]!, tax_rate: others.length === 0 ? rate : 0n }
  })
}

function isOfNet({ charge_type }: Tax): boolean {
  return charge_type === 'On Net Total'
}

/** What a tax on an earlier row is taken of; nothing for fixed amounts. */
function onRows(
  { charge_type, reference_row = 0 }: Tax,
  taxes: readonly Tax[],
  amounts: readonly bigint[],
  total: bigint,
): bigint {
  if (charge_type === ON_ROW_AMOUNT) return amounts[reference_row - 1] ?? 0n
  if (charge_type !== ON_ROW_TOTAL) return 0n
  return amounts
    .slice(0, reference_row)
    .reduce((sum, amount, row) => (signInTotal(taxes[row]!) === 0n ? sum : sum + amount), total)
}

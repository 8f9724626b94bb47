/** A row of taxes and charges in plain numbers: percent, and units of the currency. */
export interface PlainTax {
  readonly charge_type: string
  readonly account_head: string
  readonly reference_row?: number
  readonly included_in_print_rate?: boolean
  readonly add_deduct_tax?: string
  readonly category?: string
  readonly rate?: number
  readonly charge_amount?: number
}

export interface PlainItem {
  readonly qty: number
  /** In units of the currency, whole cents. */
  readonly amount: number
  /** Rates in percent by account, instead of those of the tax rows. */
  readonly rates?: Readonly<Record<string, number>>
}

export interface PlainDocument {
  readonly items: readonly PlainItem[]
  readonly taxes: readonly PlainTax[]
  readonly apply_discount_on?: string
  readonly percentage?: number
  readonly discount?: number
}

/** All in cents. */
export interface PlainTotals {
  readonly net: number
  readonly taxes: readonly number[]
  readonly discount: number
  readonly grand: number
}

/** Numerator and denominator, never shortened: slow, and hard to get wrong. */
type Ratio = readonly [bigint, bigint]

const NONE: Ratio = [0n, 1n]
const WHOLE: Ratio = [1n, 1n]
const add = (a: Ratio, b: Ratio): Ratio => short(a[0] * b[1] + b[0] * a[1], a[1] * b[1])
const mul = (a: Ratio, b: Ratio): Ratio => short(a[0] * b[0], a[1] * b[1])
const div = (a: Ratio, b: Ratio): Ratio => short(a[0] * b[1], a[1] * b[0])
const neg = ([over, under]: Ratio): Ratio => [-over, under]
const all = (ratios: readonly Ratio[]): Ratio => ratios.reduce(add, NONE)

function short(over: bigint, under: bigint): Ratio {
  const gcd = (a: bigint, b: bigint): bigint => (b === 0n ? a : gcd(b, a % b))
  const by = gcd(over < 0n ? -over : over, under < 0n ? -under : under) || 1n
  return under < 0n ? [-over / by, -under / by] : [over / by, under / by]
}

/** A number of at most six decimals as a ratio. */
function ratio(value: number): Ratio {
  return short(BigInt(Math.round(value * 1e6)), 1_000_000n)
}

/** Half away from zero. */
function round([over, under]: Ratio): number {
  const away = over < 0n ? -1n : 1n
  return Number((over * 2n + away * under) / (under * 2n))
}

/**
 * The totals of a document by the published rules of ERPNext (`erp-semantics.md` §4.1), item by item and tax by tax
 * as they say it, with exact numbers; each amount is rounded once, half away from zero.
 */
export function plainTotals(document: PlainDocument): PlainTotals {
  const { items, taxes, apply_discount_on, percentage = 0, discount: given = 0 } = document
  const nets = items.map((item) => withoutIncluded(item, taxes))
  const full = taxAmounts(items, nets, nets, taxes)
  const rounded = full.map(round)
  const included = rounded.reduce(
    (sum, tax, row) => sum + (taxes[row]!.included_in_print_rate ? tax : 0),
    0,
  )
  const net = items.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0) - included
  const grand = net + counted(rounded, taxes)
  const isOffGrand = apply_discount_on === 'Grand Total'
  const discount =
    percentage === 0
      ? Math.round(given * 100)
      : round(mul([BigInt(isOffGrand ? grand : net), 100n], ratio(percentage)))
  if (discount === 0) return { net, taxes: rounded, discount, grand }
  // What is a rate takes part in a discount on the grand total, what is an amount does not.
  const ofRates = taxAmounts(
    items,
    nets,
    nets,
    taxes.map((tax) => ({ ...tax, charge_amount: 0 })),
  )
  const base = isOffGrand
    ? add(all(nets), all(ofRates.filter((_, row) => taxes[row]!.category !== 'Valuation')))
    : ([BigInt(net), 1n] as const)
  const left = base[0] === 0n ? WHOLE : add(WHOLE, neg(div([BigInt(discount), 1n], base)))
  const after = taxAmounts(
    items,
    nets.map((own) => mul(own, left)),
    nets,
    taxes,
  ).map(round)
  const grandAfter = isOffGrand ? grand - discount : net - discount + counted(after, taxes)
  return { net: grandAfter - counted(after, taxes), taxes: after, discount, grand: grandAfter }
}

function counted(amounts: readonly number[], taxes: readonly PlainTax[]): number {
  return amounts.reduce(
    (sum, tax, row) => sum + (taxes[row]!.category === 'Valuation' ? 0 : tax),
    0,
  )
}

const isDeducted = ({ add_deduct_tax }: PlainTax): boolean => add_deduct_tax === 'Deduct'
const rateOf = ({ rates }: PlainItem, { account_head, rate = 0 }: PlainTax): Ratio =>
  mul(ratio(rates?.[account_head] ?? rate), [1n, 100n])

/** net = (amount − what is included for each unit) / (1 + what is included of each unit of money), in cents. */
function withoutIncluded(item: PlainItem, taxes: readonly PlainTax[]): Ratio {
  const rows: { of: Ratio; units: Ratio; grandOf: Ratio; grandUnits: Ratio }[] = []
  for (const tax of taxes) {
    const rate = rateOf(item, tax)
    const on = rows[(tax.reference_row ?? 0) - 1]
    let [of, units] = [NONE, NONE]
    if (tax.included_in_print_rate) {
      if (tax.charge_type === 'On Net Total') of = rate
      if (tax.charge_type === 'On Item Quantity') units = ratio(tax.charge_amount ?? 0)
      if (tax.charge_type === 'On Previous Row Amount')
        [of, units] = [mul(rate, on!.of), mul(rate, on!.units)]
      if (tax.charge_type === 'On Previous Row Total')
        [of, units] = [mul(rate, on!.grandOf), mul(rate, on!.grandUnits)]
    }
    const last = rows.at(-1) ?? { grandOf: WHOLE, grandUnits: NONE }
    rows.push({
      of,
      units,
      grandOf: add(last.grandOf, isDeducted(tax) ? neg(of) : of),
      grandUnits: add(last.grandUnits, isDeducted(tax) ? neg(units) : units),
    })
  }
  const { grandOf, grandUnits } = rows.at(-1) ?? { grandOf: WHOLE, grandUnits: NONE }
  const perUnits = mul(mul(grandUnits, ratio(item.qty)), [100n, 1n])
  return div(add([BigInt(Math.round(item.amount * 100)), 1n], neg(perUnits)), grandOf)
}

/** Each tax over all items, in cents, below 0 for what is deducted; fixed amounts are spread by `weights`. */
function taxAmounts(
  items: readonly PlainItem[],
  nets: readonly Ratio[],
  weights: readonly Ratio[],
  taxes: readonly PlainTax[],
): readonly Ratio[] {
  const sums = taxes.map(() => NONE)
  const whole = all(weights)
  for (const [index, item] of items.entries()) {
    const net = nets[index]!
    const weight = whole[0] === 0n ? (index === 0 ? WHOLE : NONE) : div(weights[index]!, whole)
    const current: Ratio[] = []
    const grand: Ratio[] = []
    for (const [row, tax] of taxes.entries()) {
      const rate = rateOf(item, tax)
      const on = (tax.reference_row ?? 0) - 1
      const cents = mul(ratio(tax.charge_amount ?? 0), [100n, 1n])
      const amount =
        tax.charge_type === 'Actual'
          ? mul(cents, weight)
          : tax.charge_type === 'On Item Quantity'
            ? mul(cents, ratio(item.qty))
            : tax.charge_type === 'On Previous Row Amount'
              ? mul(rate, current[on]!)
              : mul(rate, tax.charge_type === 'On Net Total' ? net : grand[on]!)
      current.push(amount)
      const signed = isDeducted(tax) ? neg(amount) : amount
      grand.push(add(grand[row - 1] ?? net, tax.category === 'Valuation' ? NONE : signed))
      sums[row] = add(sums[row]!, signed)
    }
  }
  return sums
}

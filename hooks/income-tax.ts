import { divideRounded } from '../engine/base/money.ts'
import { refuse, type ValuesOf } from '../engine/definition/model/hook.ts'

/** Fields that are read of an Income Tax Slab. */
export const TAX_SLAB = {
  standard_tax_exemption_amount: 'money?',
  slabs: { rows: { from_amount: 'money?', to_amount: 'money?', percent_deduction: 'decimal' } },
} as const

/** Taxable pay of a period, in 1/10⁴ of the currency. */
export interface TaxablePay {
  /** Pay that comes like this in every period of the year. */
  readonly regular: bigint
  /** Pay of this period alone. */
  readonly oneOff: bigint
}

/** The periods of the year that were paid before, what of their pay was taxable and what tax was taken off. */
export interface YearSoFar {
  readonly periods: bigint
  readonly taxable: bigint
  readonly tax: bigint
}

/** Periods of a year for each frequency of pay; twice a month is what ERPNext calls bimonthly. */
const PERIODS: Readonly<Record<string, bigint>> = {
  Monthly: 12n,
  Bimonthly: 24n,
  Fortnightly: 26n,
  Weekly: 52n,
  Daily: 365n,
}

/** 100 %, in 1/10⁶ of a percent. */
const WHOLE = 100_000_000n

/**
 * Income tax on the pay of one period, rounded to a `cent` (in 1/10⁴), at least 0: the tax on what the year brought so far
 * and as much again as this period in each that is left, less what was taken off, shared by those; and all of
 * what a one-off payment adds to the tax of the year.
 */
export function taxOfPeriod(
  slab: ValuesOf<typeof TAX_SLAB>,
  { regular, oneOff }: TaxablePay,
  frequency: string,
  before: YearSoFar,
  cent: bigint,
): bigint {
  const periods = PERIODS[frequency]
  if (periods === undefined)
    return refuse(
      `expected a pay frequency of ${Object.keys(PERIODS).join(', ')}, got ${JSON.stringify(frequency)}`,
    )
  const left = periods > before.periods ? periods - before.periods : 1n
  const year = before.taxable + regular * left
  const ofYear = taxOfYear(slab, year)
  const added = taxOfYear(slab, year + oneOff) - ofYear
  const due = ofYear - before.tax * WHOLE + added * left
  return due <= 0n ? 0n : divideRounded(due, left * WHOLE * cent) * cent
}

/** Tax on the taxable pay of a year, in 1/10⁴ of the currency times `WHOLE`: nothing is rounded yet. */
function taxOfYear(slab: ValuesOf<typeof TAX_SLAB>, pay: bigint): bigint {
  const taxable = pay - (slab.standard_tax_exemption_amount ?? 0n)
  let tax = 0n
  for (const { from_amount: from = 0n, to_amount: to = 0n, percent_deduction } of slab.slabs) {
    const end = to === 0n || taxable < to ? taxable : to
    if (end > from) tax += (end - from) * percent_deduction
  }
  return tax
}

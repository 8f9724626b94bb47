import type { Formats } from '../data/format.ts'
import { valueText } from '../report/report-values.ts'
import type { BankLine } from './bank-types.ts'

/** Amount of a line with its sign, in the currency of its account. */
export function amountOf(line: BankLine, formats: Formats): string {
  const { amount, unallocated_amount, currency } = line
  const open = amount < 0 ? -unallocated_amount : unallocated_amount
  const text = valueText(
    { name: 'n', type: 'currency', currency: 'currency' },
    { n: open, currency },
    formats,
  )
  return open > 0 ? `+${text}` : text
}

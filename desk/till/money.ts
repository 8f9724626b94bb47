import type { Formats } from '../data/format.ts'
import { formatValue } from '../data/format.ts'
import type { FieldInfo } from '../data/types.ts'

const AMOUNT = { name: 'amount', type: 'currency' } as FieldInfo

/** An amount in the currency of the company. */
export function money(amount: number, formats: Formats): string {
  return formatValue(AMOUNT, { amount }, formats)
}

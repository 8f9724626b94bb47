import { refuse, type ValuesOf } from '../engine/definition/model/hook.ts'

/** Fields that the hooks of taxes read of a row of taxes and charges. */
export const TAX = {
  charge_type: 'str',
  /** Place of the earlier row that it is taken on, from 1. */
  reference_row: 'int?',
  included_in_print_rate: 'bool?',
  add_deduct_tax: 'str?',
  category: 'str?',
  account_head: 'str',
  /** Rate in percent. */
  rate: 'decimal',
  /** Amount of an Actual row; of On Item Quantity the amount for each unit. */
  charge: 'money',
} as const

export type Tax = ValuesOf<typeof TAX>

export const ON_ROW_AMOUNT = 'On Previous Row Amount'
export const ON_ROW_TOTAL = 'On Previous Row Total'

/** Whether the row is taken on an earlier one. */
export function isOnRow({ charge_type }: Tax): boolean {
  return charge_type === ON_ROW_AMOUNT || charge_type === ON_ROW_TOTAL
}

/** 1 for what raises the total, -1 for what is deducted from it, 0 for what only raises the value of the goods. */
export function signInTotal(tax: Tax): bigint {
  return tax.category === 'Valuation' ? 0n : signOf(tax)
}

/** -1 for what is deducted. */
export function signOf({ add_deduct_tax }: Tax): bigint {
  return add_deduct_tax === 'Deduct' ? -1n : 1n
}

/**
 * Problem of the rows, undefined when there is none. A row is taken on an earlier one; what is included in the
 * prices can be worked back from them only if all that it is taken on is included too, and is a rate.
 */
export function mistakeIn(taxes: readonly Tax[]): string | undefined {
  for (const [index, tax] of taxes.entries()) {
    const row = index + 1
    const { reference_row = 0, charge_type } = tax
    if (isOnRow(tax) && (reference_row < 1 || reference_row >= row))
      return `row ${row} is taken on an earlier row: expected reference_row from 1 to ${index}, got ${reference_row}`
    if (!tax.included_in_print_rate) continue
    if (charge_type === 'Actual')
      return `row ${row}: a fixed amount cannot be included in the prices`
    if (tax.category === 'Valuation')
      return `row ${row}: what only raises the value of the goods cannot be included in the prices`
    const from = charge_type === ON_ROW_TOTAL ? 0 : reference_row - 1
    const on = isOnRow(tax) ? taxes.slice(from, reference_row) : []
    if (on.some((earlier) => !earlier.included_in_print_rate))
      return `row ${row} is included in the prices, so all that it is taken on has to be`
  }
  return undefined
}

/** Refuses rows that `mistakeIn` finds fault with. */
export function refuseMistakes(taxes: readonly Tax[]): void {
  const mistake = mistakeIn(taxes)
  if (mistake !== undefined) refuse(mistake)
}

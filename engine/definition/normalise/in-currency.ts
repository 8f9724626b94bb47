import type { Field } from '../../fields/field.ts'
import { fieldTypes } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'

/** The field that holds the currency of amounts that name no other. */
const CURRENCY = 'currency'

/**
 * Fields whose amounts have the currency of the public field `currency` beside them, or of the record whose rows they are in,
 * where they do not say another: `rate: {type: currency}` is `rate: {type: currency, currency: currency}` in an order.
 */
export function inCurrency(fields: readonly Field[], outer = false): Field[] {
  const known = outer || fields.some((field) => field.name === CURRENCY && isPublic(field))
  return fields.map((field) => {
    const { child } = field
    if (child) return { ...field, child: { ...child, fields: inCurrency(child.fields, known) } }
    const isAmount = fieldTypes.get(field.type)?.kind === 'money'
    return known && isAmount && field.currencyField === undefined
      ? { ...field, currencyField: CURRENCY }
      : field
  })
}

import type { Field } from '../../fields/field.ts'
import { fieldTypes } from '../../fields/index.ts'
import { isPublic } from '../../fields/public-fields.ts'

/** Fields that hold the currency of amounts that name no other; the first of them that there is. */
const CURRENCIES = ['currency', 'company_currency']

/**
 * Fields whose amounts have the currency of the public field `currency` beside them, or of the record whose rows they are in,
 * where they do not say another: `rate: {type: currency}` is `rate: {type: currency, currency: currency}` in an order.
 * A record without such a field has its amounts in its `company_currency`.
 */
export function inCurrency(fields: readonly Field[], outer?: string): Field[] {
  const names = new Set(fields.flatMap((field) => (isPublic(field) ? [field.name] : [])))
  const known = CURRENCIES.find((name) => names.has(name) || name === outer)
  return fields.map((field) => {
    const { child } = field
    if (child) return { ...field, child: { ...child, fields: inCurrency(child.fields, known) } }
    const isAmount = fieldTypes.get(field.type)?.kind === 'money'
    return known !== undefined && isAmount && field.currencyField === undefined
      ? { ...field, currencyField: known }
      : field
  })
}

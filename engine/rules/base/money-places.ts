import { minorUnit } from '../../base/currency.ts'
import type { ValueType } from '../../expression/tree/types.ts'
import type { Field } from '../../fields/field.ts'
import type { Doc, Row } from '../../storage/database/document.ts'

/** Decimal places an amount is rounded to; undefined for what is no money (rules.md §3). */
export function placesOf(
  field: Field,
  { kind }: ValueType,
  values: Doc | Row,
  doc: Doc,
): number | undefined {
  return kind === 'money' ? minorUnit(currencyOf(field, values, doc)) : undefined
}

/** The currency of an amount: the field it names, in the row or the document, else the document's `currency`. */
function currencyOf(field: Field, values: Doc | Row, doc: Doc): string | null {
  const name = field.currencyField ?? 'currency'
  const value = values[name] ?? doc[name] ?? null
  return typeof value === 'string' ? value : null
}

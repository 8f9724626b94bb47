import { choicesOf, isNumber } from '../data/format.ts'
import type { FieldInfo, Row } from '../data/types.ts'
import { parseNumber, typedNumber } from '../record/parse-number.ts'

/** Value of a cell as it stands in its editor. */
export function editedText(field: FieldInfo, row: Row, locale: string): string {
  const value = row[field.name]
  if (value === null || value === undefined) return ''
  if (isNumber(field)) return typedNumber(value, locale)
  return row._titles?.[field.name] ?? String(value)
}

/** Value of what was typed or pasted into a cell; what cannot be read goes as it is, for the server to judge. */
export function cellValue(field: FieldInfo, text: string, locale: string): unknown {
  if (text.trim() === '') return null
  if (isNumber(field)) return parseNumber(text, locale) ?? text
  if (field.type === 'check') return /^(1|x|yes|true|ja|oui|sí)$/i.test(text.trim())
  if (field.type === 'select') {
    const sought = text.trim().toLowerCase()
    return (
      choicesOf(field).find(({ value, label }) =>
        [value, label].some((one) => one.toLowerCase() === sought),
      )?.value ?? text
    )
  }
  return text.trim()
}

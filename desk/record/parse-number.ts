/** A number as a person types it in their own format: `1.234,5` in German is 1234.5; undefined for what is none. */
export function parseNumber(text: string, locale: string): number | null | undefined {
  const trimmed = text.trim().replace(/[\s  %]/g, '')
  if (trimmed === '') return null
  const decimal = new Intl.NumberFormat(locale)
    .formatToParts(1.5)
    .find(({ type }) => type === 'decimal')?.value
  const plain =
    decimal === ',' ? trimmed.replaceAll('.', '').replace(',', '.') : trimmed.replaceAll(',', '')
  return /^[+-]?(\d+\.?\d*|\.\d+)$/.test(plain) ? Number(plain) : undefined
}

/** A number as it is typed: no groups, the decimal sign of the person's format. */
export function typedNumber(value: unknown, locale: string): string {
  if (typeof value !== 'number') return value === null || value === undefined ? '' : String(value)
  return new Intl.NumberFormat(locale, { useGrouping: false, maximumFractionDigits: 9 }).format(
    value,
  )
}

/** Days that filters name from today on, as they are offered; `today+30` counts days, the others their own spans from their first day. */
export const RELATIVE_DAYS = [
  'today',
  'today-7',
  'today-30',
  'today+7',
  'today+30',
  'week',
  'month',
  'month-1',
  'quarter',
  'year',
] as const

const RELATIVE = /^(today|week|month|quarter|year)([-+ ]\d+)?$/

/**
 * What such a day is called, in the language of a person: `today-7` → `7 days ago`, `month-1` → `last month`, which `first` makes
 * the words for its first day of. Undefined for what is no such day.
 */
export function relativeWords(
  text: string,
  locale: string,
  first: (span: string) => string,
): string | undefined {
  const [, span, count = '0'] = RELATIVE.exec(text) ?? []
  if (span === undefined) return undefined
  const unit = span === 'today' ? 'day' : (span as 'week' | 'month' | 'quarter' | 'year')
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(Number(count), unit)
  return unit === 'day' ? words : first(words)
}

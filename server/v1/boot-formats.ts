/** Ways in which people of a place write dates, times and numbers. */
export interface LocalFormats {
  /** Such as `dd.mm.yyyy`. */
  readonly date: string
  /** `HH:mm`, or `hh:mm a` where the day has two halves. */
  readonly time: string
  /** Separators around digits: `#.###,##`. */
  readonly number: string
  /** First day of the week, 1 is Monday and 7 Sunday. */
  readonly first_day: number
}

const DATE_PARTS: Readonly<Record<string, string>> = { day: 'dd', month: 'mm', year: 'yyyy' }

/** Formats of a locale such as `de` or `en-US` (CLDR); of a language alone, those of its most likely place. */
export function localFormats(locale: string): LocalFormats {
  const day = new Intl.DateTimeFormat(locale, { day: '2-digit', month: '2-digit', year: 'numeric' })
  const date = day
    .formatToParts(0)
    .map(({ type, value }) => DATE_PARTS[type] ?? value)
    .join('')
  const { hour12 } = new Intl.DateTimeFormat(locale, { hour: 'numeric' }).resolvedOptions()
  const parts = new Intl.NumberFormat(locale, { minimumFractionDigits: 2 }).formatToParts(12345)
  const separator = (type: string): string => parts.find((part) => part.type === type)?.value ?? ''
  return {
    date,
    time: hour12 ? 'hh:mm a' : 'HH:mm',
    number: `#${separator('group')}###${separator('decimal')}##`,
    first_day: firstDay(locale),
  }
}

type WithWeek = Intl.Locale & { getWeekInfo?(): { readonly firstDay: number } }

function firstDay(locale: string): number {
  const place: WithWeek = new Intl.Locale(locale).maximize()
  return place.getWeekInfo?.().firstDay ?? 1
}

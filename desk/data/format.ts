import { WORDS } from '../words/en.ts'
import type { Choice, FieldInfo, Row } from './types.ts'

/** How values of this workspace are written for a person. */
export interface Formats {
  readonly locale: string
  /** Currency of amounts that name none. */
  readonly currency?: string | undefined
}

const NUMBERS: ReadonlySet<string> = new Set(['int', 'float', 'percent', 'currency', 'duration'])

/** Whether a field holds a number, which stands at the end of its column. */
export function isNumber({ type }: Pick<FieldInfo, 'type'>): boolean {
  return NUMBERS.has(type)
}

/** The choices of a select, whichever form they came in. */
export function choicesOf({ options }: FieldInfo): readonly Choice[] {
  if (!Array.isArray(options)) return []
  return (options as readonly (string | Choice)[]).map((one) =>
    typeof one === 'string' ? { value: one, label: one } : one,
  )
}

/** Text of a value for people; empty where there is none. Links show the title of what they lead to. */
export function formatValue(field: FieldInfo, row: Row, formats: Formats, parent?: Row): string {
  const value = row[field.name]
  if (value === null || value === undefined || value === '') return ''
  if (typeof value === 'boolean') return value ? WORDS.yes : ''
  if (Array.isArray(value)) return String(value.length)
  const title = row._titles?.[field.name]
  if (title !== undefined) return title
  if (typeof value === 'number')
    return formatNumber(field, value, currencyOf(field, row, parent), formats)
  if (typeof value === 'object') return JSON.stringify(value)
  if (field.type === 'date') return formatDate(String(value), formats)
  if (field.type === 'datetime') return formatMoment(String(value), formats)
  if (field.type === 'time') return String(value).slice(0, 5)
  if (field.type === 'select')
    return choicesOf(field).find((one) => one.value === value)?.label ?? String(value)
  return String(value)
}

function currencyOf({ currency_field }: FieldInfo, row: Row, parent?: Row): string | undefined {
  if (currency_field === undefined) return undefined
  const code = row[currency_field] ?? parent?.[currency_field]
  return typeof code === 'string' ? code : undefined
}

/** Whether a number is money: an amount, or a price, which has as many decimal places as it needs. */
export function isMoney({ type, currency_field }: FieldInfo): boolean {
  return type === 'currency' || (type === 'float' && currency_field !== undefined)
}

function formatNumber(
  field: FieldInfo,
  value: number,
  currency: string | undefined,
  formats: Formats,
): string {
  const { type } = field
  if (isMoney(field)) {
    const code = currency ?? formats.currency
    const style = code ? { style: 'currency' as const, currency: code } : {}
    const digits = { minimumFractionDigits: 2, maximumFractionDigits: type === 'currency' ? 2 : 6 }
    return numberFormat(formats.locale, { ...digits, ...style }).format(value)
  }
  const isShare = type === 'percent'
  const digits = { maximumFractionDigits: isShare ? 2 : 6 }
  const text = numberFormat(formats.locale, digits).format(value)
  return isShare ? `${text} %` : text
}

const made = new Map<string, Intl.NumberFormat>()

/** Making a format costs more than using it a thousand times. */
function numberFormat(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  let format = made.get(key)
  if (!format) {
    try {
      format = new Intl.NumberFormat(locale, options)
    } catch (_unknownCurrency) {
      format = new Intl.NumberFormat(locale)
    }
    made.set(key, format)
  }
  return format
}

/** A day, `2026-11-23` → `23 Nov 2026`. */
export function formatDate(text: string, { locale }: Formats): string {
  const [year, month, day] = text.split('-').map(Number)
  if (!year || !month || !day) return text
  return dayFormat(locale).format(Date.UTC(year, month - 1, day))
}

/** A month, `2026-11` → `November 2026`. */
export function formatMonth(text: string, { locale }: Formats): string {
  const [year, month] = text.split('-').map(Number)
  if (!year || !month) return text
  const parts = { month: 'long', year: 'numeric', timeZone: 'UTC' } as const
  return new Intl.DateTimeFormat(locale, parts).format(Date.UTC(year, month - 1, 1))
}

const days = new Map<string, Intl.DateTimeFormat>()

function dayFormat(locale: string): Intl.DateTimeFormat {
  const known = days.get(locale)
  if (known) return known
  const parts = { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' } as const
  const format = new Intl.DateTimeFormat(locale, parts)
  days.set(locale, format)
  return format
}

/** A moment in the person's own time zone. */
export function formatMoment(text: string, { locale }: Formats): string {
  const date = new Date(text)
  return Number.isNaN(date.getTime())
    ? text
    : date.toLocaleString(locale, { dateStyle: 'medium', timeStyle: 'short' })
}

const STEPS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['week', 604_800],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How long ago a moment was: `3 hours ago`; `now` within a minute. */
export function formatAge(text: string, { locale }: Formats, now: number = Date.now()): string {
  const seconds = (new Date(text).getTime() - now) / 1000
  const format = ageFormat(locale)
  const step = STEPS.find(([, length]) => Math.abs(seconds) >= length)
  return step ? format.format(Math.trunc(seconds / step[1]), step[0]) : format.format(0, 'second')
}

const ages = new Map<string, Intl.RelativeTimeFormat>()

function ageFormat(locale: string): Intl.RelativeTimeFormat {
  const known = ages.get(locale)
  if (known) return known
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'narrow' })
  ages.set(locale, format)
  return format
}

import type { FieldInfo } from '../data/types.ts'
import { PAGES } from '../words/pages/en.ts'

/** Span of days, both included. */
export interface Span {
  readonly from: string
  readonly to: string
}

/** A span by a name people have for it. */
export interface Preset extends Span {
  readonly label: string
}

/** The two parameters of a report that say from which day to which it is. */
export function spanParameters(
  params: readonly FieldInfo[],
): readonly [from: FieldInfo, to: FieldInfo] | undefined {
  const [from, to, ...others] = params.filter(({ type }) => type === 'date')
  return from && to && others.length === 0 ? [from, to] : undefined
}

/** The one day a report is on; undefined where it is of a span or of no day. */
export function dayParameter(params: readonly FieldInfo[]): FieldInfo | undefined {
  const days = params.filter(({ type }) => type === 'date')
  return days.length === 1 ? days[0] : undefined
}

/** The spans people ask for most. */
export function presets(today: Date): readonly Preset[] {
  const year = today.getFullYear()
  const month = today.getMonth()
  const quarter = month - (month % 3)
  const span = (label: string, first: number, count: number, of = year): Preset => ({
    label,
    from: isoDay(new Date(of, first, 1)),
    to: isoDay(new Date(of, first + count, 0)),
  })
  return [
    span(PAGES.thisMonth, month, 1),
    span(PAGES.lastMonth, month - 1, 1),
    span(PAGES.thisQuarter, quarter, 3),
    span(PAGES.lastQuarter, quarter - 3, 3),
    span(PAGES.thisYear, 0, 12),
    span(PAGES.lastYear, 0, 12, year - 1),
    span(PAGES.lastTwelve, month - 11, 12),
  ]
}

/** The days that reports on a day are asked for most. */
export function dayPresets(today: Date): readonly Preset[] {
  const year = today.getFullYear()
  const month = today.getMonth()
  const day = (label: string, date: Date): Preset => ({
    label,
    from: isoDay(date),
    to: isoDay(date),
  })
  return [
    day(PAGES.today, today),
    day(PAGES.endOfLastMonth, new Date(year, month, 0)),
    day(PAGES.endOfLastQuarter, new Date(year, month - (month % 3), 0)),
    day(PAGES.endOfLastYear, new Date(year, 0, 0)),
  ]
}

function isoDay(date: Date): string {
  const two = (number: number): string => String(number).padStart(2, '0')
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

import { addDays, addMonths, daysBetween, monthEnd } from '../engine/expression/run/calendar.ts'

/** One period that is depreciated: the days after `from` up to `to`, on which it is posted. */
export interface Period {
  readonly from: string
  readonly to: string
  /** Share of a whole period, in days; both 1 for a whole one. */
  readonly days: number
  readonly ofDays: number
}

/**
 * The periods of an asset: `count` of so many months each, the first of which ends on `start`. Who ends a month
 * ends them all. An asset that came into use within the first period gets the days that are left of it, and
 * one more period at the end for the others.
 */
export function depreciationPeriods(
  start: string,
  count: number,
  months: number,
  inUse: string,
): readonly Period[] {
  const nth = (index: number): string => {
    const date = addMonths(start, index * months)
    return start === monthEnd(start) ? monthEnd(date) : date
  }
  const ofDays = daysBetween(start, nth(-1))
  const used = inUse === '' ? ofDays : daysBetween(start, inUse) + 1
  const isPartial = used < ofDays
  const periods = Array.from({ length: count }, (_, index): Period => {
    const whole = { from: nth(index - 1), to: nth(index), days: 1, ofDays: 1 }
    return index === 0 && isPartial
      ? { ...whole, from: addDays(inUse, -1), days: used, ofDays }
      : whole
  })
  if (isPartial && count > 0) {
    const to = addDays(addMonths(inUse, count * months), -1)
    const from = nth(count - 1)
    periods.push({ from, to: to > from ? to : addDays(from, 1), days: 1, ofDays: 1 })
  }
  return periods
}

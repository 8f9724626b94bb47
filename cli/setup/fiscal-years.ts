import { addDays } from '../../engine/expression/run/calendar.ts'

/** A fiscal year as the records of a new workspace name it: `{fiscal_year}`, `{first_day}`, `{last_day}`. */
export interface FiscalYear {
  /** `2026`, or `2026-2027` where it does not begin in January. */
  readonly fiscal_year: string
  /** YYYY-MM-DD. */
  readonly first_day: string
  readonly last_day: string
}

/** Fiscal years there are to be. */
export interface YearSpan {
  /** MM-DD that each begins. */
  readonly start: string
  /** Number of years before the one that today is in; below it, of those after. */
  readonly before: number
  readonly after: number
}

/** True for a month and a day (MM-DD) that can begin every year: 29 February is not in each. */
export function isYearStart(text: string): boolean {
  const [, month, day] = /^(\d{2})-(\d{2})$/.exec(text) ?? []
  if (month === undefined || text === '02-29') return false
  const date = new Date(`2026-${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().slice(5, 10) === `${month}-${day}`
}

/** The fiscal years around a day (YYYY-MM-DD), the first one first. */
export function fiscalYears({ start, before, after }: YearSpan, today: string): FiscalYear[] {
  const calendarYear = Number(today.slice(0, 4))
  const current = today.slice(5) >= start ? calendarYear : calendarYear - 1
  return Array.from({ length: before + 1 + after }, (_, index) => {
    const year = current - before + index
    return {
      fiscal_year: start === '01-01' ? `${year}` : `${year}-${year + 1}`,
      first_day: `${year}-${start}`,
      last_day: addDays(`${year + 1}-${start}`, -1),
    }
  })
}

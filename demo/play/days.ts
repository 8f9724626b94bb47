import { addDays, addMonths, daysBetween, weekdayOf } from '../../engine/expression/run/calendar.ts'

/** Days as texts, `YYYY-MM-DD`; the company works from Monday to Friday. */

export function isWorkday(day: string): boolean {
  return weekdayOf(day) <= 5
}

/** This day, or the first working day after it. */
export function workdayFrom(day: string): string {
  return isWorkday(day) ? day : workdayFrom(addDays(day, 1))
}

/** Every day from the first to the last, both included. */
export function daysFrom(first: string, last: string): readonly string[] {
  return Array.from({ length: daysBetween(last, first) + 1 }, (_, index) => addDays(first, index))
}

/** The given day of each month in between that lies after the first day and not after the last. */
export function monthly(first: string, last: string, day: number): readonly string[] {
  const days: string[] = []
  const start = `${first.slice(0, 8)}${String(day).padStart(2, '0')}`
  for (let month = 0; addMonths(start, month) <= last; month += 1) {
    const date = addMonths(start, month)
    if (date > first) days.push(date)
  }
  return days
}

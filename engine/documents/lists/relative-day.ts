import {
  addDays,
  addMonths,
  addYears,
  monthOf,
  monthStart,
  weekdayOf,
} from '../../expression/run/calendar.ts'
import { ExpressionError } from '../../expression/tree/problem.ts'
import { FieldProblem } from '../../fields/field-type.ts'

/** How a day is found from today: the first of a span that today is in, and how many such spans on. */
const SPANS: Readonly<Record<string, (today: string, more: number) => string>> = {
  today: addDays,
  week: (today, more) => addDays(today, 1 - weekdayOf(today) + 7 * more),
  month: (today, more) => addMonths(monthStart(today), more),
  quarter: (today, more) => addMonths(monthStart(today), 3 * more - ((monthOf(today) - 1) % 3)),
  year: (today, more) => addYears(`${today.slice(0, 4)}-01-01`, more),
}

/** An address has a space where somebody wrote `+`. */
const RELATIVE = /^(today|week|month|quarter|year)(?:([-+ ])(\d{1,5}))?$/

/**
 * The day that a filter names from today on: `today`, `today-7` (days), and the first day of the `week` (Monday), `month`, `quarter`
 * or `year`, which count on in their own: on 2026-11-29 `month-1` is 2026-10-01. Undefined for what is no such text. Throws
 * FieldProblem where there is no such day.
 */
export function relativeDay(text: string, today: string): string | undefined {
  const [, span, sign, count = '0'] = RELATIVE.exec(text) ?? []
  if (span === undefined) return undefined
  try {
    return SPANS[span]!(today, Number(count) * (sign === '-' ? -1 : 1))
  } catch (error) {
    if (!(error instanceof ExpressionError)) throw error
    throw new FieldProblem(`expected a day of the years 1 to 9999, got ${text}`, 'out_of_range')
  }
}

import { validationError } from '../../base/errors.ts'
import { addDays, addMonths, monthStart, weekdayOf } from '../../expression/run/calendar.ts'

/** A period, or a value, that is a column: `2026_01`, `Jan 2026`, its first and last day. */
export interface Period {
  readonly key: string
  readonly label: string
  readonly from: string
  readonly to: string
  /** Instead of the days: the value that the column is for. */
  readonly value?: string
}

interface Step {
  /** The first day of the period that a day lies in. */
  start(day: string): string
  /** The first day of the next one. */
  next(start: string): string
  key(start: string): string
  label(start: string): string
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

const month = (day: string): number => Number(day.slice(5, 7))
const year = (day: string): string => day.slice(0, 4)
const underscored = (day: string): string => day.replaceAll('-', '_')

/**
 * Months of one period, counted from the first day asked for: a fiscal year that begins in April has quarters
 * that do.
 */
function months(count: number): Step {
  return {
    start: monthStart,
    next: (start) => addMonths(start, count),
    key: (start) => underscored(start.slice(0, 7)),
    label: (start) => `${MONTHS[month(start) - 1]} ${year(start)}`,
  }
}

function spanned(count: number): Step {
  const step = months(count)
  return {
    ...step,
    label(start) {
      const last = addMonths(start, count - 1)
      const first = MONTHS[month(start) - 1]!
      return `${year(start) === year(last) ? first : `${first} ${year(start)}`}–${step.label(last)}`
    },
  }
}

const DAYS: Step = {
  start: (day) => day,
  next: (start) => addDays(start, 1),
  key: underscored,
  label: (start) => `${Number(start.slice(8, 10))} ${MONTHS[month(start) - 1]}`,
}

const WEEKS: Step = {
  start: (day) => addDays(day, 1 - weekdayOf(day)),
  next: (start) => addDays(start, 7),
  key: underscored,
  label: (start) => `Week of ${DAYS.label(start)} ${year(start)}`,
}

/** Lengths of periods, by what the parameter says. */
export const EVERY: ReadonlyMap<string, Step> = new Map([
  ['Daily', DAYS],
  ['Weekly', WEEKS],
  ['Monthly', months(1)],
  ['Quarterly', spanned(3)],
  ['Half-Yearly', spanned(6)],
  ['Yearly', spanned(12)],
])

/** Most periods of a report: databases take 2,000 columns and people far fewer. */
const MOST_PERIODS = 120

/**
 * The periods from one day to another; the first and the last are cut off there. Throws VALIDATION_ERROR for more
 * than a table can show, naming the parameter `to`.
 */
export function periodsBetween(
  from: string,
  to: string,
  every: string,
  parameter: string,
): Period[] {
  const step = EVERY.get(every)
  if (!step) {
    const message = `expected one of ${[...EVERY.keys()].join(', ')}, got ${JSON.stringify(every)}`
    throw validationError([{ field: parameter, message, code: 'wrong_type' }])
  }
  const periods: Period[] = []
  for (let start = step.start(from); start <= to; ) {
    if (periods.length === MOST_PERIODS) {
      const message = `expected at most ${MOST_PERIODS} periods; take longer ones or fewer`
      throw validationError([{ field: parameter, message, code: 'out_of_range' }])
    }
    const next = step.next(start)
    const last = addDays(next, -1)
    periods.push({
      key: step.key(start),
      label: step.label(start),
      from: start < from ? from : start,
      to: last > to ? to : last,
    })
    start = next
  }
  return periods
}

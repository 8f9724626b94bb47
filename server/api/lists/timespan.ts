/** First and last day of a span, both in it, as `YYYY-MM-DD`. */
export type DaySpan = readonly [from: string, to: string]

/**
 * The days a `timespan` filter means, counted from `today` (`YYYY-MM-DD`); undefined for words that are no
 * span. As Frappe has them: weeks begin on Sunday, "last 7 days" and its like have today in them, "last 6
 * months" are the two quarters before this one.
 */
export function timespanDays(words: string, today: string): DaySpan | undefined {
  const now = new Date(`${today}T00:00:00Z`)
  return SPANS.get(words)?.(now)
}

/** The span that `previous` and `next` mean by the words Frappe's clients send. */
export const PERIODS: ReadonlyMap<string, string> = new Map([
  ['1 week', 'week'],
  ['1 month', 'month'],
  ['3 months', 'quarter'],
  ['6 months', '6 months'],
  ['1 year', 'year'],
])

type Span = (now: Date) => DaySpan

/** Spans of whole units, `by` units from the one of today. */
const UNITS: Readonly<Record<string, (by: number) => Span>> = {
  week: (by) => (now) => {
    const sunday = now.getUTCDate() - now.getUTCDay() + 7 * by
    return [day(now, 0, sunday), day(now, 0, sunday + 6)]
  },
  month: (by) => (now) => [day(now, by, 1), day(now, by + 1, 0)],
  quarter: (by) => (now) => quarters(now, by, by),
  year: (by) => (now) => {
    const first = 12 * by - now.getUTCMonth()
    return [day(now, first, 1), day(now, first + 12, 0)]
  },
}

const DAY_COUNTS = [7, 14, 30, 90]

const SPANS: ReadonlyMap<string, Span> = new Map<string, Span>([
  ['yesterday', (now) => days(now, -1, -1)],
  ['today', (now) => days(now, 0, 0)],
  ['tomorrow', (now) => days(now, 1, 1)],
  ...Object.entries(UNITS).flatMap(([unit, span]): [string, Span][] => [
    [`last ${unit}`, span(-1)],
    [`this ${unit}`, span(0)],
    [`next ${unit}`, span(1)],
  ]),
  ...DAY_COUNTS.flatMap((count): [string, Span][] => [
    [`last ${count} days`, (now) => days(now, -count, 0)],
    [`next ${count} days`, (now) => days(now, 0, count)],
  ]),
  ['last 6 months', (now) => quarters(now, -2, -1)],
  ['next 6 months', (now) => quarters(now, 1, 2)],
])

/** Words of all spans, for messages. */
export const TIMESPANS: readonly string[] = [...SPANS.keys()]

function days(now: Date, from: number, to: number): DaySpan {
  const today = now.getUTCDate()
  return [day(now, 0, today + from), day(now, 0, today + to)]
}

function quarters(now: Date, from: number, to: number): DaySpan {
  const first = -(now.getUTCMonth() % 3)
  return [day(now, first + 3 * from, 1), day(now, first + 3 * (to + 1), 0)]
}

/** A day of the month that is `months` after this one; 0 is the last of the month before. */
function day(now: Date, months: number, dayOfMonth: number): string {
  const moment = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months, dayOfMonth)
  return new Date(moment).toISOString().slice(0, 10)
}

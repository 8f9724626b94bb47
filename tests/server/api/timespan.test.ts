import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { TIMESPANS, timespanDays } from '../../../server/api/lists/timespan.ts'

/** Spans on Monday 2026-03-09, as Frappe counts them. */
const ON_MONDAY: Readonly<Record<string, readonly [from: string, to: string]>> = {
  yesterday: ['2026-03-08', '2026-03-08'],
  today: ['2026-03-09', '2026-03-09'],
  tomorrow: ['2026-03-10', '2026-03-10'],
  'last week': ['2026-03-01', '2026-03-07'],
  'this week': ['2026-03-08', '2026-03-14'],
  'next week': ['2026-03-15', '2026-03-21'],
  'last month': ['2026-02-01', '2026-02-28'],
  'this month': ['2026-03-01', '2026-03-31'],
  'next month': ['2026-04-01', '2026-04-30'],
  'last quarter': ['2025-10-01', '2025-12-31'],
  'this quarter': ['2026-01-01', '2026-03-31'],
  'next quarter': ['2026-04-01', '2026-06-30'],
  'last year': ['2025-01-01', '2025-12-31'],
  'this year': ['2026-01-01', '2026-12-31'],
  'next year': ['2027-01-01', '2027-12-31'],
  'last 7 days': ['2026-03-02', '2026-03-09'],
  'next 7 days': ['2026-03-09', '2026-03-16'],
  'last 14 days': ['2026-02-23', '2026-03-09'],
  'next 14 days': ['2026-03-09', '2026-03-23'],
  'last 30 days': ['2026-02-07', '2026-03-09'],
  'next 30 days': ['2026-03-09', '2026-04-08'],
  'last 90 days': ['2025-12-09', '2026-03-09'],
  'next 90 days': ['2026-03-09', '2026-06-07'],
  'last 6 months': ['2025-07-01', '2025-12-31'],
  'next 6 months': ['2026-04-01', '2026-09-30'],
}

const spans = suite('a timespan')

spans('is each of those Frappe has', () => {
  assert.equal([...TIMESPANS].toSorted(), Object.keys(ON_MONDAY).toSorted())
  for (const [words, days] of Object.entries(ON_MONDAY))
    assert.equal(timespanDays(words, '2026-03-09'), days, words)
})

spans('keeps to the calendar at the ends of months and years', () => {
  assert.equal(timespanDays('last month', '2024-03-31'), ['2024-02-01', '2024-02-29'])
  assert.equal(timespanDays('next month', '2026-12-31'), ['2027-01-01', '2027-01-31'])
  assert.equal(timespanDays('this week', '2026-01-01'), ['2025-12-28', '2026-01-03'])
  assert.equal(timespanDays('this week', '2026-03-08'), ['2026-03-08', '2026-03-14'])
})

spans('of other words is none', () => {
  for (const words of ['', 'last century', 'constructor', '__proto__'])
    assert.is(timespanDays(words, '2026-03-09'), undefined)
})

spans.run()

import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { relativeDay } from '../../../engine/documents/lists/relative-day.ts'

const test = suite('days from today on')

/** By hand, from a calendar: text, what it is on Sunday, 2026-11-29, and on Tuesday, 2028-02-29. */
const DAYS = [
  ['today', '2026-11-29', '2028-02-29'],
  ['today-29', '2026-10-31', '2028-01-31'],
  ['today+33', '2027-01-01', '2028-04-02'],
  ['today 33', '2027-01-01', '2028-04-02'],
  ['week', '2026-11-23', '2028-02-28'],
  ['week-1', '2026-11-16', '2028-02-21'],
  ['week+1', '2026-11-30', '2028-03-06'],
  ['month', '2026-11-01', '2028-02-01'],
  ['month-11', '2025-12-01', '2027-03-01'],
  ['month+2', '2027-01-01', '2028-04-01'],
  ['quarter', '2026-10-01', '2028-01-01'],
  ['quarter-1', '2026-07-01', '2027-10-01'],
  ['quarter+2', '2027-04-01', '2028-07-01'],
  ['year', '2026-01-01', '2028-01-01'],
  ['year-2', '2024-01-01', '2026-01-01'],
] as const

for (const [text, sunday, leapDay] of DAYS)
  test(`${text} is counted from the day it is asked for`, () => {
    assert.is(relativeDay(text, '2026-11-29'), sunday)
    assert.is(relativeDay(text, '2028-02-29'), leapDay)
  })

test('what is written otherwise is no such day', () => {
  const others = [
    '',
    'Today',
    'today-',
    'today--1',
    'today-123456',
    'month-1d',
    'weeks',
    '2026-11-29',
  ]
  for (const text of others) assert.is(relativeDay(text, '2026-11-29'), undefined, text)
})

test('there is no day before the year 1 or after 9999', () => {
  const beyond = [
    ['year-2026', '2026-11-29'],
    ['month-99999', '2026-11-29'],
    ['year+2', '9998-11-29'],
    ['week+99999', '9998-11-29'],
  ] as const
  for (const [text, today] of beyond)
    assert.throws(
      () => relativeDay(text, today),
      (error: Error) => error.message.endsWith(`of the years 1 to 9999, got ${text}`),
    )
})

test.run()

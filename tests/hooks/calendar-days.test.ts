import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { refusalOf, runHook } from './run-hook.ts'

const test = suite('days of a calendar')

const LISTS = {
  'Holiday List': {
    DE: { holidays: [{ holiday_date: '2026-04-03' }, { holiday_date: '2026-04-05' }] },
  },
}

function days(from_date: string, to_date: string, more: object = {}): unknown[] {
  return runHook('calendar_days', { from_date, to_date, ...more }, LISTS).map(({ day }) => day)
}

test('are all of them, both ends included, over the end of a month', () => {
  assert.equal(days('2026-02-27', '2026-03-01'), ['2026-02-27', '2026-02-28', '2026-03-01'])
  assert.equal(days('2026-03-01', '2026-03-01'), ['2026-03-01'])
  assert.is(days('2024-01-01', '2024-12-31').length, 366)
})

test('are those of one weekday, and no holidays, where that is asked for', () => {
  // 2026-04-02 is a Thursday.
  assert.equal(days('2026-04-02', '2026-04-16', { weekday: 'Thursday' }), [
    '2026-04-02',
    '2026-04-09',
    '2026-04-16',
  ])
  assert.equal(days('2026-04-02', '2026-04-06', { holiday_list: 'DE' }), [
    '2026-04-02',
    '2026-04-04',
    '2026-04-06',
  ])
  assert.equal(days('2026-04-03', '2026-04-10', { weekday: 'Friday', holiday_list: 'DE' }), [
    '2026-04-10',
  ])
  assert.equal(days('2026-04-03', '2026-04-03', { holiday_list: 'unknown' }), ['2026-04-03'])
})

test('are none while an end is missing or they are the wrong way round', () => {
  assert.equal(days('', '2026-03-01'), [])
  assert.equal(days('2026-03-01', ''), [])
  assert.equal(days('2026-03-02', '2026-03-01'), [])
})

test('are of three years at most', () => {
  assert.is(days('2024-01-01', '2026-12-31').length, 1096)
  const long = { from_date: '2024-01-01', to_date: '2027-01-01' }
  assert.match(refusalOf('calendar_days', long), 'more than three years')
})

test.run()

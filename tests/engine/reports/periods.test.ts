import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { periodsBetween } from '../../../engine/reports/declare/periods.ts'

const periods = suite('periods of a report')

/** Each case by the calendar on the wall: key, label, first and last day. */
const CASES: readonly (readonly [every: string, from: string, to: string, parts: string[][]])[] = [
  [
    'Daily',
    '2028-02-28',
    '2028-03-01',
    [
      ['2028_02_28', '28 Feb', '2028-02-28', '2028-02-28'],
      ['2028_02_29', '29 Feb', '2028-02-29', '2028-02-29'],
      ['2028_03_01', '1 Mar', '2028-03-01', '2028-03-01'],
    ],
  ],
  [
    'Weekly',
    '2026-01-01',
    '2026-01-06',
    [
      ['2025_12_29', 'Week of 29 Dec 2025', '2026-01-01', '2026-01-04'],
      ['2026_01_05', 'Week of 5 Jan 2026', '2026-01-05', '2026-01-06'],
    ],
  ],
  [
    'Monthly',
    '2026-01-31',
    '2026-03-01',
    [
      ['2026_01', 'Jan 2026', '2026-01-31', '2026-01-31'],
      ['2026_02', 'Feb 2026', '2026-02-01', '2026-02-28'],
      ['2026_03', 'Mar 2026', '2026-03-01', '2026-03-01'],
    ],
  ],
  [
    'Quarterly',
    '2026-04-01',
    '2027-01-15',
    [
      ['2026_04', 'Apr–Jun 2026', '2026-04-01', '2026-06-30'],
      ['2026_07', 'Jul–Sep 2026', '2026-07-01', '2026-09-30'],
      ['2026_10', 'Oct–Dec 2026', '2026-10-01', '2026-12-31'],
      ['2027_01', 'Jan–Mar 2027', '2027-01-01', '2027-01-15'],
    ],
  ],
  [
    'Half-Yearly',
    '2026-10-01',
    '2027-09-30',
    [
      ['2026_10', 'Oct 2026–Mar 2027', '2026-10-01', '2027-03-31'],
      ['2027_04', 'Apr–Sep 2027', '2027-04-01', '2027-09-30'],
    ],
  ],
  [
    'Yearly',
    '2026-04-01',
    '2028-03-31',
    [
      ['2026_04', 'Apr 2026–Mar 2027', '2026-04-01', '2027-03-31'],
      ['2027_04', 'Apr 2027–Mar 2028', '2027-04-01', '2028-03-31'],
    ],
  ],
]

for (const [every, from, to, parts] of CASES)
  periods(`${every}, from ${from} to ${to}`, () => {
    const found = periodsBetween(from, to, every, 'to')
    assert.equal(
      found.map(({ key, label, from: first, to: last }) => [key, label, first, last]),
      parts,
    )
  })

periods('are told when they are too many, or of no known length', () => {
  assert.throws(() => periodsBetween('2026-01-01', '2026-12-31', 'Daily', 'to'), isRefusal)
  assert.throws(() => periodsBetween('2026-01-01', '2026-12-31', 'Fortnightly', 'to'), isRefusal)
  assert.is(periodsBetween('2016-01-01', '2025-12-31', 'Monthly', 'to').length, 120)
})

function isRefusal(error: { readonly code?: string }): boolean {
  return error.code === 'VALIDATION_ERROR'
}

periods.run()

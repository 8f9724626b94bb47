import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { type PlainRecord, refusalOf, runHook } from './run-hook.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const test = suite('working time')

const WEEK = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday']

/** Nine to twelve and one to five on the days of the week; 2026-04-03 and 2026-04-06 are holidays. */
function records(hours: readonly PlainRecord[] = office()): Parameters<typeof runHook>[2] {
  return {
    'Service Level Agreement': {
      Office: { holiday_list: 'DE', support_and_resolution: hours },
      Always: {},
    },
    'Holiday List': {
      DE: { holidays: [{ holiday_date: '2026-04-03' }, { holiday_date: '2026-04-06' }] },
    },
  }
}

function office(): readonly PlainRecord[] {
  return WEEK.flatMap((workday) => [
    { workday, start_time: '13:00:00', end_time: '17:00:00' },
    { workday, start_time: '09:00:00', end_time: '12:00:00' },
  ])
}

const HOUR = 3_600

function deadline(start: string, hours: number, agreement = 'Office'): unknown {
  const seconds = Math.round(hours * HOUR)
  return runHook('working_deadline', { start, seconds, agreement }, records())[0]?.deadline
}

function worked(start: string, until: string, agreement = 'Office'): unknown {
  return runHook('working_seconds', { start, until, agreement }, records())[0]?.seconds
}

// 2026-03-02 is a Monday.
const MONDAY = '2026-03-02T10:00:00.000Z'

test('passes within a day, over lunch, over the night and the weekend', () => {
  assert.is(deadline(MONDAY, 2), '2026-03-02T12:00:00.000Z')
  assert.is(deadline(MONDAY, 3), '2026-03-02T14:00:00.000Z')
  assert.is(deadline(MONDAY, 7), '2026-03-03T10:00:00.000Z')
  assert.is(deadline('2026-03-06T16:30:00.000Z', 1), '2026-03-09T09:30:00.000Z')
})

test('begins with the next hour that is worked', () => {
  assert.is(deadline('2026-03-02T05:00:00.000Z', 1), '2026-03-02T10:00:00.000Z')
  assert.is(deadline('2026-03-02T12:30:00.000Z', 1), '2026-03-02T14:00:00.000Z')
  assert.is(deadline('2026-03-07T12:00:00.000Z', 1), '2026-03-09T10:00:00.000Z')
})

test('does not pass on holidays', () => {
  // Good Friday, the weekend, Easter Monday.
  assert.is(deadline('2026-04-02T16:00:00.000Z', 2), '2026-04-07T10:00:00.000Z')
})

test('is the plain clock without hours, and unset without an agreement, a start or seconds', () => {
  assert.is(deadline(MONDAY, 48.5, 'Always'), '2026-03-04T10:30:00.000Z')
  assert.is(deadline('2026-03-02T00:00:00.000Z', 24, 'Always'), '2026-03-03T00:00:00.000Z')
  assert.is(deadline(MONDAY, 1, 'None'), undefined)
  assert.is(deadline(MONDAY, 0), undefined)
  assert.is(deadline('', 1), undefined)
})

test('between two moments is what of it was worked', () => {
  assert.is(worked(MONDAY, '2026-03-02T11:00:00.000Z'), HOUR)
  assert.is(worked(MONDAY, '2026-03-02T14:00:00.000Z'), 3 * HOUR)
  assert.is(worked('2026-03-06T16:00:00.000Z', '2026-03-09T10:00:00.000Z'), 2 * HOUR)
  assert.is(worked('2026-04-02T17:00:00.000Z', '2026-04-07T09:00:00.000Z'), 0)
  assert.is(worked(MONDAY, '2026-03-01T11:00:00.000Z'), 0)
  assert.is(worked('', MONDAY), 0)
  assert.is(worked(MONDAY, MONDAY, 'None'), 0)
})

test('goes by the clocks of the place, also when they change', () => {
  const berlin = (name: string, input: PlainRecord): unknown => {
    const hours = WEEK.map((workday) => ({
      workday,
      start_time: '09:00:00',
      end_time: '17:00:00',
    }))
    const agreement = { time_zone: 'Europe/Berlin', support_and_resolution: hours }
    const [row] = runHook(
      name,
      { ...input, agreement: 'Office' },
      { 'Service Level Agreement': { Office: agreement } },
    )
    return row?.deadline ?? row?.seconds
  }
  // On Friday 27 March it is 15:00 in Berlin; on Sunday the clocks go on by an hour; 2 h there, 2 h on Monday.
  const friday = '2026-03-27T14:00:00.000Z'
  const monday = '2026-03-30T09:00:00.000Z'
  assert.is(berlin('working_deadline', { start: friday, seconds: 4 * HOUR }), monday)
  assert.is(berlin('working_seconds', { start: friday, until: monday }), 4 * HOUR)
  // In the evening of Sunday UTC it is Monday there, in the middle of the night.
  const sunday = '2026-07-05T22:30:00.000Z'
  assert.is(
    berlin('working_deadline', { start: sunday, seconds: HOUR }),
    '2026-07-06T08:00:00.000Z',
  )
})

test('in a zone that is none is refused', () => {
  const records = { 'Service Level Agreement': { Office: { time_zone: 'Middle Earth' } } }
  const input = { start: MONDAY, seconds: 1, agreement: 'Office' }
  assert.match(
    refusalOf('working_deadline', input, records),
    /a time zone such as .* "Middle Earth"/,
  )
})

test('that overlaps is counted once', () => {
  const twice = [
    { workday: 'Monday', start_time: '09:00:00', end_time: '12:00:00' },
    { workday: 'Monday', start_time: '11:00:00', end_time: '00:00:00' },
  ]
  const until = '2026-03-03T12:00:00.000Z'
  const [row] = runHook(
    'working_seconds',
    { start: MONDAY, until, agreement: 'Office' },
    records(twice),
  )
  assert.is(row?.seconds, 14 * HOUR)
})

test('that never comes is refused, as hours that end before they begin', () => {
  const never = [{ workday: 'Nosday', start_time: '09:00:00', end_time: '12:00:00' }]
  const input = { start: MONDAY, seconds: 1, agreement: 'Office' }
  assert.match(refusalOf('working_deadline', input, records(never)), /no time .* within ten years/)
  const back = [{ workday: 'Monday', start_time: '12:00:00', end_time: '09:00:00' }]
  assert.match(refusalOf('working_deadline', input, records(back)), /of Monday end at 09:00:00/)
})

for (const seed of SEEDS)
  test(`until a deadline is what it was made of, whatever the start (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(100); round += 1) {
      const start = new Date(Date.UTC(2026, 2, 1, 0, 0, random.below(60 * 86_400))).toISOString()
      const seconds = 1 + random.below(100 * HOUR)
      const agreement = random.one(['Office', 'Always'])
      const until = String(deadline(start, seconds / HOUR, agreement))
      assert.is(worked(start, until, agreement), seconds, `${start} + ${seconds} (${agreement})`)
      const before = new Date(Date.parse(until) - 1000).toISOString()
      assert.is(
        worked(start, before, agreement),
        seconds - 1,
        `${start} + ${seconds} (${agreement})`,
      )
    }
  })

test.run()

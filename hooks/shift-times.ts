import { defineHook } from '../engine/definition/model/hook.ts'
import { addDays, dateOf, secondsBetween, timeOf } from '../engine/expression/run/calendar.ts'
import { wallClock } from './wall-clock.ts'

/**
 * Moments at which the shift of a day begins, ends and is over, by the clocks of a time zone (UTC without one). The
 * day is the one given, else that of the shift a moment belongs to: where a shift goes on after midnight, what lies
 * nearer to its end than to the next begin is of the day before. A shift is over at the midnight after it, or half
 * way to the next begin.
 */
export const shiftTimes = defineHook({
  inputs: {
    day: 'date?',
    moment: 'datetime?',
    start_time: 'time?',
    end_time: 'time?',
    time_zone: 'str?',
  },
  reads: {},
  outputs: { day: 'date', starts_at: 'datetime', ends_at: 'datetime', over_at: 'datetime' },
  gives: 'values',
  run({ day = '', moment = '', start_time: start = '', end_time: end = '', time_zone = '' }) {
    if (day === '' && moment === '') return []
    const clock = wallClock(time_zone)
    const isOvernight = start !== '' && end !== '' && end < start
    const given = day === '' ? dayOf(clock.shownAt(moment), start, end, isOvernight) : day
    const next = addDays(given, 1)
    const times = { day: given, over_at: clock.momentOf(`${next}T00:00:00`) }
    if (start === '' || end === '') return [times]
    const starts_at = clock.momentOf(`${given}T${start}`)
    const ends_at = clock.momentOf(`${isOvernight ? next : given}T${end}`)
    if (!isOvernight) return [{ ...times, starts_at, ends_at }]
    const again = clock.momentOf(`${next}T${start}`)
    const over_at = new Date((Date.parse(ends_at) + Date.parse(again)) / 2).toISOString()
    return [{ day: given, starts_at, ends_at, over_at }]
  },
})

/** The day of the shift to which belongs what the clocks show (`YYYY-MM-DDTHH:MM:SS`). */
function dayOf(shown: string, start: string, end: string, isOvernight: boolean): string {
  const [day, time] = [dateOf(shown), timeOf(shown)]
  const isOfDayBefore =
    isOvernight && time < start && secondsBetween(time, end) < secondsBetween(start, time)
  return isOfDayBefore ? addDays(day, -1) : day
}

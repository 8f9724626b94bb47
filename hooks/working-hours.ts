import type { ReadRecord } from '../engine/definition/model/hook.ts'
import { refuse } from '../engine/definition/model/hook.ts'
import { addDays, dateOf, WEEKDAYS, weekdayOf } from '../engine/expression/run/calendar.ts'
import { type WallClock, wallClock } from './wall-clock.ts'

/** Fields that the hooks of working time read. */
export const WORKING_HOURS = {
  'Service Level Agreement': {
    support_and_resolution: {
      rows: { workday: 'str', start_time: 'time', end_time: 'time' },
    },
    holiday_list: 'str?',
    time_zone: 'str?',
  },
  'Holiday List': { holidays: { rows: { holiday_date: 'date' } } },
} as const

/** Time worked on each day: stretches in seconds from midnight, in order and apart, as the clocks show them. */
export interface WorkingHours {
  readonly clock: WallClock
  stretchesOf(date: string): readonly Stretch[]
}

type Stretch = readonly [from: number, to: number]

const DAY = 86_400
const WHOLE_DAY: readonly Stretch[] = [[0, DAY]]
/** Days looked at before hours are taken for ones in which nobody ever works. */
const MAX_DAYS = 3_660

/**
 * Working hours of an agreement, all day where it names none, by the clocks of its time zone, else of the one given
 * (UTC without either); undefined when there is no such agreement. Throws AppError for hours that end before they
 * begin.
 */
export function workingHoursOf(
  read: ReadRecord<typeof WORKING_HOURS>,
  agreement: string,
  timeZone = '',
): WorkingHours | undefined {
  const found = read('Service Level Agreement', agreement)
  if (!found) return undefined
  const list = read('Holiday List', found.holiday_list ?? '')
  const holidays = new Set(list?.holidays.map((holiday) => holiday.holiday_date))
  const week = WEEKDAYS.map((workday) =>
    joined(
      found.support_and_resolution
        .filter((hours) => hours.workday === workday)
        .map((hours) => stretch(hours.start_time, hours.end_time, workday)),
    ),
  )
  const isAllDay = found.support_and_resolution.length === 0
  return {
    clock: wallClock(found.time_zone || timeZone),
    stretchesOf(date) {
      if (holidays.has(date)) return []
      return isAllDay ? WHOLE_DAY : week[weekdayOf(date) - 1]!
    },
  }
}

function stretch(start: string, end: string, workday: string): Stretch {
  const from = secondOf(start)
  // Midnight at the end is the end of the day.
  const to = secondOf(end) || DAY
  if (from < to) return [from, to]
  return refuse(`the working hours of ${workday} end at ${end}, not after they begin at ${start}`)
}

function secondOf(time: string): number {
  const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
  return hours * 3600 + minutes * 60 + seconds
}

/** Stretches in order, those that overlap made one. */
function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const apart: Stretch[] = []
  for (const [from, to] of [...stretches].sort(([a], [b]) => a - b)) {
    const last = apart.at(-1)
    if (last && from <= last[1]) apart[apart.length - 1] = [last[0], Math.max(last[1], to)]
    else apart.push([from, to])
  }
  return apart
}

/** The moment when so many working seconds (above 0) have passed. Throws AppError when nobody works for ten years. */
export function afterWorking(hours: WorkingHours, start: string, seconds: number): string {
  let left = seconds
  const begun = hours.clock.shownAt(start)
  let date = dateOf(begun)
  let second = secondOf(begun.slice(11))
  for (let days = 0; days < MAX_DAYS; days += 1) {
    for (const [from, to] of hours.stretchesOf(date)) {
      const begin = Math.max(from, second)
      if (begin >= to) continue
      if (left <= to - begin) return hours.clock.momentOf(shownAt(date, begin + left))
      left -= to - begin
    }
    date = addDays(date, 1)
    second = 0
  }
  return refuse(`its working hours leave no time for ${seconds} seconds within ten years`)
}

/** Working seconds from one moment to a later one, 0 when it is not later. */
export function workedBetween(hours: WorkingHours, start: string, until: string): number {
  if (until <= start) return 0
  const [begun, ended] = [hours.clock.shownAt(start), hours.clock.shownAt(until)]
  const last = dateOf(ended)
  let worked = 0
  let date = dateOf(begun)
  for (let days = 0; date <= last; days += 1) {
    if (days === MAX_DAYS) refuse(`${start} to ${until} is more than ten years`)
    const begin = days === 0 ? secondOf(begun.slice(11)) : 0
    const end = date === last ? secondOf(ended.slice(11)) : DAY
    for (const [from, to] of hours.stretchesOf(date))
      worked += Math.max(0, Math.min(to, end) - Math.max(from, begin))
    date = addDays(date, 1)
  }
  return worked
}

function shownAt(date: string, second: number): string {
  if (second === DAY) return `${addDays(date, 1)}T00:00:00`
  const part = (value: number): string => String(Math.floor(value)).padStart(2, '0')
  return `${date}T${part(second / 3600)}:${part((second / 60) % 60)}:${part(second % 60)}`
}

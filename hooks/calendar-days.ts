import { defineHook, refuse } from '../engine/definition/model/hook.ts'
import { addDays, daysBetween, WEEKDAYS, weekdayOf } from '../engine/expression/run/calendar.ts'

/** Three years: what a list of days is made for lies within. */
const MAX_DAYS = 1_096

/**
 * The days from one to another, both included: all of them, or those of one weekday, without the holidays of a
 * Holiday List where one is named. None while a date is unset or the last day comes before the first.
 */
export const calendarDays = defineHook({
  inputs: { from_date: 'date', to_date: 'date', weekday: 'str?', holiday_list: 'str?' },
  reads: { 'Holiday List': { holidays: { rows: { holiday_date: 'date' } } } },
  outputs: { day: 'date' },
  gives: 'rows',
  run({ from_date, to_date, weekday = '', holiday_list = '' }, read) {
    if (from_date === '' || to_date < from_date) return []
    if (daysBetween(to_date, from_date) >= MAX_DAYS)
      return refuse(`${from_date} to ${to_date} is more than three years`)
    const list = holiday_list === '' ? undefined : read('Holiday List', holiday_list)
    const holidays = new Set(list?.holidays.map(({ holiday_date }) => holiday_date))
    const wanted = WEEKDAYS.indexOf(weekday) + 1
    const rows: { day: string }[] = []
    for (let day = from_date; day <= to_date; day = addDays(day, 1)) {
      if (!holidays.has(day) && (wanted === 0 || weekdayOf(day) === wanted)) rows.push({ day })
    }
    return rows
  },
})

import { ExpressionError } from '../tree/problem.ts'

/**
 * Dates (`YYYY-MM-DD`), datetimes (ISO 8601 UTC with milliseconds) and times (`HH:MM:SS`) as texts, in
 * the proleptic Gregorian calendar from year 1 to 9999. An unset moment ("") stays unset. Functions
 * throw ExpressionError for a text that is no such moment and for a result outside those years.
 */

interface Civil {
  readonly year: number
  readonly month: number
  readonly day: number
}

const DATE = /^\d{4}-\d{2}-\d{2}$/
const CLOCK_TIME = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/
const DATETIME = /^(\d{4}-\d{2}-\d{2})(?:T(\d{2}:\d{2}:\d{2})(\.\d{3})?Z)?$/
const DAY_MS = 86_400_000

/** Whether the text is a date of the calendar. */
export function isDate(text: string): boolean {
  if (!DATE.test(text)) return false
  const { year, month, day } = split(text)
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysInMonth(year, month)
}

export function isTime(text: string): boolean {
  return CLOCK_TIME.test(text)
}

/** A date or datetime text in the form datetimes are kept in, or undefined when it is neither. */
export function toDateTime(text: string): string | undefined {
  const match = DATETIME.exec(text)
  if (!match) return undefined
  const [, date = '', time = '00:00:00', fraction = '.000'] = match
  return isDate(date) && isTime(time) ? `${date}T${time}${fraction}Z` : undefined
}

/** The moment `days` days later, time of day kept. */
export function addDays(moment: string, days: number): string {
  return moment === '' ? '' : dateOfDays(dayNumber(moment) + days) + moment.slice(10)
}

/** The moment `months` months later; the 31st becomes the last day of a shorter month. */
export function addMonths(moment: string, months: number): string {
  if (moment === '') return ''
  const { year, month, day } = civilOf(moment)
  const count = year * 12 + month - 1 + months
  const y = Math.floor(count / 12)
  const m = count - y * 12 + 1
  return dateText({ year: y, month: m, day: Math.min(day, daysInMonth(y, m)) }) + moment.slice(10)
}

export function addYears(moment: string, years: number): string {
  return addMonths(moment, years * 12)
}

/** Days from the date of `from` to the date of `to`; 0 when either is unset. */
export function daysBetween(to: string, from: string): number {
  return to === '' || from === '' ? 0 : dayNumber(to) - dayNumber(from)
}

/** Whole seconds from `from` to `to` (two datetimes or two times), parts cut off; 0 when either is unset. */
export function secondsBetween(to: string, from: string): number {
  return to === '' || from === ''
    ? 0
    : Math.trunc((milliseconds(to) - milliseconds(from)) / 1000) + 0
}

/** The date of a datetime. */
export function dateOf(moment: string): string {
  return moment.slice(0, 10)
}

/** The time of day of a datetime, in UTC. */
export function timeOf(moment: string): string {
  return moment.slice(11, 19)
}

export function yearOf(moment: string): number {
  return moment === '' ? 0 : civilOf(moment).year
}

export function monthOf(moment: string): number {
  return moment === '' ? 0 : civilOf(moment).month
}

export function dayOf(moment: string): number {
  return moment === '' ? 0 : civilOf(moment).day
}

/** Names of the days as records have them, in the order of `weekdayOf`. */
export const WEEKDAYS: readonly string[] = [
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
  'Sunday',
]

/** Number of the day of the week: 1 is Monday, 7 is Sunday; 0 when unset. */
export function weekdayOf(moment: string): number {
  if (moment === '') return 0
  const fromMonday = (dayNumber(moment) + 3) % 7
  return (fromMonday < 0 ? fromMonday + 7 : fromMonday) + 1
}

/** First day of the month, as a date. */
export function monthStart(moment: string): string {
  return moment === '' ? '' : dateText({ ...civilOf(moment), day: 1 })
}

/** Last day of the month, as a date. */
export function monthEnd(moment: string): string {
  if (moment === '') return ''
  const { year, month } = civilOf(moment)
  return dateText({ year, month, day: daysInMonth(year, month) })
}

function split(text: string): Civil {
  return {
    year: Number(text.slice(0, 4)),
    month: Number(text.slice(5, 7)),
    day: Number(text.slice(8, 10)),
  }
}

function civilOf(moment: string): Civil {
  if (!isDate(moment.slice(0, 10)))
    throw new ExpressionError(`${JSON.stringify(moment)} is not a date`)
  return split(moment)
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Days since 1970-01-01. The year is taken to begin in March, so that the leap day is its last. */
function dayNumber(moment: string): number {
  const { year, month, day } = civilOf(moment)
  const y = month > 2 ? year : year - 1
  const dayOfYear = Math.floor((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5) + day - 1
  return (
    y * 365 + Math.floor(y / 4) - Math.floor(y / 100) + Math.floor(y / 400) + dayOfYear - 719_468
  )
}

function dateOfDays(days: number): string {
  const shifted = days + 719_468
  const era = Math.floor(shifted / 146_097)
  const dayOfEra = shifted - era * 146_097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36_524) -
      Math.floor(dayOfEra / 146_096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const fromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const month = fromMarch + (fromMarch < 10 ? 3 : -9)
  const day = dayOfYear - Math.floor((153 * fromMarch + 2) / 5) + 1
  return dateText({ year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, day })
}

function dateText({ year, month, day }: Civil): string {
  if (!(year >= 1 && year <= 9999))
    throw new ExpressionError(`the date lies outside the years 1 to 9999 (year ${year})`)
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}`
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0')
}

function milliseconds(moment: string): number {
  const time = moment.length > 10 ? moment.slice(11) : moment
  if (!isTime(time.slice(0, 8)))
    throw new ExpressionError(`${JSON.stringify(moment)} is not a time`)
  const seconds =
    Number(time.slice(0, 2)) * 3600 + Number(time.slice(3, 5)) * 60 + Number(time.slice(6, 8))
  const fraction = time.length > 9 ? Number(time.slice(9, 12)) : 0
  return (moment.length > 10 ? dayNumber(moment) * DAY_MS : 0) + seconds * 1000 + fraction
}

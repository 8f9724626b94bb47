import type { ExpressionKind, FieldType, FrappeForm, JsonSchema, Value } from './field-type.ts'
import { ORDERED_OPERATORS } from './number.ts'
import { described, pointlessKeys, refusal } from './problem.ts'

interface MomentOptions {
  readonly kind: ExpressionKind
  readonly schema: JsonSchema
  readonly expected: string
  /** The stored form, or undefined when the text is none. */
  readonly normal: (text: string) => string | undefined
  readonly example: (n: number) => string
  /** Value an unset one compares as on surface A. */
  readonly unset: string
  /** The text that a client of Frappe means by this one. */
  readonly meant: (text: string) => string
  readonly show?: FrappeForm['show']
}

/** A calendar day, `YYYY-MM-DD`. */
export const date = moment('date', {
  kind: 'date',
  schema: { type: 'string', format: 'date' },
  expected: 'a day as YYYY-MM-DD',
  normal: (text) => (text.length === 10 && isDay(text) ? text : undefined),
  example: (n) => exampleDay(n),
  unset: '0001-01-01',
  // Frappe takes the day of a moment.
  meant: (text) => (/^\d{4}-\d{2}-\d{2}[ T]\d/.test(text) ? text.slice(0, 10) : text),
})

/** A time of day, `HH:MM:SS`; `HH:MM` is taken too. */
export const time = moment('time', {
  kind: 'time',
  schema: { type: 'string', examples: ['09:30:00'] },
  expected: 'a time of day as HH:MM:SS',
  normal: normalTime,
  example: (n) => `${twoDigits(n % 24)}:${twoDigits(Math.floor(n / 24) % 60)}:00`,
  unset: '00:00:00',
  // Frappe writes 9:30:00 and 9:30:00.000000.
  meant: (text) => text.replace(/^\d:/, '0$&').replace(/^(\d{2}:\d{2}:\d{2})\.\d{1,6}$/, '$1'),
})

/** A moment, kept in UTC with milliseconds; an input without a zone is UTC. */
export const datetime = moment('datetime', {
  kind: 'datetime',
  schema: { type: 'string', format: 'date-time' },
  expected: 'a date and time as YYYY-MM-DDTHH:MM:SS.sssZ',
  normal: storedMoment,
  example: (n) => `${exampleDay(n)}T09:30:00.000Z`,
  unset: '0001-01-01T00:00:00.000Z',
  meant: (text) => (/^\d{4}-\d{2}-\d{2}$/.test(text) ? `${text} 00:00:00` : text),
  show: (wire) => (wire === null ? null : String(wire).replace('T', ' ').replace('Z', '000')),
})

/** A date and time of ISO 8601 as it is stored (UTC, ms); undefined for a text that is none. */
export function storedMoment(text: string): string | undefined {
  return isStoredForm(text) ? text : toUtc(text)
}

function moment(
  name: string,
  { kind, schema, expected, normal, example, unset, meant, show = (wire) => wire }: MomentOptions,
): FieldType {
  function read(text: string): Value {
    if (text === '') return null
    const value = normal(text)
    if (value === undefined) throw refusal(expected, text)
    return value
  }

  return {
    name,
    storage: 'text',
    kind,
    operators: ORDERED_OPERATORS,
    searchable: false,
    inList: true,
    secret: false,
    widget: name,
    optionsMean: 'nothing',
    scaleOf: () => 0,
    schema: (field) => ({ ...schema, ...described(field) }),
    read(input) {
      if (typeof input !== 'string') throw refusal(expected, input)
      return read(input)
    },
    readText: (text) => read(text.trim()),
    verbatim: true,
    toWire: (value) => value,
    toColumn: (value) => value as string,
    fromColumn: (column) => column,
    frappe: {
      unset,
      show,
      loosen(input) {
        if (typeof input !== 'string') return input
        return input.trim() === '' ? null : meant(input.trim())
      },
    },
    check: (field) => pointlessKeys(field, []),
    example: (_field, n) => example(n),
  }
}

const ZERO = 48
const NINE = 57

/** The number at `start` of `length` digits, or -1 when another character stands there. */
function digits(text: string, start: number, length: number): number {
  let value = 0
  for (let index = start; index < start + length; index += 1) {
    const code = text.charCodeAt(index)
    // NaN behind the end of the text fails this comparison too.
    if (!(code >= ZERO && code <= NINE)) return -1
    value = value * 10 + code - ZERO
  }
  return value
}

/** Whether the first ten characters are a day of the calendar, years 0001 to 9999. */
function isDay(text: string): boolean {
  const year = digits(text, 0, 4)
  const month = digits(text, 5, 2)
  const day = digits(text, 8, 2)
  if (text[4] !== '-' || text[7] !== '-') return false
  return year >= 1 && month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month)
}

function daysIn(year: number, month: number): number {
  if (month === 2) return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0 ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Whether eight characters from `start` are `HH:MM:SS`. */
function isTime(text: string, start: number): boolean {
  const hours = digits(text, start, 2)
  const minutes = digits(text, start + 3, 2)
  const seconds = digits(text, start + 6, 2)
  if (text[start + 2] !== ':' || text[start + 5] !== ':') return false
  return hours >= 0 && hours < 24 && minutes >= 0 && minutes < 60 && seconds >= 0 && seconds < 60
}

function normalTime(text: string): string | undefined {
  const full = text.length === 5 ? `${text}:00` : text
  return full.length === 8 && isTime(full, 0) ? full : undefined
}

function isStoredForm(text: string): boolean {
  return (
    text.length === 24 &&
    text[10] === 'T' &&
    text[19] === '.' &&
    text[23] === 'Z' &&
    digits(text, 20, 3) >= 0 &&
    isDay(text) &&
    isTime(text, 11)
  )
}

const ISO =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}:\d{2})(:\d{2})?(?:\.(\d{1,9}))?(Z|z|([+-])(\d{2}):?(\d{2}))?$/

/** Other forms of ISO 8601 with date and time, brought to the stored one; more than ms is cut. */
function toUtc(text: string): string | undefined {
  const match = ISO.exec(text)
  if (!match) return undefined
  const [
    ,
    day = '',
    minutes = '',
    seconds = ':00',
    fraction = '',
    ,
    sign,
    zoneHours = '0',
    zoneMinutes = '0',
  ] = match
  const local = minutes + seconds
  if (!isDay(day) || !isTime(local, 0)) return undefined
  const utc = `${day}T${local}.${fraction.slice(0, 3).padEnd(3, '0')}Z`
  if (sign === undefined) return utc
  if (Number(zoneHours) > 14 || Number(zoneMinutes) > 59) return undefined
  const offset = (Number(zoneHours) * 60 + Number(zoneMinutes)) * 60_000
  const moved = new Date(Date.parse(utc) - (sign === '-' ? -offset : offset)).toISOString()
  return isStoredForm(moved) ? moved : undefined
}

function exampleDay(n: number): string {
  return new Date(Date.UTC(2026, 0, 15 + n)).toISOString().slice(0, 10)
}

function twoDigits(n: number): string {
  return String(n).padStart(2, '0')
}

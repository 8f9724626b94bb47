import { storedMoment } from '../../engine/fields/date.ts'

/** Form of a moment; completes "expected …". */
export const A_MOMENT_LOOKS = 'a day or a date and time as YYYY-MM-DDTHH:MM:SSZ'

/** Moment that a caller names, as ISO 8601 in UTC with ms; a day alone is its beginning. Undefined for all else. */
export function momentOf(text: string): string | undefined {
  return storedMoment(text.length === 10 ? `${text}T00:00:00.000Z` : text)
}

/** Moment of a parameter, as `momentOf` reads it. Throws Error that says what was expected. */
export function readMoment(text: string): string {
  const moment = momentOf(text)
  if (moment !== undefined) return moment
  throw new Error(`expected ${A_MOMENT_LOOKS}, got ${JSON.stringify(text.slice(0, 40))}`)
}

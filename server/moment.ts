import { storedMoment } from '../engine/fields/date.ts'

/**
 * A moment that a caller names, as ISO 8601 in UTC with ms; a day alone is its beginning. Throws Error that
 * says what was expected.
 */
export function readMoment(text: string): string {
  const moment = storedMoment(text.length === 10 ? `${text}T00:00:00.000Z` : text)
  if (moment !== undefined) return moment
  throw new Error(
    `expected a day or a date and time as YYYY-MM-DDTHH:MM:SSZ, got ${JSON.stringify(text.slice(0, 40))}`,
  )
}

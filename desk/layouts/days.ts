/** A day of a calendar. */
export interface Day {
  /** `2026-11-23` */
  readonly key: string
  readonly date: number
  /** Whether it is of the month that is shown. */
  readonly isInside: boolean
}

const DAY_MS = 86_400_000

function keyOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** The weeks of a month, `2026-11`, from the first day of the first week on; `first` is the day a week begins with, 0 = Sunday. */
export function weeksOf(month: string, first: number): readonly (readonly Day[])[] {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  const begin = Date.UTC(year, number - 1, 1)
  const end = Date.UTC(year, number, 0)
  const lead = (new Date(begin).getUTCDay() - first + 7) % 7
  const weeks: Day[][] = []
  for (let time = begin - lead * DAY_MS; time <= end; ) {
    const week = Array.from({ length: 7 }, (_, at) => {
      const day = time + at * DAY_MS
      const isInside = day >= begin && day <= end
      return { key: keyOf(day), date: new Date(day).getUTCDate(), isInside }
    })
    weeks.push(week)
    time += 7 * DAY_MS
  }
  return weeks
}

/** The month so many before or after this one: `2026-12`, 1 → `2027-01`. */
export function monthAfter(month: string, by: number): string {
  const [year = 1970, number = 1] = month.split('-').map(Number)
  return keyOf(Date.UTC(year, number - 1 + by, 1)).slice(0, 7)
}

/** A day so many after another. */
export function dayAfter(key: string, by: number): string {
  return keyOf(Date.parse(`${key}T00:00:00Z`) + by * DAY_MS)
}

/** Days from one to another; negative for one before. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS)
}

/** Today where the person is. */
export function today(): string {
  const now = new Date()
  return keyOf(now.getTime() - now.getTimezoneOffset() * 60_000)
}

/** The day of a value, a day or a moment, where the person is; undefined for none. */
export function dayOf(value: unknown): string | undefined {
  if (typeof value !== 'string' || value === '') return undefined
  if (value.length === 10) return value
  const date = new Date(value)
  return Number.isNaN(date.getTime())
    ? undefined
    : keyOf(date.getTime() - date.getTimezoneOffset() * 60_000)
}

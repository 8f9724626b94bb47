import { refuse } from '../engine/definition/model/hook.ts'

/** Moments as the clocks of a place show them: `YYYY-MM-DDTHH:MM:SS`, without an offset. */
export interface WallClock {
  /** Time the clocks show at a moment (ISO 8601 UTC). */
  shownAt(moment: string): string
  /** Moment at which the clocks show that; of an hour that comes twice the first, of one that is left out the next. */
  momentOf(shown: string): string
}

const UTC: WallClock = {
  shownAt: (moment) => moment.slice(0, 19),
  momentOf: (shown) => `${shown}.000Z`,
}

/** Clocks of a time zone such as `Europe/Berlin`; of UTC where none is named. Throws AppError for any other name. */
export function wallClock(zone: string): WallClock {
  if (zone === '' || zone === 'UTC') return UTC
  const format = formatOf(zone)

  function shownAt(moment: string): string {
    const parts = new Map(
      format.formatToParts(new Date(moment)).map(({ type, value }) => [type, value]),
    )
    const [year, month, day, hour, minute, second] = (
      ['year', 'month', 'day', 'hour', 'minute', 'second'] as const
    ).map((part) => parts.get(part)!)
    return `${year!.padStart(4, '0')}-${month}-${day}T${hour}:${minute}:${second}`
  }

  /** Milliseconds by which the clocks are ahead of UTC at a moment. */
  const aheadAt = (time: number): number =>
    Date.parse(`${shownAt(new Date(time).toISOString())}Z`) - time

  return {
    shownAt,
    momentOf(shown) {
      const asUtc = Date.parse(`${shown}Z`)
      // The offset a day before and a day after are those on both sides of a change of the clocks.
      const [before, after] = [asUtc - DAY_MS, asUtc + DAY_MS].map((time) => asUtc - aheadAt(time))
      const isBefore = shownAt(new Date(before!).toISOString()) === shown
      const isAfter = shownAt(new Date(after!).toISOString()) === shown
      return new Date(isBefore || !isAfter ? before! : after!).toISOString()
    },
  }
}

const DAY_MS = 86_400_000

function formatOf(timeZone: string): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      second: '2-digit',
    })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    return refuse(`expected a time zone such as Europe/Berlin, got ${JSON.stringify(timeZone)}`)
  }
}

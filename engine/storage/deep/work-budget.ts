import { AppError } from '../../base/errors.ts'

/** Length of the window in which work is counted, in ms; each minute of the clock is one. */
const WINDOW = 60_000

/**
 * Work of a person a minute where nothing is said, in ms. PostgreSQL works at many things at once, and what a write waits for
 * others there counts too.
 */
export const WORK_PER_MINUTE_MS = { sqlite: 30_000, postgres: 120_000 } as const

/** Persons counted one by one; when there are more, those whose window is over are forgotten. */
const MOST_PERSONS = 10_000

/** Part of the limit, and time in ms, after which a process tells the others what somebody has used. */
const SHARED_PARTS = 100
const SHARED_EVERY = 1_000

/** Work of a person in the minute that runs, in ms of the database's time. */
export interface Work {
  readonly limit: number
  readonly remaining: number
  /** End of the minute, in ms since the epoch. */
  readonly resetsAt: number
}

/** Time of the database that each person may use a minute, for long reads and for writes. */
export interface WorkBudget {
  /** Throws RATE_LIMITED where the person has used up this minute's. */
  assertLeft(person: string): void
  /** Counts work that was done, of whatever end. */
  use(person: string, ms: number): void
  /** Undefined where the person has used nothing in this minute. */
  of(person: string): Work | undefined
}

/**
 * What several processes count together: adds whole ms to a person's minute, which began at `start`, and returns what all
 * of them have used in it. It may fail; then the same is told later.
 */
export type ShareWork = (person: string, start: number, ms: number) => Promise<number>

export interface WorkBudgetOptions {
  /** Work of a person a minute, in ms. */
  readonly limit: number
  /** Clock, in ms since the epoch. */
  readonly now?: () => number
  /** Other processes that count with this one; without it there are none. */
  readonly share?: ShareWork | undefined
}

interface Counter {
  readonly start: number
  /** Used in all processes, as far as it is known here. */
  used: number
  /** Of that, what the others do not know of yet. */
  own: number
  sharedAt: number
  isSharing: boolean
}

/** Makes a budget for each person. Processes that share one know of each other's work a second later at most. */
export function createWorkBudget({ limit, now = Date.now, share }: WorkBudgetOptions): WorkBudget {
  const counters = new Map<string, Counter>()

  function current(person: string): Counter | undefined {
    const counter = counters.get(person)
    return counter?.start === windowStart(now()) ? counter : undefined
  }

  function counterOf(person: string): Counter {
    const known = current(person)
    if (known) return known
    const start = windowStart(now())
    if (counters.size >= MOST_PERSONS)
      for (const [other, counter] of counters) if (counter.start !== start) counters.delete(other)
    const counter = { start, used: 0, own: 0, sharedAt: Number.NEGATIVE_INFINITY, isSharing: false }
    counters.set(person, counter)
    return counter
  }

  /** Tells the others, and hears of them, where there is enough to tell. */
  function tell(person: string, counter: Counter): void {
    if (!share || limit === Number.POSITIVE_INFINITY || counter.isSharing) return
    const isDue = counter.own >= limit / SHARED_PARTS || now() - counter.sharedAt >= SHARED_EVERY
    const ms = Math.floor(counter.own)
    if (!isDue || ms === 0) return
    counter.isSharing = true
    counter.sharedAt = now()
    counter.own -= ms
    share(person, counter.start, ms)
      .then(
        (used) => {
          counter.used = used + counter.own
        },
        // Whatever the database cannot do now, it is told later: those who write hear of it anyway.
        () => {
          counter.own += ms
        },
      )
      .finally(() => {
        counter.isSharing = false
      })
  }

  return {
    assertLeft(person) {
      const counter = current(person)
      if (!counter || counter.used < limit) return
      const wait = Math.max(1, Math.ceil((counter.start + WINDOW - now()) / 1000))
      throw new AppError(
        'RATE_LIMITED',
        `expected at most ${limit / 1000} seconds of database time a minute for what you write and for reports, searches and long lists; try again in ${wait} seconds, or ask for less at a time`,
        { headers: { 'Retry-After': String(wait) } },
      )
    },
    use(person, ms) {
      const counter = counterOf(person)
      counter.used += ms
      counter.own += ms
      tell(person, counter)
    },
    of(person) {
      const counter = current(person)
      if (!counter) return undefined
      const remaining = Math.max(0, Math.floor(limit - counter.used))
      return { limit, remaining, resetsAt: counter.start + WINDOW }
    },
  }
}

function windowStart(now: number): number {
  return now - (now % WINDOW)
}

import { AppError } from '../../base/errors.ts'

/** Length of the window in which work is counted, in ms. */
const WINDOW = 60_000

/** Persons counted one by one; when there are more, those whose window is over are forgotten. */
const MOST_PERSONS = 10_000

/** Work of a person in the minute that runs, in ms of the database's time. */
export interface Work {
  readonly limit: number
  readonly remaining: number
}

/** Time of the database that each person may use a minute for long work. */
export interface WorkBudget {
  /** Throws RATE_LIMITED where the person has used up this minute's. */
  assertLeft(person: string): void
  /** Counts work that was done, of whatever end. */
  use(person: string, ms: number): void
  /** Undefined where the person has used nothing in this minute. */
  of(person: string): Work | undefined
}

interface Counter {
  start: number
  used: number
}

/** Makes a budget of so many ms a minute and person; `now` is a clock that never goes back, in ms. */
export function createWorkBudget(
  limit: number,
  now: () => number = () => performance.now(),
): WorkBudget {
  const counters = new Map<string, Counter>()

  function current(person: string): Counter | undefined {
    const counter = counters.get(person)
    return counter && now() - counter.start < WINDOW ? counter : undefined
  }

  function forgetOld(): void {
    for (const [person, { start }] of counters) if (now() - start >= WINDOW) counters.delete(person)
  }

  return {
    assertLeft(person) {
      const counter = current(person)
      if (!counter || counter.used < limit) return
      const wait = Math.max(1, Math.ceil((counter.start + WINDOW - now()) / 1000))
      throw new AppError(
        'RATE_LIMITED',
        `expected at most ${limit / 1000} seconds of database time a minute for reports, searches and long lists; try again in ${wait} seconds`,
        { headers: { 'Retry-After': String(wait) } },
      )
    },
    use(person, ms) {
      const counter = current(person)
      if (counter) {
        counter.used += ms
        return
      }
      if (counters.size >= MOST_PERSONS) forgetOld()
      counters.set(person, { start: now(), used: ms })
    },
    of(person) {
      const counter = current(person)
      return counter && { limit, remaining: Math.max(0, Math.floor(limit - counter.used)) }
    },
  }
}

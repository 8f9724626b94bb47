import { AppError } from '../../base/errors.ts'

/** Turns of the writes of one process. */
export interface WritePlaces {
  /** Does a job when there is a place for it. Throws UNAVAILABLE when none came free in time. */
  run<T>(job: () => Promise<T>): Promise<T>
}

/**
 * Places for at most so many writes at a time, taken in the order they are asked for; `waitMs` is the longest wait for
 * one, 0 is no limit. Writes wait for one another in the database, each with a connection: with all of them nobody could
 * even read.
 */
export function createWritePlaces(most: number, waitMs: number): WritePlaces {
  let free = most
  const waiting = new Set<() => void>()

  function taken(): Promise<void> {
    if (free > 0) {
      free -= 1
      return Promise.resolve()
    }
    return new Promise((resolve, reject) => {
      const timer = waitMs > 0 ? setTimeout(giveUp, waitMs) : undefined
      function go(): void {
        clearTimeout(timer)
        resolve()
      }
      function giveUp(): void {
        waiting.delete(go)
        reject(tooMany())
      }
      waiting.add(go)
    })
  }

  function leave(): void {
    const [next] = waiting
    if (next === undefined) free += 1
    else {
      waiting.delete(next)
      next()
    }
  }

  return {
    async run(job) {
      await taken()
      try {
        return await job()
      } finally {
        leave()
      }
    },
  }
}

function tooMany(): AppError {
  return new AppError(
    'UNAVAILABLE',
    'what is being written waits for something else in the database, and no connection came free for this in time; try again',
    { headers: { 'Retry-After': '5' } },
  )
}

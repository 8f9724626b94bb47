import { createContext, useContext } from 'react'

/** What is still being found out of what was typed: whoever saves waits for it. */
export interface Pending {
  /** Something begins; the answer ends it. */
  readonly begin: () => () => void
  /** Whether something is under way. */
  readonly isBusy: () => boolean
  /** Resolves once nothing is under way. */
  readonly settled: () => Promise<void>
  readonly subscribe: (told: () => void) => () => void
}

/** Nothing under way yet. */
export function createPending(): Pending {
  let count = 0
  const listeners = new Set<() => void>()
  const tell = (): void => {
    for (const told of [...listeners]) told()
  }
  const subscribe: Pending['subscribe'] = (told) => {
    listeners.add(told)
    return () => listeners.delete(told)
  }
  return {
    begin() {
      let isOver = false
      count += 1
      tell()
      return () => {
        if (isOver) return
        isOver = true
        count -= 1
        tell()
      }
    },
    isBusy: () => count > 0,
    settled: () =>
      new Promise((resolve) => {
        if (count === 0) return resolve()
        const leave = subscribe(() => {
          if (count > 0) return
          leave()
          resolve()
        })
      }),
    subscribe,
  }
}

/** Provider of what is still being found out; outside a form nobody waits for it. */
export const PendingContext = createContext<Pending>(createPending())

/** What is still being found out in this form. */
export function usePending(): Pending {
  return useContext(PendingContext)
}

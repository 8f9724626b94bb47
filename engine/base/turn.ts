/** Time for which a piece of work may hold the thread, in ms; then others have their turn. */
const TURN_MS = 10

/**
 * Lets others have their turn where this work has held the thread for long enough; else goes on at once. To be awaited
 * between the parts of what may be long, where everything it stands on may wait.
 */
export type Turn = () => Promise<void> | undefined

/** The turns of one piece of work, which begins now. */
export function createTurn(): Turn {
  let since = performance.now()
  return () => {
    if (performance.now() - since < TURN_MS) return undefined
    return new Promise((resolve) => {
      setImmediate(() => {
        since = performance.now()
        resolve()
      })
    })
  }
}

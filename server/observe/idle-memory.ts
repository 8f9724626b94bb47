import { trimMemory } from './trim-memory.ts'

/** Time between two looks, in ms, and the looks at which there has to be nothing to do. */
const EVERY = 10_000
const QUIET_LOOKS = 3

/** CPU that counts as nothing to do between two looks, and what has to be worked until there is something to give back, in ms. */
const QUIET_MS = EVERY / 50
const WORKED_MS = 2_000

export interface IdleMemoryOptions {
  /** Gives back what is kept beside the heap. */
  readonly rest: () => void
  /** CPU time of this process so far, in ms. */
  readonly worked?: () => number
  readonly onError: (error: unknown) => void
}

export interface IdleMemory {
  /** Gives memory back now. */
  trim(): Promise<void>
  /** Looks whether it is time to, as it does by itself. */
  look(): Promise<void>
  stop(): void
}

/**
 * Gives memory back when a server has had nothing to do for half a minute after it had much: the heap and the pages of the database
 * that a load has needed would else be kept for as long as the process lives. It takes 40 to 100 ms of CPU, once after each load.
 */
export function watchIdleMemory({
  rest,
  worked = workedSoFar,
  onError,
}: IdleMemoryOptions): IdleMemory {
  let atLook = worked()
  let atTrim = atLook
  let quiet = 0

  async function trim(): Promise<void> {
    rest()
    await trimMemory()
    atTrim = worked()
  }

  async function look(): Promise<void> {
    const now = worked()
    quiet = now - atLook <= QUIET_MS ? quiet + 1 : 0
    atLook = now
    if (quiet < QUIET_LOOKS || now - atTrim < WORKED_MS) return
    quiet = 0
    // Where it fails it will fail again until something else has happened.
    atTrim = now
    await trim().catch(onError)
  }

  const timer = setInterval(() => void look(), EVERY).unref()
  return { trim, look, stop: () => clearInterval(timer) }
}

function workedSoFar(): number {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

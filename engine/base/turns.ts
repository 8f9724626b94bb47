export interface TurnOptions {
  /** Does what there is to do and returns when to look again, in ms. */
  readonly turn: () => Promise<number>
  /** Time between turns at least, in ms: what comes in between is done together. */
  readonly gap: () => number
  /** Wait after a turn that failed, in ms; it doubles with each that follows. */
  readonly retryMs: number
  readonly onFailure: (error: unknown) => void
}

/** Turns of something that is asked often and works one turn at a time. */
export interface Turns {
  /** Asks for a turn soon; cheap, and as often as one likes. */
  ask(): void
  /** The turn that is under way; it never rejects. */
  readonly running: Promise<void> | undefined
  /** Begins no more turns and resolves when none is under way. */
  stop(): Promise<void>
}

/** The longest wait between two tries, in ms. */
const LONGEST_WAIT = 15_000

/** Starts the turns, the first at once. A timer of it keeps no process alive. */
export function startTurns({ turn, gap, retryMs, onFailure }: TurnOptions): Turns {
  let running: Promise<void> | undefined
  let endedAt = 0
  let failures = 0
  let isAsked = false
  let isStopped = false
  let timer: NodeJS.Timeout | undefined
  let timerAt = Number.POSITIVE_INFINITY

  /** Plans a turn: at most one, the earliest that was asked for. */
  function plan(delay: number): void {
    const at = performance.now() + delay
    if (running || isStopped || at >= timerAt) return
    clearTimeout(timer)
    timerAt = at
    timer = setTimeout(begin, delay)
    timer.unref()
  }

  function begin(): void {
    timerAt = Number.POSITIVE_INFINITY
    isAsked = false
    running = turn()
      .then(
        (next) => {
          failures = 0
          return isAsked ? gap() : next
        },
        (error: unknown) => {
          onFailure(error)
          failures += 1
          return Math.min(retryMs * 2 ** failures, LONGEST_WAIT)
        },
      )
      .then((next) => {
        running = undefined
        endedAt = performance.now()
        plan(next)
      })
  }

  plan(0)
  return {
    ask() {
      isAsked = true
      // A database that is away is not asked at each request that fails for the same reason.
      if (failures === 0) plan(Math.max(0, endedAt + gap() - performance.now()))
    },
    get running() {
      return running
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await running
    },
  }
}

import { AppError } from '../../base/errors.ts'

export interface TurnLimits {
  /** Lanes that one person has at most: all but one, where nothing is said. */
  readonly mostOfOne?: number
  /** Jobs of one person that may wait. */
  readonly mostWaiting?: number
  /** Longest time a job waits for its turn, in ms; 0 is no limit. */
  readonly patienceMs?: number
  /** Makes the error of one that has waited for so long. */
  readonly late?: () => AppError
}

/**
 * Turns of work that takes long, or may. There are a few lanes, and persons take them one after the other: whoever asks for sixty things
 * at once waits for themselves alone. Where there are two lanes or more, one person never holds them all;
 * the workspace itself, which has no name, may.
 */
export interface Turns<Lane> {
  /** Runs a job in a lane when its turn comes. Throws UNAVAILABLE when too many wait, or for too long. */
  take<T>(person: string, job: (lane: Lane) => Promise<T>): Promise<T>
}

interface Waiter<Lane> {
  readonly begin: (lane: Lane) => void
}

/** Makes the turns of these lanes; the first lanes are preferred, so that the others may rest. */
export function createTurns<Lane>(
  lanes: readonly Lane[],
  {
    mostOfOne = lanes.length - 1,
    mostWaiting = 100,
    patienceMs = 30_000,
    late = () => busy(`long work of others kept this waiting for ${patienceMs / 1000} seconds`),
  }: TurnLimits = {},
): Turns<Lane> {
  const free = new Set(lanes)
  const running = new Map<string, number>()
  /** Who waits, the one whose turn is next first. */
  const waiting = new Map<string, Waiter<Lane>[]>()

  function mostOf(person: string): number {
    return person === '' ? lanes.length : Math.max(1, mostOfOne)
  }

  function add(person: string, by: number): void {
    const count = (running.get(person) ?? 0) + by
    if (count > 0) running.set(person, count)
    else running.delete(person)
  }

  function firstFree(): Lane | undefined {
    return lanes.find((lane) => free.has(lane))
  }

  function serve(): void {
    for (const [person, queue] of waiting) {
      const lane = firstFree()
      if (lane === undefined) return
      if ((running.get(person) ?? 0) >= mostOf(person)) continue
      const [first, ...rest] = queue
      // Back to the end of the row: everybody else comes before their next one.
      waiting.delete(person)
      if (rest.length > 0) waiting.set(person, rest)
      free.delete(lane)
      add(person, 1)
      first!.begin(lane)
    }
  }

  function turnOf(person: string): Promise<Lane> {
    const queue = waiting.get(person) ?? []
    if (queue.length >= mostWaiting)
      throw busy(`expected at most ${mostWaiting} requests of yours to wait for long work`)
    return new Promise((resolve, reject) => {
      const waiter: Waiter<Lane> = {
        begin(lane) {
          clearTimeout(timer)
          resolve(lane)
        },
      }
      const timer = patienceMs > 0 ? setTimeout(giveUp, patienceMs) : undefined
      function giveUp(): void {
        const left = (waiting.get(person) ?? []).filter((one) => one !== waiter)
        if (left.length > 0) waiting.set(person, left)
        else waiting.delete(person)
        reject(late())
      }
      waiting.set(person, [...queue, waiter])
      serve()
    })
  }

  return {
    async take(person, job) {
      const lane = await turnOf(person)
      try {
        return await job(lane)
      } finally {
        free.add(lane)
        add(person, -1)
        serve()
      }
    },
  }
}

/** Seconds after which the row is expected to be shorter. */
const RETRY_AFTER = '5'

function busy(what: string): AppError {
  return new AppError('UNAVAILABLE', `${what}; try again in ${RETRY_AFTER} seconds`, {
    headers: { 'Retry-After': RETRY_AFTER },
  })
}

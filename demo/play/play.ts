import { Failure } from '../../cli/failure.ts'
import type { Clock } from '../../engine/base/clock.ts'
import { AppError } from '../../engine/base/errors.ts'
import type { Hands, Shown } from '../world/hands.ts'
import { daysFrom } from './days.ts'
import type { Flow, Step } from './flow.ts'

/** The clock the story is played by: it stands still until it is moved, and never goes ahead of the machine's. */
export interface StoryClock extends Clock {
  /** The day of the story, `YYYY-MM-DD`. */
  today(): string
  /** Milliseconds since the epoch. */
  moveTo(moment: number): void
}

/** A clock that stands at the beginning of a day. */
export function storyClock(day: string, machine: Clock): StoryClock {
  let time = Date.parse(day)
  return {
    // On the last day, today, the working hours may still lie ahead.
    now: () => Math.min(time, machine.now()),
    today: () => new Date(time).toISOString().slice(0, 10),
    moveTo(moment) {
      time = moment
    },
  }
}

export interface PlayOptions {
  /** First and last day that are played. */
  readonly first: string
  readonly last: string
  readonly hands: Hands
  readonly clock: StoryClock
  /** Called after each day with how many of all days are played. */
  readonly onDay?: (played: number, all: number) => void
}

type Write = Extract<Step, { kind: 'write' }>

interface Thread {
  readonly flow: Flow
  wakes: string
  /** Result of its last write. */
  result: Shown | undefined
  pending: Write | undefined
}

const HOUR = 3_600_000
const WORK_BEGINS = 7 * HOUR
/** Time between two rounds of a day, in ms. */
const ROUND = HOUR / 6

/**
 * Plays the flows day by day. On each day they take turns: in every round each flow that is awake makes one
 * step, all of a round are written at once (the write queue gives them one commit), and all are waited for
 * before the next round. So the order of the writes depends on nothing but the flows. Throws Failure, with
 * day and step, for a write that is refused.
 */
export async function play(
  flows: readonly Flow[],
  { first, last, hands, clock, onDay }: PlayOptions,
): Promise<void> {
  let threads = flows.map((flow) => threadOf(flow, first))
  const days = daysFrom(first, last)
  for (const [index, day] of days.entries()) {
    const begins = Date.parse(day) + WORK_BEGINS
    for (let round = 0; ; round += 1) {
      clock.moveTo(begins + round * ROUND)
      const writing = threads.filter(({ wakes }) => wakes <= day)
      const ended = new Set<Thread>()
      // Threads that others begin are added while we go over them, and take part in the same round.
      for (const thread of writing) {
        const begun = advance(thread, day)
        if (!thread.pending && thread.wakes <= day) ended.add(thread)
        threads.push(...begun)
        writing.push(...begun)
      }
      threads = threads.filter((thread) => !ended.has(thread))
      const writes = writing.filter(({ pending }) => pending)
      if (writes.length === 0) break
      await Promise.all(writes.map((thread) => write(thread, hands, day)))
    }
    onDay?.(index + 1, days.length)
  }
}

function threadOf(flow: Flow, wakes: string): Thread {
  return { flow, wakes, result: undefined, pending: undefined }
}

/** Runs a thread up to its next write or wait, or to its end; the threads it began. */
function advance(thread: Thread, day: string): Thread[] {
  const begun: Thread[] = []
  thread.pending = undefined
  while (!thread.pending && thread.wakes <= day) {
    // The first call of a generator takes no value, whatever its type says.
    const { done, value: step } = thread.flow.next(thread.result as Shown)
    if (done) break
    if (step.kind === 'write') thread.pending = step
    else if (step.kind === 'wait') thread.wakes = step.until
    else begun.push(threadOf(step.flow, day))
  }
  return begun
}

async function write(thread: Thread, hands: Hands, day: string): Promise<void> {
  const { run, what } = thread.pending!
  try {
    thread.result = await run(hands)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const details = error.details?.map(({ field, message }) => `${field}: ${message}`) ?? []
    const reason = [error.message, ...details].join('; ')
    throw new Failure(`the story stopped on ${day} at: ${what}: ${reason}`, { cause: error })
  }
}

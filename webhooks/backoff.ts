/** Waits before attempts 2 to 12, in seconds; with jitter and time-outs they end within 23.6 hours (spec §6). */
const DELAYS = [5, 30, 120, 300, 900, 1800, 3600, 7200, 14_400, 21_600, 27_000] as const
const JITTER = 0.1
/** No attempt may lie later after the first, in ms. */
const HORIZON = 24 * 60 * 60 * 1000
/** Longest time of an attempt (spec §6), in ms. */
const ATTEMPT_TIMEOUT = 10_000
/** The first delay, in ms, which SVC_WEBHOOK_RETRY_BASE_MS replaces; all others scale with it. */
export const DEFAULT_BASE = DELAYS[0] * 1000

/** An attempt that failed. */
export interface FailedAttempt {
  /** Number of the attempt that failed; the first is 1. */
  readonly attempt: number
  /** From the start of the first attempt until now, in ms. */
  readonly elapsedMs: number
  /** The header of the answer as it came: seconds or an HTTP date (RFC 9110 §10.2.3). */
  readonly retryAfter: string | null
  /** Milliseconds since the epoch. */
  readonly now: number
}

/** Schedule of repeated attempts. */
export interface Backoff {
  /** Number of attempts in all. */
  readonly attempts: number
  /**
   * Milliseconds to wait before the next attempt; undefined when that was the last. Throws RangeError when
   * `attempt` is not a whole number from 1.
   */
  nextDelay(failed: FailedAttempt): number | undefined
}

/**
 * The retry schedule: 12 attempts within 24 hours, each delay with ±10 % of jitter. A receiver may ask for a
 * longer wait with Retry-After; it gets as much as leaves room for all attempts that remain. `baseMs` is the
 * first delay and scales the schedule and its 24 hours; `random` answers numbers in [0, 1). Throws RangeError
 * when `baseMs` is not a number above 0.
 */
export function createBackoff({ baseMs = DEFAULT_BASE, random = Math.random } = {}): Backoff {
  if (!(baseMs > 0 && Number.isFinite(baseMs)))
    throw new RangeError(`expected baseMs to be a number above 0, got ${baseMs}`)
  const scale = baseMs / DEFAULT_BASE
  const delays = DELAYS.map((seconds) => seconds * 1000 * scale)
  const longest = delays.map((delay) => Math.ceil(delay * (1 + JITTER)))
  const attempts = delays.length + 1
  const horizon = HORIZON * scale
  const room = horizon - sum(longest)
  // A base of some milliseconds leaves no room for real time-outs, but Retry-After shall work there too.
  const timeout = room < attempts * ATTEMPT_TIMEOUT ? ATTEMPT_TIMEOUT * scale : ATTEMPT_TIMEOUT

  /** The longest wait after this attempt with which the last one still ends in time. */
  function latest(attempt: number, elapsedMs: number): number {
    return Math.floor(
      horizon - elapsedMs - sum(longest.slice(attempt)) - (attempts - attempt) * timeout,
    )
  }

  return {
    attempts,
    nextDelay({ attempt, elapsedMs, retryAfter, now }) {
      if (!Number.isInteger(attempt) || attempt < 1)
        throw new RangeError(`expected attempt to be a whole number from 1, got ${attempt}`)
      const delay = delays[attempt - 1]
      if (delay === undefined) return undefined
      const scheduled = Math.ceil(delay * (1 - JITTER + 2 * JITTER * random()))
      const asked = retryAfter === null ? 0 : waitAsked(retryAfter, now)
      return Math.max(scheduled, Math.min(asked, latest(attempt, elapsedMs)))
    },
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0)
}

/** The wait a Retry-After header asks for, in ms; 0 when it says nothing that can be read. */
function waitAsked(header: string, now: number): number {
  const text = header.trim()
  if (/^\d+$/.test(text)) return Number(text) * 1000
  if (!/^(Mon|Tue|Wed|Thu|Fri|Sat|Sun)/.test(text)) return 0
  // The oldest of the three forms of a date names no zone, and Date would take the machine's.
  const time = Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
  return Number.isNaN(time) ? 0 : Math.max(0, time - now)
}

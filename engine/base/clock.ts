/** Time as a value that is passed in, so that tests can move it. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
}

/** The machine's clock. */
export const systemClock: Clock = { now: () => Date.now() }

/** ISO 8601 in UTC with milliseconds: the form of every datetime in storage and on the wire. */
export function isoDateTime(clock: Clock): string {
  return new Date(clock.now()).toISOString()
}

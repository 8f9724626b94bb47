/** What clients saw of a server, counted by answers. */
export interface Seen {
  /** Writes that were answered with success. */
  readonly acknowledged: number
  /** Reads that were answered. */
  readonly read: number
  /** Refused by a rule (4xx). */
  readonly refused: number
  /** Put off in words (503): clients ask again. */
  readonly unavailable: number
  /** Questions without an answer: connections that ended, and nobody who listens. */
  readonly silence: number
  /** Any other answer: there should be none. */
  readonly wrong: number
}

/** A count that goes on. */
export type Counting = { -readonly [Name in keyof Seen]: number }

export function noneSeen(): Counting {
  return { acknowledged: 0, read: 0, refused: 0, unavailable: 0, silence: 0, wrong: 0 }
}

/** What was seen between two moments. */
export function seenSince(now: Seen, before: Seen): Seen {
  const since = noneSeen()
  for (const name of Object.keys(since) as (keyof Seen)[]) since[name] = now[name] - before[name]
  return since
}

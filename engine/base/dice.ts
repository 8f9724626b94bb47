/** Repeatable choices: the same seed and the same names of forks give the same ones. */
export interface Dice {
  /** A whole number from `from` to `to`, both included. */
  between(from: number, to: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  /** One of these; there must be one. */
  one<T>(values: readonly T[]): T
  /** One of these, more often the more it weighs; there must be one that weighs more than 0. */
  weighted<T>(values: readonly T[], weightOf: (value: T) => number): T
  /** Dice of one's own, so that one part of a story may roll more often without changing another. */
  fork(name: string | number): Dice
}

/** Dice for a text: FNV-1a spreads it over the state of an xorshift generator (Marsaglia 2003). */
export function diceOf(seed: string): Dice {
  let state = textHash(seed) || 1

  function roll(): number {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }

  // Seeds that differ in one character begin close together.
  for (let warmUp = 0; warmUp < 8; warmUp += 1) roll()

  return {
    between: (from, to) => from + Math.floor(roll() * (to - from + 1)),
    chance: (probability) => roll() < probability,
    one: (values) => values[Math.floor(roll() * values.length)]!,
    weighted(values, weightOf) {
      const total = values.reduce((sum, value) => sum + weightOf(value), 0)
      const point = roll() * total
      let passed = 0
      for (const value of values) {
        passed += weightOf(value)
        if (point < passed) return value
      }
      return values.at(-1)!
    },
    fork: (name) => diceOf(`${seed}/${name}`),
  }
}

/** A 32-bit number of a text, always the same (FNV-1a). */
export function textHash(text: string): number {
  let value = 0x811c9dc5
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193)
  }
  return value
}

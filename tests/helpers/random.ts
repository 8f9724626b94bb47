import { basename } from 'node:path'

/** A repeatable source of choices: the same seed makes the same ones. */
export interface Random {
  /** In [0, 1). */
  next(): number
  /** A whole number from 0 up to, and without, `limit`. */
  below(limit: number): number
  /** True with this probability. */
  chance(probability: number): boolean
  /** One of these. Throws RangeError when there is none. */
  one<T>(values: readonly T[]): T
}

/** Mulberry32 over a 32-bit seed. */
export function randomOf(seed: number): Random {
  let state = seed | 0

  function next(): number {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296
  }

  function below(limit: number): number {
    return Math.floor(next() * limit)
  }

  return {
    next,
    below,
    chance: (probability) => next() < probability,
    one(values) {
      if (values.length === 0) throw new RangeError('expected values to choose from, got none')
      return values[below(values.length)]!
    },
  }
}

/**
 * How often a test with random input goes round: as often as proves something in every run, or that times
 * `SVC_TEST_ROUNDS` where a run explores (a deep run's is 5, the soak's 3).
 */
export function rounds(usual: number): number {
  return Math.ceil(usual * Number(process.env.SVC_TEST_ROUNDS ?? 1))
}

/**
 * Seeds of a random test: those its file lists, the ones that ever failed first, so that `npm test` is the same on
 * every run. A deep run (`SVC_TEST_DEEP`) adds one drawn now and prints it: when it fails, it joins the list together
 * with its mend. `SVC_TEST_SEED=7` takes that one alone.
 *
 * @example
 * for (const seed of seedsOf(import.meta.filename, [594_958, 1]))
 *   test(`sums are exact (seed ${seed})`, () => check(randomOf(seed)))
 */
export function seedsOf(
  file: string,
  listed: readonly [number, ...number[]],
): readonly [number, ...number[]] {
  const { SVC_TEST_SEED: wanted } = process.env
  if (wanted !== undefined) return [Number(wanted)]
  if (!isDeepRun()) return listed
  const drawn = Math.floor(Math.random() * 2 ** 31)
  console.log(`${basename(file)}: SVC_TEST_SEED=${drawn}`)
  return [...listed, drawn]
}

/** Whether this run explores, at full length (`SVC_TEST_DEEP`): `npm test` does not. */
export function isDeepRun(): boolean {
  return process.env.SVC_TEST_DEEP !== undefined
}

import { pow10 } from '../engine/base/money.ts'

/** Part that an asset loses in a year, as an exact fraction of its value at the year's beginning. */
export interface YearlyRate {
  readonly of: bigint
  readonly by: bigint
}

/** Digits of a rate that is computed: of the percentage the first six decimals. */
const UNIT = pow10(8)

/** A rate that is written as a percentage, in 1/10⁶. */
export function writtenRate(percent: bigint): YearlyRate {
  return { of: percent, by: 100n * pow10(6) }
}

/** Twice the rate at which equal parts would use the asset up in these months. */
export function doubleDecliningRate(months: number): YearlyRate {
  return { of: 24n, by: BigInt(months) }
}

/**
 * The rate at which a value falls to what is left in these months, losing the same share of it each year:
 * 1 − (left / value)^(12 / months), found by halving so that no fraction is binary. Both are above 0.
 */
export function rateDownTo(left: bigint, value: bigint, months: number): YearlyRate {
  const power = BigInt(months)
  const target = left ** 12n * UNIT ** power
  const scale = value ** 12n
  let low = 0n
  let high = UNIT
  // The largest share that may be kept each year without more than `left` being left.
  while (low < high) {
    const middle = (low + high + 1n) / 2n
    if (middle ** power * scale <= target) low = middle
    else high = middle - 1n
  }
  return { of: UNIT - low, by: UNIT }
}

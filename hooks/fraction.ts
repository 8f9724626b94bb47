/** An exact fraction in lowest terms; the denominator is above 0. */
export interface Fraction {
  readonly over: bigint
  readonly under: bigint
}

export const ZERO: Fraction = { over: 0n, under: 1n }
export const ONE: Fraction = { over: 1n, under: 1n }

/** The fraction over/under. Throws RangeError for a denominator of 0. */
export function fraction(over: bigint, under = 1n): Fraction {
  if (under === 0n) throw new RangeError('a fraction needs a denominator other than 0')
  if (over === 0n) return ZERO
  const shared = commonDivisor(over, under)
  const sign = under < 0n ? -1n : 1n
  return { over: (sign * over) / shared, under: (sign * under) / shared }
}

export function plus(a: Fraction, b: Fraction): Fraction {
  if (a.over === 0n) return b
  if (b.over === 0n) return a
  return fraction(a.over * b.under + b.over * a.under, a.under * b.under)
}

export function minus(a: Fraction, b: Fraction): Fraction {
  return plus(a, { over: -b.over, under: b.under })
}

export function times(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.over, a.under * b.under)
}

/** Throws RangeError for a divisor of 0. */
export function dividedBy(a: Fraction, b: Fraction): Fraction {
  return fraction(a.over * b.under, a.under * b.over)
}

export function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce(plus, ZERO)
}

function commonDivisor(a: bigint, b: bigint): bigint {
  let [x, y] = [a < 0n ? -a : a, b < 0n ? -b : b]
  while (y !== 0n) [x, y] = [y, x % y]
  return x
}

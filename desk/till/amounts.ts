import type { CartLine, Taken } from './till-types.ts'

/** An amount in whole cents. */
export function rounded(amount: number): number {
  return Math.round((amount + Number.EPSILON * Math.sign(amount)) * 100) / 100
}

/** What a cart comes to by the prices that the till keeps; undefined where one is not known. */
export function estimate(lines: readonly CartLine[]): number | undefined {
  return lines.every(({ item }) => item.price !== undefined)
    ? rounded(lines.reduce((sum, { item, qty }) => sum + rounded((item.price ?? 0) * qty), 0))
    : undefined
}

/** What was taken in all. */
export function sumOf(taken: readonly Taken[]): number {
  return rounded(taken.reduce((sum, { amount }) => sum + amount, 0))
}

/** Round amounts that somebody may hand over for a total, each above it: 12.40 → 15, 20, 50. */
export function likelyNotes(total: number): readonly number[] {
  const steps = [5, 10, 20, 50, 100]
  const next = steps.map((step) => Math.ceil((total + 0.005) / step) * step)
  return [...new Set(next)]
    .filter((amount) => amount > total)
    .sort((a, b) => a - b)
    .slice(0, 3)
}

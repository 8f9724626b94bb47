/** Largest number of seats that can be asked for. */
export const MAX_SEATS = 100_000

/** A number of seats; undefined when it is none. */
export function readSeats(value: unknown): number | undefined {
  const isCount = Number.isSafeInteger(value) && (value as number) >= 1
  return isCount && (value as number) <= MAX_SEATS ? (value as number) : undefined
}

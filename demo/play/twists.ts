/**
 * Twists: what is out of the ordinary with some orders, by their number in the story, so that each of it is there
 * whatever the dice say.
 */
const TWISTS = {
  cancelled: [7, 48],
  held: [15],
  closed: [22],
  rebilled: [12],
  returned: [18, 50],
  neverPaid: [24],
  paidInParts: [14, 26, 52, 66, 72],
  discounted: [9, 35, 70],
} as const

type Twist = keyof typeof TWISTS

/** Whether this is out of the ordinary with the order of a number. */
export function isTwist(number: number, twist: Twist): boolean {
  return (TWISTS[twist] as readonly number[]).includes(number)
}

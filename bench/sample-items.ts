/** Words of item names: common ones, so that their trigrams are found in a large part of all records. */
const WORDS = `steel bolt copper pipe valve wooden panel plastic cover rubber seal motor pump filter
  bearing spring washer cable switch sensor bracket hinge handle wheel chain belt gear shaft plate
  tube frame glass lamp battery charger display printer paper ink box label tape glue paint brush
  hammer drill screw nail wrench saw blade knife table chair desk shelf lock key door window roof`.split(
  /\s+/,
)

/** Values of one item of the bench, as `items` keeps them. */
export interface SampleItem {
  readonly code: string
  readonly name: string
  readonly group: string
  readonly brand: string
  readonly description: string
  readonly isDisabled: boolean
  /** Rate in 1/10000, as the column holds it. */
  readonly rate: number
  readonly modified: string
}

export const GROUPS = Array.from({ length: 20 }, (_, n) => `Bench Group ${n}`)

/** Group of items that are created while the bench runs: the lists that are measured do not grow. */
export const GROUP_OF_NEW = 'Bench Group of New'

export const BRANDS = [...new Set(WORDS)]

const FIRST_MODIFIED = Date.parse('2025-01-01T00:00:00.000Z')

/** The n-th item, always the same: numbers stand in for chance, so that two runs measure the same data. */
export function sampleItem(n: number): SampleItem {
  const word = (salt: number): string => WORDS[mixed(n * 4 + salt) % WORDS.length]!
  return {
    code: `ITM-${String(n).padStart(7, '0')}`,
    name: `${word(0)} ${word(1)} ${n}`,
    group: GROUPS[n % GROUPS.length]!,
    brand: word(2),
    description: `A ${word(3)} of the best quality.`,
    isDisabled: n % 10 === 0,
    rate: ((n * 7919) % 1_000_000) * 100,
    modified: new Date(FIRST_MODIFIED + n * 1000).toISOString(),
  }
}

/** A word that is in the name of every `every`-th item alone. */
export function markedName(item: SampleItem, marker: string): string {
  return `${item.name} ${marker}`
}

/** Mixes the bits of a number (the finaliser of MurmurHash3). */
export function mixed(n: number): number {
  let h = n | 0
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b)
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35)
  return (h ^ (h >>> 16)) >>> 0
}

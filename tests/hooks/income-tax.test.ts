import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { taxOfPeriod } from '../../hooks/income-tax.ts'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const NONE = { periods: 0n, taxable: 0n, tax: 0n }

const test = suite('income tax by slabs')

type Part = readonly [from: number, to: number, percent: number]

/** In whole units of the currency and percent; 2 decimals of the currency. */
function tax(parts: readonly Part[], regular: number, oneOff = 0, frequency = 'Monthly'): number {
  const slabs = parts.map(([from, to, percent]) => ({
    from_amount: BigInt(from) * 10_000n,
    to_amount: BigInt(to) * 10_000n,
    percent_deduction: BigInt(percent) * 1_000_000n,
  }))
  const slab = { standard_tax_exemption_amount: 4_000n * 10_000n, slabs }
  const pay = { regular: BigInt(regular) * 10_000n, oneOff: BigInt(oneOff) * 10_000n }
  return Number(taxOfPeriod(slab, pay, frequency, NONE, 100n)) / 10_000
}

const RATES: readonly Part[] = [
  [0, 10_000, 10],
  [10_000, 30_000, 20],
  [30_000, 0, 40],
]

test('is the share of the year, by the frequency of pay', () => {
  // 12 × 3,000 − 4,000 = 32,000: 1,000 + 4,000 + 800 = 5,800 a year
  assert.is(tax(RATES, 3000), 483.33)
  // 52 × 250 − 4,000 = 9,000: 900 a year
  assert.is(tax(RATES, 250, 0, 'Weekly'), 17.31)
  assert.is(tax(RATES, 333), 0)
  // 24 × 500 − 4,000 = 8,000: 800 a year, and 100 for a bonus of 1,000 that stays within the first part
  assert.is(tax(RATES, 500, 1000, 'Bimonthly'), 133.33)
  assert.throws(() => tax(RATES, 500, 0, 'Yearly'), /expected a pay frequency/)
})

for (const seed of SEEDS)
  test(`does not depend on how a slab is divided, and grows with the pay (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(70); round += 1) {
      const [low, high] = [1 + random.below(20_000), 1 + random.below(20_000)]
      const parts: Part[] = [
        [0, low, random.below(20)],
        [low, low + high, 20 + random.below(20)],
        [low + high, 0, 40 + random.below(20)],
      ]
      const cut = low + random.below(high)
      const divided = parts.flatMap((part): Part[] =>
        part[0] === low && cut > low
          ? [
              [low, cut, part[2]],
              [cut, part[1], part[2]],
            ]
          : [part],
      )
      const [pay, more] = [random.below(8_000), random.below(8_000)]
      const what = JSON.stringify({ parts, cut, pay, more })
      assert.is(tax(parts, pay, more), tax(divided, pay, more), what)
      const extra = tax(parts, pay, more) - tax(parts, pay)
      assert.ok(extra >= 0 && extra <= more * 0.6 + 0.011, what)
      assert.ok(tax(parts, pay + more) >= tax(parts, pay), what)
      assert.ok(tax(parts, pay) <= pay * 0.6 + 0.005, what)
    }
  })

test('the tax of a year is that of all its pay, however that comes', () => {
  const part = (from_amount: number, to_amount: number, percent: number) => ({
    from_amount: BigInt(from_amount) * 10_000n,
    to_amount: BigInt(to_amount) * 10_000n,
    percent_deduction: BigInt(percent) * 1_000_000n,
  })
  const slabs = [part(0, 12_000, 0), part(12_000, 30_000, 20), part(30_000, 0, 40)]
  const slab = { standard_tax_exemption_amount: 0n, slabs }
  const before = { periods: 0n, taxable: 0n, tax: 0n }
  const taxes: number[] = []
  for (const month of [2000, 2000, 2000, 2000, 2000, 2000, 6000, 6000, 6000, 6000, 6000, 6000]) {
    const regular = BigInt(month) * 10_000n
    const tax = taxOfPeriod(slab, { regular, oneOff: 0n }, 'Monthly', before, 100n)
    before.periods += 1n
    before.taxable += regular
    before.tax += tax
    taxes.push(Number(tax) / 10_000)
  }
  // 20 % of 12,000 a year are 200 a month; in the end 48,000 came: 20 % of 18,000 and 40 % of as much, 3,600 + 7,200
  assert.is(taxes[0], 200)
  assert.is(
    taxes.reduce((sum, tax) => sum + tax),
    10_800,
  )
})

test.run()

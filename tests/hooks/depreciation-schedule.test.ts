import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { randomOf, rounds, seedsOf } from '../helpers/random.ts'
import { type PlainRecord, refusalOf, runHook } from './run-hook.ts'

const SEEDS = seedsOf(import.meta.filename, [1, 2, 3])

const test = suite('the depreciation schedule')

/** Dates, amounts and what is left of an asset with one book. */
function schedule(book: PlainRecord, more: PlainRecord = {}): readonly (readonly unknown[])[] {
  return runHook('depreciation_schedule', input(book, more)).map((row) => [
    row.schedule_date,
    row.depreciation_amount,
    row.value_after,
  ])
}

function input(book: PlainRecord, more: PlainRecord): PlainRecord {
  return {
    gross: 12_000,
    available_for_use_date: '2026-01-01',
    books: [
      {
        depreciation_method: 'Straight Line',
        total_number_of_depreciations: 3,
        frequency_of_depreciation: 12,
        depreciation_start_date: '2026-12-31',
        ...book,
      },
    ],
    ...more,
  }
}

test('in equal parts ends at what is left', () => {
  assert.equal(schedule({ expected_value_after_useful_life: 3_000 }), [
    ['2026-12-31', 3_000, 9_000],
    ['2027-12-31', 3_000, 6_000],
    ['2028-12-31', 3_000, 3_000],
  ])
})

test('has the residue of roundings in its last row, in cents of the currency', () => {
  assert.equal(schedule({}, { gross: 100 }), [
    ['2026-12-31', 33.33, 66.67],
    ['2027-12-31', 33.33, 33.34],
    ['2028-12-31', 33.34, 0],
  ])
  assert.equal(
    schedule({}, { gross: 100, currency: 'JPY' }).map(([, amount]) => amount),
    [33, 33, 34],
  )
})

test('begins with the days that are left of the first period and ends with the others', () => {
  const book = { frequency_of_depreciation: 1, depreciation_start_date: '2026-01-31' }
  // 17 of the 31 days of January: 1000 × 17 / 31.
  assert.equal(schedule(book, { gross: 3_000, available_for_use_date: '2026-01-15' }), [
    ['2026-01-31', 548.39, 2_451.61],
    ['2026-02-28', 1_000, 1_451.61],
    ['2026-03-31', 1_000, 451.61],
    ['2026-04-14', 451.61, 0],
  ])
})

test('goes on where depreciation was before', () => {
  const book = { expected_value_after_useful_life: 1_000 }
  // 12,000 − 4,000 − 1,000 in the two that are left.
  const more = { opening: 4_000, opening_number: 1, available_for_use_date: '2025-01-01' }
  assert.equal(schedule(book, more), [
    ['2026-12-31', 3_500, 4_500],
    ['2027-12-31', 3_500, 1_000],
  ])
})

test('goes on with as many as are said to be left, from the day that is said', () => {
  const more = { opening: 4_000, count: 4, start: '2027-03-31' }
  assert.equal(schedule({ frequency_of_depreciation: 3 }, more), [
    ['2027-03-31', 2_000, 6_000],
    ['2027-06-30', 2_000, 4_000],
    ['2027-09-30', 2_000, 2_000],
    ['2027-12-31', 2_000, 0],
  ])
  assert.equal(schedule({}, { count: 0 }), [])
})

test('of a written rate takes it from what is left each year, of which each month has a twelfth', () => {
  const book = {
    depreciation_method: 'Written Down Value',
    rate_of_depreciation: 20,
    expected_value_after_useful_life: 1_000,
  }
  assert.equal(schedule(book, { gross: 10_000 }), [
    ['2026-12-31', 2_000, 8_000],
    ['2027-12-31', 1_600, 6_400],
    ['2028-12-31', 5_400, 1_000],
  ])
  const monthly = schedule({
    ...book,
    total_number_of_depreciations: 24,
    frequency_of_depreciation: 1,
    depreciation_start_date: '2026-01-31',
  })
  // 12,000 × 20 % / 12, then (12,000 − 2,400) × 20 % / 12.
  assert.equal(monthly.slice(10, 14), [
    ['2026-11-30', 200, 9_800],
    ['2026-12-31', 200, 9_600],
    ['2027-01-31', 160, 9_440],
    ['2027-02-28', 160, 9_280],
  ])
})

test('of a written rate counts its years from the first whole period', () => {
  const book = {
    depreciation_method: 'Written Down Value',
    rate_of_depreciation: 20,
    total_number_of_depreciations: 24,
    frequency_of_depreciation: 1,
    depreciation_start_date: '2026-01-31',
  }
  const rows = schedule(book, { available_for_use_date: '2026-01-16' })
  // 200 × 16 / 31; 20 % of what is left by 12; a year later of 11,896.77 − 12 × 198.28 = 9,517.41.
  assert.equal(
    [0, 1, 12, 13].map((index) => rows[index]?.slice(0, 2)),
    [
      ['2026-01-31', 103.23],
      ['2026-02-28', 198.28],
      ['2027-01-31', 198.28],
      ['2027-02-28', 158.62],
    ],
  )
})

test('without a rate has the one that leads to what is left', () => {
  const book = {
    depreciation_method: 'Written Down Value',
    expected_value_after_useful_life: 1_250,
  }
  // Half each year: 10,000 → 5,000 → 2,500 → 1,250.
  assert.equal(schedule(book, { gross: 10_000 }), [
    ['2026-12-31', 5_000, 5_000],
    ['2027-12-31', 2_500, 2_500],
    ['2028-12-31', 1_250, 1_250],
  ])
})

test('of double declining balance takes twice the equal share', () => {
  const book = {
    depreciation_method: 'Double Declining Balance',
    total_number_of_depreciations: 5,
  }
  // 40 % of 10,000, of 6,000, of 3,600, of 2,160; the rest.
  assert.equal(
    schedule(book, { gross: 10_000 }).map(([, amount]) => amount),
    [4_000, 2_400, 1_440, 864, 1_296],
  )
})

test('never falls below what is left', () => {
  const book = {
    depreciation_method: 'Written Down Value',
    rate_of_depreciation: 50,
    expected_value_after_useful_life: 4_000,
  }
  assert.equal(schedule(book, { gross: 10_000 }), [
    ['2026-12-31', 5_000, 5_000],
    ['2027-12-31', 1_000, 4_000],
  ])
})

test('written by hand is taken as it is', () => {
  const book = { depreciation_method: 'Manual' }
  const manual = [
    { schedule_date: '2026-06-30', depreciation_amount: 7_000 },
    { schedule_date: '2027-06-30', depreciation_amount: 5_000 },
  ]
  assert.equal(schedule(book, { manual }), [
    ['2026-06-30', 7_000, 5_000],
    ['2027-06-30', 5_000, 0],
  ])
  assert.is(
    refusalOf('depreciation_schedule', input(book, { manual: manual.slice(1) })),
    'the amounts of the manual schedule add up to 5000; expected 12000',
  )
})

test('ends on the day of disposal with its share', () => {
  // 4,000 in 2026; then 73 of the 365 days of 2027.
  assert.equal(schedule({}, { until: '2027-03-14' }), [
    ['2026-12-31', 4_000, 8_000],
    ['2027-03-14', 800, 7_200],
  ])
  assert.is(schedule({}, { until: '2026-12-31' }).length, 1)
})

test('is made for each finance book', () => {
  const { books, ...more } = input({ finance_book: 'Tax' }, {})
  const [book] = books as readonly PlainRecord[]
  const both = [book!, { ...book, finance_book: 'Own', total_number_of_depreciations: 2 }]
  const rows = runHook('depreciation_schedule', { ...more, books: both })
  assert.equal(
    rows.map(({ finance_book, finance_book_idx }) => [finance_book, finance_book_idx]),
    [...Array(3).fill(['Tax', 1]), ...Array(2).fill(['Own', 2])],
  )
})

test('says what is wrong', () => {
  const refused = (book: PlainRecord, more: PlainRecord = {}): string =>
    refusalOf('depreciation_schedule', input(book, more))
  assert.match(refused({ expected_value_after_useful_life: 12_001 }), /0 to 12000, got 12001/)
  assert.match(refused({ depreciation_start_date: '2025-12-31' }), /before the asset is in use/)
  assert.match(refused({ depreciation_method: 'Sum of Digits' }), /got "Sum of Digits"/)
  assert.match(refused({ depreciation_method: 'Written Down Value' }), /needs a rate/)
})

for (const seed of SEEDS)
  test(`is what is to be lost, whatever the numbers (seed ${seed})`, () => {
    const random = randomOf(seed)
    for (let round = 0; round < rounds(150); round += 1) {
      const gross = random.below(50_000_000)
      const opening = Math.floor((gross * random.below(50)) / 100)
      const left = Math.ceil(((gross - opening) * (1 + random.below(90))) / 100)
      const book = {
        depreciation_method: random.one([
          'Straight Line',
          'Written Down Value',
          'Double Declining Balance',
        ]),
        total_number_of_depreciations: 1 + random.below(60),
        frequency_of_depreciation: random.one([1, 2, 3, 5, 6, 12, 18]),
        depreciation_start_date: `2026-${random.one(['02', '05', '09', '12'])}-${10 + random.below(19)}`,
        expected_value_after_useful_life: amount(left),
      }
      const given = input(book, {
        gross: amount(gross),
        opening: amount(opening),
        available_for_use_date: `2026-01-${10 + random.below(22)}`,
      })
      const rows = runHook('depreciation_schedule', given)
      const what = JSON.stringify(given)
      const sum = rows.reduce((total, row) => total + cents(row.depreciation_amount), 0)
      assert.is(sum, gross - opening - left, what)
      const dates = rows.map((row) => String(row.schedule_date))
      assert.equal(dates, [...new Set(dates)].sort(), what)
      for (const row of rows) assert.ok(Number(row.depreciation_amount) > 0, what)
      const last = rows.at(-1)
      if (last) assert.is(cents(last.value_after), left, what)
    }
  })

function amount(inCents: number): string {
  return (inCents / 100).toFixed(2)
}

function cents(value: unknown): number {
  return Math.round(Number(value) * 100)
}

test.run()

import { minorUnit } from '../engine/base/currency.ts'
import { divideRounded, formatDecimal, pow10 } from '../engine/base/money.ts'
import { defineHook, refuse, type ValuesOf } from '../engine/definition/model/hook.ts'
import { daysBetween } from '../engine/expression/run/calendar.ts'
import { extreme } from '../engine/expression/run/runtime.ts'
import { depreciationPeriods, type Period } from './depreciation-dates.ts'
import {
  doubleDecliningRate,
  rateDownTo,
  writtenRate,
  type YearlyRate,
} from './depreciation-rate.ts'

const BOOK = {
  depreciation_method: 'str',
  total_number_of_depreciations: 'int',
  frequency_of_depreciation: 'int',
  depreciation_start_date: 'date',
  expected_value_after_useful_life: 'money?',
  rate_of_depreciation: 'decimal?',
  finance_book: 'str?',
} as const
const MANUAL = {
  schedule_date: 'date',
  depreciation_amount: 'money',
  finance_book: 'str?',
} as const

type Book = ValuesOf<typeof BOOK>
type ManualRow = ValuesOf<typeof MANUAL>

/** Loss on a day. */
interface Loss {
  readonly date: string
  readonly amount: bigint
  /** The days it is for: after `from` up to `date`. */
  readonly from: string
}

interface Asset {
  /** Value in the books when the schedule begins. */
  readonly value: bigint
  /** Value that is left of it at the end. */
  readonly left: bigint
  readonly inUse: string
  /** Depreciations before the schedule. */
  readonly booked: number
  /** Depreciations still to come; without it those of the book that were not booked before. */
  readonly count: number | undefined
  /** The next one; empty for the first of the book. */
  readonly start: string
  /** The smallest amount, in 1/10⁴. */
  readonly cent: bigint
}

const MAX_DEPRECIATIONS = 1_000

/**
 * Schedule by which an asset loses its value, for each of its finance books. Exact: what rounding leaves is in the
 * last row, so that all rows together are the value without what is left at the end.
 */
export const depreciationSchedule = defineHook({
  inputs: {
    gross: 'money',
    /** Depreciation before the schedule, and in how many parts. */
    opening: 'money?',
    opening_number: 'int?',
    /** Number still to come, and the day of the next one, where the first book's own numbers hold no more. */
    count: 'int?',
    start: 'date?',
    /** Amounts as above for all books but the first, whose schedules a change of the value leaves as they are. */
    first_gross: 'money?',
    first_opening: 'money?',
    available_for_use_date: 'date',
    books: { rows: BOOK },
    /** The rows of books with the method Manual. */
    manual: { rows: MANUAL, optional: true },
    /** The day of disposal: the schedule ends with its share of the period. */
    until: 'date?',
    currency: 'str?',
  },
  reads: {},
  outputs: {
    schedule_date: 'date',
    depreciation_amount: 'money',
    accumulated_depreciation_amount: 'money',
    value_after: 'money',
    finance_book: 'str',
    finance_book_idx: 'int',
  },
  gives: 'rows',
  run({
    gross,
    opening = 0n,
    opening_number = 0,
    available_for_use_date,
    books,
    manual = [],
    ...rest
  }) {
    const { until = '', currency = '', count, start = '' } = rest
    if (count !== undefined && count <= 0) return []
    return books.flatMap((book, index) => {
      const isChanged = index === 0 && start !== ''
      const whole = index === 0 ? gross : (rest.first_gross ?? gross)
      const before = index === 0 ? opening : (rest.first_opening ?? opening)
      const asset: Asset = {
        value: whole - before,
        left: book.expected_value_after_useful_life ?? 0n,
        inUse: available_for_use_date,
        booked: opening_number,
        count: isChanged ? count : undefined,
        start: isChanged ? start : '',
        cent: pow10(4 - minorUnit(currency)),
      }
      let accumulated = before
      return ended(lossesOf(book, asset, manual), until, asset.cent).map(({ date, amount }) => {
        accumulated += amount
        return {
          schedule_date: date,
          depreciation_amount: amount,
          accumulated_depreciation_amount: accumulated,
          value_after: whole - accumulated,
          finance_book: book.finance_book ?? '',
          finance_book_idx: index + 1,
        }
      })
    })
  },
})

function lossesOf(book: Book, asset: Asset, manual: readonly ManualRow[]): readonly Loss[] {
  const { value, left } = asset
  if (left < 0n || left > value)
    refuse(
      `expected a value after useful life of 0 to ${formatDecimal(value, 4)}, got ${formatDecimal(left, 4)}`,
    )
  if (book.depreciation_method === 'Manual') return manualLosses(book, asset, manual)
  const total = book.total_number_of_depreciations
  const months = book.frequency_of_depreciation
  const start = asset.start || book.depreciation_start_date
  if (total > MAX_DEPRECIATIONS)
    refuse(`expected at most ${MAX_DEPRECIATIONS} depreciations, got ${total}`)
  const count = asset.count ?? total - asset.booked
  // A draft may not say it all yet.
  if (start === '' || months <= 0 || count <= 0) return []
  if (start < asset.inUse)
    refuse(`the first depreciation, ${start}, is before the asset is in use, ${asset.inUse}`)
  const inUse = asset.booked > 0 || asset.start !== '' ? '' : asset.inUse
  const periods = depreciationPeriods(start, count, months, inUse)
  const amounts = wholeAmounts(book, asset, count, periods)
  return losses(periods, amounts, value - left)
}

function losses(
  periods: readonly Period[],
  amountOf: (index: number, lost: bigint) => bigint,
  toLose: bigint,
): readonly Loss[] {
  const found: Loss[] = []
  let lost = 0n
  for (const [index, { from, to }] of periods.entries()) {
    const rest = toLose - lost
    const wanted = index === periods.length - 1 ? rest : amountOf(index, lost)
    const amount = extreme('min', [wanted, rest])
    if (amount > 0n) found.push({ from, date: to, amount })
    lost += amount
  }
  return found
}

/** The amount of each period by what was lost before it; the last takes the rest in any case. */
function wholeAmounts(
  book: Book,
  asset: Asset,
  count: number,
  periods: readonly Period[],
): (index: number, lost: bigint) => bigint {
  const shareOf = (of: bigint, by: bigint, { days, ofDays }: Period): bigint =>
    toCents(of * BigInt(days), by * BigInt(ofDays), asset.cent)
  const method = book.depreciation_method
  if (method === 'Straight Line')
    return (index) => shareOf(asset.value - asset.left, BigInt(count), periods[index]!)
  const { of, by } = yearlyRate(book, asset, count)
  const months = book.frequency_of_depreciation
  // Within a year all periods lose the same; the year begins with the first whole period.
  const perYear = 12 % months === 0 ? 12 / months : 1
  const offset = periods.length > count ? 1 : 0
  let base = asset.value
  return (index, lost) => {
    if (index === 0 || (index - offset) % perYear === 0) base = asset.value - lost
    return shareOf(base * of * BigInt(months), by * 12n, periods[index]!)
  }
}

function yearlyRate(book: Book, { value, left }: Asset, count: number): YearlyRate {
  const { depreciation_method: method, rate_of_depreciation: rate = 0n } = book
  const months = book.frequency_of_depreciation
  if (method === 'Double Declining Balance')
    return doubleDecliningRate(book.total_number_of_depreciations * months)
  if (method !== 'Written Down Value')
    return refuse(
      `expected the method Straight Line, Written Down Value, Double Declining Balance or Manual, got ${JSON.stringify(method)}`,
    )
  if (rate > 0n) return writtenRate(rate)
  if (left > 0n) return rateDownTo(left, value, count * months)
  return refuse('Written Down Value needs a rate, or a value that is left after the useful life')
}

function manualLosses(
  book: Book,
  { value, left }: Asset,
  rows: readonly ManualRow[],
): readonly Loss[] {
  const own = rows.filter(({ finance_book }) => (finance_book ?? '') === (book.finance_book ?? ''))
  const sum = own.reduce((total, row) => total + row.depreciation_amount, 0n)
  if (own.length > 0 && sum !== value - left)
    refuse(
      `the amounts of the manual schedule add up to ${formatDecimal(sum, 4)}; expected ${formatDecimal(value - left, 4)}`,
    )
  let from = ''
  return own.map(({ schedule_date: date, depreciation_amount: amount }) => {
    if (date <= from)
      refuse(`the dates of the manual schedule have to rise, got ${date} after ${from}`)
    const loss = { from, date, amount }
    from = date
    return loss
  })
}

/** Losses until the day of disposal, with the part of the last period that is over by then. */
function ended(all: readonly Loss[], until: string, cent: bigint): readonly Loss[] {
  if (until === '') return all
  const over = all.filter(({ date }) => date <= until)
  const next = all[over.length]
  if (!next || next.from === '' || next.from >= until) return over
  const days = BigInt(daysBetween(until, next.from))
  const amount = toCents(next.amount * days, BigInt(daysBetween(next.date, next.from)), cent)
  return amount > 0n ? [...over, { ...next, date: until, amount }] : over
}

/** A quotient in whole cents. */
function toCents(of: bigint, by: bigint, cent: bigint): bigint {
  return divideRounded(of, by * cent) * cent
}

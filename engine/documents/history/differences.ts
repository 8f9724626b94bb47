import { AppError } from '../../base/errors.ts'
import {
  ADJUSTS,
  REVERSES,
  VOUCHER_NO,
  VOUCHER_TYPE,
} from '../../definition/model/ledger-fields.ts'
import type { DifferenceBooks } from '../../definition/model/looks-back.ts'
import { addDays } from '../../expression/run/calendar.ts'
import { cloneDoc, type Doc, valueIn } from '../../storage/database/document.ts'
import type { SeriesRow } from '../../storage/finding/ledger-series.ts'
import { type ComputedRows, problemsOfRow } from '../effects/compute-rows.ts'
import { nameContra } from '../effects/contra.ts'
import { insertRows, rowsToAppend } from '../effects/ledger.ts'
import { amountColumns } from '../effects/ledger-amounts.ts'
import { dateFieldOf } from '../effects/posting-day.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Work, Written } from '../work/work.ts'
import type { History } from './series.ts'

/** What a row of a ledger is more by, because of what stands before it now. */
export interface Difference {
  readonly name: string
  readonly row: SeriesRow
  readonly quantity: bigint
  readonly value: bigint
}

/** Days that are looked at for one that takes postings. */
const MOST_DAYS = 4000

/** Difference rows of one document, and what books them. */
interface OfVoucher {
  readonly rows: readonly Doc[]
  readonly booked: readonly Doc[]
}

/**
 * Posts a difference row for each difference, of the document that posted the row, and books its value; on the day of
 * that document or, where that is closed, on the first open one.
 */
export async function postDifferences(
  work: Work,
  ledger: DocTypeParts,
  history: History,
  differences: readonly Difference[],
  writes: Written[],
): Promise<void> {
  const byVoucher = Map.groupBy(
    differences,
    ({ row }) => `${row[VOUCHER_TYPE]}\0${row[VOUCHER_NO]}`,
  )
  await holdVouchers(work, [...byVoucher.keys()])
  const originals = await ledger.store.findMany(
    work.tx,
    differences.map(({ name }) => name),
  )
  const { books, value } = history.declared
  const { make, changed } = differenceRows(work, ledger, history, originals)
  const all = [...byVoucher.values()].map((list): OfVoucher => {
    const rows = list.map(make)
    return { rows, booked: books ? bookingOf(work, books, rows, value) : [] }
  })
  if (books) await postBookings(work, bookOf(work, books), all, new Set(byVoucher.keys()), writes)
  const rows = all.flatMap((one) => one.rows)
  const date = dateFieldOf(ledger.definition)
  // What is not booked, as goods that stay on one account, is told on an open day too.
  const unbooked = all.filter(({ booked }) => booked.length === 0)
  if (date !== undefined && unbooked.length > 0) {
    const openDay = openDays(work, ledger, date)
    for (const one of unbooked) {
      const day = await openDay(one.rows[0]!)
      for (const row of one.rows) row[date] = day
    }
  }
  const copies = { of: (row: Doc) => originals.get(String(row[ADJUSTS])), changed }
  await insertRows(work, ledger, rows, writes, copies)
}

function bookOf({ context: { services } }: Work, { post }: DifferenceBooks): DocTypeParts {
  return services.partsOf(services.registry.byDoctype(post)!)
}

/** Who cancels a document in the same instant takes back these rows too, so it has to wait; SQLite has one writer. */
async function holdVouchers(
  { tx, touched, context: { services } }: Work,
  keys: readonly string[],
): Promise<void> {
  if (services.database.kind !== 'postgres') return
  const unheld = keys.filter((key) => !touched.has(key)).map((key) => key.split('\0'))
  for (const [doctype, some] of [...Map.groupBy(unheld, ([doctype]) => doctype!)].sort()) {
    const definition = services.registry.byDoctype(doctype)
    const names = some.map(([, name = '']) => name)
    if (definition) await services.partsOf(definition).store.hold(tx, names)
  }
}

/** Makes difference rows: copies of the rows that they bring right, with what these are more by. */
function differenceRows(
  work: Work,
  { definition, behaviour, store }: DocTypeParts,
  { declared }: History,
  originals: ReadonlyMap<string, Doc>,
): { readonly make: (difference: Difference) => Doc; readonly changed: ReadonlySet<string> } {
  const { rid, name: unnamed, docstatus, version } = store.empty()
  const amounts = amountColumns(definition)
  const given = new Set([...amounts, declared.quantity, declared.value])
  const date = dateFieldOf(definition)
  const own = [ADJUSTS, REVERSES, ...(date === undefined ? [] : [date])]
  const changed = new Set([...behaviour.rules.followingFrom(given), ...own])
  const make = ({ name, quantity, value }: Difference): Doc => {
    const row: Doc = { ...originals.get(name)!, rid, name: unnamed, docstatus, version }
    for (const column of amounts) row[column] = 0n
    row[declared.quantity] = quantity
    row[declared.value] = value
    row[ADJUSTS] = name
    row[REVERSES] = null
    behaviour.rules.recompute(row, row, work.environment, given)
    return row
  }
  return { make, changed }
}

/** What books the differences of one document, summed by account. */
function bookingOf(
  work: Work,
  books: DifferenceBooks,
  rows: readonly Doc[],
  value: string,
): readonly Doc[] {
  const ledger = bookOf(work, books)
  const { definition, store } = ledger
  const { balance: [debit = '', credit = ''] = [], copy = [] } = definition.behaviour.ledger!
  const [first] = rows
  const sums = new Map<string, bigint>()
  for (const row of rows) {
    const more = row[value] as bigint
    for (const [field, amount] of [
      [books.debit, more],
      [books.credit, -more],
    ] as const) {
      const account = String(valueIn(row, field) ?? '')
      sums.set(account, (sums.get(account) ?? 0n) + amount)
    }
  }
  const posted: Doc[] = []
  for (const [account, amount] of sums) {
    if (amount === 0n) continue
    const row = store.empty()
    for (const name of copy) row[name] = valueIn(first!, name)
    row[books.account] = account === '' ? null : account
    row[debit] = amount > 0n ? amount : 0n
    row[credit] = amount < 0n ? -amount : 0n
    if (books.mark !== undefined) row[books.mark] = true
    row[VOUCHER_TYPE] = first![VOUCHER_TYPE]!
    row[VOUCHER_NO] = first![VOUCHER_NO]!
    posted.push(row)
  }
  nameContra(ledger, posted)
  return posted
}

/** Posts what books differences; where the day of a document takes nothing any more, both go on the first one that does. */
async function postBookings(
  work: Work,
  ledger: DocTypeParts,
  all: readonly OfVoucher[],
  // The documents are there: they have posted what is brought right.
  trusted: ReadonlySet<string>,
  writes: Written[],
): Promise<void> {
  const booked = all.flatMap((one) => one.booked)
  if (booked.length === 0) return
  const date = dateFieldOf(ledger.definition)
  let computed: ComputedRows
  try {
    computed = await rowsToAppend(work, ledger, booked, trusted)
  } catch (error) {
    if (date === undefined || !isOfField(error, date)) throw error
    const openDay = openDays(work, ledger, date)
    for (const one of all) {
      const [first] = one.booked
      if (!first) continue
      const day = await openDay(first)
      for (const row of [...one.booked, ...one.rows]) row[date] = day
    }
    computed = await rowsToAppend(work, ledger, booked, trusted)
  }
  await insertRows(work, ledger, computed.rows, writes, computed.copies)
}

/** Whether something was refused for what a field of it says. */
function isOfField(error: unknown, field: string): boolean {
  return (
    error instanceof AppError &&
    error.code === 'VALIDATION_ERROR' &&
    (error.details ?? []).some((detail) => detail.field === field)
  )
}

/** Finds the day of a row, or the first one behind it, up to today, on which its ledger takes it. */
type DayFinder = (row: Doc) => Promise<string>

/** Each day is tried once for all rows of the same kind of document, company and what else they link to. */
function openDays(work: Work, { definition, behaviour }: DocTypeParts, date: string): DayFinder {
  const links = new Set(definition.fields.filter(({ link }) => link).map(({ name }) => name))
  const copied = (definition.behaviour.ledger?.copy ?? []).filter((name) => links.has(name))
  const { today } = work.environment
  const tried = new Map<string, boolean>()
  const isOpen = async (row: Doc, key: string, day: string): Promise<boolean> => {
    const known = tried.get(`${key}\0${day}`)
    if (known !== undefined) return known
    const problems = await problemsOfRow(work, { behaviour }, { ...cloneDoc(row), [date]: day })
    const found = !problems.some(({ field }) => field === date)
    tried.set(`${key}\0${day}`, found)
    return found
  }
  return async (row) => {
    const wanted = String(row[date])
    const key = [VOUCHER_TYPE, ...copied].map((name) => row[name]).join('\0')
    let day = wanted
    for (let n = 0; n < MOST_DAYS && !(await isOpen(row, key, day)); n += 1) {
      if (day >= today) return wanted
      day = addDays(day, 1)
    }
    return day
  }
}

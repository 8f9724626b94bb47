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
import { appendOf, dateFieldOf, insertRows, problemsOfRow } from '../effects/ledger.ts'
import { amountColumns } from '../effects/ledger-amounts.ts'
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
  await lockVouchers(work, [...byVoucher.keys()].sort())
  const originals = await ledger.store.findMany(
    work.tx,
    differences.map(({ name }) => name),
  )
  const { books } = history.declared
  const days = new Map<string, string>()
  const rows: Doc[] = []
  const booked: Doc[] = []
  for (const list of byVoucher.values()) {
    const made = list.map((one) => differenceRow(work, ledger, history, originals, one))
    if (books) booked.push(...(await bookingOf(work, books, made, history.declared.value, days)))
    rows.push(...made)
  }
  // The documents are there: they have posted what is brought right.
  const trusted = new Set(byVoucher.keys())
  if (books && booked.length > 0) await appendOf(work, bookOf(work, books), booked, writes, trusted)
  await insertRows(work, ledger, rows, writes)
}

function bookOf({ context: { services } }: Work, { post }: DifferenceBooks): DocTypeParts {
  return services.partsOf(services.registry.byDoctype(post)!)
}

/** Who cancels a document in the same instant takes back these rows too; SQLite has one writer. */
async function lockVouchers(
  { tx, touched, context }: Work,
  keys: readonly string[],
): Promise<void> {
  const { services } = context
  if (services.database.kind !== 'postgres') return
  for (const key of keys) {
    if (touched.has(key)) continue
    const [doctype = '', name = ''] = key.split('\0')
    const definition = services.registry.byDoctype(doctype)
    if (definition) await services.partsOf(definition).store.lock(tx, name, 'change')
  }
}

function differenceRow(
  work: Work,
  { definition, behaviour, store }: DocTypeParts,
  { declared }: History,
  originals: ReadonlyMap<string, Doc>,
  { name, quantity, value }: Difference,
): Doc {
  const original = originals.get(name)!
  const row = store.empty()
  for (const { name, child } of definition.fields) if (!child) row[name] = valueIn(original, name)
  for (const column of amountColumns(definition)) row[column] = 0n
  row[declared.quantity] = quantity
  row[declared.value] = value
  row[ADJUSTS] = name
  row[REVERSES] = null
  behaviour.rules.recompute(row, row, work.environment)
  return row
}

/** What books the differences of one document, which all get the day that they are booked on. */
async function bookingOf(
  work: Work,
  books: DifferenceBooks,
  rows: readonly Doc[],
  value: string,
  days: Map<string, string>,
): Promise<readonly Doc[]> {
  const ledger = bookOf(work, books)
  const { definition, store } = ledger
  const [debit = '', credit = ''] = definition.behaviour.ledger?.balance ?? []
  const date = dateFieldOf(definition)
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
  const posted = [...sums].flatMap(([account, amount]) => {
    if (amount === 0n) return []
    const row = store.empty()
    for (const name of definition.behaviour.ledger?.copy ?? []) row[name] = valueIn(first!, name)
    row[books.account] = account === '' ? null : account
    row[debit] = amount > 0n ? amount : 0n
    row[credit] = amount < 0n ? -amount : 0n
    if (books.mark !== undefined) row[books.mark] = true
    row[VOUCHER_TYPE] = first![VOUCHER_TYPE]!
    row[VOUCHER_NO] = first![VOUCHER_NO]!
    return [row]
  })
  if (posted.length > 0 && date !== undefined) {
    const day = await openDay(work, ledger, posted[0]!, date, days)
    for (const row of [...posted, ...rows]) row[date] = day
  }
  return posted
}

/** The day of a row, or the first one behind it, up to today, on which the ledger takes it. */
async function openDay(
  work: Work,
  ledger: DocTypeParts,
  row: Doc,
  date: string,
  days: Map<string, string>,
): Promise<string> {
  const wanted = String(row[date])
  const copied = (ledger.definition.behaviour.ledger?.copy ?? []).map((name) => row[name])
  const key = [row[VOUCHER_TYPE], ...copied].join('\0')
  const known = days.get(key)
  if (known !== undefined) return known
  let day = wanted
  for (
    let tried = 0;
    tried < MOST_DAYS && !(await isOpen(work, ledger, row, date, day));
    tried += 1
  ) {
    if (day >= work.environment.today) {
      day = wanted
      break
    }
    day = addDays(day, 1)
  }
  days.set(key, day)
  return day
}

async function isOpen(
  work: Work,
  ledger: DocTypeParts,
  row: Doc,
  date: string,
  day: string,
): Promise<boolean> {
  const problems = await problemsOfRow(work, ledger, { ...cloneDoc(row), [date]: day })
  return !problems.some(({ field }) => field === date)
}

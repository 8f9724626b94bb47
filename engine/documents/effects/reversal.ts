import type { LedgerDeclaration } from '../../definition/model/ledger.ts'
import { REVERSES, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import type { Field } from '../../fields/field.ts'
import type { Value } from '../../fields/field-type.ts'
import { type Doc, valueIn } from '../../storage/database/document.ts'
import { rowsToReverse } from '../../storage/finding/ledger-rows.ts'
import type { DocTypeParts } from '../work/context.ts'
import type { Touched } from '../work/touched.ts'
import type { Work, Written } from '../work/work.ts'
import { problemsOfRow } from './compute-rows.ts'
import { holdRecords, insertRows } from './ledger.ts'
import { dateFieldOf } from './posting-day.ts'

/** Rows of one ledger that a document posted and that nothing takes back yet. */
interface Posted {
  readonly ledger: DocTypeParts
  readonly rows: readonly Doc[]
}

/**
 * Takes back what a document posted: each row that is not yet taken back gets a mirror row, copied from the stored
 * one and never computed anew, so that a changed YAML cannot break it (rules.md §4.2, Cancel). It bears the day of its
 * row where all ledgers of the document still take postings on that, else the day of the cancel.
 */
export async function reverseRows(work: Work, voucher: Touched, writes: Written[]): Promise<void> {
  const { services } = work.context
  const posted: Posted[] = []
  for (const definition of services.registry.all) {
    if (!definition.behaviour.ledger) continue
    const ledger = services.partsOf(definition)
    const rows = await postedRows(work, ledger, voucher)
    if (rows.length > 0) posted.push({ ledger, rows })
  }
  const closed = await closedDays(work, posted)
  for (const { ledger, rows } of posted) {
    for (const row of rows) {
      const mirror = mirrorOf(work, ledger, row, closed)
      // Swapped amounts make other totals of them; everything else is as it was stored.
      ledger.behaviour.rules.recompute(mirror, mirror, work.environment)
      await refreshDay(work, ledger, row, mirror)
      await insertRows(work, ledger, [mirror], writes)
    }
  }
}

async function postedRows(
  { tx }: Work,
  { definition, store }: DocTypeParts,
  { parts, name }: Touched,
): Promise<readonly Doc[]> {
  const names = await rowsToReverse(tx, definition, { doctype: parts.definition.doctype, name })
  if (names.length === 0) return []
  const docs = await store.findMany(tx, names)
  return names.map((one) => docs.get(one)!)
}

/** Days of these rows on which one of the ledgers takes no posting of the document any more. */
async function closedDays(work: Work, posted: readonly Posted[]): Promise<ReadonlySet<string>> {
  const closed = new Set<string>()
  for (const { ledger, rows } of posted) {
    const date = dateFieldOf(ledger.definition)
    if (date === undefined) continue
    await holdRecords(work, ledger, rows)
    for (const probe of probesOf(ledger, rows)) {
      const day = String(probe[date])
      if (closed.has(day)) continue
      const problems = await problemsOfRow(work, ledger, probe)
      if (problems.some(({ field }) => field === date)) closed.add(day)
    }
  }
  return closed
}

/** Rows as they were posted, one for all that say the same of day and document; what is computed of them is left out. */
function probesOf({ definition, store }: DocTypeParts, rows: readonly Doc[]): Iterable<Doc> {
  const { copy = [] } = definition.behaviour.ledger!
  const said = [...new Set([VOUCHER_TYPE, dateFieldOf(definition)!, ...copy])]
  const posted = definition.fields.filter((field) => !field.child && !isOwnWork(field))
  const probes = new Map<string, Doc>()
  for (const row of rows) {
    const key = said.map((name) => String(row[name])).join('\0')
    if (probes.has(key)) continue
    const probe = store.empty()
    for (const { name } of posted) probe[name] = valueIn(row, name)
    probes.set(key, probe)
  }
  return probes.values()
}

/** Whether a field says what was so when its row was posted. */
function isOwnWork({
  name,
  internal,
  default: given,
  formula,
  fetch,
  lookup,
  call,
}: Field): boolean {
  const isComputed = formula ?? fetch ?? lookup ?? call ?? (internal ? given : undefined)
  return isComputed !== undefined || name === REVERSES
}

function mirrorOf(
  work: Work,
  { definition, store }: DocTypeParts,
  row: Doc,
  closed: ReadonlySet<string>,
): Doc {
  const { balance = [], swap = [], negate = [] } = definition.behaviour.ledger!
  const mirror = store.empty()
  for (const { name, child } of definition.fields) if (!child) mirror[name] = valueIn(row, name)
  const pairs = [...balance, ...swap]
  for (let at = 0; at + 1 < pairs.length; at += 2) {
    const [one, other] = [pairs[at]!, pairs[at + 1]!]
    mirror[one] = valueIn(row, other)
    mirror[other] = valueIn(row, one)
  }
  for (const name of negate) mirror[name] = negated(valueIn(row, name))
  mirror[REVERSES] = row.name
  const date = dateFieldOf(definition)
  if (date !== undefined && !keepsDay(definition.behaviour.ledger!, row, date, closed)) {
    const original = valueIn(row, date)
    const { today } = work.environment
    mirror[date] = typeof original === 'string' && original > today ? original : today
  }
  return mirror
}

function keepsDay(
  { reverse_date = 'open', keep_date = [] }: LedgerDeclaration,
  row: Doc,
  date: string,
  closed: ReadonlySet<string>,
): boolean {
  if (reverse_date === 'original' || keep_date.includes(String(row[VOUCHER_TYPE]))) return true
  return reverse_date === 'open' && !closed.has(String(row[date]))
}

function negated(value: Value): Value {
  if (typeof value === 'bigint') return -value
  return typeof value === 'number' ? 0 - value : value
}

/** Looks up anew what a mirror row takes from its day (the fiscal year); it keeps what it had where none is found. */
async function refreshDay(work: Work, ledger: DocTypeParts, row: Doc, mirror: Doc): Promise<void> {
  const date = dateFieldOf(ledger.definition)
  if (date === undefined || row[date] === mirror[date]) return
  const { rules } = ledger.behaviour
  rules.refreshLookups(mirror, work.reads, work.environment)
  while (await work.reads.fill()) rules.refreshLookups(mirror, work.reads, work.environment)
}

import { uuidV7 } from '../../base/ids.ts'
import { VOUCHER_NO, VOUCHER_TYPE } from '../../definition/model/ledger-fields.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { Copies } from '../../storage/records/record-insert.ts'
import { namesIn } from '../record/outgoing-links.ts'
import type { DocTypeParts } from '../work/context.ts'
import { nameFor } from '../work/naming.ts'
import type { Touched } from '../work/touched.ts'
import type { Work, Written } from '../work/work.ts'
import { startRecord } from '../work/write-record.ts'
import { type ComputedRows, computeRows } from './compute-rows.ts'
import { splitComputed, splitRows } from './split-rows.ts'

/**
 * Adds rows to a ledger for a document. They are computed and checked as every record is, all before the
 * first is written. Throws VALIDATION_ERROR naming the posting and what is wrong with it.
 */
export async function appendRows(
  work: Work,
  ledger: DocTypeParts,
  voucher: Touched,
  rows: readonly Doc[],
  writes: Written[],
): Promise<void> {
  const { parts, name } = voucher
  const trusted = namesIn(parts, voucher.current!)
  const split = await splitRows(work, ledger, rows)
  for (const row of split) {
    row[VOUCHER_TYPE] = parts.definition.doctype
    row[VOUCHER_NO] = name
  }
  await appendOf(work, ledger, split, writes, trusted)
}

const NONE: ReadonlySet<string> = new Set()

/** The same for rows that name their documents; links to `trusted` records are known to lead somewhere. */
export async function appendOf(
  work: Work,
  ledger: DocTypeParts,
  rows: readonly Doc[],
  writes: Written[],
  trusted = NONE,
): Promise<void> {
  const { rows: all, copies } = await rowsToAppend(work, ledger, rows, trusted)
  await insertRows(work, ledger, all, writes, copies)
}

/** What such rows are once they are computed; throws what `appendOf` does, and writes nothing. */
export async function rowsToAppend(
  work: Work,
  ledger: DocTypeParts,
  rows: readonly Doc[],
  trusted = NONE,
): Promise<ComputedRows> {
  await holdRecords(work, ledger, rows)
  const computed = await computeRows(work, ledger, rows, trusted)
  const parts = await splitComputed(work, ledger, rows, computed.rows)
  return parts === rows ? computed : computeRows(work, ledger, parts, trusted)
}

/**
 * Holds the records that the rows name by the links in `hold` until the commit, and reads them anew: who changes one
 * in the same instant (closes a year) waits for this posting, or this one sees the change. SQLite has one writer.
 */
export async function holdRecords(
  { tx, context: { services }, touched, held, reads }: Work,
  { definition }: DocTypeParts,
  rows: readonly Doc[],
): Promise<void> {
  if (services.database.kind !== 'postgres') return
  for (const field of definition.behaviour.ledger?.hold ?? []) {
    const target = definition.fields.find(({ name }) => name === field)?.link
    const linked = target === undefined ? undefined : services.registry.byDoctype(target)
    if (!linked) continue
    const names = new Set(rows.map((row) => row[field]).filter((name) => typeof name === 'string'))
    for (const name of [...names].sort()) {
      const key = `${linked.doctype}\0${name}`
      if (touched.has(key) || held.has(key)) continue
      held.add(key)
      const doc = await services.partsOf(linked).store.lock(tx, name, 'read')
      reads.cacheRead(linked.doctype, name, doc ?? null)
      reads.behindLock()
    }
  }
}

/** Adds rows that are computed to a ledger; some may be copies of others before them, or of rows that are there. */
export async function insertRows(
  work: Work,
  ledger: DocTypeParts,
  rows: readonly Doc[],
  writes: Written[],
  copies?: Copies,
): Promise<void> {
  const { services } = work.context
  const { definition } = ledger
  for (const row of rows) {
    startRecord(work, row)
    row.name =
      definition.naming.kind === 'uuid'
        ? uuidV7(services.clock.now())
        : await nameFor(work.tx, services, definition, row, undefined)
  }
  await ledger.store.insertMany(work.tx, rows, copies)
  work.reads.changed(definition.doctype)
  for (const row of rows) {
    // Nobody looks for the name of a ledger's row; what is searched there is declared.
    if (definition.searchFields.length > 0) await services.search.insert(work.tx, definition, row)
    writes.push({ parts: ledger, before: undefined, after: row })
    work.posted.push({ parts: ledger, row })
  }
}

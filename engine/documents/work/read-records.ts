import type { Db } from '../../storage/database/database.ts'
import type { Doc } from '../../storage/database/document.ts'
import type { DocTypeParts, Services } from './context.ts'
import type { MissingReads } from './missing-reads.ts'
import { withAllValues } from './unfilled-values.ts'

/** Records that rules have read, each with those of its tables that they asked for. */
export interface ReadRecords {
  /** The record, with the rows of `table`; undefined where there is none, and where it is asked for as missing. */
  get(key: string, doctype: string, name: string, table?: string): Doc | undefined
  /** Caches a record without its rows; null says that it does not exist. */
  cacheRead(key: string, doc: Doc | null): void
}

/** Where the database is in this process nothing is missing for long. Keys tell the records of all DocTypes apart. */
export function createReadRecords(
  tx: Db,
  services: Services,
  partsOf: (doctype: string) => DocTypeParts,
  missing: MissingReads,
  keyOf: (doctype: string, name: string) => string,
): ReadRecords {
  const waiting = services.unfilled.now
  const docs = new Map<string, Doc | null>()
  const tables = new Set<string>()
  const owned = new WeakSet<Doc>()

  function known(key: string, doctype: string, name: string): Doc | null | undefined {
    const doc = docs.get(key)
    if (doc !== undefined) return doc
    const parts = partsOf(doctype)
    if (waiting.waits(parts.definition)) return undefined
    const found = parts.store.findNow(tx, name)
    if (found !== undefined) docs.set(key, found)
    return found
  }

  /** Records are shared (`findNow`), so rows come with a copy of our own, one for all tables of a record. */
  async function readRows(doctype: string, read: readonly Doc[], table: string): Promise<void> {
    const { store } = partsOf(doctype)
    const own = read.map((doc) => {
      const key = keyOf(doctype, doc.name)
      tables.add(`${key}\0${table}`)
      const known = docs.get(key) ?? doc
      if (owned.has(known)) return known
      const copy = store.clone(known)
      owned.add(copy)
      docs.set(key, copy)
      return copy
    })
    await store.loadRows(tx, own, [table])
  }

  /** Reads a record of which some values are still missing, with those and its rows. */
  async function readWhole(key: string, parts: DocTypeParts, name: string): Promise<void> {
    const found = await parts.store.whole(tx, name)
    docs.set(key, found ? await withAllValues(tx, services, waiting, parts, found) : null)
    for (const { field } of parts.plan.children) tables.add(`${key}\0${field}`)
  }

  /** Reads records that are there or not, and their rows in `table`. */
  async function readAll(doctype: string, names: readonly string[], table = ''): Promise<void> {
    const parts = partsOf(doctype)
    if (waiting.waits(parts.definition)) {
      for (const name of names) await readWhole(keyOf(doctype, name), parts, name)
      return
    }
    const found = await parts.store.findShared(tx, names)
    for (const [name, doc] of found) addUnread(docs, keyOf(doctype, name), doc)
    const there = [...found.values()].filter((doc) => doc !== null)
    if (table !== '' && there.length > 0) await readRows(doctype, there, table)
  }

  return {
    get(key, doctype, name, table) {
      const doc = known(key, doctype, name)
      if (doc === undefined) {
        missing.askRecord(`${doctype}\0${table ?? ''}`, key, name, (names) =>
          readAll(doctype, names, table),
        )
        return undefined
      }
      if (doc === null || table === undefined || tables.has(`${key}\0${table}`))
        return doc ?? undefined
      missing.ask(`${key}\0${table}`, () => readRows(doctype, [doc], table))
      return undefined
    },
    cacheRead(key, doc) {
      docs.set(key, doc)
      for (const table of tables) if (table.startsWith(`${key}\0`)) tables.delete(table)
    },
  }
}

/** Adds a record; one that was read meanwhile with rows of a table keeps them. */
function addUnread(docs: Map<string, Doc | null>, key: string, doc: Doc | null): void {
  if (!docs.has(key)) docs.set(key, doc)
}

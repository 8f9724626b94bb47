import type { ColumnValue, Value } from '../../fields/field-type.ts'
import type { RuleReads } from '../../rules/base/reads.ts'
import type { Db } from '../../storage/database/database.ts'
import type { Doc } from '../../storage/database/document.ts'
import { readOnce } from '../../storage/database/read-once.ts'
import { runSql, runSqlNow } from '../../storage/database/run-sql.ts'
import type { DocTypeParts, Services } from './context.ts'
import type { Touched } from './touched.ts'

/** Reads of other records by the rules of one transaction; see RuleReads. */
export interface Reads extends RuleReads {
  /** Takes in a record that was read for another reason; null says that it does not exist. */
  know(doctype: string, name: string, doc: Doc | null): void
  /** Hides a record from rules from now on, since the caller may not read it and is told so. */
  hide(doctype: string, name: string): void
  /** Takes note that records of a DocType were written: what queries over them gave is asked for anew. */
  changed(doctype: string): void
  /** Reads what was asked for and missing. False when nothing was, nor hidden: what was computed is final. */
  fill(): Promise<boolean>
}

/** Passes of asking and reading before a chain of reads is taken for endless. */
const MAX_PASSES = 50

export function createReads(
  tx: Db,
  services: Services,
  touched: ReadonlyMap<string, Touched>,
  lock: (parts: DocTypeParts, name: string) => Promise<unknown>,
): Reads {
  const docs = new Map<string, Doc | null>()
  const tables = new Set<string>()
  const values = new Map<string, Map<string, Value>>()
  const absent = new Set<string>()
  const hidden = new Set<string>()
  const missing = new Map<string, () => Promise<void>>()
  let passes = 0
  let hidNow = false

  const keyOf = (doctype: string, name: string): string => `${doctype}\0${name}`
  const partsOf = (doctype: string): DocTypeParts => {
    const definition = services.registry.byDoctype(doctype)
    if (!definition) throw new Error(`no DocType ${doctype}`)
    return services.partsOf(definition)
  }

  function get(doctype: string, name: string, table?: string): Doc | undefined {
    const key = keyOf(doctype, name)
    if (hidden.has(key)) return undefined
    const own = touched.get(key)
    if (own) return own.current
    const known = findNow(key, doctype, name)
    if (known === undefined) {
      missing.set(key, async () => {
        const found = (await partsOf(doctype).store.find(tx, name)) ?? null
        docs.set(key, found)
        if (found && table !== undefined) await readRows(doctype, found, table)
      })
      return undefined
    }
    if (known === null || table === undefined || tables.has(`${key}\0${table}`))
      return known ?? undefined
    missing.set(`${key}\0${table}`, () => readRows(doctype, known, table))
    return undefined
  }

  async function readRows(doctype: string, doc: Doc, table: string): Promise<void> {
    await partsOf(doctype).store.loadRows(tx, [doc], [table])
    tables.add(`${keyOf(doctype, doc.name)}\0${table}`)
  }

  /** Takes in a record; one that is read again comes without its rows. */
  function know(doctype: string, name: string, doc: Doc | null): void {
    const key = keyOf(doctype, name)
    docs.set(key, doc)
    for (const table of tables) if (table.startsWith(`${key}\0`)) tables.delete(table)
  }

  function hide(doctype: string, name: string): void {
    const key = keyOf(doctype, name)
    if (hidden.has(key)) return
    hidden.add(key)
    hidNow = true
  }

  function locked(doctype: string, name: string): Doc | undefined {
    const key = keyOf(doctype, name)
    if (hidden.has(key)) return undefined
    const own = touched.get(key)
    if (own) return own.current
    if (absent.has(key)) return undefined
    missing.set(key, async () => {
      if (!(await lock(partsOf(doctype), name))) absent.add(key)
    })
    return undefined
  }

  /** Record at once, null for none; undefined where it is not known and the database is not in this process. */
  function findNow(key: string, doctype: string, name: string): Doc | null | undefined {
    const known = docs.get(key)
    if (known !== undefined) return known
    const { store } = partsOf(doctype)
    const found = readOnce(tx, store.plan.table, name, () => store.findNow(tx, name))
    if (found !== undefined) docs.set(key, found)
    return found
  }

  function value(
    doctype: string,
    text: string,
    parameters: readonly unknown[],
    decode: (column: ColumnValue) => Value,
  ): Value {
    const key = `${text}\0${parameters.join('\0')}`
    let ofDocType = values.get(doctype)
    if (!ofDocType) {
      ofDocType = new Map()
      values.set(doctype, ofDocType)
    }
    const read = ofDocType
    const known = read.get(key)
    if (known !== undefined) return known
    const firstValue = (rows: readonly { readonly value: ColumnValue }[]): Value => {
      const column = rows[0]?.value ?? null
      const found = column === null ? null : decode(column)
      read.set(key, found)
      return found
    }
    const { table } = partsOf(doctype).definition
    const now = readOnce(tx, table, key, () =>
      runSqlNow<{ value: ColumnValue }>(tx, text, parameters),
    )
    if (now) return firstValue(now)
    missing.set(`\uffff${key}`, async () => {
      firstValue(await runSql(tx, text, parameters))
    })
    return null
  }

  async function fill(): Promise<boolean> {
    const isOther = hidNow
    hidNow = false
    if (missing.size === 0) {
      passes = 0
      return isOther
    }
    passes += 1
    if (passes > MAX_PASSES) throw new Error('rules go on asking for other records')
    // Locks are taken in the order of their keys everywhere, so that two transactions do not wait for each other.
    const wanted = [...missing].sort(([a], [b]) => (a < b ? -1 : 1))
    missing.clear()
    for (const [, read] of wanted) await read()
    return true
  }

  return {
    kind: services.database.kind,
    get,
    locked,
    pending: () => missing.size,
    value,
    changed: (doctype) => void values.delete(doctype),
    know,
    hide,
    fill,
  }
}

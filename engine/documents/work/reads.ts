import type { RuleReads } from '../../rules/base/reads.ts'
import type { Db } from '../../storage/database/database.ts'
import type { Doc } from '../../storage/database/document.ts'
import { forgetQueries, forgetUnlocked } from '../../storage/database/seen-rows.ts'
import type { DocTypeParts, Services } from './context.ts'
import { createMissingReads } from './missing-reads.ts'
import { createReadRecords } from './read-records.ts'
import { createReadValues } from './read-values.ts'
import type { Touched } from './touched.ts'

/** Reads of other records by the rules of one transaction; see RuleReads. */
export interface Reads extends RuleReads {
  /** Caches a record that was read for another reason; null says that it does not exist. */
  cacheRead(doctype: string, name: string, doc: Doc | null): void
  /** Hides a record from rules from now on, since the caller may not read it and is told so. */
  hide(doctype: string, name: string): void
  /** Takes note that records of a DocType were written: what queries over them gave is asked for anew. */
  changed(doctype: string): void
  /** Takes note that a lock was waited for: what queries gave before it may be otherwise by now, and is asked for anew. */
  behindLock(): void
  /** Reads what was asked for and missing. False when nothing was, nor hidden: what was computed is final. */
  fill(): Promise<boolean>
}

/** How a transaction locks for its rules. */
export interface Locks {
  /** Locks a record, and makes its image. */
  record(parts: DocTypeParts, name: string): Promise<unknown>
  /** Waits for who holds a key, and holds it until the end. */
  key(key: string): Promise<void>
}

/** The reads of one transaction, with the images that it has of records; without `locks` for who only looks. */
export function createReads(
  tx: Db,
  services: Services,
  touched: ReadonlyMap<string, Touched>,
  locks?: Locks,
): Reads {
  const missing = createMissingReads()
  const absent = new Set<string>()
  const hidden = new Set<string>()
  const keys = new Set<string>()
  let hidNow = false

  const partsOf = (doctype: string): DocTypeParts => {
    const definition = services.registry.byDoctype(doctype)
    if (!definition) throw new Error(`no DocType ${doctype}`)
    return services.partsOf(definition)
  }
  const newRecords = () => createReadRecords(tx, services, partsOf, missing, keyOf)
  let records = newRecords()
  const values = createReadValues(tx, (doctype) => partsOf(doctype).definition.table, missing)
  const isShared = services.database.kind === 'postgres'
  const askLock = (key: string, lock: () => Promise<void>): void =>
    missing.askLock(key, async () => {
      await lock()
      if (!isShared) return
      forgetUnlocked(tx)
      records = newRecords()
      values.forgetAll()
    })

  return {
    kind: services.database.kind,
    asked: missing.asked,
    get(doctype, name, table) {
      const key = keyOf(doctype, name)
      if (hidden.has(key)) return undefined
      const own = touched.get(key)
      return own ? own.current : records.get(key, doctype, name, table)
    },
    locked(doctype, name) {
      const key = keyOf(doctype, name)
      if (hidden.has(key)) return undefined
      const own = touched.get(key)
      if (own || absent.has(key)) return own?.current
      askLock(key, async () => {
        if (!(await locks?.record(partsOf(doctype), name))) absent.add(key)
      })
      return undefined
    },
    holds(key) {
      if (!isShared || !locks || keys.has(key)) return true
      askLock(key, async () => {
        await locks.key(key)
        keys.add(key)
      })
      return false
    },
    value: values.get,
    cacheRead(doctype, name, doc) {
      // Of what others read, values may be missing.
      if (doc && services.unfilled.now.waits(partsOf(doctype).definition)) return
      records.cacheRead(keyOf(doctype, name), doc)
    },
    changed: values.forget,
    behindLock() {
      if (isShared && values.forgetAll()) forgetQueries(tx)
    },
    hide(doctype, name) {
      const key = keyOf(doctype, name)
      if (hidden.has(key)) return
      hidden.add(key)
      hidNow = true
    },
    async fill() {
      const isOther = hidNow
      hidNow = false
      return (await missing.fill()) || isOther
    },
  }
}

function keyOf(doctype: string, name: string): string {
  return `${doctype}\0${name}`
}

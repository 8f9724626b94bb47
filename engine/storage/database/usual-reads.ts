import { allDone } from '../../base/all-done.ts'
import type { Db } from './database.ts'

/** Most reads that are kept of a kind. */
const MOST_KEPT = 100

/** Times all of it is asked for before it is learned anew what jobs read. */
const LEARNED_FOR = 100
/** Of these the first so many tell what is usual, which is what so many of them have asked for. */
const TELLING = 4
const USUAL = 3

/** Reads records of a table by name into what a transaction has seen. */
type ReadRecords = (tx: Db, names: readonly string[]) => Promise<unknown>

/**
 * What jobs of one kind on PostgreSQL read again and again: the company, its accounts, the currency. It is asked for at once, where a
 * job else would ask for one after the other and compute anew each time: by the first message of a transaction, and where jobs begin with the lock of a
 * record behind that, by each of them: what was read before a lock may be another behind it.
 */
export interface UsualReads {
  /** Notes records that a job has asked for. */
  note(table: string, names: readonly string[], read: ReadRecords): void
  /** Notes one that a job has locked, by what locks and reads it where nobody is in the way. */
  noteLock(table: string, name: string, lock: (tx: Db) => Promise<unknown>): void
  /** Notes that a job wants a lock that it has by `begin` or `behindLock`; what nobody wants is not locked again. */
  noteUse(tx: Db, table: string, name: string): void
  /** The same of a query without parameters. */
  noteQuery(text: string, query: (tx: Db) => Promise<unknown>): void
  /** Asks for all of it as the first of a transaction, unless its jobs begin with a lock. */
  begin(tx: Db): Promise<void>
  /** Asks for all of it behind the lock with which a job begins. */
  behindLock(tx: Db): Promise<void>
}

/** Makes the memory of one kind of jobs. */
export function createUsualReads(): UsualReads {
  const asked = new Map<string, number>()
  const kept = new Set<string>()
  const locks = new Map<string, (tx: Db) => Promise<unknown>>()
  const queries = new Map<string, (tx: Db) => Promise<unknown>>()
  const tables = new Map<string, { readonly names: Set<string>; readonly read: ReadRecords }>()
  /** Locks that a transaction has for jobs, none of which has wanted them yet. */
  const unused = new WeakMap<Db, Set<string>>()
  let times = 0
  let isBehindLock = false

  function isUsual(key: string): boolean {
    if (times > TELLING || kept.has(key) || kept.size >= MOST_KEPT) return false
    const count = (asked.get(key) ?? 0) + 1
    asked.set(key, count)
    if (count < USUAL) return false
    kept.add(key)
    return true
  }

  function learnAnew(): void {
    times = 0
    for (const memory of [asked, kept, locks, queries, tables]) memory.clear()
  }

  function forgetUnused(tx: Db): void {
    for (const key of unused.get(tx) ?? []) locks.delete(key)
    unused.set(tx, new Set(locks.keys()))
  }

  async function ask(tx: Db): Promise<void> {
    times += 1
    if (times > LEARNED_FOR) learnAnew()
    forgetUnused(tx)
    // Locks in the order of their keys, as everywhere; the others are sent behind them, and so read behind them.
    const wanted = [...locks].sort(([a], [b]) => (a < b ? -1 : 1))
    await allDone([
      ...wanted.map(([, lock]) => lock(tx)),
      // One that is locked is read with its lock.
      ...[...tables].map(([table, { names, read }]) => {
        return read(
          tx,
          [...names].filter((name) => !locks.has(lockKey(table, name))),
        )
      }),
      ...[...queries.values()].map((query) => query(tx)),
    ])
  }

  return {
    note(table, names, read) {
      for (const name of names) {
        if (!isUsual(`${table}\0${name}`)) continue
        const known = tables.get(table) ?? { names: new Set(), read }
        tables.set(table, known)
        known.names.add(name)
      }
    },
    noteLock(table, name, lock) {
      const key = lockKey(table, name)
      if (isUsual(key)) locks.set(key, lock)
    },
    noteUse: (tx, table, name) => void unused.get(tx)?.delete(lockKey(table, name)),
    noteQuery(text, query) {
      if (isUsual(text)) queries.set(text, query)
    },
    begin: async (tx) => (isBehindLock ? undefined : ask(tx)),
    behindLock(tx) {
      isBehindLock = true
      return ask(tx)
    },
  }
}

function lockKey(table: string, name: string): string {
  return `${table}\0${name}\0lock`
}

/** What is noted of a transaction's reads; undefined for one that is no group of jobs. */
export function usualOf(tx: Db): UsualReads | undefined {
  return 'usual' in tx ? (tx as Db & { readonly usual: UsualReads | undefined }).usual : undefined
}

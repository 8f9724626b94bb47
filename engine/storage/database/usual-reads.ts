import { allDone } from '../../base/all-done.ts'
import type { Db } from './database.ts'

/** Most reads that are kept of a kind. */
const MOST_KEPT = 100

/** Transactions after which is learned anew what jobs read. */
const LEARNED_FOR = 50

/** Reads records of a table by name into what a transaction has seen. */
type ReadRecords = (tx: Db, names: readonly string[]) => Promise<unknown>

/**
 * What jobs of one kind on PostgreSQL read again and again: the company, its accounts, the currency. A transaction asks for all
 * of it before its first job, which else would ask for one after the other and compute anew each time.
 */
export interface UsualReads {
  /** Notes records that a job has asked for. */
  note(table: string, names: readonly string[], read: ReadRecords): void
  /** Notes one that a job has locked, by what locks it where nothing was read before. */
  noteLock(table: string, name: string, lock: (tx: Db) => Promise<unknown>): void
  /** The same of a query without parameters. */
  noteQuery(text: string, query: (tx: Db) => Promise<unknown>): void
  /** Asks for all of it. */
  ask(tx: Db): Promise<void>
}

/** Makes the memory of one kind of jobs: it keeps what two transactions have asked for. */
export function createUsualReads(): UsualReads {
  const once = new Set<string>()
  const kept = new Set<string>()
  const locks = new Map<string, (tx: Db) => Promise<unknown>>()
  const queries = new Map<string, (tx: Db) => Promise<unknown>>()
  const tables = new Map<string, { readonly names: Set<string>; readonly read: ReadRecords }>()
  let transactions = 0

  function isUsual(key: string): boolean {
    if (kept.has(key) || kept.size >= MOST_KEPT) return false
    if (once.delete(key)) {
      kept.add(key)
      return true
    }
    if (once.size >= MOST_KEPT) once.clear()
    once.add(key)
    return false
  }

  function forget(): void {
    for (const memory of [once, kept, locks, queries, tables]) memory.clear()
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
    noteQuery(text, query) {
      if (isUsual(text)) queries.set(text, query)
    },
    async ask(tx) {
      transactions += 1
      if (transactions % LEARNED_FOR === 0) forget()
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

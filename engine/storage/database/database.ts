import type { Kysely } from 'kysely'

/** Tables by name; they come from definitions, so names and columns are only known at run time. */
export type Tables = Record<string, Record<string, unknown>>

/**
 * A database or the transaction of one job: the first argument of every storage function (house
 * decision 2). Using the outer database inside a job would wait for itself.
 */
export type Db = Kysely<Tables>

export type DatabaseKind = 'sqlite' | 'postgres'

export interface Database {
  readonly kind: DatabaseKind
  /** Reads of committed data; never waits for a write. */
  readonly read: Db
  /**
   * Runs one job in a transaction and resolves after its commit is durable. A job that throws leaves
   * nothing behind. It awaits nothing but `tx`; it may run again when the database asks for a retry, so
   * it has no effects outside `tx`.
   */
  write<T>(job: (tx: Db) => Promise<T>): Promise<T>
  /** Resolves when all writes taken so far are done and the connections are closed. */
  close(): Promise<void>
}

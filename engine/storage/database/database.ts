import type { Kysely, QueryResult } from 'kysely'

/** Tables by name; they come from definitions, so names and columns are only known at run time. */
export type Tables = Record<string, Record<string, unknown>>

/**
 * A database or the transaction of one job: the first argument of every storage function (house
 * decision 2). Using the outer database inside a job would wait for itself.
 */
export type Db = Kysely<Tables>

/** A database in our own process answers at once: who asks in the middle of a computation need not stop for it. */
export interface ImmediateDb {
  queryNow<Row>(text: string, parameters: readonly unknown[]): QueryResult<Row>
  /** Runs statements that are run once, one after the other, keeping none of them. */
  scriptNow(statements: readonly string[]): void
  /** Rows seen by the connection that writes; undefined for one that reads. */
  readonly seen: SeenRows | undefined
}

/**
 * Rows that the transaction of the one writer has read, by table and key: nobody but itself can change them. Code
 * that writes such a row updates or removes its entry here; a transaction that begins or is taken back begins with
 * none.
 */
export type SeenRows = Map<string, Map<string, unknown>>

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

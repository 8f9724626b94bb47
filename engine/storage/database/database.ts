import type { Kysely } from 'kysely'
import type { Errand } from '../deep/errand.ts'
import type { Work } from '../deep/work-budget.ts'
import type { WriteTrouble } from './write-trouble.ts'

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
   * Reads of committed data that may take long: reports, counts, searches, whatever no index bounds. In a server they
   * run away from the thread that answers, in turns of persons, each for as long as a statement may; elsewhere this is
   * `read`. Only statements that read, and no transactions. What this process has committed before is seen. Throws
   * UNAVAILABLE for a statement that passes its budget, RATE_LIMITED for a person who has used up the minute's.
   */
  deep(errand: Errand): Db
  /** Time of the database that the person has left this minute; undefined where it is not counted, or none was used. */
  workOf(person: string): Work | undefined
  /**
   * Runs one job in a transaction and resolves after its commit is durable. A job that throws leaves
   * nothing behind. It awaits nothing but `tx`; it may run again when the database asks for a retry, so
   * it has no effects outside `tx`. Persons take turns, and their writes count as work of theirs; without a person it is
   * the workspace's own. Throws UNAVAILABLE where the disk does not let it be written, RATE_LIMITED for a person who has
   * used up the minute's work. Jobs of one kind (`together`) that come at once may share a transaction and its commit; all of SQLite's do.
   */
  write<T>(job: (tx: Db) => Promise<T>, person?: string, together?: string): Promise<T>
  /**
   * Runs a job as `write` does, beside real writes and in the same turns, and takes back all that it wrote: it resolves
   * with what the job gave, and nothing of it is left.
   */
  rehearse<T>(job: (tx: Db) => Promise<T>, person?: string): Promise<T>
  /**
   * Runs a job on a connection of its own, beside all others and without their time-outs: for what holds a lock for long,
   * and for statements that PostgreSQL refuses inside a transaction. On SQLite it only reads.
   */
  apart<T>(job: (db: Db) => Promise<T>): Promise<T>
  /**
   * Version of tables: as long as it is the same, no commit has changed one of them or the rows of its records. Undefined
   * where other processes may write unseen.
   */
  versionOf(tables: readonly string[]): string | undefined
  /** Reason why nothing can be written just now, as of the last write; undefined where all is well. */
  trouble(): WriteTrouble | undefined
  /** Gives back the memory that makes reads fast, e.g. pages it has kept; what is asked for next is read again. */
  rest(): void
  /** Resolves when all writes taken so far are done and the connections are closed. */
  close(): Promise<void>
}

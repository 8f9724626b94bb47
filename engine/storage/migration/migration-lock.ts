import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../base/errors.ts'
import type { Database, Db, Tables } from '../database/database.ts'

/** Key of the lock, "svc" in ASCII: a number that other programs' locks hardly have. */
const LOCK = 0x737663
const POLL_MS = 50
/** Wait for a locked table, in ms; then it is left alone for a moment: all else queues behind the waiting migration. */
const TABLE_LOCK_MS = 5_000
const ATTEMPTS = 10
/** deadlock_detected and lock_not_available (PostgreSQL, appendix A). */
const RETRYABLE = new Set(['40P01', '55P03'])

/** Session that one process at a time holds while it migrates. */
export interface MigrationSession {
  transaction<T>(job: (tx: Db) => Promise<T>): Promise<T>
  /** Connection for statements that PostgreSQL refuses inside a transaction; the lock is held. */
  readonly outside: Db
}

/**
 * Runs `work` while no other process migrates this database; waits up to `timeoutMs` for its turn, then
 * throws UNAVAILABLE. On SQLite the write transaction itself is the lock, and `outside` is only good for reading.
 */
export function withMigrationLock<T>(
  database: Database,
  timeoutMs: number,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  const deadline = Date.now() + timeoutMs
  if (database.kind === 'sqlite') {
    return work({
      outside: database.read,
      transaction: (job) => retrying(() => database.write(job), isBusy, deadline),
    })
  }
  return database.read.connection().execute(async (connection) => {
    await takeLock(connection, deadline)
    try {
      // A large table takes its time, and an index that is built beside the traffic waits for it.
      await sql`set statement_timeout = 0`.execute(connection)
      await sql`set lock_timeout = 0`.execute(connection)
      return await work({
        outside: connection,
        transaction: (job) => inTransaction(connection, job),
      })
    } finally {
      await releaseLock(connection)
    }
  })
}

/**
 * Takes the lock by asking again and again instead of waiting inside the database: `create index concurrently` of the
 * process that has the lock would wait for our waiting statement, and the two for each other.
 */
async function takeLock(connection: Db, deadline: number): Promise<void> {
  for (;;) {
    const { rows } = await sql<{ taken: boolean }>`
      select pg_try_advisory_lock(${sql.lit(LOCK)}) as taken`.execute(connection)
    if (rows[0]?.taken) return
    if (Date.now() > deadline) throw stillMigrating(undefined)
    await sleep(POLL_MS)
  }
}

async function releaseLock(connection: Db): Promise<void> {
  try {
    await sql`reset statement_timeout`.execute(connection)
    await sql`reset lock_timeout`.execute(connection)
    await sql`select pg_advisory_unlock(${sql.lit(LOCK)})`.execute(connection)
  } catch {
    // A connection that is gone holds no lock; what broke it is thrown by the work itself.
  }
}

async function inTransaction<T>(
  connection: Kysely<Tables>,
  job: (tx: Db) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.transaction().execute(async (tx) => {
        await sql`set local lock_timeout = ${sql.lit(TABLE_LOCK_MS)}`.execute(tx)
        return job(tx)
      })
    } catch (error) {
      if (attempt >= ATTEMPTS || !hasCode(error, (code) => RETRYABLE.has(code))) throw error
      await sleep(POLL_MS * attempt)
    }
  }
}

async function retrying<T>(
  run: () => Promise<T>,
  isWorthIt: (error: unknown) => boolean,
  deadline: number,
): Promise<T> {
  for (;;) {
    try {
      return await run()
    } catch (error) {
      if (!isWorthIt(error)) throw error
      if (Date.now() > deadline) throw stillMigrating(error)
      await sleep(POLL_MS)
    }
  }
}

function isBusy(error: unknown): boolean {
  return hasCode(error, (code) => code.startsWith('SQLITE_BUSY'))
}

function hasCode(error: unknown, matches: (code: string) => boolean): boolean {
  return error instanceof Error && 'code' in error && matches(String(error.code))
}

function stillMigrating(cause: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    'another process has been migrating or writing this database all the time; wait for it to end, then start again',
    { cause },
  )
}

import { setTimeout as sleep } from 'node:timers/promises'
import { type Kysely, sql } from 'kysely'
import { AppError } from '../../base/errors.ts'
import type { Database, Db, Tables } from '../database/database.ts'
import { tryLockKey } from '../database/key-lock.ts'
import { assertSchema } from '../postgres/postgres-rights.ts'

/** Key of the lock, of which each schema has its own. */
const LOCK = 'svc:migration'
/** Name of the session that holds it, for people who look at the sessions of the server. */
export const LOCK_SESSION = 'svc migration'
/** Time after which the database takes the lock from a process that shows no life, and time between two signs of life. */
const LEASE_MS = 15_000
const SIGN_MS = 3_000
const POLL_MS = 50
/** Wait for a locked table, in ms; then it is left alone for a moment: all else queues behind the waiting migration. */
const TABLE_LOCK_MS = 5_000
const ATTEMPTS = 10
/** deadlock_detected and lock_not_available (PostgreSQL, appendix A). */
const RETRYABLE = new Set(['40P01', '55P03'])

/** Session that one process at a time holds while it migrates. */
export interface MigrationSession {
  transaction<T>(job: (tx: Db) => Promise<T>): Promise<T>
  /** Runs statements that PostgreSQL refuses inside a transaction; the lock is held. */
  outside<T>(job: (db: Db) => Promise<T>): Promise<T>
  /** Throws UNAVAILABLE where the lock was lost, e.g. because this process stood still, and another may migrate. */
  assertHeld(): Promise<void>
}

/**
 * Runs `work` while no other process migrates this workspace; waits up to `timeoutMs` for its turn, then
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
      outside: (job) => database.apart(job),
      transaction: (job) => retrying(() => database.write(job), isBusy, deadline),
      assertHeld: async () => undefined,
    })
  }
  return database.apart(async (connection) => {
    await assertSchema(connection)
    const lock = await takeLock(connection, deadline)
    const signs = setInterval(() => void lock.sign().catch(() => undefined), SIGN_MS)
    try {
      return await work({
        outside: (job) => database.apart(job),
        transaction: (job) =>
          database.read.connection().execute((one) =>
            inTransaction(one, async (tx) => {
              const done = await job(tx)
              await lock.sign()
              return done
            }),
          ),
        assertHeld: lock.sign,
      })
    } finally {
      clearInterval(signs)
      await lock.release()
    }
  })
}

interface HeldLock {
  /** Tells the database that this process lives. Throws UNAVAILABLE where the lock is lost. */
  readonly sign: () => Promise<void>
  readonly release: () => Promise<void>
}

/**
 * Takes the lock in a transaction that stays open for it: a pooler that lends connections for a transaction at a time
 * would leave one of a session with somebody else. It holds nothing but the lock and sees nothing, so `create index
 * concurrently` does not wait for it. Who waits asks again and again, each time in a new transaction: that statement
 * would wait for a waiting one, and the two for each other.
 */
async function takeLock(connection: Db, deadline: number): Promise<HeldLock> {
  for (;;) {
    const tx = await connection.startTransaction().execute()
    await sql`set local idle_in_transaction_session_timeout = ${sql.lit(LEASE_MS)}`.execute(tx)
    await sql`set local application_name = ${sql.lit(LOCK_SESSION)}`.execute(tx)
    if (await tryLockKey(tx, LOCK)) {
      return {
        async sign() {
          try {
            await sql`select 1`.execute(tx)
          } catch (cause) {
            throw lost(cause)
          }
        },
        release: () =>
          tx
            .rollback()
            .execute()
            .catch(() => undefined),
      }
    }
    await tx.rollback().execute()
    if (Date.now() > deadline) throw stillMigrating(undefined)
    await sleep(POLL_MS)
  }
}

async function inTransaction<T>(
  connection: Kysely<Tables>,
  job: (tx: Db) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await connection.transaction().execute(async (tx) => {
        // A large table takes its time.
        await sql`set local statement_timeout = 0`.execute(tx)
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

function lost(cause: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    'this process has stood still or was cut off while it migrated, and another may have begun to; start again',
    { cause },
  )
}

function stillMigrating(cause: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    'another process has been migrating or writing this database all the time; wait for it to end, then start again',
    { cause },
  )
}

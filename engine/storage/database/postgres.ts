import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import pg from 'pg'
import { createDeepReads, type DeepLimits, STATEMENT_BUDGET_MS } from '../deep/deep-reads.ts'
import type { Database, Db, Tables } from './database.ts'
import { type DialectParts, deepDb } from './deep-db.ts'
import { type LongReads, longReads } from './postgres-long-reads.ts'
import { isStaleStatement, preparingPool } from './preparing-pool.ts'
import { watchWrites } from './watch-writes.ts'

export interface PostgresOptions {
  readonly url: string
  /** Connections of this process. */
  readonly poolSize?: number
  /** Times a job is run again after a serialization failure, a deadlock or a stale prepared statement. */
  readonly retries?: number
  /** Whether statements are sent under a name: `false` where the connections of the server are not our own. */
  readonly prepare?: boolean
  readonly timeouts?: PostgresTimeouts
  /** Connections for long reads: a server has them, a command that nobody waits for beside it needs none. */
  readonly readers?: PostgresReaders
}

/**
 * Longest times in ms; 0 is no limit. The database itself keeps them, so that a process that was stopped, or a network
 * that is gone, does not hold others up. They are left to the database where `prepare` is false: a pooler refuses them.
 */
export interface PostgresTimeouts {
  /** Wait for a connection, for its turn in the pool too. */
  readonly connectMs?: number
  readonly statementMs?: number
  /** Wait for a lock. */
  readonly lockMs?: number
  /** Time for which a transaction may ask nothing. */
  readonly idleMs?: number
}

export interface PostgresReaders extends DeepLimits {
  /** Replica to read from; without one the database itself. */
  readonly url?: string
  readonly poolSize?: number
}

/** Time of a process that nobody waits for: only what holds up others is bounded. */
const IDLE_MS = 15_000

/** Time without a sign of the other end after which the system asks whether it is still there, in ms. */
const KEEPALIVE_MS = 10_000

const POSTGRES_DIALECT: DialectParts = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
}

/** serialization_failure and deadlock_detected (PostgreSQL, appendix A). */
const RETRYABLE = new Set(['40001', '40P01'])

/** int8 arrives as text by default; amounts need it exact. */
const INT8_OID = 20

/** Parsers of the values that PostgreSQL sends. */
export const POSTGRES_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID
      ? (text: string) => BigInt(text)
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Opens a workspace on PostgreSQL: a pool, each write in a transaction of its own. */
export function openPostgres(options: PostgresOptions): Database {
  const { poolSize = 10, retries = 10, prepare = true } = options
  const pool = openPool(options, poolSize)
  const read = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: prepare ? preparingPool(pool) : pool }),
  })
  const long = options.readers && openLongReads(options, options.readers, pool)
  let closed: Promise<void> | undefined

  return watchWrites({
    kind: 'postgres',
    read,
    deep: (errand) => (long ? deepDb(POSTGRES_DIALECT, long.reads, errand) : read),
    workOf: (person) => long?.reads.work(person),
    write: (job) => writeWithRetry(read, job, retries),
    close: () => {
      closed ??= Promise.all([read.destroy(), long?.pool.end()]).then(() => undefined)
      return closed
    },
  })
}

function openPool(
  { url, prepare = true, timeouts = {} }: PostgresOptions,
  poolSize: number,
): pg.Pool {
  const { connectMs = 0, statementMs = 0, lockMs = 0, idleMs = IDLE_MS } = timeouts
  const kept = {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  }
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'svc',
    types: POSTGRES_TYPES,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
    ...(prepare ? kept : {}),
  })
  // A connection lost while idle is replaced by the pool; the next query reports what still fails.
  pool.on('error', () => undefined)
  // One lost while in use fails the query it runs, which reports it; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

function openLongReads(
  options: PostgresOptions,
  { url = options.url, poolSize = 4, budgetMs = STATEMENT_BUDGET_MS, ...limits }: PostgresReaders,
  primary: pg.Pool,
): { readonly pool: pg.Pool; readonly reads: ReturnType<typeof createDeepReads> } {
  const { prepare = true, timeouts } = options
  const pool = openPool(
    { url, prepare, timeouts: { ...timeouts, statementMs: budgetMs } },
    poolSize,
  )
  const long: LongReads = {
    pool,
    primary,
    isReplica: url !== options.url,
    budgetMs,
    isBudgetOfConnection: prepare,
  }
  const lanes = Array.from({ length: poolSize }, () => longReads(long))
  return { pool, reads: createDeepReads(lanes, limits) }
}

async function writeWithRetry<T>(db: Db, job: (tx: Db) => Promise<T>, retries: number): Promise<T> {
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await db.transaction().execute((tx) => job(tx as Db))
    } catch (error) {
      if (attempt >= retries || !isRetryable(error)) throw error
      // Nobody is in the way: the connection prepares anew.
      if (isStaleStatement(error)) continue
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
    }
  }
}

function isRetryable(error: unknown): boolean {
  if (isStaleStatement(error)) return true
  return error instanceof Error && 'code' in error && RETRYABLE.has(String(error.code))
}

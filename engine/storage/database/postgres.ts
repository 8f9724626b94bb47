import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import { createDeepReads, type DeepLimits, STATEMENT_BUDGET_MS } from '../deep/deep-reads.ts'
import type { Database, Db, Tables } from './database.ts'
import { type DialectParts, deepDb } from './deep-db.ts'
import { type LongReads, longReads } from './postgres-long-reads.ts'
import { boundingPool, connectApart, openPool, type PostgresTimeouts } from './postgres-pool.ts'
import { isStaleStatement, preparingPool } from './preparing-pool.ts'
import { watchWrites } from './watch-writes.ts'
import { createWritePlaces } from './write-places.ts'

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

export interface PostgresReaders extends DeepLimits {
  /** Replica to read from; without one the database itself. */
  readonly url?: string
  readonly poolSize?: number
}

const POSTGRES_DIALECT: DialectParts = {
  createAdapter: () => new PostgresAdapter(),
  createQueryCompiler: () => new PostgresQueryCompiler(),
  createIntrospector: (db) => new PostgresIntrospector(db),
}

/** serialization_failure and deadlock_detected (PostgreSQL, appendix A). */
const RETRYABLE = new Set(['40001', '40P01'])

/** Opens a workspace on PostgreSQL: a pool, each write in a transaction of its own. */
export function openPostgres(options: PostgresOptions): Database {
  const { poolSize = 10, retries = 10, prepare = true, timeouts } = options
  const pool = openPool(options, poolSize)
  const read = new Kysely<Tables>({
    dialect: new PostgresDialect({
      pool: prepare ? preparingPool(pool) : boundingPool(pool, options),
    }),
  })
  const places = createWritePlaces(poolSize - placesToRead(poolSize), timeouts?.connectMs ?? 0)
  const long = options.readers && openLongReads(options, options.readers, pool)
  let closed: Promise<void> | undefined

  return watchWrites({
    kind: 'postgres',
    read,
    deep: (errand) => (long ? deepDb(POSTGRES_DIALECT, long.reads, errand) : read),
    workOf: (person) => long?.reads.work(person),
    write: (job) => places.run(() => writeWithRetry(read, job, retries)),
    apart: (job) => onOwnConnection(options, job),
    close: () => {
      closed ??= Promise.all([read.destroy(), long?.pool.end()]).then(() => undefined)
      return closed
    },
  })
}

/** Connections that no write takes, so that writes that wait for one another keep nobody from reading. */
function placesToRead(poolSize: number): number {
  return poolSize > 3 ? 2 : poolSize > 1 ? 1 : 0
}

/** Runs a job on a connection that is there for it alone. */
export async function onOwnConnection<T>(
  options: PostgresOptions,
  job: (db: Db) => Promise<T>,
): Promise<T> {
  const client = await connectApart(options)
  const only = { query: client.query.bind(client), release: () => undefined }
  const pool = { options: {}, connect: async () => only as never, end: async () => undefined }
  try {
    return await job(new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }))
  } finally {
    await client.end().catch(() => undefined)
  }
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

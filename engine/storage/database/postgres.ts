import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database, Db, Tables } from './database.ts'
import { isStaleStatement, preparingPool } from './preparing-pool.ts'

export interface PostgresOptions {
  readonly url: string
  /** Connections of this process. */
  readonly poolSize?: number
  /** Times a job is run again after a serialization failure, a deadlock or a stale prepared statement. */
  readonly retries?: number
  /** Whether statements are sent under a name: `false` where the connections of the server are not our own. */
  readonly prepare?: boolean
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
export function openPostgres({
  url,
  poolSize = 10,
  retries = 10,
  prepare = true,
}: PostgresOptions): Database {
  const pool = new pg.Pool({
    connectionString: url,
    max: poolSize,
    application_name: 'svc',
    types: POSTGRES_TYPES,
  })
  // A connection lost while idle is replaced by the pool; the next query reports what still fails.
  pool.on('error', () => undefined)
  // One lost while in use fails the query it runs, which reports it; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  const read = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: prepare ? preparingPool(pool) : pool }),
  })
  let closed: Promise<void> | undefined

  return {
    kind: 'postgres',
    read,
    write: (job) => writeWithRetry(read, job, retries),
    close: () => {
      closed ??= read.destroy()
      return closed
    },
  }
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

import {
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresIntrospector,
  PostgresQueryCompiler,
} from 'kysely'
import type pg from 'pg'
import { AppError } from '../../base/errors.ts'
import type { Database, Db, Tables } from '../database/database.ts'
import { type DialectParts, deepDb } from '../database/deep-db.ts'
import { rehearsed } from '../database/rehearsed.ts'
import { shareWork } from '../database/shared-window.ts'
import { watchWrites } from '../database/watch-writes.ts'
import { createDeepReads, type DeepLimits, STATEMENT_BUDGET_MS } from '../deep/deep-reads.ts'
import { createTurns, type Turns } from '../deep/turns.ts'
import { createWorkBudget, type WorkBudget } from '../deep/work-budget.ts'
import { isStaleStatement } from './batching-client.ts'
import { type PostgresLane, postgresLane } from './postgres-lane.ts'
import { type LongReads, longReads } from './postgres-long-reads.ts'
import {
  boundingPool,
  connectApart,
  kyselyPool,
  openPool,
  type PostgresTimeouts,
} from './postgres-pool.ts'
import { preparingPool } from './preparing-pool.ts'
import { createWriteGroups } from './write-groups.ts'

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
  /** Time of the database that one person may use a minute, in ms; without it nobody's is counted. */
  readonly workPerMinuteMs?: number
  /** Time after which a transaction of several jobs takes no further one, in ms. */
  readonly groupMs?: number
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

const GROUP_MS = 50

/** serialization_failure and deadlock_detected (PostgreSQL, appendix A). */
const RETRYABLE = new Set(['40001', '40P01'])

/** Opens a workspace on PostgreSQL: a pool, each write in a transaction of its own. */
export function openPostgres(options: PostgresOptions): Database {
  const { poolSize = 10, retries = 10, prepare = true, timeouts, workPerMinuteMs } = options
  const { groupMs = GROUP_MS } = options
  const pool = openPool(options, poolSize)
  const clients = prepare ? preparingPool(pool) : boundingPool(pool, options)
  const read = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: kyselyPool(clients) }) })
  const turns = writeTurns(poolSize - placesToRead(poolSize), timeouts?.connectMs ?? 0)
  const budget =
    workPerMinuteMs === undefined
      ? undefined
      : createWorkBudget({ limit: workPerMinuteMs, share: shareWork(read) })
  const long = options.readers && openLongReads(options, options.readers, { primary: pool, budget })
  const lanes: PostgresLane[] = []
  const groups = createWriteGroups({
    inLane: (run) =>
      turns.take('', (at) => {
        lanes[at] ??= postgresLane(clients)
        return run(lanes[at])
      }),
    onWork: (person, ms) => {
      if (person !== '') budget?.use(person, ms)
    },
    isRetryable,
    retries,
    groupMs,
  })
  let closed: Promise<void> | undefined

  async function write<T>(
    job: (tx: Db) => Promise<T>,
    person?: string,
    together?: string,
  ): Promise<T> {
    if (together !== undefined) {
      if (person !== undefined) budget?.assertLeft(person)
      return groups.add(together, job, person)
    }
    if (person === undefined) return turns.take('', () => writeWithRetry(read, job, retries))
    budget?.assertLeft(person)
    return turns.take(person, async () => {
      const began = performance.now()
      try {
        return await writeWithRetry(read, job, retries)
      } finally {
        budget?.use(person, performance.now() - began)
      }
    })
  }

  return watchWrites({
    kind: 'postgres',
    read,
    deep: (errand) => (long ? deepDb(POSTGRES_DIALECT, long.reads, errand) : read),
    workOf: (person) => budget?.of(person),
    versionOf: () => undefined,
    write,
    rehearse: (job, person) => rehearsed((tried) => write(tried, person), job),
    apart: (job) => onOwnConnection(options, job),
    // What it reads fast stands in PostgreSQL.
    rest: () => undefined,
    close: () => {
      closed ??= groups
        .idle()
        .then(() => Promise.all([read.destroy(), long?.pool.end()]))
        .then(() => undefined)
      return closed
    },
  })
}

/**
 * Turns of the writes of this process, of which so many go on at a time: they wait for one another in the database, each with a
 * connection. `waitMs` is the longest wait for one, 0 is no limit.
 */
function writeTurns(most: number, waitMs: number): Turns<number> {
  const lanes = Array.from({ length: most }, (_, at) => at)
  const limits = { mostWaiting: Number.POSITIVE_INFINITY, patienceMs: waitMs, late: tooMany }
  return createTurns(lanes, limits)
}

function tooMany(): AppError {
  return new AppError(
    'UNAVAILABLE',
    'what is being written waits for something else in the database, and no connection came free for this in time; try again',
    { headers: { 'Retry-After': '5' } },
  )
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
  { primary, budget }: { readonly primary: pg.Pool; readonly budget: WorkBudget | undefined },
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
  return { pool, reads: createDeepReads(lanes, budget, limits) }
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

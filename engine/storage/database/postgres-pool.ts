import type { PostgresPool, PostgresPoolClient } from 'kysely'
import pg from 'pg'
import { AppError } from '../../base/errors.ts'

/** Places of a process to connect from: the database, and what it is told of a connection. */
export interface PoolOptions {
  readonly url: string
  /** Whether connections are our own; `false` behind a pooler that lends one for a transaction at a time. */
  readonly prepare?: boolean
  readonly timeouts?: PostgresTimeouts
  /** Whether statements are sent before those in front of them are answered. */
  readonly pipelines?: boolean
}

/**
 * Longest times in ms; 0 is no limit. The database itself keeps them, so that a process that was stopped, or a network
 * that is gone, does not hold others up. Where `prepare` is false each transaction brings them along, as a pooler
 * refuses them of a connection; what is read outside of transactions has no limit of ours then, and holds nobody up.
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

/** Time of a process that nobody waits for: only what holds up others is bounded. */
const IDLE_MS = 15_000

/** Time without a sign of the other end after which the system asks whether it is still there, in ms. */
const KEEPALIVE_MS = 10_000

/** int8 arrives as text by default; amounts need it exact. */
const INT8_OID = 20

/** Parsers of the values that PostgreSQL sends. */
export const POSTGRES_TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
    oid === INT8_OID
      ? (text: string) => BigInt(text)
      : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Opens a pool of connections that the database ends by itself when their time is over. */
export function openPool(options: PoolOptions, poolSize: number): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(options),
    max: poolSize,
    ...(options.pipelines ? { pipeline: true } : {}),
    ...(options.prepare === false ? {} : timeoutsOf(options)),
  })
  // A connection lost while idle is replaced by the pool; the next query reports what still fails.
  pool.on('error', () => undefined)
  // One lost while in use fails the query it runs, which reports it; unheard, it would end the process.
  pool.on('connect', (client) => client.on('error', () => undefined))
  return pool
}

/** A connection of the pool. Throws UNAVAILABLE where a pooler stands between that takes no time-outs of a connection. */
export async function takeClient(pool: pg.Pool): Promise<pg.PoolClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw isRefusedParameter(error) ? behindPooler(error) : error
  }
}

/** PgBouncer's words; it has no code of its own for this. */
function isRefusedParameter(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter')
}

function behindPooler(cause: unknown): AppError {
  return new AppError(
    'UNAVAILABLE',
    'there is a pooler in front of the database which takes no time-outs of a connection (PgBouncer): set SVC_DATABASE_PREPARE=off, then each transaction brings them along',
    { cause },
  )
}

/** One connection beside the pool, without a limit on its statements and its waits. */
export async function connectApart(options: PoolOptions): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(options))
  // As above: the query that runs reports it.
  client.on('error', () => undefined)
  await client.connect()
  // Behind a pooler the next transaction of somebody else would have these too.
  if (options.prepare !== false)
    await client.query('set statement_timeout = 0; set lock_timeout = 0')
  return client
}

function clientConfig({ url, timeouts: { connectMs = 0 } = {} }: PoolOptions): pg.ClientConfig {
  return {
    connectionString: url,
    application_name: 'svc',
    types: POSTGRES_TYPES,
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEPALIVE_MS,
  }
}

function timeoutsOf({ timeouts = {} }: PoolOptions): {
  statement_timeout: number
  lock_timeout: number
  idle_in_transaction_session_timeout: number
} {
  const { statementMs = 0, lockMs = 0, idleMs = IDLE_MS } = timeouts
  return {
    statement_timeout: statementMs,
    lock_timeout: lockMs,
    idle_in_transaction_session_timeout: idleMs,
  }
}

/** A pool for kysely whose transactions bring their time-outs along, in the message that begins them. */
export function boundingPool(pool: pg.Pool, options: PoolOptions): PostgresPool {
  const bounds = Object.entries(timeoutsOf(options))
    .map(([name, ms]) => `; set local ${name} = ${ms}`)
    .join('')
  /** kysely knows connections by their identity. */
  const clients = new WeakMap<pg.PoolClient, PostgresPoolClient>()
  return {
    async connect() {
      const client = await takeClient(pool)
      let bounding = clients.get(client)
      if (!bounding) {
        bounding = boundingClient(client, bounds)
        clients.set(client, bounding)
      }
      return bounding
    },
    end: () => pool.end(),
  } as PostgresPool
}

function boundingClient(client: pg.PoolClient, bounds: string): PostgresPoolClient {
  return {
    query: (text: string, values: readonly unknown[]) =>
      /^(begin|start transaction)\b/.test(text)
        ? client.query(text + bounds)
        : client.query(text, [...values]),
    release: (isBroken = false) => client.release(isBroken),
  } as unknown as PostgresPoolClient
}

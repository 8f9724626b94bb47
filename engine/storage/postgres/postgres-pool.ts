import type { PostgresPool } from 'kysely'
import pg from 'pg'
import { AppError } from '../../base/errors.ts'
import { BatchingClient } from './batching-client.ts'
import { POSTGRES_TYPES } from './postgres-types.ts'
import type { StatementResult } from './statement-batch.ts'

/** Places of a process to connect from: the database, and what it is told of a connection. */
export interface PoolOptions {
  readonly url: string
  /** Whether connections are our own; `false` behind a pooler that lends one for a transaction at a time. */
  readonly prepare?: boolean
  readonly timeouts?: PostgresTimeouts
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

/** Opens a pool of connections that the database ends by itself when their time is over. */
export function openPool(options: PoolOptions, poolSize: number): pg.Pool {
  const pool = new pg.Pool({
    ...clientConfig(options),
    max: poolSize,
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

/** A pool whose connections send statements together. */
export interface BatchingPool {
  readonly options: object
  connect(): Promise<BatchingPoolClient>
  end(): Promise<void>
}

export interface BatchingPoolClient extends BatchingClient {
  release(isBroken?: boolean): void
}

/** The same for kysely, which asks for no cursors. */
export function kyselyPool(pool: BatchingPool): PostgresPool {
  return pool as unknown as PostgresPool
}

/** Such a pool whose transactions bring their time-outs along, in the message that begins them. */
export function boundingPool(pool: pg.Pool, options: PoolOptions): BatchingPool {
  const bounds = Object.entries(timeoutsOf(options)).map(
    ([name, ms]) => `set local ${name} = ${ms}`,
  )
  /** kysely knows connections by their identity. */
  const clients = new WeakMap<pg.PoolClient, BoundingClient>()
  return {
    options: {},
    async connect() {
      const client = await takeClient(pool)
      let bounding = clients.get(client)
      if (!bounding) {
        bounding = new BoundingClient(client, bounds)
        clients.set(client, bounding)
      }
      return bounding
    },
    end: () => pool.end(),
  }
}

class BoundingClient extends BatchingClient {
  readonly #client: pg.PoolClient
  readonly #bounds: readonly string[]

  constructor(client: pg.PoolClient, bounds: readonly string[]) {
    super(client)
    this.#client = client
    this.#bounds = bounds
  }

  override async query<Row>(
    text: string,
    values: readonly unknown[],
    isFixed?: boolean,
  ): Promise<StatementResult<Row>> {
    if (!BEGINS.test(text)) return super.query(text, values, isFixed)
    const asked = [text, ...this.#bounds].map((one) => super.query<Row>(one, [], true))
    const [result] = await Promise.all(asked)
    return result!
  }

  override send<Row>(
    text: string,
    values: readonly unknown[],
    reject: (reason: unknown) => void,
    resolve?: (result: StatementResult<Row>) => void,
  ): void {
    super.send(text, values, reject, resolve)
    if (BEGINS.test(text)) for (const bound of this.#bounds) super.send(bound, values, reject)
  }

  release(isBroken = false): void {
    this.#client.release(isBroken)
  }
}

const BEGINS = /^(?:begin|start transaction)\b/

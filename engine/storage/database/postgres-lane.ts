import {
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Db, Tables } from './database.ts'
import { forgetReads, type SeenRows, writtenTable } from './seen-rows.ts'
import { FixedParameters, type SendingDb } from './statements.ts'

/** in_failed_sql_transaction: what every statement is told after the one that failed (PostgreSQL, appendix A). */
const ABORTED = '25P02'

/** Statements that write nothing that is read. */
const READS = /^\s*(?:select|show|set|begin|savepoint|release)\b/i

/** One connection for the transactions of a lane, and what the one that is open has read. */
export interface PostgresLane {
  /** Database of the jobs. */
  readonly tx: Db
  /** Takes a connection for the next transaction. */
  open(): Promise<void>
  /** Gives it back; one that is broken is replaced. */
  close(isBroken?: boolean): void
  /** Sends what ends or marks something in the transaction, without waiting for it. */
  send(text: string): void
  /** Waits for all that was sent. Throws the first error of it. */
  settle(): Promise<void>
  /** Takes back what was done, and forgets what was read meanwhile. */
  takeBack(text: 'rollback' | 'rollback to savepoint job'): Promise<void>
  /** Ends the transaction. Throws where the database took it back instead. */
  commit(): Promise<void>
}

/** Makes a lane of a pool. */
export function postgresLane(pool: PostgresPool): PostgresLane {
  const seen: SeenRows = new Map()
  const connection = new LaneConnection(seen)
  const tx = new LaneKysely(connection, seen)
  let client: PostgresPoolClient | undefined
  return {
    tx,
    async open() {
      client = await pool.connect()
      seen.clear()
      connection.use(client)
    },
    close(isBroken = false) {
      ;(client as unknown as { release(isBroken: boolean): void } | undefined)?.release(isBroken)
      client = undefined
    },
    send: (text) => connection.send(text, []),
    settle: () => connection.settle(),
    async takeBack(text) {
      seen.clear()
      await connection.takeBack(text)
    },
    commit: () => connection.commit(),
  }
}

class LaneKysely extends Kysely<Tables> implements SendingDb {
  readonly #connection: LaneConnection
  readonly seen: SeenRows

  constructor(connection: LaneConnection, seen: SeenRows) {
    const dialect = new PostgresDialect({ pool: () => Promise.reject(onlyJobs()) })
    const driver = dialect.createDriver()
    super({ config: { dialect }, dialect, driver, executor: new LaneExecutor(connection) })
    this.#connection = connection
    this.seen = seen
  }

  sendNow(text: string, parameters: readonly unknown[]): void {
    this.#connection.send(text, FixedParameters.from(parameters))
  }
}

/** The transaction has one connection, so a query need not wait its turn for it. */
class LaneExecutor extends DefaultQueryExecutor {
  readonly #connection: LaneConnection

  constructor(connection: LaneConnection) {
    const nowhere = new PostgresDialect({ pool: () => Promise.reject(onlyJobs()) }).createDriver()
    super(
      new PostgresQueryCompiler(),
      new PostgresAdapter(),
      new DefaultConnectionProvider(nowhere),
    )
    this.#connection = connection
  }

  override executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.query<R>(sql, parameters)
  }
}

function onlyJobs(): Error {
  return new Error('a job has one transaction: others are made by Database.write()')
}

/** Statements go out in their order, also those nobody waits for: the server works while the next are made. */
class LaneConnection {
  readonly #seen: SeenRows
  #client: PostgresPoolClient | undefined
  #sent: Promise<void>[] = []
  #failed: { readonly reason: unknown } | undefined

  constructor(seen: SeenRows) {
    this.#seen = seen
  }

  use(client: PostgresPoolClient): void {
    this.#client = client
    this.#sent = []
    this.#failed = undefined
  }

  async takeBack(text: string): Promise<void> {
    await Promise.all(this.#sent)
    this.#sent = []
    this.#failed = undefined
    await this.#client!.query(text, [])
  }

  send(text: string, parameters: readonly unknown[]): void {
    this.#note(text)
    const { length } = this.#sent
    // Its error is told by who comes next, or by `settle`.
    const done = this.#client!.query(text, parameters).then(
      () => undefined,
      (reason) => {
        this.#failed ??= { reason }
      },
    )
    this.#sent[length] = done
  }

  async query<R>(text: string, parameters: readonly unknown[]): Promise<QueryResult<R>> {
    this.#note(text)
    try {
      const { command, rowCount, rows } = await this.#client!.query<R>(text, parameters)
      if (command === 'SELECT') return { rows }
      return { numAffectedRows: BigInt(rowCount ?? 0), rows }
    } catch (error) {
      await Promise.all(this.#sent)
      const isOfBefore = error instanceof Error && 'code' in error && error.code === ABORTED
      throw isOfBefore && this.#failed ? this.#failed.reason : error
    }
  }

  async settle(): Promise<void> {
    const sent = this.#sent
    this.#sent = []
    await Promise.all(sent)
    if (this.#failed) throw this.#failed.reason
  }

  async commit(): Promise<void> {
    const { command } = await this.#client!.query('commit', [])
    if (command === ('ROLLBACK' as string))
      throw new Error('a job swallowed the error with which PostgreSQL took its transaction back')
  }

  #note(text: string): void {
    if (!READS.test(text)) forgetReads(this.#seen, writtenTable(text))
  }
}

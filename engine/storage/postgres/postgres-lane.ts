import {
  type CompiledQuery,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresQueryCompiler,
  type QueryResult,
} from 'kysely'
import type { Db, Tables } from '../database/database.ts'
import { forgetReads, type SeenRows, writtenTable } from '../database/seen-rows.ts'
import { FixedParameters, type SendingDb, type Told } from '../database/statements.ts'
import type { UsualReads } from '../database/usual-reads.ts'
import type { BatchingPool, BatchingPoolClient } from './postgres-pool.ts'
import { createSmallTables, type LargestSize, SIZE_OF_LARGEST } from './small-tables.ts'

/** in_failed_sql_transaction: what every statement is told after the one that failed (PostgreSQL, appendix A). */
const ABORTED = '25P02'

/** Statements that write nothing that is read. */
const READS = /^\s*(?:select|show|set|begin|savepoint|release)\b/i

/** One statement that only reads. */
const SELECTS = /^\s*select\b[^;]*$/i

/** One connection for the transactions of a lane, and what the one that is open has read. */
export interface PostgresLane {
  /** Database of the jobs. */
  readonly tx: Db
  /** Takes a connection for the next transaction, of jobs that usually read this. */
  open(usual: UsualReads): Promise<void>
  /** Gives it back; one that is broken is replaced. */
  close(isBroken?: boolean): void
  /** The job whose statements come next. */
  start(job: object): void
  /** Sends what begins or marks something in the transaction, without waiting for it. */
  send(text: string): void
  /** Queries that were answered: what was sent before one of them is done. */
  readonly answers: number
  /** What has failed of all that was sent, and not taken back. */
  readonly fault: Fault | undefined
  /** Waits for all that was sent. Throws the first error of it. */
  settle(): Promise<void>
  /** Takes back what was done, and forgets what was read meanwhile; returns what had failed. */
  takeBack(text: 'rollback' | 'rollback to savepoint job'): Promise<Fault | undefined>
  /** Ends the transaction. Throws where the database took it back instead, and the error of what was sent before. */
  commit(): Promise<void>
}

/** The first statement that failed. */
export interface Fault {
  readonly job: object | undefined
  readonly reason: unknown
  /** As the database told it. */
  readonly error: unknown
}

/** Makes a lane of a pool. */
export function postgresLane(pool: BatchingPool): PostgresLane {
  const seen: SeenRows = new Map()
  const connection = new LaneConnection(seen)
  const tx = new LaneKysely(connection, seen)
  let client: BatchingPoolClient | undefined
  return {
    tx,
    async open(usual) {
      client = await pool.connect()
      seen.clear()
      tx.usual = usual
      connection.use(client)
    },
    close(isBroken = false) {
      client?.release(isBroken)
      client = undefined
    },
    start: (job) => connection.start(job),
    send: (text) => connection.send(text, []),
    get answers() {
      return connection.answers
    },
    get fault() {
      return connection.fault
    },
    settle: () => connection.settle(),
    takeBack(text) {
      seen.clear()
      return connection.takeBack(text)
    },
    commit: () => connection.commit(),
  }
}

class LaneKysely extends Kysely<Tables> implements SendingDb {
  readonly #connection: LaneConnection
  readonly seen: SeenRows
  usual: UsualReads | undefined

  constructor(connection: LaneConnection, seen: SeenRows) {
    const dialect = new PostgresDialect({ pool: () => Promise.reject(onlyJobs()) })
    const driver = dialect.createDriver()
    super({ config: { dialect }, dialect, driver, executor: new LaneExecutor(connection) })
    this.#connection = connection
    this.seen = seen
  }

  get isAtStart(): boolean {
    return this.#connection.isAtStart
  }

  askNow<Row>(text: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
    return this.#connection.query(text, parameters, true)
  }

  sendNow<Row>(text: string, parameters: readonly unknown[], told?: Told<Row>): void {
    this.#connection.send(text, parameters, told)
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
    const isFixed = parameters instanceof FixedParameters || this.#connection.isSmall(sql)
    return this.#connection.query<R>(sql, parameters, isFixed)
  }
}

function onlyJobs(): Error {
  return new Error('a job has one transaction: others are made by Database.write()')
}

class LaneConnection {
  readonly #seen: SeenRows
  readonly #small = createSmallTables()
  #client: BatchingPoolClient | undefined
  #job: object | undefined
  /** Whether the job has sent nothing yet. */
  isAtStart = false
  answers = 0
  fault: Fault | undefined

  constructor(seen: SeenRows) {
    this.#seen = seen
  }

  use(client: BatchingPoolClient): void {
    this.#client = client
    this.#job = undefined
    this.fault = undefined
  }

  start(job: object): void {
    this.#job = job
    this.isAtStart = true
  }

  async takeBack(text: string): Promise<Fault | undefined> {
    await this.#client!.settle()
    const { fault } = this
    this.fault = undefined
    // Without a name: to make room for one says no server in a transaction that has failed.
    await this.#client!.query(text, [], false)
    return fault
  }

  send<Row>(text: string, parameters: readonly unknown[], { take, explain }: Told<Row> = {}): void {
    this.#note(text)
    this.isAtStart = false
    const job = this.#job
    const fail = (error: unknown): void => {
      this.fault ??= { job, error, reason: explain ? explain(error) : error }
    }
    this.#client!.send(text, parameters, fail, take)
  }

  async query<R>(
    text: string,
    parameters: readonly unknown[],
    isFixed: boolean,
  ): Promise<QueryResult<R>> {
    this.#note(text)
    this.isAtStart = false
    try {
      const { command, rowCount, rows } = await this.#client!.query<R>(text, parameters, isFixed)
      this.answers += 1
      if (command === 'SELECT') return { rows }
      // What changes no rows tells no number of them.
      return { numAffectedRows: BigInt(rowCount ?? 0), rows }
    } catch (error) {
      const isOfBefore = error instanceof Error && 'code' in error && error.code === ABORTED
      throw isOfBefore && this.fault ? this.fault.reason : error
    }
  }

  /** Whether a text reads small tables alone: it need not be planned for its values. */
  isSmall(text: string): boolean {
    if (!SELECTS.test(text)) return false
    const isSmall = this.#small.of(text)
    if (isSmall !== undefined) return isSmall
    const tables = this.#small.unknown(text)
    if (tables.length > 0)
      this.send<LargestSize>(SIZE_OF_LARGEST, [tables], {
        take: ({ rows }) => this.#small.note(text, rows[0]?.size ?? null),
      })
    return false
  }

  async settle(): Promise<void> {
    await this.#client!.settle()
    if (this.fault) throw this.fault.reason
  }

  async commit(): Promise<void> {
    const { command } = await this.#client!.query('commit', [], true)
    if (command === 'ROLLBACK')
      throw new Error('a job swallowed the error with which PostgreSQL took its transaction back')
  }

  #note(text: string): void {
    if (!READS.test(text)) forgetReads(this.#seen, writtenTable(text))
  }
}

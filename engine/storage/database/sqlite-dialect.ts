import type BetterSqlite3 from 'better-sqlite3'
import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Db, Tables } from './database.ts'
import type { DialectParts } from './deep-db.ts'
import { keptPlan } from './kept-plan.ts'
import { forgetReads, type SeenRows, writtenTable } from './seen-rows.ts'
import type { ImmediateDb } from './statements.ts'
import type { TableVersions } from './table-versions.ts'

const MAX_STATEMENTS = 2000

/** Time for which a transaction may hold the thread where it can let others have their turn, in ms. */
const TURN_MS = 10

/**
 * kysely over one better-sqlite3 connection with cached prepared statements: preparing, not compiling, is what costs
 * (toolchain.md §8). All integers are read as BigInt, because a scaled amount may lie beyond 2^53. Transactions are
 * the business of `write-queue.ts`, so kysely's own are refused here; `seen` holds what the transaction of this
 * connection has read.
 */
export function sqliteKysely(
  connection: BetterSqlite3.Database,
  seen?: SeenRows,
  turnMs = TURN_MS,
  versions?: TableVersions,
): SqliteDb {
  const driver = new CachedStatementDriver(connection, seen, versions)
  const dialect: Dialect = {
    ...SQLITE_DIALECT,
    createDriver: () => driver,
  }
  return new SqliteKysely(dialect, driver, seen, turnMs)
}

/** kysely over one connection, and what the connection counts. */
export type SqliteDb = Db & {
  /** Statements that have written, definitions of tables among them. */
  readonly written: number
  /** Time for which others had their turn meanwhile, in ms. */
  readonly waited: number
  /** Begins to count the time for which it holds the thread. */
  turnBegins(): void
}

/** What kysely has to know of SQLite to write texts for it. */
export const SQLITE_DIALECT: DialectParts = {
  createAdapter: () => new SqliteAdapter(),
  createQueryCompiler: () => new SqliteQueryCompiler(),
  createIntrospector: (db) => new SqliteIntrospector(db),
}

class SqliteKysely extends Kysely<Tables> implements ImmediateDb {
  readonly #connection: CachedStatementConnection
  readonly seen: SeenRows | undefined
  waited = 0
  #turnBegan = 0
  readonly #turnMs: number

  constructor(
    dialect: Dialect,
    driver: CachedStatementDriver,
    seen: SeenRows | undefined,
    turnMs: number,
  ) {
    super({ config: { dialect }, dialect, driver, executor: new DirectExecutor(driver) })
    this.#connection = driver.connection
    this.seen = seen
    this.#turnMs = turnMs
  }

  get written(): number {
    return this.#connection.written
  }

  queryNow<Row>(text: string, parameters: readonly unknown[]): QueryResult<Row> {
    return this.#connection.query<Row>(text, parameters)
  }

  scriptNow(statements: readonly string[]): void {
    this.#connection.script(statements)
  }

  turnBegins(): void {
    this.#turnBegan = performance.now()
  }

  turn(): Promise<void> | undefined {
    const now = performance.now()
    return now - this.#turnBegan < this.#turnMs ? undefined : this.#letOthers(now)
  }

  async #letOthers(now: number): Promise<void> {
    await new Promise((resolve) => setImmediate(resolve))
    this.turnBegins()
    this.waited += this.#turnBegan - now
  }
}

/** The one connection is always free, so a query need not wait its turn for it: that costs as much as a look-up. */
class DirectExecutor extends DefaultQueryExecutor {
  readonly #connection: CachedStatementConnection

  constructor(driver: CachedStatementDriver) {
    const provider = new DefaultConnectionProvider(driver)
    super(new SqliteQueryCompiler(), new SqliteAdapter(), provider)
    this.#connection = driver.connection
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.executeQuery<R>(query)
  }
}

class CachedStatementDriver implements Driver {
  readonly connection: CachedStatementConnection

  constructor(
    connection: BetterSqlite3.Database,
    seen: SeenRows | undefined,
    versions: TableVersions | undefined,
  ) {
    this.connection = new CachedStatementConnection(connection, seen, versions)
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.connection
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw new Error('SQLite transactions are made by Database.write(), not by kysely')
  }

  async commitTransaction(): Promise<void> {
    throw new Error('SQLite transactions are made by Database.write(), not by kysely')
  }

  async rollbackTransaction(): Promise<void> {
    throw new Error('SQLite transactions are made by Database.write(), not by kysely')
  }

  async destroy(): Promise<void> {}
}

interface CachedStatement {
  readonly statement: BetterSqlite3.Statement
  readonly isWrite: boolean
  /** Table it writes to, where its text says so. */
  readonly table: string | undefined
}

class CachedStatementConnection implements DatabaseConnection {
  readonly #connection: BetterSqlite3.Database
  readonly #seen: SeenRows | undefined
  readonly #versions: TableVersions | undefined
  readonly #statements = new Map<string, CachedStatement>()
  written = 0

  constructor(
    connection: BetterSqlite3.Database,
    seen: SeenRows | undefined,
    versions: TableVersions | undefined,
  ) {
    this.#connection = connection
    this.#seen = seen
    this.#versions = versions
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    return this.query<R>(sql, parameters)
  }

  query<R>(sql: string, parameters: readonly unknown[]): QueryResult<R> {
    const { statement, isWrite, table } = this.#prepare(sql)
    if (isWrite && this.#seen) forgetReads(this.#seen, table)
    if (isWrite) this.#versions?.note(table)
    const result = run<R>(statement, parameters)
    // One that fails has written nothing.
    if (isWrite) this.written += 1
    return result
  }

  script(statements: readonly string[]): void {
    this.written += 1
    // Also where one of them fails: those before it have written.
    if (this.#seen) forgetReads(this.#seen, undefined)
    this.#versions?.note(undefined)
    this.#connection.exec(statements.join(';\n'))
  }

  async *streamQuery<R>({ sql, parameters }: CompiledQuery): AsyncIterableIterator<QueryResult<R>> {
    // A statement that is being iterated cannot be used again, so streams get one of their own.
    const statement = this.#connection.prepare(sql).safeIntegers(true)
    for (const row of statement.iterate(parameters)) yield { rows: [row as R] }
  }

  #prepare(sql: string): CachedStatement {
    const known = this.#statements.get(sql)
    if (known) return known
    const statement = this.#connection.prepare(keptPlan(sql)).safeIntegers(true)
    const isWrite = !statement.readonly
    const cached = { statement, isWrite, table: isWrite ? writtenTable(sql) : undefined }
    if (this.#statements.size >= MAX_STATEMENTS) {
      const oldest = this.#statements.keys().next()
      if (!oldest.done) this.#statements.delete(oldest.value)
    }
    this.#statements.set(sql, cached)
    return cached
  }
}

function run<R>(
  statement: BetterSqlite3.Statement,
  parameters: readonly unknown[],
): QueryResult<R> {
  if (statement.reader) return { rows: statement.all(parameters) as R[] }
  const { changes, lastInsertRowid } = statement.run(parameters)
  return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
}

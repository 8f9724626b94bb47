import {
  type CompiledQuery,
  type DatabaseConnection,
  DefaultConnectionProvider,
  DefaultQueryExecutor,
  type Dialect,
  type Driver,
  Kysely,
  type QueryResult,
} from 'kysely'
import type { DeepReads } from '../deep/deep-reads.ts'
import type { DeepRow, Errand } from '../deep/errand.ts'
import type { Db, Tables } from './database.ts'
import type { PagedDb } from './statements.ts'

/** What kysely has to know of a kind of database to write texts for it. */
export type DialectParts = Pick<
  Dialect,
  'createAdapter' | 'createQueryCompiler' | 'createIntrospector'
>

/** Database of one errand: statements take their turn in `reads`, each by itself. */
export function deepDb(parts: DialectParts, reads: DeepReads, errand: Errand): Db {
  return new DeepKysely(parts, reads, errand)
}

class DeepKysely extends Kysely<Tables> implements PagedDb {
  readonly #reads: DeepReads
  readonly #errand: Errand

  constructor(parts: DialectParts, reads: DeepReads, errand: Errand) {
    const driver = new DeepDriver(reads, errand)
    const dialect: Dialect = { ...parts, createDriver: () => driver }
    const executor = new DefaultQueryExecutor(
      dialect.createQueryCompiler(),
      dialect.createAdapter(),
      new DefaultConnectionProvider(driver),
    )
    super({ config: { dialect }, dialect, driver, executor })
    this.#reads = reads
    this.#errand = errand
  }

  pagesOf<Row>(
    text: string,
    parameters: readonly unknown[],
    take: (rows: readonly Row[]) => void,
  ): Promise<void> {
    const typed = (rows: readonly DeepRow[]): void => take(rows as readonly Row[])
    return this.#reads.run(this.#errand, text, parameters, typed)
  }
}

class DeepDriver implements Driver {
  readonly #connection: DatabaseConnection

  constructor(reads: DeepReads, errand: Errand) {
    this.#connection = {
      async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
        const rows: R[] = []
        await reads.run(errand, sql, parameters, (page) => {
          for (const row of page) rows.push(row as R)
        })
        return { rows }
      },
      streamQuery: () => {
        throw new Error('long reads give their rows by pagesOf()')
      },
    }
  }

  async init(): Promise<void> {}

  async acquireConnection(): Promise<DatabaseConnection> {
    return this.#connection
  }

  async releaseConnection(): Promise<void> {}

  async beginTransaction(): Promise<void> {
    throw noTransaction()
  }

  async commitTransaction(): Promise<void> {
    throw noTransaction()
  }

  async rollbackTransaction(): Promise<void> {
    throw noTransaction()
  }

  async destroy(): Promise<void> {}
}

function noTransaction(): Error {
  return new Error('long reads are one statement each; transactions are made by Database.write()')
}

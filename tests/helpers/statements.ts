import Sqlite from 'better-sqlite3'
import pg from 'pg'
import { StatementBatch } from '../../engine/storage/postgres/statement-batch.ts'

/** Statements that SQLite is sent while a job runs, but for pragmas, which read no table; transactions have one of their own at each end. */
export async function statementsOf(job: () => Promise<unknown>): Promise<readonly string[]> {
  const sent: string[] = []
  const memory = new Sqlite(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('select 1'))
  const kept = { all: prototype.all, get: prototype.get, run: prototype.run }
  for (const [name, call] of Object.entries(kept))
    prototype[name] = function (this: { readonly source: string }, ...values: unknown[]) {
      if (!this.source.startsWith('pragma ')) sent.push(this.source)
      return call.apply(this, values)
    }
  try {
    await job()
  } finally {
    Object.assign(prototype, kept)
    memory.close()
  }
  return sent
}

/** Statements that PostgreSQL is sent while a job runs, those of transactions among them, as messages that are answered as one. */
export async function postgresMessagesOf(
  job: () => Promise<unknown>,
): Promise<readonly (readonly string[])[]> {
  const sent: (readonly string[])[] = []
  const prototype = pg.Client.prototype as unknown as {
    query: (config: string | object, ...rest: unknown[]) => unknown
  }
  const { query } = prototype
  prototype.query = function (this: unknown, config, ...rest) {
    if (config instanceof StatementBatch) sent.push(config.texts)
    else sent.push([typeof config === 'string' ? config : String(Object(config).text)])
    return query.call(this, config, ...rest)
  }
  try {
    await job()
  } finally {
    prototype.query = query
  }
  return sent
}

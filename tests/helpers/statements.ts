import Sqlite from 'better-sqlite3'
import pg from 'pg'

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

/** Statements that PostgreSQL is sent while a job runs, those of transactions among them. */
export async function postgresStatementsOf(
  job: () => Promise<unknown>,
): Promise<readonly string[]> {
  const sent: string[] = []
  const prototype = pg.Client.prototype as unknown as {
    query: (config: string | { readonly text: string }, ...rest: unknown[]) => unknown
  }
  const { query } = prototype
  prototype.query = function (this: unknown, config, ...rest) {
    sent.push(typeof config === 'string' ? config : config.text)
    return query.call(this, config, ...rest)
  }
  try {
    await job()
  } finally {
    prototype.query = query
  }
  return sent
}

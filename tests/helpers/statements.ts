import Sqlite from 'better-sqlite3'

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

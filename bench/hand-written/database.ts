import BetterSqlite3 from 'better-sqlite3'

export type Database = BetterSqlite3.Database
export type Statement = BetterSqlite3.Statement<unknown[]>

/** Opens the database with the settings the engine uses too. */
export function openDatabase(file: string, isDurable: boolean): Database {
  const database = new BetterSqlite3(file, { timeout: 10_000 })
  database.pragma('journal_mode = wal')
  database.pragma(`synchronous = ${isDurable ? 'full' : 'normal'}`)
  database.pragma('foreign_keys = on')
  database.pragma('journal_size_limit = 67108864')
  database.pragma('cache_size = -32768')
  database.pragma('temp_store = memory')
  database.pragma('mmap_size = 268435456')
  return database
}

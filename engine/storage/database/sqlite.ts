import BetterSqlite3 from 'better-sqlite3'
import { SQLITE_FUNCTIONS } from '../../expression/sql/sqlite-functions.ts'
import type { Database, Db } from './database.ts'
import { lowerCase } from './search-text.ts'
import { sqliteKysely } from './sqlite-dialect.ts'
import type { SeenRows } from './statements.ts'
import { createWriteQueue, type QueueConnection } from './write-queue.ts'

export interface SqliteOptions {
  /** Path of the database file. */
  readonly file: string
  /** Durability: with `full` an answered write survives a power cut, with `normal` the process (reliability.md §4). */
  readonly durability?: 'full' | 'normal'
  /** Time a write waits for another process's write, in ms. */
  readonly busyTimeoutMs?: number
}

/** Opens (or makes) a workspace on SQLite: one connection that writes, one that reads beside it (WAL). */
export function openSqlite({
  file,
  durability = 'full',
  busyTimeoutMs = 10_000,
}: SqliteOptions): Database {
  const writer = connect(file, durability, busyTimeoutMs)
  const reader = connect(file, durability, busyTimeoutMs)
  reader.pragma('query_only = on')
  const seen: SeenRows = new Map()
  const tx = sqliteKysely(writer, seen)
  const read = sqliteKysely(reader)
  const queue = createWriteQueue(queueConnection(writer, tx, seen))
  let closed: Promise<void> | undefined

  async function close(): Promise<void> {
    await queue.idle()
    reader.close()
    writer.close()
  }

  return {
    kind: 'sqlite',
    read,
    write: (job) => queue.add(job),
    close: () => {
      closed ??= close()
      return closed
    },
  }
}

function connect(
  file: string,
  durability: 'full' | 'normal',
  busyTimeoutMs: number,
): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file, { timeout: busyTimeoutMs })
  connection.pragma('journal_mode = wal')
  connection.pragma(`synchronous = ${durability === 'full' ? 'full' : 'normal'}`)
  connection.pragma('foreign_keys = on')
  connection.pragma('journal_size_limit = 67108864')
  connection.pragma('cache_size = -32768')
  connection.pragma('temp_store = memory')
  connection.pragma('mmap_size = 268435456')
  for (const { name, run } of SQLITE_FUNCTIONS) {
    connection.function(name, { varargs: true, deterministic: true, safeIntegers: true }, run)
  }
  connection.function('svc_lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? lowerCase(text) : text,
  )
  return connection
}

function queueConnection(writer: BetterSqlite3.Database, tx: Db, seen: SeenRows): QueueConnection {
  const begin = writer.prepare('begin immediate')
  const savepoint = writer.prepare('savepoint job')
  const release = writer.prepare('release job')
  const rollbackTo = writer.prepare('rollback to job')
  const commit = writer.prepare('commit')
  const rollback = writer.prepare('rollback')
  const totalChanges = writer.prepare('select total_changes()').pluck()
  const schemaVersion = writer.prepare('select schema_version from pragma_schema_version').pluck()
  return {
    tx,
    totalChanges: () => totalChanges.get() as number,
    schemaVersion: () => schemaVersion.get() as number,
    inTransaction: () => writer.inTransaction,
    begin: () => {
      seen.clear()
      begin.run()
    },
    savepoint: () => void savepoint.run(),
    release: () => void release.run(),
    rollbackToSavepoint: () => {
      seen.clear()
      rollbackTo.run()
      release.run()
    },
    commit: () => void commit.run(),
    rollback: () => void rollback.run(),
  }
}

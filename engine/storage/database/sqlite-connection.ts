import BetterSqlite3 from 'better-sqlite3'
import { SQLITE_FUNCTIONS } from '../../expression/sql/sqlite-functions.ts'
import { lowerCase } from './search-text.ts'

/** Forms of a connection to the file of a workspace. */
export interface ConnectionOptions {
  /** Durability of commits; one that only reads has none. */
  readonly durability?: 'full' | 'normal'
  /** Time it waits for another connection's lock, in ms. */
  readonly busyTimeoutMs?: number
  /** Whether its temporary tables go to files once they are large, so that its memory stays bounded. */
  readonly spills?: boolean
  /** Most bytes of the file that are read as memory of the process, and so counted as such; none without it. */
  readonly mapped?: number
}

/** Memory for pages of the file, in KiB: of one whose memory is bounded, and of the others. */
const SMALL_CACHE = 8192
const CACHE = 32_768

/** Opens a connection with the functions that every statement of ours may call, in whichever process it is. */
export function connectSqlite(
  file: string,
  {
    durability = 'full',
    busyTimeoutMs = 10_000,
    spills = false,
    mapped = 0,
  }: ConnectionOptions = {},
): BetterSqlite3.Database {
  const connection = new BetterSqlite3(file, { timeout: busyTimeoutMs })
  connection.pragma('journal_mode = wal')
  connection.pragma(`synchronous = ${durability === 'full' ? 'full' : 'normal'}`)
  connection.pragma('foreign_keys = on')
  connection.pragma('journal_size_limit = 67108864')
  connection.pragma(`cache_size = -${spills ? SMALL_CACHE : CACHE}`)
  connection.pragma(`temp_store = ${spills ? 'file' : 'memory'}`)
  connection.pragma(`mmap_size = ${mapped}`)
  for (const { name, run } of SQLITE_FUNCTIONS) {
    connection.function(name, { varargs: true, deterministic: true, safeIntegers: true }, run)
  }
  connection.function('svc_lower', { deterministic: true }, (text: unknown) =>
    typeof text === 'string' ? lowerCase(text) : text,
  )
  return connection
}

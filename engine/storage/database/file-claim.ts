import BetterSqlite3 from 'better-sqlite3'

/** Claim of one process on something that others may not have at the same time. */
export interface FileClaim {
  /** Gives it back; the end of the process does so too, however it ends. */
  release(): void
}

/**
 * Claims a file, which is made where it is missing, for as long as this process lives or until `release`; undefined
 * where somebody else has it. The claim is a lock of the system's, which SQLite knows how to take everywhere: so it can
 * never be left behind by a process that was killed. Throws SQLite's error where the file cannot be opened.
 */
export function claimFile(file: string): FileClaim | undefined {
  const connection = new BetterSqlite3(file, { timeout: 0 })
  try {
    connection.exec('begin exclusive')
  } catch (error) {
    connection.close()
    if (isTaken(error)) return undefined
    throw error
  }
  return { release: () => void connection.close() }
}

function isTaken(error: unknown): boolean {
  return error instanceof Error && 'code' in error && String(error.code).startsWith('SQLITE_BUSY')
}

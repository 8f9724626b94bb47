/**
 * Reason why a workspace takes no changes at the moment, though it can be read: its disk is full, it may not be written
 * to, or it fails.
 */
export type TroubleKind = 'full' | 'read-only' | 'failing'

/** Trouble with writing, and since when (ISO 8601, UTC). */
export interface WriteTrouble {
  readonly kind: TroubleKind
  readonly since: string
}

/** Words for each kind: what is the matter, for people. */
export const TROUBLES: Readonly<Record<TroubleKind, string>> = {
  full: 'the disk of this workspace is full',
  'read-only': 'the disk of this workspace may only be read',
  failing: 'the disk of this workspace cannot be written to',
}

/** disk_full and read_only_sql_transaction (PostgreSQL, appendix A). */
const SQLSTATES: Readonly<Record<string, TroubleKind>> = { '53100': 'full', '25006': 'read-only' }

/** Result codes of SQLite, the most particular first. Locks of other processes are no trouble: they end by themselves. */
const SQLITE: readonly (readonly [string, TroubleKind])[] = [
  ['SQLITE_FULL', 'full'],
  ['SQLITE_READONLY', 'read-only'],
  ['SQLITE_CANTOPEN', 'failing'],
  ['SQLITE_IOERR', 'failing'],
]

/** Kind of trouble with writing that an error tells of, itself or as the cause of another; undefined for any other. */
export function troubleOf(error: unknown): TroubleKind | undefined {
  if (!(error instanceof Error)) return undefined
  const code = 'code' in error && typeof error.code === 'string' ? error.code : ''
  const found = SQLITE.find(([name]) => code === name || code.startsWith(`${name}_`))?.[1]
  return found ?? SQLSTATES[code] ?? troubleOf(error.cause)
}

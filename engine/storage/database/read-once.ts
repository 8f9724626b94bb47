import type { Db, SeenRows } from './database.ts'
import { seenOf } from './run-sql.ts'

/** Prefix of tables whose rows stand in `SeenRows` as they were read, not as their writers keep them. */
const READ = 'read '

/** Pattern of a statement that writes, with its table; rows of a child table belong to the table of their record. */
const WRITE =
  /^\s*(?:insert\s+(?:or\s+\w+\s+)?into|update(?:\s+or\s+\w+)?|delete\s+from)\s+"?(\w+?)(?:__\w+)?"?(?=[\s(]|$)/i

/**
 * Value that `read` gives of a table, asked for once a transaction of the one writer (all jobs of a batch): for the
 * small masters that every document looks up. `forgetReads` ends it when the table is written. Where others may write
 * meanwhile it is read each time. The value is shared: do not change it.
 */
export function readOnce<Value>(
  tx: Db,
  table: string,
  key: string,
  read: () => Value | undefined,
): Value | undefined {
  const seen = seenOf<Value>(tx, READ + table)
  const known = seen?.get(key)
  if (known !== undefined) return known
  const value = read()
  if (value !== undefined) seen?.set(key, value)
  return value
}

/** The table a statement writes to; undefined when its text does not say so plainly. */
export function writtenTable(text: string): string | undefined {
  return WRITE.exec(text)?.[1]
}

/** Forgets what was read of a table that is written now, of every table when it is not known which. */
export function forgetReads(seen: SeenRows, table: string | undefined): void {
  if (table !== undefined) seen.delete(READ + table)
  else for (const key of seen.keys()) if (key.startsWith(READ)) seen.delete(key)
}

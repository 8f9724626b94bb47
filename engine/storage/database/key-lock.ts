import { sql } from 'kysely'
import type { DatabaseKind, Db } from './database.ts'

/**
 * Waits for other transactions that hold this key, and holds it until the commit: a lock on what may not
 * exist yet. SQLite's writer is alone anyway.
 */
export async function lockKey(tx: Db, kind: DatabaseKind, key: string): Promise<void> {
  if (kind === 'sqlite') return
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** Keeps others from writing a table before the commit. SQLite's writer is alone anyway. */
export async function lockTable(tx: Db, kind: DatabaseKind, table: string): Promise<void> {
  if (kind === 'sqlite') return
  await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx)
}

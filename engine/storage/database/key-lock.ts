import { type RawBuilder, sql } from 'kysely'
import type { DatabaseKind, Db } from './database.ts'
import { forgetUnlocked } from './seen-rows.ts'

/**
 * Waits for other transactions that hold this key, and holds it until the commit: a lock on what may not
 * exist yet. A workspace in another schema of the database has keys of its own. SQLite's writer is alone anyway.
 */
export async function lockKey(tx: Db, kind: DatabaseKind, key: string): Promise<void> {
  if (kind === 'sqlite') return
  await sql`select pg_advisory_xact_lock(${keyOf(key)})`.execute(tx)
  forgetUnlocked(tx)
}

/** Takes the lock of a key where nobody holds it, until the end of the transaction; PostgreSQL only. */
export async function tryLockKey(tx: Db, key: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`
    select pg_try_advisory_xact_lock(${keyOf(key)}) as taken`.execute(tx)
  return rows[0]?.taken === true
}

function keyOf(key: string): RawBuilder<unknown> {
  return sql`hashtextextended(${key}, current_schema()::regnamespace::oid::bigint)`
}

/** Keeps others from writing a table before the commit. SQLite's writer is alone anyway. */
export async function lockTable(tx: Db, kind: DatabaseKind, table: string): Promise<void> {
  if (kind === 'sqlite') return
  await sql`lock table ${sql.table(table)} in exclusive mode`.execute(tx)
  forgetUnlocked(tx)
}

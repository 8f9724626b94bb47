import { sql } from 'kysely'
import type { Db } from './database.ts'

/** State of a SQLite file. */
export interface SqliteHealth {
  /** Damage that `quick_check` finds; empty when the file is whole. */
  readonly damage: readonly string[]
  readonly journalMode: string
  readonly bytes: number
}

/** Reads the state of a SQLite file, and for it the whole file, so a large one takes its time. */
export async function sqliteHealth(db: Db): Promise<SqliteHealth> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(5)`.execute(db)
  const found = rows.map(({ quick_check }) => quick_check)
  const mode = await sql<{ journal_mode: string }>`pragma journal_mode`.execute(db)
  const size = await sql<{ bytes: bigint }>`
    select page_count * page_size as bytes from pragma_page_count, pragma_page_size`.execute(db)
  return {
    damage: found.length === 1 && found[0] === 'ok' ? [] : found,
    journalMode: mode.rows[0]?.journal_mode ?? '',
    bytes: Number(size.rows[0]?.bytes ?? 0),
  }
}

/** State of a PostgreSQL server, as far as this user may know. */
export interface PostgresHealth {
  readonly version: string
  readonly isReadOnly: boolean
  /** Value of `synchronous_commit`; with `off` the server loses answered writes when it crashes. */
  readonly synchronousCommit: string
  readonly bytes: number
  /** The transaction in this database that began first, other than this one; null when there is none. */
  readonly oldestTransaction: { readonly application: string; readonly seconds: number } | null
}

export async function postgresHealth(db: Db): Promise<PostgresHealth> {
  const { rows } = await sql<{
    version: string
    read_only: boolean
    synchronous: string
    bytes: bigint
  }>`
    select current_setting('server_version') as version, current_setting('synchronous_commit') as synchronous,
      pg_is_in_recovery() or current_setting('default_transaction_read_only') = 'on' as read_only,
      pg_database_size(current_database()) as bytes`.execute(db)
  const oldest = await sql<{ application: string; seconds: number }>`
    select application_name as application, extract(epoch from clock_timestamp() - xact_start)::float8 as seconds
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start is not null
      and backend_type = 'client backend'
    order by xact_start limit 1`.execute(db)
  const [row] = rows
  return {
    version: row?.version ?? '',
    isReadOnly: row?.read_only ?? false,
    synchronousCommit: row?.synchronous ?? '',
    bytes: Number(row?.bytes ?? 0),
    oldestTransaction: oldest.rows[0] ?? null,
  }
}

/** The server's clock, in ms since the epoch. */
export async function postgresClock(db: Db): Promise<number> {
  const { rows } = await sql<{ now: number }>`
    select extract(epoch from clock_timestamp())::float8 * 1000 as now`.execute(db)
  return rows[0]?.now ?? Number.NaN
}

/** Time of the newest event in the log, ISO 8601; undefined when nothing has happened yet. */
export async function newestEvent(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('svc_events')
    .select('at')
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.at as string | undefined
}

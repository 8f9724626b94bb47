import { sql } from 'kysely'
import type { Db } from '../database/database.ts'
import { connectApart } from './postgres-pool.ts'

/** What stands between us and the server: a pooler lends connections for a session, or for a transaction at a time. */
export type Pooler = 'none' | 'session' | 'transaction'

/**
 * Finds out what stands between: a pooler tells clients a number of its own for the backend process; and where another
 * client gets our backend while we stay connected, it was lent for a transaction only.
 */
export async function poolerOf(url: string): Promise<Pooler> {
  const options = { url, prepare: false }
  const one = await connectApart(options)
  try {
    const pid = await backendOf(one)
    if ((one as unknown as { processID: number }).processID === pid) return 'none'
    const other = await connectApart(options)
    try {
      await other.query('begin')
      const isLent = (await backendOf(other)) === pid || (await backendOf(one)) !== pid
      await other.query('rollback')
      return isLent ? 'transaction' : 'session'
    } finally {
      await other.end()
    }
  } finally {
    await one.end()
  }
}

async function backendOf(client: Awaited<ReturnType<typeof connectApart>>): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return rows[0]!.pid
}

/** Who waits for whom in a database, as far as this user may know. Times are in s. */
export interface LockState {
  /** Sessions that wait for a lock of another, and how long the first has. */
  readonly waiting: number
  readonly longest: number
  /** A session others wait for: what it calls itself, and whether it is at work. */
  readonly blocker: { readonly application: string; readonly state: string } | null
  /** Transactions that have asked nothing for longer than `idleSeconds`. */
  readonly idle: number
  /** Advisory locks of sessions that are idle: left behind by a client that a pooler has taken the session from. */
  readonly leftBehind: number
  /** Age of the migration that is under way; null where there is none. */
  readonly migrating: number | null
}

/** Reads who waits; `migration` is the name of a session that migrates. */
export async function lockState(
  db: Db,
  idleSeconds: number,
  migration: string,
): Promise<LockState> {
  const { rows } = await sql<Omit<LockState, 'blocker'>>`
    select (count(*) filter (where wait_event_type = 'Lock'))::int as waiting,
      coalesce(max(extract(epoch from clock_timestamp() - state_change))
        filter (where wait_event_type = 'Lock'), 0)::float8 as longest,
      (count(*) filter (where state like 'idle in transaction%' and application_name <> ${migration}
        and clock_timestamp() - state_change > make_interval(secs => ${idleSeconds})))::int as idle,
      (select count(*) from pg_locks l join pg_stat_activity a on a.pid = l.pid
        where l.locktype = 'advisory' and a.state = 'idle' and a.datname = current_database())::int as "leftBehind",
      (max(extract(epoch from clock_timestamp() - xact_start))
        filter (where application_name = ${migration} and xact_start is not null))::float8 as migrating
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'`.execute(
    db,
  )
  const blockers = await sql<{ application: string; state: string }>`
    select b.application_name as application, coalesce(b.state, 'unknown') as state
    from pg_stat_activity w join pg_stat_activity b on b.pid = any(pg_blocking_pids(w.pid))
    where w.datname = current_database() and w.wait_event_type = 'Lock' and b.wait_event_type is distinct from 'Lock'
    order by w.state_change limit 1`.execute(db)
  return { ...rows[0]!, blocker: blockers.rows[0] ?? null }
}

/** Connections a server takes of programs, and how many there are of all databases. */
export async function connectionRoom(
  db: Db,
): Promise<{ readonly most: number; readonly used: number }> {
  const { rows } = await sql<{ most: number; used: number }>`
    select current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int as most,
      (select count(*) from pg_stat_activity where backend_type = 'client backend')::int as used`.execute(
    db,
  )
  return rows[0]!
}

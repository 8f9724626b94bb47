import { pipeline } from 'node:stream/promises'
import { sql } from 'kysely'
import copyStreams from 'pg-copy-streams'
import { AppError } from '../../base/errors.ts'
import type { Db } from '../database/database.ts'
import { LOCK_SESSION, withMigrationLock } from '../migration/migration-lock.ts'
import { CHECKSUM_ROW } from '../migration/schema-store.ts'
import { readSetting, writeSetting } from '../workspace/settings.ts'
import { type CheckedBackup, damaged, type OnProgress, totalRows } from './manifest.ts'
import { copyText } from './postgres-backup.ts'
import { readPostgresBackup } from './postgres-read.ts'
import { connectPostgres, type PostgresSession } from './postgres-session.ts'
import { assertFree, makeTable, setTablesAside, workspaceTables } from './postgres-tables.ts'

/** Setting with the token of the restore that made the workspace. */
const RESTORED = 'restored'

/** Time another process that migrates is waited for, in ms. */
const LOCK_TIMEOUT = 10_000

/** Tables that are dropped in one statement. */
const DROPPED_AT_ONCE = 50

/** State of a database before a restore. */
export interface PostgresState {
  /** Tables of a workspace. */
  readonly tables: readonly string[]
  /** Other sessions of the same user, in words: `svc (3)`. */
  readonly sessions: readonly string[]
  /** The token of the restore that made the workspace. */
  readonly restored: string | undefined
}

/** Reads what is in the way of a restore. */
export async function postgresState(url: string): Promise<PostgresState> {
  const session = await connectPostgres(url)
  try {
    const tables = await workspaceTables(session.read)
    const restored = tables.includes('svc_settings')
      ? await readSetting(session.read, RESTORED)
      : undefined
    return { tables, sessions: await otherSessions(session.read), restored }
  } finally {
    await session.close()
  }
}

export interface PostgresRestore {
  readonly url: string
  readonly file: string
  readonly checked: CheckedBackup
  readonly program: string
  /** Name of this restore. */
  readonly token: string
  /** The schema into which tables that are there are moved; undefined = there must be none. */
  readonly aside: string | undefined
  /** Whether the place was made a moment ago for this alone: sessions of the same database are at work elsewhere. */
  readonly isUnknown?: boolean
  /** Callback before the commit, perhaps called twice: the last that can fail. */
  readonly beforeCommit: () => void
  readonly onProgress?: OnProgress
}

/**
 * Makes the tables of a backup and fills them, in one transaction. Throws CONFLICT while others are connected,
 * and VALIDATION_ERROR when the file is not what was checked; nothing has changed then.
 */
export async function restorePostgres(restore: PostgresRestore): Promise<void> {
  const session = await connectPostgres(restore.url)
  try {
    await withMigrationLock(session, LOCK_TIMEOUT, (lock) =>
      lock.transaction((tx) => fill(session, tx, restore)),
    )
  } finally {
    await session.close()
  }
}

/** Removes the tables that a restore has set aside in this schema. */
export async function removeTablesAside(url: string, schema: string): Promise<void> {
  const session = await connectPostgres(url)
  try {
    const { rows } = await sql<{ name: string }>`
      select tablename as name from pg_tables where schemaname = ${schema}`.execute(session.read)
    // Some at a time: all at once would need more locks than the server may have, each alone a commit of its own.
    for (let at = 0; at < rows.length; at += DROPPED_AT_ONCE) {
      const tables = rows.slice(at, at + DROPPED_AT_ONCE).map(({ name }) => sql.id(schema, name))
      await sql`drop table ${sql.join(tables)} cascade`.execute(session.read)
    }
    await sql`drop schema if exists ${sql.id(schema)} cascade`.execute(session.read)
  } finally {
    await session.close()
  }
}

async function fill(
  { client }: PostgresSession,
  tx: Db,
  { file, checked, program, token, aside, isUnknown, beforeCommit, onProgress }: PostgresRestore,
): Promise<void> {
  const sessions = isUnknown ? [] : await otherSessions(tx)
  if (sessions.length > 0) throw inUse(sessions)
  const there = await workspaceTables(tx)
  if (aside !== undefined) await setTablesAside(tx, there, aside)
  else if (there.length > 0)
    throw new AppError('CONFLICT', 'somebody has made a workspace in this database meanwhile')
  await assertFree(tx, checked.manifest.tables)
  const total = totalRows(checked.rows)
  let done = 0
  const { sha256 } = await readPostgresBackup(file, program, async (table, columns, rows) => {
    await makeTable(tx, table, async () => {
      const copy = client.query(copyStreams.from(copyText(table.shape.name, columns, 'from stdin')))
      await pipeline(rows, copy)
      done += copy.rowCount
    })
    onProgress?.(done, total)
  })
  if (sha256 !== checked.sha256) throw damaged('it was changed while it was being restored')
  // The next start looks at all tables, as after a change of the definitions.
  await tx.deleteFrom('svc_schema').where('name', '=', CHECKSUM_ROW).execute()
  await writeSetting(tx, RESTORED, token)
  beforeCommit()
}

/** Error that names the sessions which have to end first. */
export function inUse(sessions: readonly string[]): AppError {
  return new AppError(
    'CONFLICT',
    `others are connected to this database: ${sessions.join(', ')}; stop the servers and end those sessions first`,
  )
}

/**
 * Sessions of the same user in this database, but for those that hold the lock of a migration, as ours does meanwhile; the
 * server does not show those of others.
 */
async function otherSessions(db: Db): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string; sessions: bigint }>`
    select coalesce(nullif(application_name, ''), 'unnamed') as name, count(*) as sessions from pg_stat_activity
    where datname = current_database() and usename = current_user and pid <> pg_backend_pid()
      and backend_type = 'client backend' and application_name <> ${LOCK_SESSION}
    group by 1 order by 1`.execute(db)
  return rows.map(({ name, sessions }) => `${name} (${sessions})`)
}
